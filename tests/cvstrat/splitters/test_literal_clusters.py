"""Cluster-based methods, against Algorithm 1 of the study of 2025 written out line by line.

The clustering itself is scikit-learn's, seeded alike. Everything after it (lists of clusters, sorting by distance,
dealing) is done by hand. Distances of rows are taken as equal if they differ in the tenth digit or later: two members
of a cluster of two are equally far from their mean. Such rows come in the order of their contents.
"""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import (
    DBSCAN,
    AgglomerativeClustering,
    Birch,
    BisectingKMeans,
    KMeans,
    MiniBatchKMeans,
    SpectralClustering,
)

from cvstrat import ClusterBlockKFold, ClusterKFold, StratifiedClusterKFold, estimate_eps, estimate_n_clusters
from cvstrat.clustering._named import _by_appearance
from cvstrat.splitters import make_splitter
from cvstrat.splitters._classes import rank_classes
from cvstrat.splitters._content import row_keys

FOLDS = [2, 3, 5, 10]
SEEDS = [None, 1, 2]


def blobs(seed, n_rows=160, width=4):
    """Rows in three overlapping clouds, with classes that have little to do with them."""
    random = np.random.RandomState(seed)
    X = random.randn(n_rows, width) + 4.0 * random.randint(0, 3, size=n_rows)[:, None]
    return X, random.choice([7, 3, 5], size=n_rows, p=[0.55, 0.3, 0.15])


def chance(seed):
    return np.random.RandomState(0 if seed is None else seed)


def options(seed):
    return {} if seed is None else {"shuffle": True, "random_state": seed}


def draw(rng):
    return int(rng.randint(2**31 - 1))


def deal_by_hand(index_list, k_splits):
    folds = [[] for _ in range(k_splits)]
    for turn, index in enumerate(index_list):
        folds[turn % k_splits].append(index)
    return folds


def rows_of_folds(splitter, X, y=None):
    """The rows of each fold."""
    fold_of_row = splitter.fold_of_each_row(X, y).tolist()
    return [[row for row, fold in enumerate(fold_of_row) if fold == number] for number in range(splitter.n_splits)]


def assert_same_folds(splitter, X, y, expected):
    assert rows_of_folds(splitter, X, y) == [sorted(fold) for fold in expected]


def by_content(X, rng):
    keys = row_keys(X, rng)
    return sorted(range(len(X)), key=lambda row: int(keys[row])), keys


def distance(one, other):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))


def mean_of(points):
    return [sum(column) / len(points) for column in zip(*points, strict=True)]


def scbcv(X, y, k_splits, k_clusters, rng, minibatch_kmeans):
    """Algorithm 1; its line numbers are on the right."""
    order, keys = by_content(X, rng)
    ranks = rank_classes(np.unique(y, return_inverse=True)[1], keys)
    classes = [[row for row in order if ranks[row] == rank] for rank in range(max(ranks) + 1)]  # 2
    index_list = []  # 8
    for members in classes:  # 9
        distinct = len({tuple(X[row]) for row in members})
        if distinct <= k_clusters:  # the paper leaves this open: every distinct row is a cluster
            index_list += members
            continue
        kind = MiniBatchKMeans if minibatch_kmeans else KMeans  # 3 to 7
        kmeans = kind(k_clusters, random_state=draw(rng))
        kmeans.fit(X[members])
        class_dist = []  # 10
        for row in members:
            class_dist.append([distance(X[row], center) for center in kmeans.cluster_centers_])
        clusters_index = [row.index(min(row)) for row in class_dist]  # 11
        clusters = {}  # 12, in the order in which they come in the rows
        for index in range(len(class_dist)):  # 13
            element = (round(class_dist[index][clusters_index[index]], 9), index)  # 14
            clusters.setdefault(clusters_index[index], []).append(element)  # 15
        for cluster in clusters.values():  # 17
            cluster.sort()  # 18
            index_list += [members[index] for _, index in cluster]  # 19
    return deal_by_hand(index_list, k_splits)  # 22


def cluster_by_cluster(X, rows, labels):
    """The rows cluster by cluster, as these come, and inside by distance to the mean of the members."""
    numbers = sorted(set(labels), key=labels.index)
    ordered = []
    for number in numbers:
        members = [place for place in range(len(rows)) if labels[place] == number]
        center = mean_of([X[rows[place]].tolist() for place in members])
        elements = sorted((round(distance(X[rows[place]], center), 9), place) for place in members)
        ordered += [rows[place] for _, place in elements]
    return ordered


@settings(max_examples=60)
@given(st.lists(st.sampled_from([-2, -1, 0, 1, 2, 5, 40, 10**12]), min_size=1, max_size=30))
def test_clusters_are_numbered_as_they_come(labels):
    numbers, found = _by_appearance(np.array(labels))
    expected = sorted(set(labels), key=labels.index)
    assert found.tolist() == expected
    assert numbers.tolist() == [expected.index(label) for label in labels]


class ByFirstColumn(ClusterMixin, BaseEstimator):
    """Clusters by the first digit after the point of the first column, under names given."""

    def __init__(self, names):
        self.names = names

    def fit(self, X, y=None):
        self.labels_ = np.array([self.names[int(abs(10 * row[0])) % 4] for row in X])
        return self


class TestStratified:
    """SCBCV and SCBCV Mini."""

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("n_clusters", [1, 3, 6])
    @pytest.mark.parametrize("k", FOLDS)
    def test_kmeans(self, k, n_clusters, seed):
        X, y = blobs(k)
        splitter = StratifiedClusterKFold(k, n_clusters=n_clusters, **options(seed))
        assert_same_folds(splitter, X, y, scbcv(X, y, k, n_clusters, chance(seed), False))

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", FOLDS)
    def test_minibatch(self, k, seed):
        X, y = blobs(k, n_rows=250)
        splitter = StratifiedClusterKFold(k, clusterer="minibatch", n_clusters=4, **options(seed))
        assert_same_folds(splitter, X, y, scbcv(X, y, k, 4, chance(seed), True))

    @pytest.mark.parametrize("minibatch", [False, True])
    def test_classes_smaller_than_the_number_of_clusters(self, minibatch):
        X, y = blobs(0, n_rows=60)
        y[:] = 0
        y[[3, 14, 15]], y[[9, 26]], y[53] = 1, 2, 3
        splitter = StratifiedClusterKFold(3, clusterer="minibatch" if minibatch else "kmeans", n_clusters=5)
        with pytest.warns(UserWarning, match="least populated class"):
            assert_same_folds(splitter, X, y, scbcv(X, y, 3, 5, chance(None), minibatch))

    def test_copies_of_rows(self):
        X, y = blobs(1, n_rows=40)
        X, y = np.repeat(X, 3, axis=0), np.repeat(y, 3)
        assert_same_folds(StratifiedClusterKFold(5, n_clusters=3), X, y, scbcv(X, y, 5, 3, chance(None), False))

    def test_number_of_clusters_from_all_classes_together(self):
        X, y = blobs(2)
        order, _ = by_content(X, chance(None))
        n_clusters = estimate_n_clusters(X[order])
        assert n_clusters > 1
        assert_same_folds(StratifiedClusterKFold(5), X, y, scbcv(X, y, 5, n_clusters, chance(None), False))

    @pytest.mark.parametrize("name", ["SCBCV", "SCBCV-Mini"])
    def test_by_the_name_of_the_paper(self, name):
        X, y = blobs(3)
        splitter = make_splitter(name, n_splits=4, n_clusters=3, random_state=8)
        assert_same_folds(splitter, X, y, scbcv(X, y, 4, 3, chance(8), name.endswith("Mini")))

    @pytest.mark.parametrize("k", [2, 5])
    def test_density(self, k):
        """Not a method of the papers; the radius comes from all classes together."""
        X, y = blobs(4)
        order, keys = by_content(X, chance(None))
        ranks = rank_classes(np.unique(y, return_inverse=True)[1], keys)
        eps, ordered = estimate_eps(X[order]), []
        for rank in range(3):
            members = [row for row in order if ranks[row] == rank]
            ordered += cluster_by_cluster(X, members, DBSCAN(eps=eps, min_samples=8).fit_predict(X[members]).tolist())
        splitter = StratifiedClusterKFold(k, clusterer="dbscan")
        assert_same_folds(splitter, X, y, deal_by_hand(ordered, k))


class TestWholeSet:
    """The methods without classes: the same, with the whole set as one class."""

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("name", ["kmeans", "minibatch"])
    @pytest.mark.parametrize("k", FOLDS)
    def test_kmeans(self, k, name, seed):
        X, _ = blobs(k)
        one_class = np.zeros(len(X), dtype=int)
        splitter = ClusterKFold(k, clusterer=name, n_clusters=4, **options(seed))
        assert_same_folds(splitter, X, None, scbcv(X, one_class, k, 4, chance(seed), name == "minibatch"))

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", FOLDS)
    def test_agglomerative(self, k, seed):
        X, _ = blobs(k)
        order, _ = by_content(X, chance(seed))
        labels = AgglomerativeClustering(5).fit_predict(X[order]).tolist()
        splitter = ClusterKFold(k, clusterer="agglomerative", n_clusters=5, **options(seed))
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), k))

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", FOLDS)
    def test_density(self, k, seed):
        X, _ = blobs(k)
        order, _ = by_content(X, chance(seed))
        labels = DBSCAN(eps=1.5, min_samples=6).fit_predict(X[order]).tolist()
        assert labels.count(-1) > 10 and max(labels) > 0
        splitter = ClusterKFold(k, clusterer="dbscan", eps=1.5, min_samples=6, **options(seed))
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), k))

    @pytest.mark.parametrize("k", FOLDS)
    def test_density_estimated(self, k):
        X, _ = blobs(k)
        order, _ = by_content(X, chance(None))
        eps = estimate_eps(X[order], min_samples=8)
        labels = DBSCAN(eps=eps, min_samples=8).fit_predict(X[order]).tolist()
        splitter = ClusterKFold(k, clusterer="dbscan")
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), k))

    def test_nothing_but_noise_is_one_cluster(self):
        X, _ = blobs(0)
        order, _ = by_content(X, chance(None))
        splitter = ClusterKFold(5, clusterer="dbscan", eps=1e-6, min_samples=3)
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, [-1] * len(X)), 5))

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", [2, 5])
    def test_spectral(self, k, seed):
        X, _ = blobs(k, n_rows=90)
        rng = chance(seed)
        order, _ = by_content(X, rng)
        graph = {"affinity": "nearest_neighbors", "random_state": draw(rng)}
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Graph is not fully connected")
            labels = SpectralClustering(6, n_neighbors=10, **graph).fit_predict(X[order]).tolist()
            assert labels != SpectralClustering(6, n_neighbors=5, **graph).fit_predict(X[order]).tolist()
        splitter = ClusterKFold(k, clusterer="spectral", n_clusters=6, **options(seed))
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), k))

    @pytest.mark.parametrize("name", ["kmeans", "agglomerative"])
    def test_number_of_clusters_estimated(self, name):
        X, _ = blobs(6)
        rng = chance(None)
        order, _ = by_content(X, rng)
        n_clusters = estimate_n_clusters(X[order])
        assert n_clusters > 1
        kind = KMeans(n_clusters, random_state=draw(rng)) if name == "kmeans" else AgglomerativeClustering(n_clusters)
        labels = kind.fit_predict(X[order]).tolist()
        splitter = ClusterKFold(5, clusterer=name)
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), 5))

    def test_a_clusterer_of_ones_own_is_seeded(self):
        X, _ = blobs(7)
        rng = chance(3)
        order, _ = by_content(X, rng)
        labels = BisectingKMeans(4, random_state=draw(rng)).fit_predict(X[order]).tolist()
        splitter = ClusterKFold(5, clusterer=BisectingKMeans(4), shuffle=True, random_state=3)
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), 5))

    @pytest.mark.parametrize(
        "clusterer", [KMeans(4, random_state=11), Birch(n_clusters=3), AgglomerativeClustering(3, linkage="average")]
    )
    def test_a_clusterer_of_ones_own_is_used_as_it_is(self, clusterer):
        X, _ = blobs(8)
        order, _ = by_content(X, chance(3))
        labels = clusterer.fit_predict(X[order]).tolist()
        splitter = ClusterKFold(5, clusterer=clusterer, shuffle=True, random_state=3)
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), 5))

    @pytest.mark.parametrize("names", [[0, 1, 2, 3], [7, 900, -1, 40], [10**9, 3, -1, -4], [5, 5, 2, 9]])
    def test_any_numbers_will_do_for_clusters(self, names):
        X, _ = blobs(10)
        order, _ = by_content(X, chance(None))
        labels = [names[int(abs(10 * row[0])) % 4] for row in X[order]]
        splitter = ClusterKFold(5, clusterer=ByFirstColumn(tuple(names)))
        assert_same_folds(splitter, X, None, deal_by_hand(cluster_by_cluster(X, order, labels), 5))

    def test_centres_of_the_clusterer_where_it_has_them(self):
        """K-means on small batches, stopped early, has centres that are not the means of its clusters."""
        X, _ = blobs(9)
        order, _ = by_content(X, chance(None))
        kmeans = MiniBatchKMeans(4, max_iter=1, batch_size=20, random_state=1).fit(X[order])
        elements = []
        for place, row in enumerate(order):
            label = int(kmeans.labels_[place])
            turn = kmeans.labels_.tolist().index(label)
            elements.append((turn, round(distance(X[row], kmeans.cluster_centers_[label]), 9), place))
        expected = deal_by_hand([order[place] for _, _, place in sorted(elements)], 5)
        assert expected != deal_by_hand(cluster_by_cluster(X, order, kmeans.labels_.tolist()), 5)
        splitter = ClusterKFold(5, clusterer=MiniBatchKMeans(4, max_iter=1, batch_size=20, random_state=1))
        assert_same_folds(splitter, X, None, expected)


class TestBlocks:
    """ROCBCV: the folds are the clusters themselves."""

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", FOLDS)
    def test_kmeans(self, k, seed):
        X, _ = blobs(k)
        rng = chance(seed)
        order, _ = by_content(X, rng)
        labels = KMeans(k, random_state=draw(rng)).fit_predict(X[order]).tolist()
        blocks = {number: [] for number in labels}
        for place, number in enumerate(labels):
            blocks[number].append(order[place])
        expected = [sorted(block) for block in blocks.values()]
        assert rows_of_folds(ClusterBlockKFold(k, **options(seed)), X) == expected

    @pytest.mark.parametrize("seed", SEEDS)
    def test_agglomerative(self, seed):
        X, _ = blobs(5)
        blocks = AgglomerativeClustering(4).fit_predict(X)
        expected = [np.flatnonzero(blocks == number).tolist() for number in range(4)]
        found = rows_of_folds(ClusterBlockKFold(4, clusterer="agglomerative", **options(seed)), X)
        assert sorted(found) == sorted(expected)

    def test_well_separated_clouds(self):
        random = np.random.RandomState(0)
        cloud = random.randint(0, 3, size=60)
        X = random.rand(60, 2) + 100.0 * cloud[:, None]
        for name in ("kmeans", "minibatch", "agglomerative", "spectral"):
            folds = ClusterBlockKFold(3, clusterer=name).fold_of_each_row(X)
            assert len(set(zip(cloud.tolist(), folds.tolist(), strict=True))) == 3, name


class Thirds(BaseEstimator):
    """Labels in turn, of a kind of number."""

    def __init__(self, kind):
        self.kind = kind

    def fit_predict(self, X, y=None):
        return (np.arange(len(X)) % 3).astype(self.kind)


def test_labels_of_any_byte_order_are_labels():
    X = np.random.RandomState(0).normal(size=(30, 2))
    folds = [ClusterKFold(3, clusterer=Thirds(kind)).fold_of_each_row(X).tolist() for kind in (">i8", "<i8", ">i2")]
    assert folds[0] == folds[1] == folds[2]
