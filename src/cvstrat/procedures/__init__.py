"""Procedures that decide how many folds are used: e-fold, which stops early."""

from cvstrat.procedures._efold import EFoldResult, efold_cross_validate
from cvstrat.procedures._efold_search import EFoldSearchCV
from cvstrat.procedures._race import race
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
    "efold_cross_validate",
    "race",
    "running_deviations",
    "running_means",
    "stable_stops",
]
