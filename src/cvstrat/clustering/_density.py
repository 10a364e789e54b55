"""Nearest neighbours, and DBSCAN's radius from them: the knee of the k-distance curve."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array

from cvstrat.checks import check_count

# Measured at 4000 to 30 000 rows: beyond this many columns a tree visits nearly everything, and more slowly.
_MAX_TREE_COLUMNS = 6


def nearest_neighbors(rows: Any, n_neighbors: int) -> NearestNeighbors:
    """Return scikit-learn's search for the neighbours of each row, fitted to `rows`: the faster of two exact ones."""
    tree = not sparse.issparse(rows) and rows.shape[1] <= _MAX_TREE_COLUMNS
    return NearestNeighbors(n_neighbors=n_neighbors, algorithm="kd_tree" if tree else "brute").fit(rows)


class Knee(NamedTuple):
    """The k-distance curve, where its knee is (None if there is none), and the radius that follows."""

    distances: np.ndarray
    position: int | None
    eps: float


def k_distance_knee(X: Any, *, min_samples: int | None = None) -> Knee:
    """Return the sorted distances to the ``min_samples - 1``-th neighbour, the position of their knee, and the radius.

    Parameters are those of :func:`cvstrat.estimate_eps`.
    """
    rows = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2)
    check_count("min_samples", min_samples, 1, or_none=True)
    wanted = (2 * rows.shape[1] if min_samples is None else min_samples) - 1
    n_neighbors = max(1, min(wanted, rows.shape[0] - 1))
    distances = np.sort(nearest_neighbors(rows, n_neighbors).kneighbors()[0][:, -1])
    position = _knee(distances)
    eps = distances[-1 if position is None else position]
    if eps <= 0:  # the knee lies among duplicates
        positive = distances[distances > 0]
        eps = positive[0] if positive.size else 1.0
    return Knee(distances, position, float(eps))


def estimate_eps(X: Any, *, min_samples: int | None = None) -> float:
    """Estimate DBSCAN's radius as the knee of the k-distance curve.

    The radius is the distance at the knee; the largest one where no knee is found; the smallest positive one where the
    knee lies among duplicates; and 1 where all rows are equal.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_rows, n_features)
        The rows, at least 2.
    min_samples : int, default=None
        DBSCAN's parameter of this name, at least 1; None means twice the number of columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import estimate_eps
    >>> round(estimate_eps(load_iris().data), 2)
    0.73
    """
    return k_distance_knee(X, min_samples=min_samples).eps


def _knee(distances: np.ndarray) -> int | None:
    from kneed import KneeLocator  # imports matplotlib where there is one, which takes longer than all the rest

    if distances[0] == distances[-1]:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "no knee found" is an answer here, not a surprise
        found = KneeLocator(np.arange(len(distances)), distances, S=1, curve="convex", direction="increasing").knee
    return None if found is None else int(found)
