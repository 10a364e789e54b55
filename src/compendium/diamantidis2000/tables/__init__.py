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
    needed_by_wider,
)
from compendium.diamantidis2000.tables._estimates import (
    accuracy_table,
    beside_published,
    comparable,
    curve_table,
    error_table,
    estimate_table,
    estimates_of_samples,
    with_c45,
)
from compendium.diamantidis2000.tables._labels import (
    LABELS,
)
from compendium.diamantidis2000.tables._wins import (
    best_table,
    pair_text,
    total_text,
    total_wins,
    wins_if_alike,
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
    "needed_by_wider",
    "observation_table",
    "pair_text",
    "summarise_cluster_counts",
    "total_text",
    "total_wins",
    "wins_if_alike",
    "with_c45",
]
