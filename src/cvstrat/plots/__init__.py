"""Figures and tables of the book: frames in, axes out. One style for all."""

from cvstrat.plots._centers import (
    plot_bias_and_deviation,
    plot_estimates,
    plot_gains,
    plot_learning_curves,
    plot_orders,
)
from cvstrat.plots._clusters import plot_cluster_counts, plot_dendrogram, plot_growth, plot_k_distance
from cvstrat.plots._complete import plot_bounds, plot_calibration, plot_chosen_folds, plot_exceedance, plot_looseness
from cvstrat.plots._datasets import plot_imbalance, plot_sizes
from cvstrat.plots._efold import (
    plot_inside,
    plot_mean_stops,
    plot_percent,
    plot_searches,
    plot_sensitivity,
    plot_stop_shares,
    plot_stopping,
    plot_technique_stops,
)
from cvstrat.plots._folds import plot_fold_comparison, plot_fold_gallery, plot_fold_report, plot_fold_shares
from cvstrat.plots._studies import (
    plot_boxes,
    plot_class_shares,
    plot_effects,
    plot_noise,
    plot_ranks,
    plot_times,
)
from cvstrat.plots._style import use_style
from cvstrat.plots._tables import searchable
from cvstrat.plots._theory import plot_fold_counts, plot_formula, plot_moments

__all__ = [
    "plot_bias_and_deviation",
    "plot_bounds",
    "plot_boxes",
    "plot_calibration",
    "plot_chosen_folds",
    "plot_class_shares",
    "plot_cluster_counts",
    "plot_dendrogram",
    "plot_effects",
    "plot_estimates",
    "plot_exceedance",
    "plot_fold_comparison",
    "plot_fold_counts",
    "plot_fold_gallery",
    "plot_fold_report",
    "plot_fold_shares",
    "plot_formula",
    "plot_gains",
    "plot_growth",
    "plot_imbalance",
    "plot_inside",
    "plot_k_distance",
    "plot_learning_curves",
    "plot_looseness",
    "plot_mean_stops",
    "plot_moments",
    "plot_noise",
    "plot_orders",
    "plot_percent",
    "plot_ranks",
    "plot_searches",
    "plot_sensitivity",
    "plot_sizes",
    "plot_stop_shares",
    "plot_stopping",
    "plot_technique_stops",
    "plot_times",
    "searchable",
    "use_style",
]
