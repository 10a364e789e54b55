"""What every splitter promises, whatever the data: a partition, balance, and folds that depend on contents alone."""

import copy
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cvstrat import (
    TECHNIQUES,
    ClusterBlockKFold,
    ClusterKFold,
    NeighborWalkKFold,
    StratifiedClusterKFold,
    make_splitter,
)

few = settings(deadline=None, max_examples=25, derandomize=True)
rare_classes_are_fine = pytest.mark.filterwarnings("ignore:The least populated class")
VALUES = {
    "grid": st.integers(0, 2).map(float),
    "halves": st.integers(-6, 6).map(lambda value: value / 2),
    "reals": st.floats(-100, 100, width=32),
}


@st.composite
def tables(draw):
    """Draw a small table with ties, copies of rows and columns of one value; a class may have a single row."""
    n_splits = draw(st.integers(2, 5))
    sizes = [draw(st.integers(n_splits, 14)), *draw(st.lists(st.integers(1, 9), max_size=3))]
    shape = sum(sizes), draw(st.integers(1, 4))
    X = draw(arrays(np.float64, shape, elements=VALUES[draw(st.sampled_from(sorted(VALUES)))]))
    if draw(st.booleans()):
        X[:, 0] = 7.0
    y = np.array(draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist())))
    return n_splits, draw(st.integers(1, 6)), X, y


def assert_contract(case, splitter, X, y):
    splits = list(splitter.split(X, y))
    everything = np.arange(len(y))
    assert len(splits) == splitter.get_n_splits(X, y)
    assert np.array_equal(np.sort(np.concatenate([test for _, test in splits])), everything)
    for train, test in splits:
        assert np.issubdtype(train.dtype, np.integer)
        assert np.issubdtype(test.dtype, np.integer)
        assert np.array_equal(test, np.sort(test))
        assert np.array_equal(train, np.setdiff1d(everything, test))
    if case.even:
        assert np.ptp([len(test) for _, test in splits]) <= 1
    if case.stratified:
        for label in np.unique(y):
            assert np.ptp([(y[test] == label).sum() for _, test in splits]) <= 1


@pytest.mark.parametrize("n_splits", [2, 5, 10, 50])
@rare_classes_are_fine
def test_folds_partition_the_rows_evenly_and_class_by_class(case, table, n_splits):
    assert_contract(case, case.make(n_splits, seed=1), *table)


@few
@given(tables())
@rare_classes_are_fine
def test_ties_copies_and_tiny_classes_do_not_break_the_promise(even_case, drawn):
    n_splits, n_clusters, X, y = drawn
    assert_contract(even_case, even_case.make(n_splits, n_clusters=n_clusters), X, y)


@few
@given(tables())
def test_blocks_partition_the_rows_and_none_is_empty(drawn):
    n_splits, _, X, _ = drawn
    assume(len(np.unique(X.round(3), axis=0)) >= n_splits)  # K-means cannot tell apart what rounding could
    tests = [test for _, test in ClusterBlockKFold(n_splits).split(X)]
    assert all(len(test) for test in tests)
    assert sorted(np.concatenate(tests)) == list(range(len(X)))


@pytest.mark.parametrize("size", [2, 3, 5])
def test_spectral_clustering_takes_a_class_with_no_more_rows_than_clusters(size):
    X = np.random.RandomState(0).rand(30, 3)
    y = (np.arange(30) < size).astype(int)
    assert len(list(StratifiedClusterKFold(2, clusterer="spectral", n_clusters=size).split(X, y))) == 2


def test_a_table_with_as_many_rows_as_columns_is_not_taken_for_distances():
    X = np.random.RandomState(0).rand(12, 12)
    assert len(list(ClusterKFold(3, clusterer="spectral", n_clusters=2).split(X))) == 3


@pytest.mark.parametrize("clusterer", [KMeans(3, random_state=0), "dbscan"], ids=["object", "dbscan"])
def test_n_clusters_is_no_concern_of_a_clusterer_that_does_not_take_it(table, folds, clusterer):
    X, _ = table
    assert folds(ClusterKFold(3, clusterer=clusterer, n_clusters=100), X) == folds(
        ClusterKFold(3, clusterer=clusterer), X
    )


def test_a_walk_reaches_a_row_whose_distance_overflows():
    X, y = np.arange(12.0)[:, None], np.zeros(12, dtype=int)
    X[3] = 1e160
    assert sorted(np.concatenate([test for _, test in NeighborWalkKFold(3).split(X, y)])) == list(range(12))


class TestChance:
    """A seed fixes the folds; without shuffling there is nothing to fix."""

    def test_one_seed_gives_one_set_of_folds(self, chance_case, table, folds):
        splitter = chance_case.make(seed=5)
        first = folds(splitter, *table)
        assert folds(splitter, *table) == first
        assert folds(chance_case.make(seed=5), *table) == first

    def test_without_shuffling_the_folds_are_always_the_same(self, case, table, folds):
        first = folds(case.make(), *table)
        np.random.seed(1)  # noqa: NPY002
        assert folds(case.make(), *table) == first

    def test_another_seed_gives_other_folds(self, chance_case, ties, folds):
        drawn = {json.dumps(folds(chance_case.make(5, seed=seed, n_clusters=5), *ties)) for seed in range(6)}
        assert len(drawn) > 1

    def test_a_generator_draws_new_folds_at_each_split(self, chance_case, ties, folds):
        splitter = chance_case.make(5, seed=np.random.RandomState(3), n_clusters=5)
        assert len({json.dumps(folds(splitter, *ties)) for _ in range(6)}) > 1

    @pytest.mark.parametrize("seed", [None, 0])
    def test_the_global_random_state_is_left_alone(self, case, table, folds, seed):
        before = np.random.get_state()  # noqa: NPY002
        folds(case.make(seed=seed), *table)
        after = np.random.get_state()  # noqa: NPY002
        assert before[2] == after[2]
        assert np.array_equal(before[1], after[1])

    @pytest.mark.parametrize("environment", [{"PYTHONHASHSEED": str(n), "OMP_NUM_THREADS": str(n)} for n in (1, 2)])
    def test_another_process_gives_the_same_folds(self, table, folds, environment):
        X, y = table
        script = (
            "import json, sys; from cvstrat import TECHNIQUES, make_splitter; X, y = json.load(sys.stdin);"
            "cv = lambda name: make_splitter(name, n_splits=3, n_clusters=3, random_state=5);"
            "print(json.dumps({n: [t.tolist() for _, t in cv(n).split(X, y)] for n in TECHNIQUES}))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", script],
            input=json.dumps([X.tolist(), y.tolist()]),
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | environment,
        )
        made = {name: make_splitter(name, n_splits=3, n_clusters=3, random_state=5) for name in TECHNIQUES}
        assert json.loads(ran.stdout) == {name: folds(splitter, X, y) for name, splitter in made.items()}

    def test_a_pipeline_as_clusterer_is_seeded_too(self, folds):
        X = np.random.RandomState(0).rand(200, 3)
        splitter = ClusterKFold(3, clusterer=make_pipeline(StandardScaler(), KMeans(6, n_init=1)))
        assert len({json.dumps(folds(splitter, X)) for _ in range(5)}) == 1


class TestNothingElseChanges:
    """Splitting reads: the data, the splitter and its clusterer stay what they were."""

    @pytest.mark.parametrize("seed", [None, 0])
    def test_parameters_and_data_stay_as_they_were(self, case, table, folds, seed):
        X, y = table[0].copy(), table[1].copy()
        splitter = case.make(seed=seed)
        before = copy.deepcopy(vars(splitter))
        folds(splitter, X, y)
        assert repr(vars(splitter)) == repr(before)
        assert np.array_equal(X, table[0])
        assert np.array_equal(y, table[1])

    def test_a_clusterer_given_as_an_object_stays_unfitted(self, table, folds):
        clusterer = KMeans(3)
        folds(ClusterKFold(3, clusterer=clusterer), *table)
        assert vars(clusterer) == vars(KMeans(3))
