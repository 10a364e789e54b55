"""Whatever holds the data: the same numbers give the same folds."""

from itertools import chain

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import AffinityPropagation

from cvstrat import CenteredClusterKFold, ClusterKFold, NeighborWalkKFold, OneCenterKFold

HOLDERS = {
    "fortran order": np.asfortranarray,
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "float32": lambda X: X.astype(np.float32),
    "int64": lambda X: X.astype(np.int64),
    "int8": lambda X: X.astype(np.int8),
    "list": lambda X: X.tolist(),
    "frame": lambda X: pd.DataFrame(X, columns=list("abc"), index=[f"row {number % 7}" for number in range(len(X))]),
    "frame of two kinds": lambda X: pd.DataFrame(X).astype({0: np.int16, 1: np.float32}),
    "nullable frame": lambda X: pd.DataFrame(X).astype("Int64"),
    "negative zeros": lambda X: np.where(X == 0, -0.0, X),
    "read-only": lambda X: np.broadcast_to(X, X.shape),
}
TARGETS = {
    "list": lambda y: y.tolist(),
    "column": lambda y: y[:, None],
    "series": lambda y: pd.Series(y, index=np.arange(len(y))[::-1] % 5),
    "text": lambda y: pd.Series(y).map({0: "no", 1: "yes", 2: "perhaps"}),
    "objects": lambda y: pd.Series(y).map({0: "no", 1: "yes", 2: "perhaps"}).to_numpy(dtype=object),
    "categorical": lambda y: pd.Categorical.from_codes(y, ["no", "yes", "perhaps"]),
    "categorical series": lambda y: pd.Series(y, dtype="category"),
    "nullable": lambda y: pd.Series(y, dtype="Int64"),
}
SPARSE = [sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix, sparse.csc_array, sparse.coo_array]


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_rows_may_come_in_any_container(own_case, ties, folds, hold):
    X, y = ties
    assert folds(own_case.make(4, seed=2), hold(X), y) == folds(own_case.make(4, seed=2), X, y)


@pytest.mark.parametrize("hold", TARGETS.values(), ids=TARGETS)
def test_classes_may_come_in_any_container(own_stratified_case, table, folds, hold):
    X, y = table
    assert folds(own_stratified_case.make(4), X, hold(y)) == folds(own_stratified_case.make(4), X, y)


@pytest.mark.parametrize("hold", SPARSE)
def test_a_sparse_matrix_gives_the_folds_of_its_dense_twin(own_case, folds, hold):
    rng = np.random.RandomState(9)
    X = rng.rand(91, 6) * (rng.rand(91, 6) < 0.4)
    X[:, 0] = rng.rand(91)  # no two rows are equal, no two distances
    y = rng.randint(0, 3, 91)
    assert folds(own_case.make(4, seed=2), hold(X), y) == folds(own_case.make(4, seed=2), X, y)


def test_zeros_that_a_sparse_matrix_spells_out_do_not_matter(own_case, ties, folds):
    X, y = ties
    spelt = sparse.csr_array(X + 1.0)
    spelt.data -= 1.0
    assert folds(own_case.make(4), spelt, y) == folds(own_case.make(4), sparse.csr_array(X), y)


def test_entries_that_a_sparse_matrix_holds_in_two_parts_are_added(folds):
    X = np.random.RandomState(0).rand(30, 2)
    halves = sparse.csr_array((np.repeat(X / 2, 2), np.tile([0, 0, 1, 1], 30), np.arange(31) * 4), shape=X.shape)
    assert np.array_equal(halves.toarray(), X)
    assert folds(NeighborWalkKFold(3), halves, np.zeros(30)) == folds(NeighborWalkKFold(3), X, np.zeros(30))


def test_a_clusterer_may_hold_its_centres_in_a_sparse_matrix(table, folds):
    splitter = ClusterKFold(3, clusterer=AffinityPropagation(random_state=0))
    assert folds(splitter, sparse.csr_array(table[0])) == folds(splitter, table[0])


def test_splits_may_be_taken_one_by_one(case, table):
    splitter = case.make(4, seed=3)
    here, there = splitter.split(*table), splitter.split(*table)
    for train, test in splitter.split(*table):
        for lazy in (next(here), next(there)):
            assert np.array_equal(lazy[0], train)
            assert np.array_equal(lazy[1], test)


class TestMixedFrames:
    """The methods by centres read columns of every kind, and missing values."""

    splitters = pytest.mark.parametrize(
        "splitter",
        [OneCenterKFold(3), CenteredClusterKFold(3), CenteredClusterKFold(3, method="hierarchical", n_clusters=3)],
        ids=["one", "kmeans", "hierarchical"],
    )

    @pytest.fixture
    def frame(self):
        rng = np.random.RandomState(4)
        return pd.DataFrame(
            {
                "number": np.where(rng.rand(40) < 0.2, np.nan, rng.normal(size=40)),
                "count": pd.array([None if one > 7 else one for one in rng.randint(0, 10, 40)], dtype="Int64"),
                "kind": pd.Categorical(rng.choice(["x", "y", "z"], 40), categories=["z", "x", "y", "never"]),
                "flag": rng.rand(40) < 0.5,
                "text": [None if one == "" else one for one in rng.choice(["", "red", "green"], 40)],
                "object": pd.Series(rng.choice(np.array([1, "one", None, np.nan], dtype=object), 40), dtype=object),
                "maybe": pd.array(rng.choice(np.array([True, False, None], dtype=object), 40), dtype="boolean"),
            }
        )

    @splitters
    def test_every_kind_of_column_is_taken(self, frame, folds, splitter):
        tests = folds(splitter, frame)
        assert sorted(chain(*tests)) == list(range(40))
        assert [len(test) for test in tests] == [14, 13, 13]

    @splitters
    def test_permuting_the_rows_changes_nothing(self, frame, folds, splitter):
        order = np.random.RandomState(5).permutation(40)
        after = folds(splitter, frame.iloc[order])
        assert [sorted(order[test].tolist()) for test in after] == folds(splitter, frame)

    @splitters
    @pytest.mark.parametrize("column", ["number", "kind", "text", "flag"])
    def test_every_kind_of_column_counts(self, frame, folds, splitter, column):
        assert folds(splitter, frame.drop(columns=column)) != folds(splitter, frame)

    @pytest.mark.parametrize("kind", [OneCenterKFold, CenteredClusterKFold])
    @pytest.mark.parametrize("which", [[0, 2], [-3, -1], ["a", "c"], [True, False, True], np.array([0, 2])], ids=str)
    def test_discrete_columns_may_be_named_in_any_way(self, folds, kind, which):
        rng = np.random.RandomState(6)
        frame = pd.DataFrame({"a": rng.randint(0, 4, 30), "b": rng.rand(30), "c": rng.randint(0, 4, 30)})
        by_type = folds(kind(3), frame.astype({"a": "category", "c": "category"}))
        assert folds(kind(3, categorical=which), frame) == by_type
        assert folds(kind(3), frame) != by_type

    @pytest.mark.parametrize("kind", [OneCenterKFold, CenteredClusterKFold])
    def test_an_array_of_objects_is_read_like_a_frame(self, frame, folds, kind):
        frame = frame[["number", "text"]]
        objects = frame.to_numpy(dtype=object)
        assert folds(kind(3, categorical=[1]), objects) == folds(kind(3), frame)

    def test_a_list_is_read_like_a_frame(self, frame, folds):
        frame = frame[["number", "text"]].dropna()
        assert folds(OneCenterKFold(3, categorical=[1]), frame.to_numpy(dtype=object).tolist()) == folds(
            OneCenterKFold(3), frame
        )

    def test_a_list_may_have_nan_for_missing_text(self, frame, folds):
        X = frame[["number", "text"]].to_numpy(dtype=object)
        splitter = OneCenterKFold(3, categorical=[1])
        assert folds(splitter, X.tolist()) == folds(splitter, X)

    @pytest.mark.parametrize("kind", [OneCenterKFold, CenteredClusterKFold])
    def test_a_column_may_have_no_known_value(self, folds, kind):
        X = np.column_stack([np.arange(9.0), np.full(9, np.nan)])
        assert sorted(chain(*folds(kind(3), X))) == list(range(9))

    @pytest.mark.parametrize("kind", [OneCenterKFold, CenteredClusterKFold])
    def test_nan_is_missing_whatever_its_sign(self, frame, folds, kind):
        X = frame[["number"]].to_numpy()
        negative = np.where(np.isnan(X) & (np.arange(40)[:, None] % 2 == 1), -np.nan, X)
        assert folds(kind(3), negative) == folds(kind(3), X)

    def test_yes_and_no_are_discrete(self, frame, folds):
        frame = frame[["flag", "kind"]].assign(number=np.arange(40.0))
        assert folds(OneCenterKFold(3), frame) == folds(OneCenterKFold(3), frame.astype({"flag": "category"}))
        assert folds(OneCenterKFold(3), frame) != folds(OneCenterKFold(3), frame.astype({"flag": int}))

    def test_a_mask_of_objects_is_a_mask(self, folds):
        X = np.random.RandomState(7).randint(0, 4, size=(30, 3))
        mask = np.array([True, False, True], dtype=object)
        assert folds(OneCenterKFold(3, categorical=mask), X) == folds(OneCenterKFold(3, categorical=[0, 2]), X)

    @splitters
    @pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
    def test_dates_and_durations_are_seconds(self, frame, folds, splitter, zone):
        frame = frame[["kind", "number"]]
        seconds = np.random.RandomState(1).randint(0, 10**9, 40)
        since = pd.Timestamp("1999-12-31", tz=zone)
        wanted = folds(splitter, frame.assign(when=seconds.astype(float)))
        assert folds(splitter, frame.assign(when=since + pd.to_timedelta(seconds, "s"))) == wanted
        assert folds(splitter, frame.assign(when=pd.to_timedelta(seconds, "s"))) == wanted

    @splitters
    def test_a_date_may_be_missing(self, frame, folds, splitter):
        days = np.where(np.arange(40) % 5 == 0, np.nan, np.arange(40.0) ** 2)
        dates = pd.Timestamp("2020") + pd.to_timedelta(days, "D")
        assert folds(splitter, frame.assign(when=dates)) == folds(splitter, frame.assign(when=days))
