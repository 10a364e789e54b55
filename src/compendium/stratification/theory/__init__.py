"""Closed forms of stratified sampling, each with a simulation to hold against it."""

from compendium.stratification.theory._correlation import (
    MOMENT_LABELS,
    brier_moments,
    score_moments,
    simulate_moments,
    variance_of_mean,
)
from compendium.stratification.theory._counts import (
    chance_text,
    count_table,
    empty_table,
    random_counts,
)
from compendium.stratification.theory._majority import (
    flip_probability,
    majority_errors,
    majority_estimate,
    majority_over_data,
    majority_table,
    majority_truth,
    strict_lead,
)
from compendium.stratification.theory._merging import (
    MERGING_LABELS,
    merged,
    merging_table,
)
from compendium.stratification.theory._metrics import (
    balanced_accuracy_variance,
    metric_table,
    recall_variance,
)
from compendium.stratification.theory._missing import (
    balanced_error_bias,
    bias_by_folds,
)
from compendium.stratification.theory._quotas import (
    max_share_gaps,
    share_gap_table,
)
from compendium.stratification.theory._shares import (
    share_table,
    share_variance,
)
from compendium.stratification.theory._twins import (
    twin_probability,
)

__all__ = [
    "MERGING_LABELS",
    "MOMENT_LABELS",
    "balanced_accuracy_variance",
    "balanced_error_bias",
    "bias_by_folds",
    "brier_moments",
    "chance_text",
    "count_table",
    "empty_table",
    "flip_probability",
    "majority_errors",
    "majority_estimate",
    "majority_over_data",
    "majority_table",
    "majority_truth",
    "max_share_gaps",
    "merged",
    "merging_table",
    "metric_table",
    "random_counts",
    "recall_variance",
    "score_moments",
    "share_gap_table",
    "share_table",
    "share_variance",
    "simulate_moments",
    "strict_lead",
    "twin_probability",
    "variance_of_mean",
]
