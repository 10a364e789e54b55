"""Density-preserving sampling (Budka and Gabrys, 2013): a data set is halved, and its halves again, without chance.

Inside a class, the two closest rows that are left go to different halves, until none or one is left. Of the two ways
round, that one is taken by which the rows of a half lie farther from each other. With squared distances, as the authors
measure them, this is the way by which the sums of the two halves come closer: both halves have as many rows, so all
terms but the products of a row with the sums cancel. Two folds are thus dealt as by :class:`cvstrat.BalancedKFold` with
``balance=0``; what differs is the order, near pairs first, and that the columns are taken as they are.

The row that an odd class leaves goes to the half that has fewer rows, and among equal ones to the farther.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from cvstrat.errors import InputError

_BLOCK = 1 << 20  # distances that are held at a time


def density_preserving_folds(X: np.ndarray, y: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the fold of each row, from 0; folds that differ in the last halving have neighbouring numbers.

    Parameters
    ----------
    X : array of shape (n_rows, n_features)
        Data. Columns are not scaled.
    y : array of shape (n_rows,)
        Classes.
    n_splits : int
        A power of two.
    """
    if n_splits < 2 or n_splits & (n_splits - 1):
        raise InputError(f"n_splits={n_splits}: halves of halves give 2, 4, 8, ... folds")
    parts = [np.arange(len(y))]
    while len(parts) < n_splits:
        parts = [part[half] for part in parts for half in _halves(X[part], y[part])]
    folds = np.empty(len(y), dtype=np.intp)
    for number, part in enumerate(parts):
        folds[part] = number
    return folds


def _halves(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of two halves, class by class, in the order in which they were dealt: ties go by that order."""
    first: list[int] = []
    second: list[int] = []
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        one, other = _pairs(X[rows])
        swap = _turned(X[rows[other]] - X[rows[one]])
        ahead, behind = rows[np.where(swap, one, other)], rows[np.where(swap, other, one)]
        odd = np.setdiff1d(rows, np.append(ahead, behind))
        shorter = len(first) - len(second)
        if len(odd) and shorter == 0:
            near, far = (((X[half] - X[odd]) ** 2).sum() for half in (ahead, behind))
            shorter = 1 if near < far else -1
        first += [*ahead, *(odd if shorter < 0 else [])]
        second += [*behind, *(odd if shorter > 0 else [])]
    return np.array(first, dtype=np.intp), np.array(second, dtype=np.intp)


def _pairs(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs that arise if the two closest points left are taken again and again, the closest pair first.

    Points that are nearest to each other stay so until they are taken. So all such pairs are taken at once, and only
    the points that lost their neighbour look for a new one; memory stays linear. Ties go to the lowest positions.
    """
    n = len(points)
    nearest, distance = np.zeros(n, dtype=np.intp), np.zeros(n)
    left, lost = np.arange(n), np.arange(n)
    found = [np.zeros((2, 0), dtype=np.intp)]
    while len(left) > 1:
        for start in range(0, len(lost), max(_BLOCK // n, 1)):
            block = lost[start : start + max(_BLOCK // n, 1)]
            away = cdist(points[block], points[left], "sqeuclidean")
            away[block[:, None] == left] = np.inf
            nearest[block], distance[block] = left[away.argmin(axis=1)], away.min(axis=1)
        lower = left[(nearest[nearest[left]] == left) & (nearest[left] > left)]
        found.append(np.array([lower, nearest[lower]]))
        left = np.setdiff1d(left, found[-1])
        lost = left[np.isin(nearest[left], found[-1])]
    lower, upper = np.hstack(found)
    order = np.lexsort((upper, lower, distance[lower]))
    return lower[order], upper[order]


def _turned(steps: np.ndarray) -> np.ndarray:
    """Tell for each pair, a step from one row to the other, whether the first half takes the row where it starts."""
    turned = np.zeros(len(steps), dtype=bool)
    gap = np.zeros(steps.shape[1])
    for number, step in enumerate(steps):
        turned[number] = step @ gap > 0
        gap += -step if turned[number] else step
    return turned
