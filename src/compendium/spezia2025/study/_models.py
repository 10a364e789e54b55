"""The models of the cluster-based paper, and all scores of a prediction at once."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from compendium.spezia2025.study._forest import LeanForest

SCORES = ("accuracy", "balanced_accuracy", "f1_macro", "precision_macro", "recall_macro")

_DEPTHS = [1, 5, 10, 15, 50]
_MODELS: dict[str, tuple[type, dict[str, Any], dict[str, list[Any]]]] = {
    "LR": (LogisticRegression, {"max_iter": 10010}, {"C": [0.003, 0.03, 0.3, 3.0, 30.0]}),
    "DT": (DecisionTreeClassifier, {}, {"max_depth": _DEPTHS}),
    "SVM": (
        SVC,
        {"max_iter": 10010},
        {"C": [0.3, 3.0, 30.0, 300.0], "gamma": [0.00003, 0.0003, 0.003, 0.03, 0.3]},
    ),
    "RF": (LeanForest, {}, {"max_depth": _DEPTHS}),
}
MODELS = tuple(_MODELS)


def make_model(name: str, random_state: int, **hyperparameters: Any) -> Any:
    """Return an unfitted classifier of the cluster-based study, with balanced class weights."""
    kind, fixed, _ = _MODELS[name]
    return kind(class_weight="balanced", random_state=random_state, **fixed, **hyperparameters)


def grid(name: str) -> dict[str, list[Any]]:
    """Return the hyperparameters that are tried for a model (Table II)."""
    return _MODELS[name][2]


def score(y: np.ndarray, predicted: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the scores named by ``SCORES`` for classes numbered from 0, as scikit-learn defines them.

    Macro averages go over the classes that occur in `y` or `predicted`, balanced accuracy over those in `y`; what is
    divided by zero counts as zero.
    """
    table = np.bincount(y * n_classes + predicted, minlength=n_classes**2).reshape(n_classes, n_classes)
    right, members, calls = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    occurs = (members + calls) > 0
    recall = right / np.maximum(members, 1)
    precision = right / np.maximum(calls, 1)
    f1 = 2 * right / np.maximum(members + calls, 1)
    return np.array(
        [
            right.sum() / len(y),
            recall[members > 0].mean(),
            f1[occurs].mean(),
            precision[occurs].mean(),
            recall[occurs].mean(),
        ]
    )


def fit_and_score(
    model: Any, X: np.ndarray, y: np.ndarray, X_test: np.ndarray, y_test: np.ndarray, n_classes: int
) -> tuple[np.ndarray, float, float, bool]:
    """Fit, predict and score once; return scores, seconds of fitting and of predicting, and whether the fit converged.

    Where the training rows are all of one class, which LR and SVM refuse, that class is predicted.
    """
    start = perf_counter()
    if (y == y[0]).all():
        fitted = start
        predicted = np.full(len(y_test), y[0])
        converged = True
    else:
        model.fit(X, y)
        fitted = perf_counter()
        predicted = model.predict(X_test)
        limit = getattr(model, "max_iter", None)
        converged = limit is None or bool(np.max(model.n_iter_) < limit)
    end = perf_counter()
    return score(y_test, predicted, n_classes), fitted - start, end - fitted, converged
