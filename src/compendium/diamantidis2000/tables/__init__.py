"""What the results say: estimates beside the truth, and the paper's tables, ours beside them."""

from compendium.diamantidis2000.tables._claims import (
    gain_table,
    observation_table,
)
from compendium.diamantidis2000.tables._counts import (
    summarise_cluster_counts,
)
from compendium.diamantidis2000.tables._estimates import (
    accuracy_table,
    beside_published,
    best_table,
    center_effects,
    cluster_table,
    comparable,
    curve_table,
    estimate_table,
    estimates_of_samples,
    wins_by_chance,
    with_c45,
)

__all__ = [
    "accuracy_table",
    "beside_published",
    "best_table",
    "center_effects",
    "cluster_table",
    "comparable",
    "curve_table",
    "estimate_table",
    "estimates_of_samples",
    "gain_table",
    "observation_table",
    "summarise_cluster_counts",
    "wins_by_chance",
    "with_c45",
]
