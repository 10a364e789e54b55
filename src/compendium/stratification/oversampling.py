"""Copies of rare rows: made inside the training folds, where they help, or before cutting, where they leak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold, train_test_split

__all__ = ["OversampledClassifier", "leakage_table", "oversample"]


def oversample(X: Any, y: Any, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows, and behind them copies of randomly drawn ones, so that all classes are equally frequent.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        Attributes.
    y : array-like of shape (n_rows,)
        Classes.
    random_state : int, Generator or None, default=None
        Seed or generator of the draws.

    Examples
    --------
    >>> from compendium.stratification.oversampling import oversample
    >>> X, y = oversample([[1], [2], [3], [4]], [0, 0, 0, 1], random_state=0)
    >>> X.ravel().tolist(), y.tolist()
    ([1, 2, 3, 4, 4, 4], [0, 0, 0, 1, 1, 1])
    """
    X, y = np.asarray(X), np.asarray(y)
    rng = np.random.default_rng(random_state)
    labels, counts = np.unique(y, return_counts=True)
    missing = counts.max() - counts
    copies = [rng.choice(np.flatnonzero(y == label), n) for label, n in zip(labels, missing, strict=True)]
    rows = np.concatenate([np.arange(len(y)), *copies])
    return X[rows], y[rows]


class OversampledClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is fitted to oversampled rows and predicts rows as they come.

    Cross-validation calls ``fit`` with a training part alone, so no copy can reach a test fold.

    Parameters
    ----------
    estimator : classifier
        What is fitted.
    random_state : int or None, default=None
        Seed of the copies.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    classes_ : ndarray
        Its classes.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from compendium.stratification.oversampling import OversampledClassifier
    >>> model = OversampledClassifier(DummyClassifier(strategy="prior"))
    >>> model = model.fit([[1], [2], [3], [4]], [0, 0, 0, 1])
    >>> model.estimator_.class_prior_.tolist()
    [0.5, 0.5]
    """

    def __init__(self, estimator: Any, random_state: Any = None) -> None:
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> OversampledClassifier:
        """Fit to the rows and the copies of rare ones."""
        self.estimator_ = clone(self.estimator).fit(*oversample(X, y, self.random_state))
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return a class for each row."""
        predicted: np.ndarray = self.estimator_.predict(X)
        return predicted


def leakage_table(
    models: Mapping[str, Any], X: Any, y: Any, n_splits: int, *, n_draws: int = 20, test_size: float = 1 / 3
) -> pd.DataFrame:
    """Compare estimates with oversampling before cutting and inside the training folds with untouched rows.

    In each draw a stratified part of the rows is put aside. The others are cross-validated in stratified folds both
    ways. The model fitted to all of them, oversampled, is then scored on the rows put aside.

    Parameters
    ----------
    models : mapping of str to classifier
        Models by name.
    X, y : array-like
        Attributes and classes.
    n_splits : int
        Number of folds.
    n_draws : int, default=20
        Number of draws; the seed of each is its number.
    test_size : float, default=1/3
        Share of the rows that is put aside.

    Returns
    -------
    DataFrame
        Columns ``model``, ``draw``, and the balanced accuracies ``plain`` (no oversampling), ``before``, ``inside``
        and ``untouched``.
    """
    X, y = np.asarray(X), np.asarray(y)
    rows = []
    for draw in range(n_draws):
        X_cut, X_aside, y_cut, y_aside = train_test_split(X, y, test_size=test_size, stratify=y, random_state=draw)
        cv = StratifiedKFold(n_splits, shuffle=True, random_state=draw)
        for name, model in models.items():
            right = OversampledClassifier(model, random_state=draw)
            scores = {
                "plain": _cross_validated(model, X_cut, y_cut, cv),
                "before": _cross_validated(model, *oversample(X_cut, y_cut, draw), cv),
                "inside": _cross_validated(right, X_cut, y_cut, cv),
                "untouched": _mean_recall(y_aside, right.fit(X_cut, y_cut).predict(X_aside)),
            }
            rows.append({"model": name, "draw": draw, **scores})
    return pd.DataFrame(rows)


def _cross_validated(model: Any, X: np.ndarray, y: np.ndarray, cv: StratifiedKFold) -> float:
    """Return the mean balanced accuracy over folds, of small models: scikit-learn's own checks would take longer."""
    fitted = ((clone(model).fit(X[train], y[train]), test) for train, test in cv.split(X, y))
    return float(np.mean([_mean_recall(y[test], one.predict(X[test])) for one, test in fitted]))


def _mean_recall(y: np.ndarray, predicted: np.ndarray) -> float:
    """Return the balanced accuracy: the share of rows that are found, mean over the classes that occur."""
    return float(np.mean([np.mean(predicted[y == label] == label) for label in np.unique(y)]))
