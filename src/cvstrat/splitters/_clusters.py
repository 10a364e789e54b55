"""Cluster by cluster, and inside a cluster from the centre outwards; and the contrast, a cluster as a fold."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from cvstrat.checks import check_count
from cvstrat.clustering import COUNTED, check_clusterer, cluster, estimate_eps, estimate_n_clusters, make_clusterer
from cvstrat.errors import InputError
from cvstrat.splitters._base import DealtKFold, FoldSplitter
from cvstrat.splitters._cards import Cards
from cvstrat.splitters._classes import by_class
from cvstrat.splitters._content import first_of_equals, pick, rounded, row_keys, stable_order

_LARGEST = 1e150  # whose square a clusterer can hold


class _ByCluster(DealtKFold):
    """What the cluster-based methods share: their options, and the order of one set of rows."""

    largest_value = _LARGEST

    def __init__(
        self,
        n_splits: int = 5,
        *,
        clusterer: Any = "kmeans",
        n_clusters: int | None = None,
        eps: float | None = None,
        min_samples: int | None = None,
        standardize: bool = False,
        shuffle: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.clusterer = clusterer
        self.n_clusters = n_clusters
        self.eps = eps
        self.min_samples = min_samples
        self.standardize = standardize
        self.shuffle = shuffle
        self.random_state = random_state
        self._check_parameters()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_clusterer(self.clusterer)
        check_count("n_clusters", self.n_clusters, 1, or_none=True)
        check_count("min_samples", self.min_samples, 1, or_none=True)
        eps: Any = self.eps
        if eps is not None and not (isinstance(eps, Real) and 0 < float(eps) < np.inf):
            raise InputError(f"eps must be a positive number, or None to estimate it; it is {eps!r}")

    def _prepare(self, rows: Any, by_content: np.ndarray) -> dict[str, Any]:
        """Return what the clusterer is told, worked out from all rows."""
        n_clusters, eps, min_samples = self.n_clusters, self.eps, self.min_samples
        if not (isinstance(self.clusterer, str) and self.clusterer in COUNTED):
            n_clusters = None
        elif n_clusters is None:
            n_clusters = estimate_n_clusters(pick(rows, by_content))
        if self.clusterer == "dbscan":
            min_samples = 2 * rows.shape[1] if min_samples is None else min_samples
            eps = estimate_eps(pick(rows, by_content), min_samples=min_samples) if eps is None else eps
        return {"n_clusters": n_clusters, "eps": eps, "min_samples": min_samples}

    def _order(self, rows: Any, settings: dict[str, Any], rng: np.random.RandomState) -> np.ndarray:
        n_rows, n_clusters = rows.shape[0], settings["n_clusters"]
        if n_rows == 1 or (n_clusters and first_of_equals(rows).size <= n_clusters):
            return np.arange(n_rows)  # every distinct row is a cluster, and copies stand together
        clusterer = make_clusterer(self.clusterer, n_rows=n_rows, rng=rng, **settings)
        return by_cluster_then_distance(*cluster(clusterer, rows))


def by_cluster_then_distance(cluster_of_row: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return the order of rows by cluster and, inside, by distance; differences by rounding do not count."""
    return np.concatenate(by_class(stable_order(rounded(distance)), cluster_of_row))


class ClusterKFold(_ByCluster):
    """K-fold that spreads every cluster of the data over all folds.

    The rows are clustered without regard to any target, ordered cluster by cluster and inside by distance to the
    centre, and dealt out in that order, so that similar rows go to different folds. The method is that of
    :cite:t:`diamantidis2000` with the clusterers of :cite:t:`fontanari2022` and :cite:t:`spezia2025`.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    clusterer : str or clusterer, default="kmeans"
        ``"kmeans"`` (KCBCV), ``"minibatch"`` (KCBCV Mini), ``"agglomerative"`` (ACBCV; Ward's linkage), ``"dbscan"``
        (DBSCANBCV; noise points are one more cluster), ``"spectral"`` (SpectralBCV; on the graph of ten nearest
        neighbours), or any scikit-learn clusterer, which is used as it is.
    n_clusters : int, default=None
        Number of clusters for a clusterer given by name; None estimates it with :func:`cvstrat.estimate_n_clusters`.
        Where there are fewer distinct rows, that many are made.
    eps, min_samples : float, int, default=None
        For ``"dbscan"``; None means :func:`cvstrat.estimate_eps`, and twice the number of columns.
    standardize : bool, default=False
        Whether columns are divided by their standard deviations before distances are taken. Off, as in the papers: a
        column with a wide range then rules who is near to whom.
    shuffle : bool, default=False
        Whether what the method leaves open (ties, the clusterer's own random start) is drawn anew. Without it the folds
        of a data set are always the same.
    random_state : int, RandomState instance or None, default=None
        Seed of `shuffle`; must be None without it.

    Notes
    -----
    Every row is in exactly one test fold; fold sizes differ by at most one; permuting the rows does not change what the
    folds contain. One cluster (or nothing but noise) is no error: the order is then by distance to its centre.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import ClusterKFold
    >>> [len(test) for train, test in ClusterKFold(5, n_clusters=3).split(load_iris().data)]
    [30, 30, 30, 30, 30]
    """


class StratifiedClusterKFold(_ByCluster):
    """K-fold that spreads every class, and every cluster inside a class, over all folds.

    Each class is clustered on its own; the rows are ordered class by class, cluster by cluster and by distance to the
    centre, and dealt out in that order.

    Parameters
    ----------
    n_splits, standardize, shuffle, random_state
        As in :class:`cvstrat.ClusterKFold`.
    clusterer : str or clusterer, default="kmeans"
        As in :class:`cvstrat.ClusterKFold`: ``"kmeans"`` is SCBCV, ``"minibatch"`` SCBCV Mini.
    n_clusters : int, default=None
        Number of clusters in each class; None estimates one number for all from the whole set. A class with fewer
        distinct rows gets that many.
    eps, min_samples : float, int, default=None
        For ``"dbscan"``, estimated from the whole set if None.
    strata : array-like, data frame, or names of columns of `X`, default=None
        What is spread evenly, and clustered apart: None means the target; otherwise one or more columns of values for
        the rows of `X`, the most important first. Names take columns of a data frame `X`, also where rows are cut more
        than once, as in a search inside a cross-validation. What is missing is a value of its own.
    n_bins : int, default=None
        Number of bins into which quantities are cut, at quantiles: values with fractions, times, and whole numbers if
        there are more of them than bins. Each has at least `n_splits` rows unless many values are equal, so there can
        be fewer. None makes ten of values with fractions and of times, with a warning, and takes each whole number as a
        class.

    Notes
    -----
    Every row is in exactly one test fold; fold sizes, and the counts of each class, differ by at most one between any
    two folds, because dealing goes on from class to class. Names of classes do not matter, except to tell apart classes
    that hold the same rows. SCBCV is Algorithm 1 of :cite:t:`spezia2025`, whose reference code stops where a class has
    fewer members than clusters.

    Several columns of strata are crossed: each splits the strata of those before it. Inside a stratum, values with
    fewer rows than folds are taken together; if all these are still fewer, they join the most frequent value. The
    counts of each value of the first column, and of each stratum, differ by at most one between any two folds.

    A target of several labels (columns of 0 and 1) is dealt by the criterion of iterative stratification
    :cite:`sechidis2011`, beginning with the rarest label of each row; then rows are exchanged as long as the counts of
    labels become more even. Fold sizes still differ by at most one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from cvstrat import StratifiedClusterKFold
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = StratifiedClusterKFold(10, n_clusters=4)
    >>> cross_val_score(DecisionTreeClassifier(random_state=0), X, y, cv=cv).shape
    (10,)
    """

    stratified = True

    def __init__(
        self,
        n_splits: int = 5,
        *,
        clusterer: Any = "kmeans",
        n_clusters: int | None = None,
        eps: float | None = None,
        min_samples: int | None = None,
        strata: Any = None,
        n_bins: int | None = None,
        standardize: bool = False,
        shuffle: bool = False,
        random_state: Any = None,
    ) -> None:
        self.strata = strata
        self.n_bins = n_bins
        super().__init__(
            n_splits,
            clusterer=clusterer,
            n_clusters=n_clusters,
            eps=eps,
            min_samples=min_samples,
            standardize=standardize,
            shuffle=shuffle,
            random_state=random_state,
        )


class ClusterBlockKFold(FoldSplitter):
    """K-fold in which every cluster is a fold of its own: block cross-validation, the contrast to spreading clusters.

    Each test fold is a region that the training part has not seen, so scores tell of extrapolation.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, and of clusters.
    clusterer : {"kmeans", "minibatch", "agglomerative", "spectral"} or clusterer, default="kmeans"
        A clusterer given as an object must find `n_splits` clusters.
    standardize, shuffle, random_state
        As in :class:`cvstrat.ClusterKFold`.

    Notes
    -----
    Every row is in exactly one test fold and none is empty, but sizes can differ widely and no class balance is kept.
    Fewer clusters than folds are an error. This is ROCBCV of the code behind :cite:t:`spezia2025`.

    Examples
    --------
    >>> from cvstrat import ClusterBlockKFold
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1]]
    >>> sorted(test.tolist() for train, test in ClusterBlockKFold(2).split(X))
    [[0, 1, 2], [3, 4]]
    """

    largest_value = _LARGEST

    def __init__(
        self,
        n_splits: int = 5,
        *,
        clusterer: Any = "kmeans",
        standardize: bool = False,
        shuffle: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.clusterer = clusterer
        self.standardize = standardize
        self.shuffle = shuffle
        self.random_state = random_state
        self._check_parameters()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_clusterer(self.clusterer)
        if self.clusterer == "dbscan":
            raise InputError("clusterer='dbscan' finds as many clusters as it likes; ClusterBlockKFold needs n_splits")

    def _folds(self, rows: Any, cards: Cards, rng: np.random.RandomState) -> np.ndarray:
        by_content = stable_order(row_keys(rows, rng))
        clusterer = make_clusterer(
            self.clusterer, n_rows=rows.shape[0], n_clusters=self.n_splits, eps=None, min_samples=None, rng=rng
        )
        ordered = pick(rows, by_content)
        first = first_of_equals(ordered)
        folds = np.empty(rows.shape[0], dtype=np.intp)
        if isinstance(self.clusterer, str) and first.size <= self.n_splits:  # every distinct row is a cluster
            folds[by_content] = np.repeat(np.arange(first.size), np.diff(np.append(first, rows.shape[0])))
        else:
            folds[by_content] = cluster(clusterer, ordered)[0]
        if folds.max() + 1 != self.n_splits:
            raise InputError(f"{clusterer!r} found {folds.max() + 1} clusters; as folds, there must be {self.n_splits}")
        return folds
