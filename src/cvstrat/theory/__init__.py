"""Why folds should be representative: closed forms, each with a simulation to hold against it."""

from cvstrat.theory._correlation import brier_moments, score_moments, simulate_moments, variance_of_mean
from cvstrat.theory._counts import (
    any_empty_chance,
    count_distribution,
    count_table,
    empty_chance,
    empty_table,
    fold_sizes,
    random_counts,
)
from cvstrat.theory._majority import (
    flip_chance,
    majority_errors,
    majority_estimate,
    majority_over_data,
    majority_table,
)
from cvstrat.theory._merging import merged, merging_table
from cvstrat.theory._metrics import (
    METRICS,
    accuracy_variance,
    balanced_accuracy_variance,
    metric_table,
    recall_variance,
    simulate_scores,
)
from cvstrat.theory._missing import balanced_error_bias, bias_by_folds
from cvstrat.theory._quotas import dealt_counts, deviation_table, largest_n_splits, quotas, share_deviations
from cvstrat.theory._shares import share_table, share_variance

__all__ = [
    "METRICS",
    "accuracy_variance",
    "any_empty_chance",
    "balanced_accuracy_variance",
    "balanced_error_bias",
    "bias_by_folds",
    "brier_moments",
    "count_distribution",
    "count_table",
    "dealt_counts",
    "deviation_table",
    "empty_chance",
    "empty_table",
    "flip_chance",
    "fold_sizes",
    "largest_n_splits",
    "majority_errors",
    "majority_estimate",
    "majority_over_data",
    "majority_table",
    "merged",
    "merging_table",
    "metric_table",
    "quotas",
    "random_counts",
    "recall_variance",
    "score_moments",
    "share_deviations",
    "share_table",
    "share_variance",
    "simulate_moments",
    "simulate_scores",
    "variance_of_mean",
]
