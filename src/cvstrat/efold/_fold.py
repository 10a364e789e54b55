"""One fold: fit, score, and what scikit-learn does when either fails."""

from __future__ import annotations

import math
import numbers
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError

from cvstrat._compat import check_method_params, safe_split
from cvstrat.errors import InputError


@dataclass
class Fold:
    """Scores by part (``test``, on request ``train``) and metric, times, the model on request, and what went wrong."""

    scores: dict[str, dict[str, float]]
    estimator: Any = None
    fit_time: float = 0.0
    score_time: float = 0.0
    failure: str = ""
    complaints: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What all folds have in common: data, model, scorer and what goes with them, and what to do when one fails."""

    estimator: Any
    X: Any
    y: Any
    scorer: Any
    routed: Any
    error_score: Any
    return_train_score: bool
    return_estimator: bool = False

    def __post_init__(self) -> None:
        value = self.error_score
        if value != "raise" and (isinstance(value, str) or not isinstance(value, numbers.Real)):
            raise InputError(f"error_score must be 'raise' or a number, such as nan; it is {value!r}")

    def fold(self, split: tuple[Any, Any], setting: dict[str, Any] | None = None) -> Fold:
        """Fit a clone on the training part and score it on the test part.

        Nothing warns here, since a warning in a worker is lost: `tabulated` does.
        """
        train, test = split
        model = clone(self.estimator)
        if setting:
            model.set_params(**clone(setting, safe=False))
        X_train, y_train = safe_split(model, self.X, self.y, train)
        parts = {"test": (*safe_split(model, self.X, self.y, test, train), test)}
        if self.return_train_score:
            parts["train"] = (X_train, y_train, train)
        fold = Fold({part: {} for part in parts}, model if self.return_estimator else None)
        start = time.perf_counter()
        try:
            params = check_method_params(self.X, self.routed.estimator.fit, indices=train)
            model.fit(*without_none(X_train, y_train), **params)
        except Exception:
            if self.error_score == "raise":
                raise
            fold.failure = traceback.format_exc()
        fold.fit_time = time.perf_counter() - start
        if fold.failure:
            return fold
        for part, (rows, target, indices) in parts.items():
            params = check_method_params(self.X, self.routed.scorer.score, indices=indices)
            start = time.perf_counter()
            fold.scores[part] = self._scores(model, without_none(rows, target), params, fold.complaints)
            if part == "test":
                fold.score_time = time.perf_counter() - start
        return fold

    def _scores(self, model: Any, data: list[Any], params: dict[str, Any], complaints: list[str]) -> dict[str, float]:
        try:
            scores = self.scorer(model, *data, **params)
        except Exception as error:
            if self.error_score == "raise" or isinstance(error, UnsetMetadataPassedError):
                raise
            complaints.append(f"scoring failed; the score is {self.error_score}.\n{traceback.format_exc()}")
            return {}  # a scorer that fails does not say which metrics it has
        found = {}
        for name, value in (scores if isinstance(scores, dict) else {"score": scores}).items():
            if isinstance(value, str):  # a metric among several that failed leaves its traceback
                complaints.append(f"scoring {name} failed; the score is {self.error_score}.\n{value}")
            try:
                found[str(name)] = float(self.error_score if isinstance(value, str) else value)
            except (TypeError, ValueError) as error:
                kind = type(value).__name__
                raise InputError(f"scoring must return a number, got {value!r} ({kind}) instead") from error
        return found

    def deciding_score(self, fold: Fold, metric: Any) -> float:
        """Return the score that a stopping rule looks at: of several metrics the one with this name, else the first."""
        scores = fold.scores["test"]
        if isinstance(metric, str) and metric not in scores and list(scores) not in ([], ["score"]):
            raise InputError(f"{metric!r} is none of the metrics: {', '.join(scores)}")
        return scores.get(metric if isinstance(metric, str) else "", next(iter(scores.values()), self._missing()))

    def tabulated(self, folds: Sequence[Fold]) -> tuple[list[str], dict[str, Any]]:
        """Return metrics, and the results of ``cross_validate``; warn of failures, and raise if every fit failed."""
        failures = Counter(fold.failure for fold in folds if fold.failure)
        details = "\n".join(f"{number} failed with\n{failure}" for failure, number in failures.items())
        advice = f"Set error_score='raise' to see it happen.\n{details}"
        if failures.total() == len(folds):
            raise InputError(f"All the {len(folds)} fits failed. {advice}")
        if failures:
            message = f"{failures.total()} fits failed out of {len(folds)}; their score is {self.error_score}. {advice}"
            warnings.warn(message, FitFailedWarning, stacklevel=3)
        for complaint in dict.fromkeys(complaint for fold in folds for complaint in fold.complaints):
            warnings.warn(complaint, UserWarning, stacklevel=3)
        metrics = list(dict.fromkeys(name for fold in folds for name in fold.scores["test"])) or ["score"]
        columns: dict[str, Any] = {
            "fit_time": np.array([fold.fit_time for fold in folds]),
            "score_time": np.array([fold.score_time for fold in folds]),
        }
        if self.return_estimator:
            columns["estimator"] = [fold.estimator for fold in folds]
        for name in metrics:
            for part in folds[0].scores:
                scores = [fold.scores[part].get(name, self._missing()) for fold in folds]
                columns[f"{part}_{name}"] = np.array(scores)
        return metrics, columns

    def _missing(self) -> float:
        return math.nan if self.error_score == "raise" else float(self.error_score)


def without_none(X: Any, y: Any) -> list[Any]:
    """Return what ``fit`` and scorers take by place: the rows, and the target, if there is one."""
    return [X] if y is None else [X, y]
