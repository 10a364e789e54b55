"""Measures: of data sets, of folds, of estimates; and the closed forms of stratified sampling that advice needs."""

from cvstrat.metrics._balance import Balance, balance_ratio, balance_spectrum, balance_test, energy_distance
from cvstrat.metrics._balance_law import expected_bias, expected_estimate, unbiased_balance
from cvstrat.metrics._counts import (
    any_empty_probability,
    check_class,
    count_distribution,
    dealt_counts,
    empty_probability,
    fold_sizes,
    largest_n_splits,
    quotas,
)
from cvstrat.metrics._folds import (
    MEASURE_LABELS,
    MEASURES,
    assignment_table,
    compare_folds,
    energy_coefficient,
    fold_numbers,
    fold_report,
)
from cvstrat.metrics._imbalance import USUAL_METRIC, balance_kind, imbalance_index
from cvstrat.metrics._score_noise import accuracy_variance, simulate_scores

__all__ = [
    "MEASURES",
    "MEASURE_LABELS",
    "USUAL_METRIC",
    "Balance",
    "accuracy_variance",
    "any_empty_probability",
    "assignment_table",
    "balance_kind",
    "balance_ratio",
    "balance_spectrum",
    "balance_test",
    "check_class",
    "compare_folds",
    "count_distribution",
    "dealt_counts",
    "empty_probability",
    "energy_coefficient",
    "energy_distance",
    "expected_bias",
    "expected_estimate",
    "fold_numbers",
    "fold_report",
    "fold_sizes",
    "imbalance_index",
    "largest_n_splits",
    "quotas",
    "simulate_scores",
    "unbiased_balance",
]
