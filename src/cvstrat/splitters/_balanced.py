"""Folds that are as alike as they should be: any order of the package, dealt in balance."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from cvstrat.checks import check_count, check_known, did_you_mean
from cvstrat.clustering import mixed_rows
from cvstrat.errors import InputError
from cvstrat.fourier import Features, StandardRows
from cvstrat.splitters._balancing import balance_folds
from cvstrat.splitters._base import DealtKFold, with_equal_spread
from cvstrat.splitters._cards import Cards
from cvstrat.splitters._centers import CenteredClusterKFold, OneCenterKFold
from cvstrat.splitters._content import pick
from cvstrat.splitters._exchanging import MAX_ROWS, exchange_rows
from cvstrat.targets import as_target

RANDOM = "random"
UNBIASED = "unbiased"
AUTO, FEATURES, ENERGY = "auto", "features", "energy"


class BalancedKFold(DealtKFold):
    """Stratified K-fold whose folds are alike to a degree that can be chosen; by default that which is unbiased.

    Of up to 4096 rows, those of a class change places between folds as long as that brings the folds closer to the
    whole set, or to random folds that are led there. More rows, and rows in an order or at a scale that is given, are
    dealt in rounds of one row for each fold, each round in the way that keeps the folds' sums of features closest to
    each other, or to those of random folds times a number.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    balance : float or "unbiased", default="unbiased"
        The balance ratio that is aimed at (:func:`cvstrat.balance_ratio`): 0 for folds as alike as can be, 1 for folds
        that differ as random ones do. ``"unbiased"`` is 2(k - 1)/(2k - 1), at which the cross-validated error of a
        mean has the expectation of the true one (:func:`cvstrat.metrics.unbiased_balance`). The closer to 0, the more
        does cross-validation resemble the error on the rows trained on, which is optimistic.
    order : "random", str or splitter, default="random"
        Order in which the rows of a class are dealt: at random, or that of another technique, by its name in
        ``TECHNIQUES`` (``"SCBCV"``, ``"DBSCV"``) or as a splitter of this package, whose settings for ordering rows
        count, and no others. Rows that follow each other in the order of a technique, `n_splits` at a time, stay in
        different folds.
    n_features : int, default=512
        Number of random features beside the columns, where folds are dealt by features. More make folds more alike at
        small scales, and take longer.
    scale : None, float or pair of floats, default=None
        Scale at which folds are made alike: a bandwidth, or the smallest and the largest, in units of the median
        distance to the nearest neighbour, as in :func:`cvstrat.balance_spectrum`. ``numpy.inf`` stands for the columns
        themselves: only their means are balanced. None means (1, inf), all scales, weighted as in the energy distance,
        in which the large ones count most.
    criterion : {"auto", "energy", "features"}, default="auto"
        What makes folds alike. ``"features"``: the sums of features, round by round. ``"energy"``: the energy distance
        itself, from the distances of all pairs; rows change places two by two as long as folds come closer to the whole
        set and to each class. Folds are then more alike. It needs the random order, all scales and up to 64 MB; more
        than 4096 rows are dealt by features all the same. ``"auto"`` is ``"energy"`` where order and scale allow it.
    stratified : bool, default=True
        Whether rows are dealt class by class. Without it the target plays no part.
    strata, n_bins
        As in :class:`cvstrat.StratifiedClusterKFold`.
    shuffle : bool, default=False
        Whether the order, the features and the random folds that `balance` refers to are drawn anew. Without it the
        folds of a data set are always the same.
    random_state : int, RandomState instance or None, default=None
        Seed of `shuffle`; must be None without it.

    Notes
    -----
    Every row is in exactly one test fold; fold sizes differ by at most one; the counts of each class differ by at most
    one between any two folds. Permuting the rows does not change what the folds contain. Columns are standardised;
    those with one value play no part. A continuous target is cut into quantile bins and is one of the columns as well.
    With groups, whole groups are dealt, and those with the same number of rows of each class change places; their
    features are those of their means. Above 4096 rows, time and memory are linear in the number of rows.

    A random order keeps no neighbours apart: folds are alike in the large, and close rows may share a fold.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import BalancedKFold, balance_ratio
    >>> X, y = load_iris(return_X_y=True)
    >>> balance_ratio(BalancedKFold(5, balance=0), X, y) < 0.1
    True
    """

    largest_value = 1e150  # whose square can be held

    def __init__(
        self,
        n_splits: int = 5,
        *,
        balance: Any = UNBIASED,
        order: Any = RANDOM,
        n_features: int = 512,
        scale: Any = None,
        criterion: str = AUTO,
        stratified: bool = True,
        strata: Any = None,
        n_bins: int | None = None,
        shuffle: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.balance = balance
        self.order = order
        self.n_features = n_features
        self.scale = scale
        self.criterion = criterion
        self.stratified = stratified
        self.strata = strata
        self.n_bins = n_bins
        self.shuffle = shuffle
        self.random_state = random_state
        self._check_parameters()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_features", self.n_features, 2)
        if not isinstance(self.stratified, bool | np.bool_):
            raise TypeError(f"stratified must be True or False; it is {self.stratified!r}")
        if not (self.balance == UNBIASED or (_is_number(self.balance) and 0 <= self.balance <= 1)):
            raise InputError(
                f"balance must be a number from 0 (as alike as can be) to 1 (as random folds), or {UNBIASED!r}; it is "
                f"{self.balance!r}"
            )
        self._bandwidths(1.0)
        self._order_of_rows()
        check_known("criterion", self.criterion, (AUTO, ENERGY, FEATURES))
        if self.criterion == ENERGY and not self._is_everywhere_alike():
            raise InputError(
                f"criterion={ENERGY!r} goes with order={RANDOM!r} and scale=None; they are {self.order!r} and "
                f"{self.scale!r}"
            )

    def _is_everywhere_alike(self) -> bool:
        """Whether folds may be anything that makes them alike, at all scales: no order that is kept, no one scale."""
        return self.scale is None and _is_random(self.order)

    def _bandwidths(self, nearest: float) -> tuple[float, float]:
        scale = (1.0, np.inf) if self.scale is None else self.scale
        pair = (scale, scale) if _is_number(scale) else scale
        if not (
            isinstance(pair, tuple | list) and len(pair) == 2 and all(map(_is_number, pair)) and 0 < pair[0] <= pair[1]
        ):
            raise InputError(
                "scale must be a positive number, or a pair of them with the smaller one first, in units of the "
                f"distance to the nearest neighbour; it is {self.scale!r}"
            )
        return pair[0] * nearest, pair[1] * nearest

    def _order_of_rows(self) -> Any:
        """Return the splitter whose order is dealt; None for a random one."""
        from cvstrat.splitters._registry import TECHNIQUES, make_splitter  # which knows this module, too

        if _is_random(self.order):
            return None
        known = [name for name, one in TECHNIQUES.items() if _has_order(one.splitter)]
        if isinstance(self.order, str) and self.order in known:
            return make_splitter(self.order, n_splits=self.n_splits, shuffle=False)
        if isinstance(self.order, str) or not _has_order(type(self.order)):
            raise InputError(
                f"order must be {RANDOM!r}, a technique that is an order, or its splitter; it is {self.order!r}: "
                f"{did_you_mean(self.order, known)}"
            )
        return self.order

    def _rows(self, X: Any, y: Any) -> Any:
        rows = super()._rows(X, y)
        if getattr(self._order_of_rows(), "standardize", False):
            rows = with_equal_spread(rows)
        if not self.stratified or self.strata is not None:
            return rows
        values, kind = as_target(y)
        is_number = values.ndim == 1 and values.dtype.kind in "iuf"
        is_cut = is_number and self.n_bins is not None and len(np.unique(values)) > self.n_bins
        if kind != "continuous" and not is_cut:
            return rows
        target = values.astype(np.float64).reshape(-1, 1)
        return sparse.hstack([rows, target], format="csr") if sparse.issparse(rows) else np.hstack([rows, target])

    def _prepare(self, rows: Any, by_content: np.ndarray) -> Any:
        order = self._order_of_rows()
        return order._prepare(rows, by_content) if isinstance(order, DealtKFold) else None

    def _order(self, rows: Any, settings: Any, rng: np.random.RandomState) -> np.ndarray:
        order = self._order_of_rows()
        if order is None:
            return rng.permutation(rows.shape[0])
        if isinstance(order, DealtKFold):
            return order._order(rows, settings, rng)
        return np.asarray(order._order(mixed_rows(rows, order.categorical)))

    def _deal(self, rows: Any, cards: Cards, order: list[np.ndarray], rng: np.random.RandomState) -> np.ndarray:
        folds = super()._deal(rows, cards, order, rng)
        dealt = np.concatenate(order)
        place = np.empty(len(dealt), dtype=np.intp)
        place[dealt] = np.arange(len(dealt))
        standard = StandardRows(pick(rows, dealt))  # in this order, on which sums depend, rows come by content alone
        kinds = [place[kind] for kind in cards.interchangeable(order)]
        sizes = None if cards.sizes is None else cards.sizes[dealt]
        balance = 2 * (self.n_splits - 1) / (2 * self.n_splits - 1) if self.balance == UNBIASED else self.balance
        how = kinds, folds[dealt], self.n_splits, float(balance), rng
        if self.criterion != FEATURES and self._is_everywhere_alike() and len(dealt) <= MAX_ROWS:
            folds[dealt] = exchange_rows(standard, *how, sizes=sizes)
        else:
            only_columns = np.isinf(self._bandwidths(1.0)[0])
            nearest = 1.0 if only_columns else standard.nearest()
            features = Features(standard, self._bandwidths(nearest), self.n_features, rng)
            folds[dealt] = balance_folds(features, *how, sizes=sizes, keep_rounds=not _is_random(self.order))
        return folds


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _is_random(order: Any) -> bool:
    return isinstance(order, str) and order == RANDOM


def _has_order(kind: Any) -> bool:
    is_order = isinstance(kind, type) and issubclass(kind, DealtKFold | OneCenterKFold | CenteredClusterKFold)
    return is_order and not issubclass(kind, BalancedKFold)
