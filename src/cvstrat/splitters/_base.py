"""What all splitters share: rows, or whole groups of rows, are brought into an order and dealt to the folds like cards.

A method of this package says only in which order the rows are dealt. What follows from dealing holds for all of them:
every row is in exactly one test fold, and fold sizes differ by at most one. An order that goes class by class gives, in
addition, class counts that differ by at most one between any two folds. With groups, it is groups that are ordered, by
the means of their rows, and dealt; sizes and counts are then as even as whole groups allow.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_array, check_random_state
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_consistent_length

from cvstrat._compat import num_samples
from cvstrat.checks import check_count
from cvstrat.clustering import as_frame, no_numbers
from cvstrat.errors import InputError
from cvstrat.splitters._cards import Cards, group_rows
from cvstrat.splitters._content import pick, rounded, row_keys
from cvstrat.splitters._strata import cards_of


class FoldSplitter(BaseCrossValidator, BaseEstimator):  # type: ignore[misc]
    """Base of all splitters here: a fold number for each row, turned into scikit-learn's splits."""

    __metadata_request__split = {"groups": True}  # noqa: RUF012 (a declaration of scikit-learn's)

    # Subclasses that have them set these in __init__, which stays flat for get_params and clone.
    n_splits: int
    largest_value: float = 1e300
    standardize: bool = False
    shuffle: bool = False
    random_state: Any = None

    def _check_parameters(self) -> None:
        """Check what does not depend on data; called by __init__ and again by split."""
        check_count("n_splits", self.n_splits, 2)
        for name in ("standardize", "shuffle"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise TypeError(f"{name} must be True or False; it is {getattr(self, name)!r}")
        # Stacking puts a generator into every splitter that it is given; without shuffle nothing is drawn from it.
        if not self.shuffle and not isinstance(self.random_state, np.random.RandomState | None):
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
        groups : array-like of shape (n_samples,), default=None
            Rows of a group stay together: groups take the place of rows, each at the mean of its rows (of discrete
            attributes, at the most frequent values). Fold sizes and class counts are as even as whole groups allow.

        Yields
        ------
        train : ndarray
            Row numbers of the training part.
        test : ndarray
            Row numbers of the test part.
        """
        folds = self.fold_of_each_row(X, y, groups)
        for number in range(self.n_splits):
            test = folds == number
            yield np.flatnonzero(~test), np.flatnonzero(test)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds; the arguments are ignored, for compatibility."""
        return int(self.n_splits)

    def fold_of_each_row(self, X: Any, y: Any = None, groups: Any = None) -> np.ndarray:
        """Return the number of the test fold of each row of `X`, from 0 to ``n_splits - 1``."""
        self._check_parameters()
        check_consistent_length(X, y, groups)
        n_rows = num_samples(X)
        if self.n_splits > n_rows:
            raise InputError(f"n_splits={self.n_splits} is more than the number of rows, {n_rows}")
        rng = check_random_state(self.random_state if self.shuffle else 0)
        cards = self._cards(X, y)
        rows = self._rows(X, y)
        if groups is None:
            return self._folds(rows, cards, rng)
        rows, cards, group_of_row = group_rows(rows, groups, cards, self.n_splits)
        fold_of_group = self._folds(rows, cards, rng)
        return np.take(fold_of_group, group_of_row)

    def _cards(self, X: Any, y: Any) -> Cards:
        """Return a card for each row."""
        return Cards(np.zeros(num_samples(X), dtype=np.intp))

    def _rows(self, X: Any, y: Any) -> Any:
        """Return `X` as the method reads it."""
        rows = finite_rows(X, self)
        return with_equal_spread(rows) if self.standardize else rows

    @abstractmethod
    def _folds(self, rows: Any, cards: Cards, rng: np.random.RandomState) -> np.ndarray:
        """Return the fold of each card, which lie at `rows`; `rng` is the only source of randomness."""


class DealtKFold(FoldSplitter):
    """Base of the methods that are an order, dealt out: of the whole set at once, or stratum by stratum."""

    stratified = False
    strata: Any = None
    n_bins: int | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_bins", self.n_bins, 2, or_none=True)

    def _cards(self, X: Any, y: Any) -> Cards:
        return cards_of(X, y, self) if self.stratified else super()._cards(X, y)

    def _folds(self, rows: Any, cards: Cards, rng: np.random.RandomState) -> np.ndarray:
        keys = row_keys(rows, rng)
        by_content = cards.by_content(keys)
        settings = self._prepare(rows, by_content)
        strata = cards.by_stratum(by_content, keys)
        order = [stratum[self._order(pick(rows, stratum), settings, rng)] for stratum in strata]
        return self._deal(rows, cards, order, rng)

    def _deal(self, rows: Any, cards: Cards, order: list[np.ndarray], rng: np.random.RandomState) -> np.ndarray:
        """Return the fold of each card, dealt in `order`, which goes stratum by stratum."""
        return cards.deal(np.concatenate(order), self.n_splits)

    def _prepare(self, rows: Any, by_content: np.ndarray) -> Any:
        """Work out once, from all rows, what the order of every stratum needs."""
        return None

    @abstractmethod
    def _order(self, rows: Any, settings: Any, rng: np.random.RandomState) -> np.ndarray:
        """Return the order in which `rows` (all, or those of one stratum), which come by content, are dealt."""


def with_equal_spread(rows: Any) -> Any:
    """Return the rows with every column divided by its standard deviation; columns of one value stay as they are."""
    if sparse.issparse(rows):
        mean, variance = mean_variance_axis(rows, axis=0)
        spread = np.where(variance > 1e-20 * mean**2, np.sqrt(variance), 0.0)
    else:
        spread = np.where(np.ptp(rows, axis=0) > 0, rows.std(axis=0), 0.0)
    # To ten digits, so that neither the order of the rows nor what holds them matters.
    factor = 1 / np.where(spread > 0, rounded(spread), 1.0)
    return sparse.csr_array(rows @ sparse.diags_array(factor)) if sparse.issparse(rows) else rows * factor


def finite_rows(X: Any, splitter: FoldSplitter) -> Any:
    """Return `X` as a float array or CSR matrix whose values distances can be computed of, or say what to do."""
    name = type(splitter).__name__
    frame = as_frame(X)
    if frame is not None:
        refused = no_numbers(frame)
        if refused:
            raise InputError(
                f"{name} needs numbers; X has {', '.join(refused[:8])}{', ...' if len(refused) > 8 else ''}. Encode "
                "these columns, or use CenteredClusterKFold or OneCenterKFold, which take columns of every kind"
            )
    rows = check_array(X if frame is None else frame, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False)
    if sparse.issparse(rows) and not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    values = rows.data if sparse.issparse(rows) else rows
    largest = max(-values.min(), values.max()) if values.size else 0.0  # NaN if there is one
    if not np.isfinite(largest):
        raise InputError(
            f"{name} cannot take missing or infinite values in X: fill them in, or use "
            "OneCenterKFold or CenteredClusterKFold, which take missing ones"
        )
    if largest > splitter.largest_value:
        column = rows.indices[abs(values).argmax()] if sparse.issparse(rows) else abs(values).max(axis=0).argmax()
        raise InputError(
            f"{name} cannot take values as large as {largest:.3g}, whose distances overflow: "
            f"scale column {int(column) if frame is None else repr(frame.columns[column])} of X, or use "
            "CenteredClusterKFold, which scales columns"
        )
    return rows
