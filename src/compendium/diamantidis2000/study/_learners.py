"""The learners of the study of 2000: a decision tree, naive Bayes for mixed attributes, and C4.5 where it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from compendium.diamantidis2000.study._attributes import Attributes
from compendium.diamantidis2000.study._c45 import C45

_MIN_VARIANCE = 1e-9  # in units of the largest, as in scikit-learn


class RowLearner(Protocol):
    """A learner that holds a data set: it learns from some of its rows and predicts the classes of others."""

    def predict(self, train: np.ndarray, tests: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Learn from the rows `train`, and return the predicted classes of each set of rows in `tests`."""


class EntropyTree:
    """scikit-learn's decision tree with entropy, in place of C4.5.

    Discrete attributes are a column per value, so that it asks for values, not for an order of codes; missing values
    are a value of their own there, and NaN in continuous attributes, which go where they gain most. Leaves have at
    least two rows, as C4.5's do by default. Unlike C4.5 it splits in two, takes the gain rather than the ratio of
    gains, and is not pruned.
    """

    def __init__(self, data: Attributes) -> None:
        self._X = np.hstack([data.indicators(), data.continuous]).astype(np.float32)
        self._y = data.y

    def predict(self, train: np.ndarray, tests: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Grow a tree on some rows; return the classes it predicts for others."""
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
        tree.fit(self._X[train], self._y[train])
        return [tree.predict(self._X[test]) for test in tests]


class MixedBayes:
    r"""Naive Bayes: smoothed frequencies for discrete attributes, normal densities for continuous ones.

    The probability of a value in a class is :math:`(n_{vc} + 1) / (n_c + V)`, with as many values :math:`V` as the
    whole data set has. A missing value is a value of its own in a discrete attribute; in a continuous one it is left
    out.
    """

    def __init__(self, data: Attributes) -> None:
        self._indicators = data.indicators()
        self._n_values = np.repeat(data.n_values, data.n_values)
        self._n_discrete = data.discrete.shape[1]
        self._known = ~np.isnan(data.continuous)
        self._continuous = np.where(self._known, data.continuous, 0.0)
        self._y = data.y

    def predict(self, train: np.ndarray, tests: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Count and average some rows; return the likeliest classes of others."""
        classes, codes = np.unique(self._y[train], return_inverse=True)
        members = np.zeros((len(classes), len(train)))
        members[codes, np.arange(len(train))] = 1
        counts = members.sum(axis=1)
        frequency = (members @ self._indicators[train] + 1) / (counts[:, None] + self._n_values)
        weights = np.log(frequency).T
        means, variances = self._moments(train, members)
        prior = np.log(counts / len(train))
        found = []
        for test in tests:
            likelihood = prior + self._indicators[test] @ weights + self._normal(test, means, variances)
            found.append(classes[likelihood.argmax(axis=1)])
        return found

    def _moments(self, train: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and variance per class and column; where a class has no value, those of all rows."""
        values, known = self._continuous[train], self._known[train].astype(float)
        means, variances = _moments(values, known, members)
        overall = _moments(values, known, np.ones((1, len(train))))
        smallest = _MIN_VARIANCE * overall[1].max(initial=0.0)
        none = (members @ known) == 0
        means, variances = np.where(none, overall[0], means), np.where(none, overall[1], variances)
        return means, np.maximum(variances + smallest, np.finfo(float).tiny)

    def _normal(self, test: np.ndarray, means: np.ndarray, variances: np.ndarray) -> np.ndarray:
        values, known = self._continuous[test], self._known[test]
        found = np.empty((len(test), len(means)))
        for number, (mean, variance) in enumerate(zip(means, variances, strict=True)):
            terms = np.log(2 * np.pi * variance) + (values - mean) ** 2 / variance
            found[:, number] = -0.5 * np.where(known, terms, 0.0).sum(axis=1)
        return found


def _moments(values: np.ndarray, known: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means and variances of known values by group, in two passes, for the sake of precision."""
    counts = np.maximum(members @ known, 1)
    means = (members @ values) / counts
    variances = np.empty_like(means)
    for number, group in enumerate(members):
        inside = group > 0
        variances[number] = (known[inside] * (values[inside] - means[number]) ** 2).sum(axis=0) / counts[number]
    return means, variances


LEARNERS: dict[str, Callable[[Attributes], RowLearner]] = {
    "Decision tree": EntropyTree,
    "Naive Bayes": MixedBayes,
    "C4.5": C45,
}
