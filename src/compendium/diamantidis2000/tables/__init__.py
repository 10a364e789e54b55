"""What the results say: estimates beside the truth, and the paper's tables, ours beside them."""

from compendium.diamantidis2000.tables._claims import (
    curve_points,
    gain_table,
    observation_table,
)
from compendium.diamantidis2000.tables._counts import (
    cluster_table,
    summarise_cluster_counts,
)
from compendium.diamantidis2000.tables._effects import (
    MARGIN,
    OTHER_ESTIMATORS,
    beside_stratified,
    center_effects,
)
from compendium.diamantidis2000.tables._estimates import (
    accuracy_table,
    beside_published,
    best_table,
    comparable,
    curve_table,
    error_table,
    estimate_table,
    estimates_of_samples,
    wins_if_alike,
    with_c45,
)
from compendium.diamantidis2000.tables._labels import (
    LABELS,
)

__all__ = [
    "LABELS",
    "MARGIN",
    "OTHER_ESTIMATORS",
    "accuracy_table",
    "beside_published",
    "beside_stratified",
    "best_table",
    "center_effects",
    "cluster_table",
    "comparable",
    "curve_points",
    "curve_table",
    "error_table",
    "estimate_table",
    "estimates_of_samples",
    "gain_table",
    "observation_table",
    "summarise_cluster_counts",
    "wins_if_alike",
    "with_c45",
]
