"""The style of the book, and the drawings that several chapters share: frames in, axes out."""

from compendium.figures._boxes import (
    draw_boxes,
)
from compendium.figures._clusters import (
    plot_cluster_counts,
    plot_dendrogram,
    plot_growth,
    plot_k_distance,
)
from compendium.figures._colours import (
    technique_style,
)
from compendium.figures._data import (
    offer,
)
from compendium.figures._datasets import (
    plot_imbalance,
    plot_sizes,
)
from compendium.figures._effects import (
    plot_effects,
)
from compendium.figures._folds import (
    plot_fold_comparison,
    plot_fold_gallery,
    plot_fold_report,
    plot_fold_shares,
)
from compendium.figures._panels import (
    panels,
    plain_ticks,
    short,
)
from compendium.figures._style import (
    use_style,
)
from compendium.figures._tables import (
    captioned,
    p_text,
    searchable,
    signed,
)

__all__ = [
    "captioned",
    "draw_boxes",
    "offer",
    "p_text",
    "panels",
    "plain_ticks",
    "plot_cluster_counts",
    "plot_dendrogram",
    "plot_effects",
    "plot_fold_comparison",
    "plot_fold_gallery",
    "plot_fold_report",
    "plot_fold_shares",
    "plot_growth",
    "plot_imbalance",
    "plot_k_distance",
    "plot_sizes",
    "searchable",
    "short",
    "signed",
    "technique_style",
    "use_style",
]
