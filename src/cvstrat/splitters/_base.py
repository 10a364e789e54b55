"""The dealer: an order of the rows, dealt out to the folds like cards.

A method of this package says only in which order the rows are dealt. What follows from dealing holds for all of them:
every row is in exactly one test fold, and fold sizes differ by at most one. An order that goes class by class gives, in
addition, class counts that differ by at most one between any two folds.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_consistent_length

from cvstrat._compat import num_samples
from cvstrat.checks import check_count
from cvstrat.errors import InputError
from cvstrat.splitters._classes import by_class, classes_of, rank_classes
from cvstrat.splitters._content import pick, row_keys, stable_order


def deal(order: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the fold of each row when rows are dealt in `order` to `n_splits` folds, one by one, round and round."""
    folds = np.empty(len(order), dtype=np.intp)
    folds[order] = np.arange(len(order)) % n_splits
    return folds


class FoldSplitter(BaseCrossValidator, BaseEstimator):  # type: ignore[misc]
    """Base of all splitters here: a fold number for each row, turned into scikit-learn's splits."""

    # Subclasses that have them set these in __init__, which stays flat for get_params and clone.
    n_splits: int
    shuffle: bool = False
    random_state: Any = None

    def _check_parameters(self) -> None:
        """Check what does not depend on data; called by __init__ and again by split."""
        check_count("n_splits", self.n_splits, 2)
        if not isinstance(self.shuffle, bool | np.bool_):
            raise TypeError(f"shuffle must be True or False; it is {self.shuffle!r}")
        if not self.shuffle and self.random_state is not None:
            raise InputError(
                f"random_state={self.random_state!r} has no effect without shuffle=True; add it, or leave None"
            )

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Generate training and test indices, as row numbers into `X`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows to cut.
        y : array-like of shape (n_samples,), default=None
            The target; needed by the stratified methods.
        groups : object
            Ignored, with a warning, as in scikit-learn.

        Yields
        ------
        train : ndarray
            Row numbers of the training part.
        test : ndarray
            Row numbers of the test part.
        """
        if groups is not None:
            warnings.warn(f"The groups parameter is ignored by {type(self).__name__}", UserWarning, stacklevel=2)
        folds = self.fold_of_each_row(X, y)
        for number in range(self.n_splits):
            test = folds == number
            yield np.flatnonzero(~test), np.flatnonzero(test)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds; the arguments are ignored, for compatibility."""
        return int(self.n_splits)

    def fold_of_each_row(self, X: Any, y: Any = None) -> np.ndarray:
        """Return the number of the test fold of each row of `X`, from 0 to ``n_splits - 1``."""
        self._check_parameters()
        check_consistent_length(X, y)
        n_rows = num_samples(X)
        if self.n_splits > n_rows:
            raise InputError(f"n_splits={self.n_splits} is more than the number of rows, {n_rows}")
        return self._folds(X, y, check_random_state(self.random_state if self.shuffle else 0))

    @abstractmethod
    def _folds(self, X: Any, y: Any, rng: np.random.RandomState) -> np.ndarray:
        """Return the fold of each row; `rng` is the only source of randomness."""


class DealtKFold(FoldSplitter):
    """Base of the methods that are an order, dealt out: of the whole set at once, or class by class."""

    stratified = False

    def _folds(self, X: Any, y: Any, rng: np.random.RandomState) -> np.ndarray:
        codes = classes_of(y, self.n_splits, self) if self.stratified else None
        rows = finite_rows(X, self)
        keys = row_keys(rows, rng)
        by_content = stable_order(keys)
        settings = self._prepare(rows, by_content)
        strata = [by_content] if codes is None else by_class(by_content, rank_classes(codes, keys))
        order = [stratum[self._order(pick(rows, stratum), settings, rng)] for stratum in strata]
        return deal(np.concatenate(order), self.n_splits)

    def _prepare(self, rows: Any, by_content: np.ndarray) -> Any:
        """Work out once, from all rows, what the order of every class needs."""
        return None

    @abstractmethod
    def _order(self, rows: Any, settings: Any, rng: np.random.RandomState) -> np.ndarray:
        """Return the order in which `rows` (all, or those of one class), which come by content, are dealt."""


def finite_rows(X: Any, splitter: object) -> Any:
    """Return `X` as a float array or CSR matrix without missing or infinite values, or say what to do about them."""
    rows = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False)
    if sparse.issparse(rows) and not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    values = rows.data if sparse.issparse(rows) else rows
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum()  # finite, as a rule, and then every value is
    if not np.isfinite(total) and not np.isfinite(values).all():
        raise InputError(
            f"{type(splitter).__name__} cannot take missing or infinite values in X: fill them in, or use "
            "OneCenterKFold or CenteredClusterKFold, which take missing ones"
        )
    return rows
