"""The deterministic methods of the study of 2000, for mixed attributes: one centre, or clusters around centres."""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.checks import check_count
from cvstrat.clustering import MixedRows, centered_hierarchy, centered_kmeans, estimate_n_clusters, mixed_rows
from cvstrat.errors import InputError
from cvstrat.splitters._base import FoldSplitter
from cvstrat.splitters._cards import Cards
from cvstrat.splitters._content import rounded, row_keys, stable_order


class _ByCenter(FoldSplitter):
    """What both share: rows read as mixed attributes, brought into an order that depends on their content alone."""

    categorical: Any

    def _rows(self, X: Any, y: Any) -> MixedRows:
        return mixed_rows(X, self.categorical)

    def _folds(self, rows: MixedRows, cards: Cards, rng: np.random.RandomState) -> np.ndarray:
        by_content = stable_order(row_keys(rows.values(), rng))
        return cards.deal(by_content[self._order(rows[by_content])], self.n_splits)

    def _order(self, rows: MixedRows) -> np.ndarray:
        raise NotImplementedError


class OneCenterKFold(_ByCenter):
    """Deterministic K-fold that orders the rows by their distance to the centre of all (1C-CV).

    Rows about equally far from the centre are dealt to different folds.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    categorical : None, bool mask, or list of column numbers or names, default=None
        Discrete columns, compared by equal or not. None: the columns of a data frame (of pandas or polars) that hold
        text, categories, or yes and no, and no column of anything else. The others are continuous and scaled to [0, 1],
        dates and durations as seconds.

    Notes
    -----
    Every row is in exactly one test fold; fold sizes differ by at most one; the same data give the same folds, in
    whatever order the rows come. Missing values (NaN, None) are taken: they are as different as can be from everything.
    The centre has the mean of a continuous column and the most frequent value of a discrete one. The target plays no
    part. The method is 1C-CV of :cite:t:`diamantidis2000`.

    Examples
    --------
    >>> from cvstrat import OneCenterKFold
    >>> X = [[0.0], [1.0], [2.0], [3.0], [10.0], [11.0]]
    >>> [test.tolist() for train, test in OneCenterKFold(2).split(X)]
    [[1, 3, 4], [0, 2, 5]]
    """

    def __init__(self, n_splits: int = 5, *, categorical: Any = None) -> None:
        self.n_splits = n_splits
        self.categorical = categorical
        self._check_parameters()

    def _order(self, rows: MixedRows) -> np.ndarray:
        return stable_order(rounded(np.sqrt(rows.squared_distance(rows.center())[:, 0])))


class CenteredClusterKFold(_ByCenter):
    """Deterministic K-fold that orders the rows cluster by cluster, and inside by distance to the centre (CL-CV).

    Parameters
    ----------
    n_splits, categorical
        As in :class:`cvstrat.OneCenterKFold`.
    n_clusters : int, default=None
        None estimates it: by Mojena's rule on 50 samples of 100 rows for ``method="kmeans"``, on all rows for
        ``"hierarchical"``. Where there are fewer rows, that many are made.
    method : {"kmeans", "hierarchical"}, default="kmeans"
        K-means from centres chosen by the paper's Fig. 4 and refined until none moves by 2 % of the distance between
        the two closest; or average linkage, which keeps all distances in memory and is refused beyond 20 000 rows.

    Notes
    -----
    The guarantees are those of :class:`cvstrat.OneCenterKFold`. Where the paper takes rows in the order of the file, as
    for its first centres, they are taken in an order that depends on their content alone. Clusters come in the order of
    their centres' distance to the centre of the first. The method is CL-CV of :cite:t:`diamantidis2000`; with one
    cluster it is 1C-CV.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import CenteredClusterKFold
    >>> [len(test) for train, test in CenteredClusterKFold(4).split(load_iris().data)]
    [38, 38, 37, 37]
    """

    def __init__(
        self, n_splits: int = 5, *, n_clusters: int | None = None, method: str = "kmeans", categorical: Any = None
    ) -> None:
        self.n_splits = n_splits
        self.n_clusters = n_clusters
        self.method = method
        self.categorical = categorical
        self._check_parameters()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_clusters", self.n_clusters, 1, or_none=True)
        if self.method not in ("kmeans", "hierarchical"):
            raise InputError(f"method must be 'kmeans' or 'hierarchical'; it is {self.method!r}")

    def _order(self, rows: MixedRows) -> np.ndarray:
        wanted = None if self.n_clusters is None else min(self.n_clusters, len(rows))
        if self.method == "hierarchical":
            found = centered_hierarchy(rows, wanted)
        else:
            found = centered_kmeans(rows, estimate_n_clusters(rows) if wanted is None else wanted)
        from_first = np.sqrt(found.centers.squared_distance(found.centers[[0]])[:, 0])
        place = np.argsort(stable_order(rounded(from_first)))
        return np.lexsort((rounded(found.distance), place[found.cluster_of_row]))
