"""The clustering of the study of 2000: centres chosen by one scan, refined until they hardly move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from cvstrat.clustering._mixed import MixedRows
from cvstrat.clustering._mojena import average_linkage, mojena_count
from cvstrat.errors import InputError

TOLERANCE = 0.02
MAX_ROUNDS = 100
MAX_ROWS = 20_000
_BLOCK = 8192


class CenteredClusters(NamedTuple):
    """The cluster of each row, its distance to the centre of it, and the centres."""

    cluster_of_row: np.ndarray
    distance: np.ndarray
    centers: MixedRows


def initial_centers(rows: MixedRows, n_clusters: int) -> np.ndarray:
    """Choose rows far from each other as centres, by Fig. 4 of :cite:t:`diamantidis2000`; return their indices.

    The first rows are centres to begin with. A later row that is farther from its closest centre than the two closest
    centres are from each other takes the place of that centre. (The figure's second condition, farther than the closest
    centre is from its own neighbour, adds nothing: it implies the first.)
    """
    chosen = np.arange(n_clusters)
    for start in range(n_clusters, len(rows), _BLOCK) if n_clusters > 1 else ():
        part, done = np.arange(start, min(start + _BLOCK, len(rows))), 0
        squared = rows[part].squared_distance(rows[chosen])
        while (hits := np.flatnonzero(squared[done:].min(axis=1) > _closest_pair(rows[chosen]))).size:
            hit = done + int(hits[0])
            place, done = int(squared[hit].argmin()), hit + 1  # what is missing is far even from itself
            chosen[place] = part[hit]
            squared[done:, place] = rows[part[done:]].squared_distance(rows[chosen[[place]]])[:, 0]
    return chosen


def centered_kmeans(rows: MixedRows, n_clusters: int) -> CenteredClusters:
    """Cluster by K-means with means and modes as centres.

    The rounds end when no centre moves by more than two per cent of the distance between the two closest centres of the
    round before, or after a hundred rounds. A cluster that loses all rows keeps its centre.
    """
    centers = rows[initial_centers(rows, n_clusters)]
    for _ in range(MAX_ROUNDS):
        before = centers
        centers = _centers_of(rows, rows.squared_distance(before).argmin(axis=1), before)
        moved = _largest_move(centers, before)
        if moved < TOLERANCE**2 * _closest_pair(before) or moved == 0:
            break
    squared = rows.squared_distance(centers)
    nearest = squared.argmin(axis=1)
    return CenteredClusters(nearest, np.sqrt(squared[np.arange(len(rows)), nearest]), centers)


def centered_hierarchy(rows: MixedRows, n_clusters: int | None) -> CenteredClusters:
    """Cluster by average linkage, cut into `n_clusters` or, if None, into as many as Mojena's rule gives."""
    if len(rows) > MAX_ROWS:
        raise InputError(
            f"hierarchical clustering keeps all distances between {len(rows)} rows in memory; "
            f"use method='kmeans' for more than {MAX_ROWS}"
        )
    if len(rows) == 1:
        return CenteredClusters(np.zeros(1, dtype=np.intp), np.zeros(1), rows)
    tree = average_linkage(rows)
    cluster_of_row = _cut(tree, mojena_count(tree[:, 2]) if n_clusters is None else n_clusters)
    first_rows = np.unique(cluster_of_row, return_index=True)[1]
    centers = _centers_of(rows, cluster_of_row, rows[first_rows])
    squared = np.empty(len(rows))
    for number in range(len(centers)):
        members = np.flatnonzero(cluster_of_row == number)
        squared[members] = rows[members].squared_distance(centers[[number]])[:, 0]
    return CenteredClusters(cluster_of_row, np.sqrt(squared), centers)


def _closest_pair(centers: MixedRows) -> float:
    """Squared distance between the two closest centres; infinite if there is one only."""
    squared = centers.squared_distance(centers)
    np.fill_diagonal(squared, np.inf)
    return float(squared.min())


def _centers_of(rows: MixedRows, cluster_of_row: np.ndarray, before: MixedRows) -> MixedRows:
    continuous, discrete = before.continuous.copy(), before.discrete.copy()
    for number in range(len(before)):
        members = np.flatnonzero(cluster_of_row == number)
        if members.size:
            center = rows[members].center()
            continuous[number], discrete[number] = center.continuous[0], center.discrete[0]
    return MixedRows(continuous, discrete)


def _largest_move(after: MixedRows, before: MixedRows) -> float:
    """Squared distance of the centre that moved most; what was unknown and still is has not moved."""
    unknown = np.isnan(after.continuous), np.isnan(before.continuous)
    moves = np.where(unknown[0] != unknown[1], 1.0, np.where(unknown[0], 0.0, after.continuous - before.continuous))
    return float(((moves**2).sum(axis=1) + (after.discrete != before.discrete).sum(axis=1)).max())


def _cut(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """Undo the last merges of a dendrogram so that `n_clusters` are left; number them as they come in the rows."""
    n_rows = len(tree) + 1
    kept = tree[: n_rows - n_clusters, :2].astype(np.intp)
    merged = n_rows + np.repeat(np.arange(len(kept)), 2)
    size = 2 * n_rows - 1
    links = sparse.coo_array((np.ones(merged.size), (merged, kept.ravel())), shape=(size, size))
    return np.asarray(pd.factorize(connected_components(links, directed=False)[1][:n_rows])[0])
