"""Class by class along nearest neighbours: one long walk, or neighbourhood after neighbourhood."""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.splitters._base import DealtKFold
from cvstrat.splitters._content import first_of_equals, pick
from cvstrat.splitters._pool import NeighborPool

_LIST_SIZE = 32
_LONGEST_LIST = 256  # beyond it, searching now and then costs less than longer lists


class _ByNeighbor(DealtKFold):
    """What both share: options, and copies of a row handled as one point that is there several times."""

    stratified = True

    def __init__(
        self,
        n_splits: int = 5,
        *,
        strata: Any = None,
        n_bins: int | None = None,
        standardize: bool = False,
        shuffle: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.strata = strata
        self.n_bins = n_bins
        self.standardize = standardize
        self.shuffle = shuffle
        self.random_state = random_state
        self._check_parameters()

    def _order(self, rows: Any, settings: Any, rng: np.random.RandomState) -> np.ndarray:
        first = first_of_equals(rows)
        counts = np.diff(np.append(first, rows.shape[0]))
        with np.errstate(over="ignore"):  # squares of very large distances
            visits = self._visits(pick(rows, first), counts)
        return np.argsort(np.argsort(visits, kind="stable"))  # the i-th visit to a point is to its i-th copy

    def _visits(self, points: Any, counts: np.ndarray) -> np.ndarray:
        """Return the points in the order in which they are visited, each as often as it is there."""
        raise NotImplementedError


class NeighborWalkKFold(_ByNeighbor):
    """Stratified K-fold that walks each class from neighbour to nearest neighbour and deals along the way (DBSCV).

    Consecutive rows of the walk, which are close, go to different folds.

    Parameters
    ----------
    n_splits, strata, n_bins, standardize, shuffle, random_state
        As in :class:`cvstrat.StratifiedClusterKFold`; `shuffle` draws the row at which each walk starts.

    Notes
    -----
    Every row is in exactly one test fold; fold sizes, and the counts of each class, differ by at most one between any
    two folds. The next row of a walk is the nearest one of the class not visited yet (Euclidean distance). Memory is
    linear in the number of rows. The method is distribution-balanced stratified cross-validation of :cite:t:`zeng2000`.

    Examples
    --------
    >>> from cvstrat import NeighborWalkKFold
    >>> X, y = [[0.0], [1.0], [2.0], [9.0], [8.0], [7.0]], [0, 0, 0, 1, 1, 1]
    >>> sorted(len(test) for train, test in NeighborWalkKFold(3).split(X, y))
    [2, 2, 2]
    """

    def _visits(self, points: Any, counts: np.ndarray) -> np.ndarray:
        pool, walked = NeighborPool(points, counts, _LIST_SIZE), [0]
        pool.take(0, counts[0])
        while len(walked) < len(counts):
            if pool.can_be_walked:
                walked += pool.walk(walked[-1])
            else:
                walked += pool.nearest(walked[-1], 1).tolist()
                pool.take(walked[-1], counts[walked[-1]])
        return np.repeat(walked, counts[walked])


class NeighborhoodKFold(_ByNeighbor):
    """Stratified K-fold that deals each row together with its nearest neighbours of the class (DOB-SCV).

    A row is drawn, and it and its ``n_splits - 1`` nearest neighbours among the rows of its class that are left go each
    to another fold; then the next row is drawn.

    Parameters
    ----------
    n_splits, strata, n_bins, standardize, shuffle, random_state
        As in :class:`cvstrat.StratifiedClusterKFold`; `shuffle` draws the rows.

    Notes
    -----
    Every row is in exactly one test fold; fold sizes, and the counts of each class, differ by at most one between any
    two folds. Memory is linear in the number of rows. The method is distribution optimally balanced stratified
    cross-validation of :cite:t:`morenotorres2012`.

    Examples
    --------
    >>> from cvstrat import NeighborhoodKFold
    >>> X, y = [[0.0], [1.0], [8.0], [9.0]], [0, 0, 0, 0]
    >>> tests = [test for _, test in NeighborhoodKFold(2).split(X, y)]
    >>> [X[a][0] + X[b][0] in (8.0, 9.0, 10.0) for a, b in tests]
    [True, True]
    """

    def _visits(self, points: Any, counts: np.ndarray) -> np.ndarray:
        pool = NeighborPool(points, counts, max(_LIST_SIZE, min(3 * self.n_splits, _LONGEST_LIST)))
        visits: list[int] = []
        each_once = counts.max() == 1
        for here in range(len(counts)):
            while pool.left[here]:
                if each_once and pool.can_be_walked:
                    return np.array(visits + pool.neighborhoods(self.n_splits - 1), dtype=np.intp)
                visits += self._once(pool, here) if each_once else self._with_copies(pool, here)
        return np.array(visits, dtype=np.intp)

    def _once(self, pool: NeighborPool, here: int) -> list[int]:
        pool.take(here)
        points = pool.nearest(here, self.n_splits - 1)
        pool.take(points)
        return [here, *points.tolist()]

    def _with_copies(self, pool: NeighborPool, here: int) -> list[int]:
        own = min(int(pool.left[here]), self.n_splits)
        pool.take(here, own)
        taken = [here] * own
        for point in pool.nearest(here, self.n_splits - own).tolist() if own < self.n_splits else ():
            copies = min(int(pool.left[point]), self.n_splits - len(taken))
            pool.take(point, copies)
            taken += [point] * copies
        return taken
