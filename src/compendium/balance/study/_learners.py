"""Six learners that are fitted to many training parts of one data set at once.

A training part is a row of weights, one for each row of the data: 0 leaves a row out, 2 takes it twice. Each learner
gives the probability of class 1 for the rows that are asked for, part by part. What it gives is what scikit-learn's
own gives, one fit at a time; only the work is shared: sums over rows for the linear models, distances for the
neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import expit
from sklearn import config_context
from sklearn.tree import DecisionTreeRegressor

Predict = Callable[[np.ndarray, list[np.ndarray]], list[np.ndarray]]


@dataclass
class Prepared:
    """Rows to learn from and rows to predict; the first may be among the second.

    Attributes
    ----------
    X, y : array
        Rows that training parts are made of.
    Z : array
        Rows that can be predicted.
    seed : int
        Of the trees.
    """

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    seed: int
    _nearest: np.ndarray | None = field(default=None, repr=False)

    def nearest(self, rows: np.ndarray, width: int) -> np.ndarray:
        """Return, for rows of Z, the nearest `width` rows of X, the nearest first; what was found is kept."""
        if self._nearest is None or self._nearest.shape[1] < width:
            distances = cdist(self.Z, self.X, "sqeuclidean")
            near = np.sort(np.argpartition(distances, width - 1, axis=1)[:, :width], axis=1)
            order = np.argsort(np.take_along_axis(distances, near, axis=1), axis=1, kind="stable")
            self._nearest = np.take_along_axis(near, order, axis=1)
        found: np.ndarray = self._nearest[rows, :width]
        return found


def _with_one_class(weights: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the share of class 1 in each training part."""
    share: np.ndarray = weights @ y / weights.sum(axis=1)
    return share


def linear_discriminant(data: Prepared, weights: np.ndarray, rows: list[np.ndarray]) -> list[np.ndarray]:
    """Predict by linear discriminant analysis, from sums of rows and of their products."""
    n_features = data.X.shape[1]
    products = (data.X[:, :, None] * data.X[:, None, :]).reshape(len(data.X), -1)
    total = weights.sum(axis=1)
    scatter = (weights @ products).reshape(-1, n_features, n_features)
    means, counts = [], []
    for label in (0, 1):
        inside = weights * (data.y == label)
        count = inside.sum(axis=1)
        mean = (inside @ data.X) / np.maximum(count, 1)[:, None]
        scatter = scatter - count[:, None, None] * mean[:, :, None] * mean[:, None, :]
        means.append(mean)
        counts.append(count)
    share = _with_one_class(weights, data.y)
    usable = (share > 0) & (share < 1)
    covariance = scatter / total[:, None, None]
    slopes = np.einsum("mij,mj->mi", np.linalg.pinv(covariance, hermitian=True), means[1] - means[0])
    with np.errstate(divide="ignore"):
        offsets = np.log(counts[1]) - np.log(counts[0]) - (slopes * (means[0] + means[1])).sum(axis=1) / 2
    return [
        expit(data.Z[these] @ slopes[part] + offsets[part]) if usable[part] else np.full(len(these), share[part])
        for part, these in enumerate(rows)
    ]


def logistic_regression(data: Prepared, weights: np.ndarray, rows: list[np.ndarray]) -> list[np.ndarray]:
    """Predict by logistic regression with scikit-learn's default penalty, by Newton's method on all parts at once."""
    X = np.column_stack([data.X, np.ones(len(data.X))])
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    penalty = np.append(np.ones(data.X.shape[1]), 0.0)
    slopes = np.zeros((len(weights), X.shape[1]))
    value = _logistic_loss(slopes, X, data.y, weights, penalty)
    for _ in range(100):
        p = expit(slopes @ X.T)
        gradient = (weights * (p - data.y)) @ X + penalty * slopes
        if np.abs(gradient).max() < 1e-7 * max(1.0, weights.sum(axis=1).max()):
            break
        hessian = ((weights * p * (1 - p)) @ products).reshape(len(weights), X.shape[1], X.shape[1])
        hessian += np.diag(penalty + 1e-12)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        length = np.ones(len(weights))
        for _ in range(30):
            tried = slopes - length[:, None] * step
            reached = _logistic_loss(tried, X, data.y, weights, penalty)
            worse = reached > value + 1e-12 * np.abs(value)
            if not worse.any():
                break
            length[worse] /= 2
        slopes, value = tried, reached
    share = _with_one_class(weights, data.y)
    return [
        expit(data.Z[these] @ slopes[part, :-1] + slopes[part, -1])
        if 0 < share[part] < 1
        else np.full(len(these), share[part])
        for part, these in enumerate(rows)
    ]


def _logistic_loss(
    slopes: np.ndarray, X: np.ndarray, y: np.ndarray, weights: np.ndarray, penalty: np.ndarray
) -> np.ndarray:
    score = slopes @ X.T
    loss: np.ndarray = (weights * (np.logaddexp(0, score) - y * score)).sum(axis=1) + (penalty * slopes**2).sum(1) / 2
    return loss


def nearest_neighbors(n_neighbors: int) -> Callable[[Prepared, np.ndarray, list[np.ndarray]], list[np.ndarray]]:
    """Return a learner: the share of class 1 among the nearest rows of the training part."""

    def predict(data: Prepared, weights: np.ndarray, rows: list[np.ndarray]) -> list[np.ndarray]:
        found = []
        for part, these in zip(weights, rows, strict=True):
            wanted = min(n_neighbors, part.sum())
            for width in (n_neighbors, 8 * n_neighbors + 32, len(part)):  # few are enough where the part has many
                nearest = data.nearest(these, min(width, len(part)))
                if (part[nearest].sum(axis=1) >= wanted).all():
                    break
            seen = np.cumsum(part[nearest], axis=1)
            taken = np.diff(np.minimum(seen, wanted), axis=1, prepend=0)
            found.append((taken * data.y[nearest]).sum(axis=1) / wanted)
        return found

    return predict


def trees(n_trees: int) -> Callable[[Prepared, np.ndarray, list[np.ndarray]], list[np.ndarray]]:
    """Return a learner: one decision tree, or the mean of several on bootstrap samples with random columns.

    A regression tree on classes 0 and 1 splits as a classification tree does, since the variance is half of Gini's
    index, and is fitted in half of the time.
    """

    def predict(data: Prepared, weights: np.ndarray, rows: list[np.ndarray]) -> list[np.ndarray]:
        X, Z, y = data.X.astype(np.float32), data.Z.astype(np.float32), data.y.astype(float)
        found = []
        for part, these in zip(weights, rows, strict=True):
            rng = np.random.default_rng(data.seed)
            used = np.repeat(np.arange(len(X)), part.astype(int))
            total = np.zeros(len(these))
            for _ in range(n_trees):
                drawn = used if n_trees == 1 else rng.choice(used, len(used))
                tree = DecisionTreeRegressor(
                    max_features=None if n_trees == 1 else "sqrt", random_state=int(rng.integers(2**31))
                )
                with config_context(skip_parameter_validation=True):
                    tree.fit(X[drawn], y[drawn], check_input=False)
                total += tree.predict(Z[these], check_input=False)
            found.append(total / n_trees)
        return found

    return predict


LEARNERS = {
    "LDA": linear_discriminant,
    "logistic regression": logistic_regression,
    "1-NN": nearest_neighbors(1),
    "15-NN": nearest_neighbors(15),
    "tree": trees(1),
    "forest": trees(10),
}
