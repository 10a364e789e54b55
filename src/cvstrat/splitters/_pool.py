"""A pool of points from which neighbours are taken until it is empty, in memory linear in the number of points.

Lists of nearest neighbours are made for all points at once and again each time half of the pool is gone, until few are
left. Only when a point has no list, or one with too few points that are still in the pool, are distances to the whole
pool computed, for that point.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from cvstrat.clustering import nearest_neighbors
from cvstrat.splitters._content import pick

SMALL = 512
_DIFFERENCES = 2**16  # that are held at a time, so few that they stay in the cache


class NeighborPool:
    """Distinct points (an array or a CSR matrix), each there `counts` times, and lists of `list_size` neighbours."""

    def __init__(self, points: Any, counts: np.ndarray, list_size: int) -> None:
        # Distances keep their digits only near the origin.
        self.points = points if sparse.issparse(points) else points - np.median(points, axis=0)
        self.left = counts.copy()
        self._list_size = list_size
        self._alive = len(counts)
        self._list_of = np.full(len(counts), -1)
        self._rebuild(np.arange(len(counts)))

    def take(self, point: Any, number: Any = 1) -> None:
        """Take `number` copies of a point, or of each of several points, out of the pool."""
        self.left[point] = remaining = self.left[point] - number
        self._alive -= int(np.count_nonzero(remaining == 0))

    def nearest(self, point: int, number: int) -> np.ndarray:
        """Return the `number` points nearest to `point` still in the pool (or all, if fewer), without it, in order."""
        if self._alive <= self._built_for // 2:
            there = np.flatnonzero(self.left)
            self._rebuild(there if self.left[point] else np.append(there, point))
        row = self._list_of[point]
        if row >= 0:
            listed = self._lists[row]
            found = listed[self.left[listed] > 0]
            if len(found) >= number:
                return np.asarray(found[:number])
        return self._search(point, number)

    def _rebuild(self, members: np.ndarray) -> None:
        """Forget the points that are gone, and make new lists for `members`."""
        self._members = members
        self._built_for = len(members)
        self._rows = pick(self.points, members)
        self._list_of[:] = -1
        self.can_be_walked = len(members) <= SMALL and not sparse.issparse(self.points)
        if len(members) > SMALL:
            size = min(self._list_size, len(members) - 1)
            self._lists = members[nearest_neighbors(self._rows, size).kneighbors(return_distance=False)]
            self._list_of[members] = np.arange(len(members))

    def _search(self, point: int, number: int) -> np.ndarray:
        """Compute the distances to all points in the pool."""
        left = self.left[self._members]
        there = (left * (self._members != point) if self.left[point] else left).nonzero()[0]
        squared = _squared_distances(self._rows, self.points[point : point + 1])[there]
        return np.asarray(self._members[there[_smallest(squared, number)]])

    def walk(self, point: int) -> list[int]:
        """Empty the pool: return the point nearest to `point`, which is gone, the one nearest to that, and so on."""
        table = _all_squared_distances(self._rows)
        gone = np.where(self.left[self._members] > 0, 0.0, np.inf)
        far, walked, end = np.empty(len(gone)), [], len(gone) - 1
        here = int(np.flatnonzero(self._members == point)[0])
        for _ in range(self._alive):
            np.add(table[here], gone, out=far)
            here = int(far.argmin())
            if here + far[::-1].argmin() != end:  # several are equally near
                there = np.flatnonzero(gone == 0)
                here = int(there[_smallest(far[there], 1)[0]])
            gone[here] = np.inf
            walked.append(here)
        self.left[:], self._alive = 0, 0
        return list(self._members[walked].tolist())

    def neighborhoods(self, number: int) -> list[int]:
        """Empty the pool, each point there once: the first, the `number` nearest to it, the first left, and so on."""
        kept = np.flatnonzero(self.left[self._members])
        members, rows, taken = self._members[kept], self._rows[kept], []
        while len(members) > 1:
            others = rows[1:]
            near = _smallest(_squared_distances(others, rows[0]), number)
            taken += [members[:1], members[1:][near]]
            keep = np.ones(len(others), dtype=bool)
            keep[near] = False
            members, rows = members[1:][keep], others[keep]
        self.left[:], self._alive = 0, 0
        return list(np.concatenate([*taken, members]).tolist())


def _smallest(squared: np.ndarray, number: int) -> np.ndarray:
    """Return the places of the smallest distances, smallest first."""
    # Of points equally near, the first would do, and be found faster; the results on file rest on these.
    near = squared.argpartition(number)[:number] if number < len(squared) else np.arange(len(squared))
    return np.asarray(near[np.lexsort((near, squared[near]))])


def _all_squared_distances(rows: np.ndarray) -> np.ndarray:
    n_rows, width = rows.shape
    table, size = np.empty((n_rows, n_rows)), max(1, _DIFFERENCES // rows.size)
    for start in range(0, n_rows, size):
        part = slice(start, start + size)
        difference = (rows[start:] - rows[part, None]).reshape(-1, width)
        table[part, start:] = np.einsum("ij,ij->i", difference, difference).reshape(-1, n_rows - start)
        table[start:, part] = table[part, start:].T
    return table


def _squared_distances(rows: Any, one: Any) -> np.ndarray:
    if sparse.issparse(rows):
        squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        return np.asarray(squares - 2 * np.asarray((rows @ one.T).todense()).ravel())
    difference = rows - one
    return np.asarray(np.einsum("ij,ij->i", difference, difference))
