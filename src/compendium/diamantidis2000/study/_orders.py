"""How 1C-CV and CL-CV put rows in the plane into an order, for pictures of the method."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cvstrat.clustering import centered_kmeans, mixed_rows
from cvstrat.splitters import make_splitter


def order_table(X: np.ndarray, *, n_splits: int = 5, n_clusters: int = 3) -> pd.DataFrame:
    """Return, for 1C-CV and CL-CV, each row's cluster, distance to the centre, place in the order, and fold.

    Parameters
    ----------
    X : ndarray of shape (n_rows, 2)
        Points in the plane, in groups that K-means finds from any start.
    n_splits : int, default=5
        Number of folds, at least 2.
    n_clusters : int, default=3
        Number of clusters of CL-CV, at least 1.

    Returns
    -------
    DataFrame
        A row per ``technique`` and row of `X`: ``x1`` and ``x2`` (scaled to [0, 1]), ``cluster`` (numbered as the order
        comes to them), ``center1``, ``center2`` (the centre of that cluster), ``distance``, ``place``, ``fold``.
    """
    rows = mixed_rows(X)
    found = {"1C-CV": centered_kmeans(rows, 1), "CL-CV": centered_kmeans(rows, n_clusters)}
    frames = []
    for technique, clusters in found.items():
        # Dealt to as many folds as there are rows, the fold of a row is its place in the order.
        place = make_splitter(technique, n_splits=len(X), n_clusters=n_clusters).fold_of_each_row(X)
        fold = make_splitter(technique, n_splits=n_splits, n_clusters=n_clusters).fold_of_each_row(X)
        center = clusters.centers.continuous[clusters.cluster_of_row]
        frame = pd.DataFrame({"technique": technique, "x1": rows.continuous[:, 0], "x2": rows.continuous[:, 1]})
        frame = frame.assign(center1=center[:, 0], center2=center[:, 1], distance=clusters.distance)
        frame = frame.assign(place=place, fold=fold, cluster=clusters.cluster_of_row)
        first = frame.groupby("cluster")["place"].min().rank().astype(int) - 1
        frames.append(frame.assign(cluster=frame["cluster"].map(first)))
    return pd.concat(frames, ignore_index=True)
