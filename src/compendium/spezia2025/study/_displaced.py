"""The index defect behind the published cluster-based results, emulated. Not a splitter, and of no use as one.

The published code shuffles a copy of the rows (and, for the stratified techniques, sorts it by class), builds folds on
that copy, and returns *positions in the copy* as if they were row indices. Used on the rows as they stood before, they
name other rows than the ones the folds were built from.

The techniques that deal by distance to a centre (SCBCV, KCBCV and their Mini-Batch variants) differ from ours in
nothing else. ACBCV and DBSCANBCV do: the published code knows no distance there. It deals the rows of each cluster in
the order in which they stand in the copy, and begins each cluster with the first fold, so that sizes of folds drift
apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.clustering import cluster, make_clusterer

_DEALT_IN_ROW_ORDER = ("ACBCV", "DBSCANBCV")


def published_folds(technique: str, splitter: Any, folds: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the folds that the published code scores for a technique of the paper.

    Parameters
    ----------
    technique : str
        One of ``PUBLISHED``.
    splitter : splitter
        The splitter of that technique, seeded with an integer; ACBCV and DBSCANBCV take their clusterer from it.
    folds : ndarray of shape (n,)
        The folds that the splitter gives to each row.
    X, y : ndarray of shape (n, n_features) and (n,)
        The rows and their classes.

    Returns
    -------
    ndarray of shape (n,)
        Index of the fold that row `i` is scored in. Where no cluster has as many rows as there are folds, the last
        folds are empty.
    """
    seed = splitter.random_state
    if technique not in _DEALT_IN_ROW_ORDER:
        return displaced_folds(folds, y, sorts_by_class=technique.startswith("SCBCV"), random_state=seed)
    options = {name: getattr(splitter, name) for name in ("n_clusters", "eps", "min_samples")}
    copy = _shuffled_copy(y, sorts_by_class=False, random_state=seed)
    clusterer = make_clusterer(splitter.clusterer, n_rows=len(y), rng=np.random.RandomState(seed), **options)
    return folds_in_row_order(cluster(clusterer, X[copy])[0], splitter.n_splits)


def folds_in_row_order(clusters: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the folds of rows that are dealt as they stand, cluster by cluster, each cluster from fold 0 on.

    Parameters
    ----------
    clusters : ndarray of shape (n,)
        Index of the cluster of each row, from 0.
    n_splits : int
        Number of folds, at least 2.

    Returns
    -------
    ndarray of shape (n,)
        Index of the fold of each row: the number of rows of its cluster that stand before it, modulo `n_splits`.
    """
    by_cluster = np.argsort(clusters, kind="stable")
    sizes = np.bincount(clusters)
    folds = np.empty(len(clusters), dtype=np.intp)
    folds[by_cluster] = (np.arange(len(clusters)) - np.repeat(np.cumsum(sizes) - sizes, sizes)) % n_splits
    return folds


def displaced_folds(folds: np.ndarray, y: np.ndarray, *, sorts_by_class: bool, random_state: int) -> np.ndarray:
    """Return the folds that are scored when positions in a shuffled copy are taken for row indices.

    Parameters
    ----------
    folds : ndarray of shape (n,)
        Index of the fold that each row belongs to.
    y : ndarray of shape (n,)
        Class of each row.
    sorts_by_class : bool
        Whether the technique also sorts its copy by class.
    random_state : int
        Seed of the shuffling, 0 or larger.

    Returns
    -------
    ndarray of shape (n,)
        Row `i` gets the fold of the row that stands at position `i` of the copy.
    """
    displaced: np.ndarray = folds[_shuffled_copy(y, sorts_by_class=sorts_by_class, random_state=random_state)]
    return displaced


def _shuffled_copy(y: np.ndarray, *, sorts_by_class: bool, random_state: int) -> np.ndarray:
    """Return which row stands at each position of the copy."""
    copy = np.random.default_rng(random_state).permutation(len(y))
    return copy[np.argsort(y[copy], kind="stable")] if sorts_by_class else copy
