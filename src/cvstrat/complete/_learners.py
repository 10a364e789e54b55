"""Learners that count errors: fitted on some rows of one data set, tested on others, for many candidates and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Any, Protocol

import numpy as np
from sklearn.base import clone
from sklearn.svm import SVC
from sklearn.utils.validation import check_array, column_or_1d

from cvstrat._compat import check_method_params, safe_indexing, solve_svm
from cvstrat.errors import InputError

Setting = dict[str, Any]
Part = tuple[np.ndarray, np.ndarray]
Loss = Callable[[Any, Any], Any]

_MAX_ROWS = 10_000  # of which all distances are kept: 800 MB


class Learner(Protocol):
    """What a search needs to know of a classifier and its data."""

    def groups(self, settings: Sequence[Setting]) -> list[list[int]]:
        """Return the indices of candidates that are best fitted together."""

    def errors(self, settings: Sequence[Setting], parts: Iterable[Part]) -> np.ndarray:
        """Return the errors of each candidate (rows) in each pair of training and test rows (columns)."""


def fitted(
    estimator: Any, setting: Setting, X: Any, y: np.ndarray, rows: np.ndarray, fit_params: Setting | None = None
) -> Any:
    """Return a clone with these hyperparameters, fitted on some rows."""
    model = clone(estimator).set_params(**clone(setting, safe=False))
    return model.fit(safe_indexing(X, rows), y[rows], **check_method_params(X, fit_params or {}, indices=rows))


def losses(loss: Loss | None, y_true: np.ndarray, y_pred: np.ndarray) -> np.ndarray:
    """Return whether each prediction is an error: by `loss`, which has to be 0 or 1 for each row, or if it differs."""
    y_true, y_pred = column_or_1d(y_true), column_or_1d(y_pred)  # columns would be compared each with each
    if loss is None:
        return np.asarray(y_true != y_pred)
    found = np.asarray(loss(y_true, y_pred))
    if found.shape != np.shape(y_true) or not np.isin(found, (0, 1)).all():
        raise InputError(f"loss must return 0 or 1 for each of {len(y_true)} rows; it returned {found!r}")
    return found.astype(bool)


class AnyClassifier:
    """Any scikit-learn classifier: cloned, fitted and tested as it is.

    Parameters
    ----------
    estimator : classifier
        Cloned for each fit.
    X, y : array-like
        All rows and their classes; parts are indices into them.
    fit_params, loss : dict, callable, default=None
        What ``fit`` is handed, cut with the rows; and as in :class:`cvstrat.CompleteKFoldSearchCV`.
    """

    def __init__(
        self, estimator: Any, X: Any, y: np.ndarray, *, fit_params: Setting | None = None, loss: Loss | None = None
    ) -> None:
        self._estimator, self._X, self._y = estimator, X, y
        self._fit_params, self._loss = fit_params, loss

    def groups(self, settings: Sequence[Setting]) -> list[list[int]]:
        """Return each candidate alone."""
        return [[number] for number in range(len(settings))]

    def errors(self, settings: Sequence[Setting], parts: Iterable[Part]) -> np.ndarray:
        """Return the errors; see :class:`Learner`."""
        parts = list(parts)
        found = np.empty((len(settings), len(parts)), dtype=np.int64)
        for column, (train, test) in enumerate(parts):
            for row, setting in enumerate(settings):
                model = fitted(self._estimator, setting, self._X, self._y, train, self._fit_params)
                predicted = model.predict(safe_indexing(self._X, test))
                found[row, column] = np.sum(losses(self._loss, self._y[test], predicted))
        return found


class GaussianSVM:
    """A Gaussian support vector machine for two classes, with the solver behind scikit-learn's ``SVC``.

    Squared distances are computed once, a kernel once for each gamma, and each draw cuts its part out of it, for all C.

    Parameters
    ----------
    estimator : SVC
        Gives tolerance, iterations and cache; C and gamma come from each candidate, or from here.
    X, y : array of shape (n, columns), array of shape (n,)
        The rows, and 0 or 1 for each.
    n_pool : int, default=None
        Rows from this one on are for testing only; None means that there are none.
    """

    def __init__(self, estimator: SVC, X: np.ndarray, y: np.ndarray, n_pool: int | None = None) -> None:
        self._options = {name: getattr(estimator, name) for name in ("tol", "max_iter", "cache_size", "shrinking")}
        self._default = {"C": estimator.C, "gamma": estimator.gamma}
        self._y = np.asarray(y, dtype=np.float64)
        pool = X if n_pool is None else X[:n_pool]
        squares = np.einsum("ij,ij->i", X, X)
        distances = squares[: len(pool), None] + squares - 2 * pool @ X.T
        self._distances = np.maximum(distances, 0.0, out=distances)

    @staticmethod
    def serves(estimator: Any, settings: Sequence[Setting], X: Any, n_classes: int) -> bool:
        """Whether this learner does for these candidates what the estimator itself would do."""
        if type(estimator) is not SVC or n_classes != 2 or not set().union(*settings) <= {"C", "gamma"}:
            return False
        # From scikit-learn 1.9 on, the default of a parameter on its way out is a word.
        probability = estimator.get_params().get("probability", False) not in (False, "deprecated")
        plain = estimator.kernel == "rbf" and estimator.class_weight is None and not probability
        table = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "biuf" and len(X) <= _MAX_ROWS
        values = [one.get(name, getattr(estimator, name)) for one in settings for name in ("C", "gamma")]
        # What is no positive number, such as "scale", is the estimator's own affair: to work out, or to refuse.
        return plain and table and all(isinstance(value, Real) and float(value) > 0 for value in values)

    @classmethod
    def of(cls, estimator: SVC, X: Any, y: np.ndarray) -> GaussianSVM:
        """Return the learner of checked rows."""
        return cls(estimator, check_array(X, dtype=np.float64), y)

    def groups(self, settings: Sequence[Setting]) -> list[list[int]]:
        """Return candidates with the same kernel together."""
        found: dict[float, list[int]] = {}
        for number, setting in enumerate(settings):
            found.setdefault(float((self._default | setting)["gamma"]), []).append(number)
        return list(found.values())

    def errors(self, settings: Sequence[Setting], parts: Iterable[Part]) -> np.ndarray:
        """Return the errors; see :class:`Learner`."""
        kernel = self._kernel(settings)
        columns = []
        for train, test in parts:
            tested, wanted = kernel.take(test, axis=0), self._y[test]
            columns.append(
                [
                    np.sum((tested.take(train[support], axis=1) @ weights + intercept <= 0) != wanted)
                    for support, weights, intercept in self._solved(kernel, train, settings)
                ]
            )
        return np.array(columns, dtype=np.int64).reshape(-1, len(settings)).T

    def decisions(self, setting: Setting, trains: Iterable[np.ndarray], tests: np.ndarray) -> np.ndarray:
        """Return whether each training part's model (rows) predicts class 1 for each test row (columns)."""
        kernel = self._kernel([setting])
        square = np.ascontiguousarray(kernel[:, : len(kernel)])
        weights, intercepts = [], []
        for train in trains:
            ((support, coefficients, intercept),) = self._solved(square, train, [setting])
            weights.append(np.zeros(len(kernel)))
            np.add.at(weights[-1], train[support], coefficients)  # a row may stand in a part more than once
            intercepts.append(intercept)
        return np.asarray(np.array(weights) @ kernel[:, tests] + np.array(intercepts)[:, None] <= 0)

    def _kernel(self, settings: Sequence[Setting]) -> np.ndarray:
        (gamma,) = {float((self._default | setting)["gamma"]) for setting in settings}
        return np.asarray(np.exp(-gamma * self._distances))

    def _solved(
        self, kernel: np.ndarray, train: np.ndarray, settings: Sequence[Setting]
    ) -> Iterable[tuple[np.ndarray, np.ndarray, float]]:
        """Yield, for each C, support (indices into `train`), weights, intercept; class 1 is where the sum is <= 0."""
        inner = kernel.take(train, axis=0).take(train, axis=1)
        target = self._y[train]
        for setting in settings:
            yield solve_svm(inner, target, C=float((self._default | setting)["C"]), **self._options)


def learner_of(
    estimator: Any,
    settings: Sequence[Setting],
    X: Any,
    y: np.ndarray,
    *,
    fit_params: Setting | None = None,
    loss: Loss | None = None,
) -> Learner:
    """Return the fastest learner that gives the estimator's own predictions."""
    classes, codes = np.unique(y, return_inverse=True)
    if not fit_params and loss is None and GaussianSVM.serves(estimator, settings, X, len(classes)):
        return GaussianSVM.of(estimator, X, codes)
    return AnyClassifier(estimator, X, y, fit_params=fit_params, loss=loss)
