"""Nearest neighbours, with the faster of two exact algorithms."""

from __future__ import annotations

from typing import Any

from scipy import sparse
from sklearn.neighbors import NearestNeighbors

# Measured at 4000 to 30 000 rows: beyond this many columns a tree visits nearly everything, and more slowly.
MAX_TREE_COLUMNS = 6


def nearest_neighbors(rows: Any, n_neighbors: int) -> NearestNeighbors:
    """Return scikit-learn's search for the neighbours of each row, fitted to `rows`."""
    tree = not sparse.issparse(rows) and rows.shape[1] <= MAX_TREE_COLUMNS
    return NearestNeighbors(n_neighbors=n_neighbors, algorithm="kd_tree" if tree else "brute").fit(rows)
