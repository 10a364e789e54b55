"""One fold: fit, score, and what scikit-learn does when either fails."""

from __future__ import annotations

import numbers
import time
import traceback
import warnings
from typing import Any

from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from cvstrat._compat import check_method_params, safe_split
from cvstrat.errors import InputError


def check_error_score(value: Any) -> None:
    """Raise unless `value` is what scikit-learn takes for the score of a fit that fails."""
    if value != "raise" and (isinstance(value, str) or not isinstance(value, numbers.Real)):
        raise InputError(f"error_score must be 'raise' or a number, such as nan; it is {value!r}")


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
) -> tuple[dict[str, Any], Any]:
    """Fit a clone on the training part and score it on the test part.

    Returns
    -------
    scores : dict
        ``test_score`` (or ``test_NAME`` for each of several metrics), ``train_score`` on request, ``fit_time``,
        ``score_time``. A fit that fails gives a warning and, in place of scores, its traceback as ``failure``, unless
        `error_score` is ``"raise"``.
    estimator
        The fitted clone.
    """
    train, test = split
    model = clone(estimator)
    if setting:
        model.set_params(**clone(setting, safe=False))
    X_train, y_train = safe_split(model, X, y, train)
    X_test, y_test = safe_split(model, X, y, test, train)
    start = time.perf_counter()
    failure = ""
    try:
        model.fit(
            X_train, *([] if y_train is None else [y_train]), **check_method_params(X, fit_params or {}, indices=train)
        )
    except Exception:
        if error_score == "raise":
            raise
        failure = traceback.format_exc()
        message = f"a fit failed; its score is {error_score}. Set error_score='raise' to see it happen.\n{failure}"
        warnings.warn(message, FitFailedWarning, stacklevel=2)
    fitted = time.perf_counter()
    found: dict[str, Any] = {"failure": failure} if failure else {}
    parts = {"test": (X_test, y_test, test)} | ({"train": (X_train, y_train, train)} if return_train_score else {})
    for part, (rows, target, indices) in parts.items():
        weights = check_method_params(X, score_params or {}, indices=indices)
        scores = {} if failure else _scored(scorer, model, rows, target, weights, error_score)
        found |= {f"{part}_{name}": value for name, value in scores.items()}
        if part == "test":
            scored = time.perf_counter()
    return found | {"fit_time": fitted - start, "score_time": scored - fitted}, model


def _scored(scorer: Any, model: Any, X: Any, y: Any, params: dict[str, Any], error_score: Any) -> dict[str, float]:
    try:
        scores = scorer(model, X, *([] if y is None else [y]), **params)
    except Exception:
        if error_score == "raise":
            raise
        warnings.warn(
            f"scoring failed; the score is {error_score}.\n{traceback.format_exc()}", UserWarning, stacklevel=2
        )
        return {"score": float(error_score)}
    if isinstance(scores, dict):
        return {name: _number(name, value, error_score) for name, value in scores.items()}
    return {"score": _number("score", scores, error_score)}


def _number(name: str, value: Any, error_score: Any) -> float:
    if isinstance(value, str):  # a metric among several that failed leaves its traceback
        warnings.warn(f"scoring {name} failed; the score is {error_score}.\n{value}", UserWarning, stacklevel=2)
        return float(error_score)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"scoring must return a number, got {value!r} ({type(value).__name__}) instead") from error
