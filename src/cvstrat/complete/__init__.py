"""Complete k-fold cross-validation: the number of folds as a hyperparameter, with an upper bound of the error."""

from cvstrat.complete._bounds import (
    BOUNDS,
    clopper_pearson_upper,
    empirical_bernstein_upper,
    hoeffding_upper,
    wilson_upper,
)
from cvstrat.complete._draws import CompleteKFold, Draw, Draws
from cvstrat.complete._learners import AnyClassifier, GaussianSVM
from cvstrat.complete._proven import mean_risk_upper
from cvstrat.complete._search import CompleteKFoldSearchCV
from cvstrat.complete._select import Selection, mean_bound, select

__all__ = [
    "BOUNDS",
    "AnyClassifier",
    "CompleteKFold",
    "CompleteKFoldSearchCV",
    "Draw",
    "Draws",
    "GaussianSVM",
    "Selection",
    "clopper_pearson_upper",
    "empirical_bernstein_upper",
    "hoeffding_upper",
    "mean_bound",
    "mean_risk_upper",
    "select",
    "wilson_upper",
]
