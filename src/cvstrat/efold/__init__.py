"""e-fold cross-validation, which stops when the scores are stable: rules, one model, a search."""

from cvstrat.efold._cross_validate import EFoldResult, efold_cross_validate
from cvstrat.efold._search import EFoldSearchCV
from cvstrat.efold._stopping import (
    AnyOf,
    CannotWin,
    FixedFolds,
    NarrowInterval,
    StableDeviation,
    StoppingRule,
    race,
    running_means,
    running_stds,
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
    "running_means",
    "running_stds",
    "stable_stops",
]
