"""One fold: fit, score, and what scikit-learn does when either fails."""

from __future__ import annotations

import numbers
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from cvstrat._compat import check_method_params, safe_split
from cvstrat.errors import InputError

Fold = dict[str, Any]


def check_error_score(value: Any) -> None:
    """Raise unless `value` is what scikit-learn takes for the score of a fit that fails."""
    if value != "raise" and (isinstance(value, str) or not isinstance(value, numbers.Real)):
        raise InputError(f"error_score must be 'raise' or a number, such as nan; it is {value!r}")


def check_splits(n_splits: int) -> None:
    """Raise if there is no fold at all."""
    if n_splits < 1:
        raise InputError("cv has no folds: give a number, a splitter, or pairs of training and test rows")


def evaluate_fold(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    split: tuple[Any, Any],
    scorer: Any,
    setting: dict[str, Any] | None = None,
    fit_params: dict[str, Any] | None = None,
    score_params: dict[str, Any] | None = None,
    error_score: Any = float("nan"),
    return_train_score: bool = False,
    return_estimator: bool = False,
) -> Fold:
    """Fit a clone on the training part and score it on the test part.

    Returns
    -------
    dict
        ``test_score`` (or ``test_NAME`` for each of several metrics), ``fit_time``, ``score_time``; on request
        ``train_score`` and ``estimator``, the fitted clone. Unless `error_score` is ``"raise"``, a fit that fails
        leaves its traceback as ``failure`` and no scores, and scoring that fails leaves its own among ``complaints``:
        `metric_names` warns of both. There is no warning here, since one in a worker is lost.
    """
    train, test = split
    model = clone(estimator)
    if setting:
        model.set_params(**clone(setting, safe=False))
    X_train, y_train = safe_split(model, X, y, train)
    X_test, y_test = safe_split(model, X, y, test, train)
    start = time.perf_counter()
    found: Fold = {"complaints": []}
    try:
        model.fit(
            X_train, *([] if y_train is None else [y_train]), **check_method_params(X, fit_params or {}, indices=train)
        )
    except Exception:
        if error_score == "raise":
            raise
        found["failure"] = traceback.format_exc()
    fitted = time.perf_counter()
    parts = {"test": (X_test, y_test, test)} | ({"train": (X_train, y_train, train)} if return_train_score else {})
    for part, (rows, target, indices) in parts.items():
        weights = check_method_params(X, score_params or {}, indices=indices)
        if "failure" not in found:
            scores = _scored(scorer, model, rows, target, weights, error_score, found["complaints"])
            found |= {f"{part}_{name}": value for name, value in scores.items()}
        if part == "test":
            scored = time.perf_counter()
    found |= {"fit_time": fitted - start, "score_time": scored - fitted}
    return found | ({"estimator": model} if return_estimator else {})


def _scored(
    scorer: Any, model: Any, X: Any, y: Any, params: dict[str, Any], error_score: Any, complaints: list[str]
) -> dict[str, float]:
    try:
        scores = scorer(model, X, *([] if y is None else [y]), **params)
    except Exception:
        if error_score == "raise":
            raise
        complaints.append(f"scoring failed; the score is {error_score}.\n{traceback.format_exc()}")
        return {}  # a scorer that fails does not say which metrics it has
    found = {}
    for name, value in (scores if isinstance(scores, dict) else {"score": scores}).items():
        if isinstance(value, str):  # a metric among several that failed leaves its traceback
            complaints.append(f"scoring {name} failed; the score is {error_score}.\n{value}")
        found[name] = float(error_score) if isinstance(value, str) else _number(value)
    return found


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"scoring must return a number, got {value!r} ({type(value).__name__}) instead") from error


def metric_names(folds: Sequence[Fold], error_score: Any) -> list[str]:
    """Return the metrics of these folds; warn of what failed, and raise if every fit did."""
    failures = Counter(fold["failure"] for fold in folds if "failure" in fold)
    details = "\n".join(f"{number} failed with\n{failure}" for failure, number in failures.items())
    if failures.total() == len(folds):
        raise InputError(f"All the {len(folds)} fits failed. Set error_score='raise' to see it happen.\n{details}")
    if failures:
        message = f"{failures.total()} fits failed out of {len(folds)}; their score is {error_score}. Set "
        warnings.warn(f"{message}error_score='raise' to see it happen.\n{details}", FitFailedWarning, stacklevel=3)
    for complaint in dict.fromkeys(complaint for fold in folds for complaint in fold["complaints"]):
        warnings.warn(complaint, UserWarning, stacklevel=3)
    return list(dict.fromkeys(name for fold in folds for name in _tested(fold))) or ["score"]


def deciding_score(fold: Fold, metric: Any, error_score: Any) -> float:
    """Return the score that a stopping rule looks at: of several metrics the one with this name, else the first."""
    names = _tested(fold)
    if isinstance(metric, str) and metric not in names and names not in ([], ["score"]):
        raise InputError(f"{metric!r} is none of the metrics: {', '.join(names)}")
    name = metric if metric in names else next(iter(names), "")
    return float(fold.get(f"test_{name}", missing_score(error_score)))


def missing_score(error_score: Any) -> float:
    """Return the score of a fold that has none."""
    return float("nan") if error_score == "raise" else float(error_score)


def _tested(fold: Fold) -> list[str]:
    return [key.removeprefix("test_") for key in fold if key.startswith("test_")]
