"""Procedures around folds: e-fold, which stops early; complete k-fold, which chooses k; the bootstrap, without any."""

from cvstrat.procedures._bootstrap import bootstrap_632, bootstrap_632_plus, bootstrap_rows, no_information_accuracy
from cvstrat.procedures._bounds import (
    BOUNDS,
    clopper_pearson_upper,
    empirical_bernstein_upper,
    hoeffding_upper,
    wilson_upper,
)
from cvstrat.procedures._complete import Selection, mean_bound, select
from cvstrat.procedures._complete_search import CompleteKFoldSearchCV
from cvstrat.procedures._draws import CompleteKFold, Draw, Draws
from cvstrat.procedures._efold import EFoldResult, efold_cross_validate
from cvstrat.procedures._efold_search import EFoldSearchCV
from cvstrat.procedures._learners import AnyClassifier, GaussianSVM
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
    "BOUNDS",
    "AnyClassifier",
    "AnyOf",
    "CannotWin",
    "CompleteKFold",
    "CompleteKFoldSearchCV",
    "Draw",
    "Draws",
    "EFoldResult",
    "EFoldSearchCV",
    "FixedFolds",
    "GaussianSVM",
    "NarrowInterval",
    "Selection",
    "StableDeviation",
    "StoppingRule",
    "bootstrap_632",
    "bootstrap_632_plus",
    "bootstrap_rows",
    "clopper_pearson_upper",
    "efold_cross_validate",
    "empirical_bernstein_upper",
    "hoeffding_upper",
    "mean_bound",
    "no_information_accuracy",
    "race",
    "running_deviations",
    "running_means",
    "select",
    "stable_stops",
    "wilson_upper",
]
