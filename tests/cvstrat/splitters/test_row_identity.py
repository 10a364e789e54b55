"""Folds depend on what the rows contain: not on where they stand, nor on the names of the classes."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN, KMeans

from cvstrat import (
    CenteredClusterKFold,
    ClusterBlockKFold,
    ClusterKFold,
    NeighborhoodKFold,
    NeighborWalkKFold,
    OneCenterKFold,
    StratifiedClusterKFold,
)

few = settings(deadline=None, max_examples=15, derandomize=True)
SEEDS = [None, 4]
# Spectral clustering is not among them: its graph joins a lone pair to ten others.
SPREADING = {
    "kmeans": lambda k: ClusterKFold(k, n_clusters=3),
    "minibatch": lambda k: ClusterKFold(k, clusterer="minibatch", n_clusters=3),
    "agglomerative": lambda k: ClusterKFold(k, clusterer="agglomerative", n_clusters=3),
    "dbscan": lambda k: ClusterKFold(k, clusterer="dbscan", eps=3.0, min_samples=2),
    "object": lambda k: ClusterKFold(k, clusterer=KMeans(3, random_state=0)),
    "class-kmeans": lambda k: StratifiedClusterKFold(k, n_clusters=3),
    "class-minibatch": lambda k: StratifiedClusterKFold(k, clusterer="minibatch", n_clusters=3),
    "class-agglomerative": lambda k: StratifiedClusterKFold(k, clusterer="agglomerative", n_clusters=3),
    "class-dbscan": lambda k: StratifiedClusterKFold(k, clusterer="dbscan", eps=3.0, min_samples=2),
    "one-center": OneCenterKFold,
    "centers": lambda k: CenteredClusterKFold(k, n_clusters=3),
    "hierarchy": lambda k: CenteredClusterKFold(k, n_clusters=3, method="hierarchical"),
    "walk": NeighborWalkKFold,
    "neighborhood": NeighborhoodKFold,
}
spreading = pytest.mark.parametrize("make", SPREADING.values(), ids=SPREADING)


def contents(folds, X, y=None):
    """Count how often each fold holds each row, by its values (and its class)."""
    rows = [tuple(row) for row in (X if y is None else np.column_stack([X, y])).tolist()]
    return [Counter(rows[number] for number in fold) for fold in folds]


class TestPermutedRows:
    """Rows in another order make the same folds."""

    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_row_stays_in_its_fold(self, own_case, table, folds, seed):
        X, y = table
        order = np.random.RandomState(2).permutation(len(y))
        after = folds(own_case.make(4, seed=seed), X[order], y[order])
        assert [sorted(order[fold].tolist()) for fold in after] == folds(own_case.make(4, seed=seed), X, y)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_folds_hold_the_same_copies_of_rows(self, own_case, ties, folds, seed):
        X, y = ties
        order = np.random.RandomState(2).permutation(len(y))
        seen = {"y": y} if own_case.stratified else {}
        before = contents(folds(own_case.make(4, seed=seed), X, y), X, **seen)
        after = folds(own_case.make(4, seed=seed), X[order], y[order])
        assert contents(after, X[order], **{key: value[order] for key, value in seen.items()}) == before

    def test_estimates_from_the_data_are_the_same_too(self, own_case, table, folds):
        X, y = table
        order = np.random.RandomState(3).permutation(len(y))
        after = folds(own_case.make(3, n_clusters=None), X[order], y[order])
        assert [sorted(order[fold].tolist()) for fold in after] == folds(own_case.make(3, n_clusters=None), X, y)

    @pytest.mark.parametrize("kind", [NeighborWalkKFold, NeighborhoodKFold])
    def test_large_classes_whose_neighbours_are_listed(self, kind, folds):
        X, y = np.random.RandomState(0).rand(1300, 2).round(2), np.arange(1300) % 10 == 0
        order = np.random.RandomState(3).permutation(len(y))
        before = contents(folds(kind(5), X, y), X, y)
        assert contents(folds(kind(5), X[order], y[order]), X[order], y[order]) == before

    @few
    @given(st.integers(0, 999), st.integers(0, 999))
    def test_any_small_table(self, own_even_case, folds, drawn, shuffled):
        rng = np.random.RandomState(drawn)
        n_rows = rng.randint(12, 40)
        X, y = rng.randint(0, 4, size=(n_rows, 2)) * 1.0, rng.randint(0, 2, n_rows)
        order = np.random.RandomState(shuffled).permutation(n_rows)
        before = contents(folds(own_even_case.make(2), X, y), X)
        assert contents(folds(own_even_case.make(2), X[order], y[order]), X[order]) == before


class TestClassNames:
    """What the classes are called, and how their names sort, does not matter."""

    @pytest.mark.parametrize("names", [[2, 0, 1], [70.0, -5.0, 3.0], ["c", "a", "b"]], ids=str)
    def test_other_names_give_the_same_folds(self, own_case, table, folds, names):
        X, y = table
        assert folds(own_case.make(4, seed=4), X, np.array(names)[y]) == folds(own_case.make(4, seed=4), X, y)

    def test_yes_and_no_may_change_places(self, own_stratified_case, table, folds):
        X, y = table
        assert folds(own_stratified_case.make(4), X, y == 0) == folds(own_stratified_case.make(4), X, y != 0)


def with_twins(seed):
    """Return two heaps, one for each class, and far from them a pair of near-identical rows, the last."""
    rng = np.random.RandomState(seed)
    heap = rng.normal(size=(20, 2)) + np.array([-30.0, 30.0])
    X = np.concatenate([rng.normal(size=(21, 2)), heap, [[90.0, 90.0]] * 2])
    X[-1, 0] += 1e-6
    return X, np.repeat([0, 1, 0], [21, 20, 2])


class TestNeighbours:
    """Rows that are close to each other, and far from all others, go to different folds, wherever they stand."""

    @spreading
    @pytest.mark.parametrize("n_splits", [2, 3, 4, 7])
    def test_twins_are_separated(self, make, n_splits):
        for seed in range(6):
            X, y = with_twins(seed)
            for order in (np.arange(len(y)), np.random.RandomState(seed).permutation(len(y))):
                fold = make(n_splits).fold_of_each_row(X[order], y[order])
                first, second = np.flatnonzero(order >= len(y) - 2)
                assert fold[first] != fold[second]

    @pytest.mark.parametrize("n_splits", [2, 3])
    def test_blocks_keep_twins_together(self, n_splits):
        fold = ClusterBlockKFold(n_splits).fold_of_each_row(with_twins(0)[0])
        assert fold[-1] == fold[-2]

    @spreading
    def test_copies_of_a_row_are_spread_over_all_folds(self, make):
        X, y = with_twins(0)
        copies = [*range(len(y) - 2), *[len(y) - 1] * 8]
        fold = make(4).fold_of_each_row(X[copies], y[copies])
        assert np.bincount(fold[-8:]).tolist() == [2, 2, 2, 2]

    @pytest.mark.parametrize("name", sorted(set(SPREADING) - {"one-center", "neighborhood"}))
    @pytest.mark.parametrize("n_splits", [2, 3, 4])
    def test_every_heap_is_spread_over_all_folds(self, name, n_splits):
        for seed in range(4):
            rng = np.random.RandomState(seed)
            heap = np.repeat([0, 1, 2], [13, 22, 17])
            X, y = rng.normal(size=(52, 2)) + 40.0 * np.array([[0, 1], [0, 0], [2, 0]])[heap], np.zeros(52, dtype=int)
            fold = SPREADING[name](n_splits).fold_of_each_row(X, y)
            assert all(np.ptp(np.bincount(fold[heap == one], minlength=n_splits)) <= 1 for one in (0, 1, 2))

    @pytest.mark.parametrize("kind", [NeighborWalkKFold, NeighborhoodKFold])
    def test_an_outlier_does_not_hide_who_is_near(self, kind):
        pairs = np.repeat(np.arange(10.0) * 100, 2) + np.tile([0.0, 0.001], 10)
        fold = kind(2).fold_of_each_row(np.append(pairs, 1e20)[:, None], np.zeros(21))
        assert (fold[:-1:2] != fold[1:-1:2]).all()

    def test_one_cluster_is_dealt_from_its_centre_outwards(self, folds):
        X = np.random.RandomState(3).rand(31, 2)
        outwards = np.linalg.norm(X - X.mean(axis=0), axis=1).argsort()
        wanted = [sorted(outwards[start::4].tolist()) for start in range(4)]
        for clusterer in ("kmeans", "agglomerative", DBSCAN(eps=1e-6)):
            assert folds(ClusterKFold(4, clusterer=clusterer, n_clusters=1), X) == wanted

    def test_one_cluster_around_a_centre_is_the_method_of_one_centre(self, folds):
        X = np.random.RandomState(3).rand(31, 2)
        for method in ("kmeans", "hierarchical"):
            assert folds(CenteredClusterKFold(4, n_clusters=1, method=method), X) == folds(OneCenterKFold(4), X)


@pytest.mark.filterwarnings("ignore:y is continuous")
class TestContinuousTarget:
    """Quantile bins serve as classes where the target is continuous."""

    def test_every_fold_has_its_share_of_every_decile(self, own_stratified_case, folds):
        rng = np.random.RandomState(0)
        X, y = rng.normal(size=(200, 3)), rng.lognormal(size=200)
        tests = folds(own_stratified_case.make(5), X, y)
        decile = y.argsort().argsort() // 20
        assert [np.bincount(decile[test]).tolist() for test in tests] == [[4] * 10] * 5
        means = [y[test].mean() for test in tests]
        assert np.ptp(means) < np.ptp(y) / 10

    def test_equal_values_do_not_break_it(self, own_stratified_case, folds):
        rng = np.random.RandomState(1)
        X, y = rng.normal(size=(60, 3)), np.where(rng.rand(60) < 0.5, 0.0, rng.rand(60))
        tests = folds(own_stratified_case.make(4), X, y)
        assert sorted(np.concatenate(tests)) == list(range(60))
        assert np.ptp([(y[test] == 0).sum() for test in tests]) <= 1

    def test_bins_have_a_row_for_every_fold(self, own_stratified_case, folds):
        X, y = np.random.RandomState(2).normal(size=(23, 3)), np.linspace(0.05, 1.15, 23)
        tests = folds(own_stratified_case.make(7), X, y)
        third = np.repeat([0, 1, 2], [8, 7, 8])
        assert all(set(third[test]) == {0, 1, 2} for test in tests)
