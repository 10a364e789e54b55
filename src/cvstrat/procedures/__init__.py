"""Procedures around folds: e-fold, which stops early, and the bootstrap, which has none."""

from cvstrat.procedures._bootstrap import bootstrap_632, bootstrap_632_plus, bootstrap_rows, no_information_accuracy
from cvstrat.procedures._efold import EFoldResult, efold_cross_validate
from cvstrat.procedures._efold_search import EFoldSearchCV
from cvstrat.procedures._stopping import (
    AnyOf,
    CannotWin,
    FixedFolds,
    NarrowInterval,
    StableDeviation,
    StoppingRule,
    running_deviations,
    running_means,
    stable_stops,
)

__all__ = [
    "AnyOf",
    "CannotWin",
    "EFoldResult",
    "EFoldSearchCV",
    "FixedFolds",
    "NarrowInterval",
    "StableDeviation",
    "StoppingRule",
    "bootstrap_632",
    "bootstrap_632_plus",
    "bootstrap_rows",
    "efold_cross_validate",
    "no_information_accuracy",
    "running_deviations",
    "running_means",
    "stable_stops",
]
