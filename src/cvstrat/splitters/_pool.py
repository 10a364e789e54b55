"""A pool of points from which neighbours are taken until it is empty, in memory linear in the number of points.

Lists of nearest neighbours are made for all points at once and again each time half of the pool is gone. Only when a
point's list holds too few points that are still in the pool are distances to the whole pool computed, for that point.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from cvstrat.clustering import nearest_neighbors
from cvstrat.splitters._content import pick

SMALL = 512


class NeighborPool:
    """Distinct points, each there a number of times, that are taken one by one.

    Parameters
    ----------
    points : ndarray or CSR matrix of shape (n_points, n_features)
        Distinct points.
    counts : ndarray of int
        How often each is there.
    list_size : int
        Length of the lists of neighbours.
    """

    def __init__(self, points: Any, counts: np.ndarray, list_size: int) -> None:
        # Distances keep their digits only near the origin.
        self.points = points if sparse.issparse(points) else points - np.median(points, axis=0)
        self.left = counts.copy()
        self._list_size = list_size
        self._alive = len(counts)
        self._list_of = np.full(len(counts), -1)
        self._rebuild(np.arange(len(counts)))

    def take(self, point: int, number: int = 1) -> None:
        """Take `number` copies of a point out of the pool."""
        self.left[point] -= number
        if not self.left[point]:
            self._alive -= 1

    def nearest(self, point: int, number: int) -> np.ndarray:
        """Return the `number` points nearest to `point` that are still in the pool (fewer if there are), nearest first.

        The point itself is not among them.
        """
        if self._alive <= self._built_for // 2 and self._built_for > SMALL:
            there = np.flatnonzero(self.left)
            self._rebuild(there if self.left[point] else np.append(there, point))
        row = self._list_of[point]
        if row >= 0:
            listed = self._lists[row]
            found = listed[self.left[listed] > 0]
            if len(found) >= number:
                first: np.ndarray = found[:number]
                return first
        return self._search(point, number)

    def _rebuild(self, members: np.ndarray) -> None:
        """Forget the points that are gone, and make new lists for `members`."""
        self._members = members
        self._built_for = len(members)
        self._rows = pick(self.points, members)
        self._list_of[:] = -1
        if len(members) <= SMALL:
            return
        size = min(self._list_size, len(members) - 1)
        found = nearest_neighbors(self._rows, size).kneighbors(return_distance=False)
        self._lists = members[found]
        self._list_of[members] = np.arange(len(members))

    def _search(self, point: int, number: int) -> np.ndarray:
        """Compute the distances to all points in the pool."""
        there = np.flatnonzero((self.left[self._members] > 0) & (self._members != point))
        squared = _squared_distances(self._rows, self.points[[point]])[there]
        # Of points equally near, the first would do, and be found faster; the results on file rest on these.
        near = np.argpartition(squared, number)[:number] if number < len(there) else np.arange(len(there))
        nearest: np.ndarray = self._members[there[near[np.lexsort((near, squared[near]))]]]
        return nearest


def _squared_distances(rows: Any, one: Any) -> np.ndarray:
    if sparse.issparse(rows):
        squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        products = np.asarray((rows @ one.T).todense()).ravel()
        squared: np.ndarray = squares - 2 * products
    else:
        with np.errstate(over="ignore"):
            difference = rows - one
            squared = np.einsum("ij,ij->i", difference, difference)
    return squared
