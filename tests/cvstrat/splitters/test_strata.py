"""Strata: what is spread evenly besides or instead of the classes of a target."""

import contextlib
import itertools
import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score

from cvstrat import ClusterKFold, NeighborhoodKFold, NeighborWalkKFold, StratifiedClusterKFold, make_splitter
from cvstrat.errors import InputError
from cvstrat.metrics import fold_numbers
from cvstrat.splitters import imbalance
from cvstrat.splitters._strata import _cross

few = settings(deadline=None, max_examples=25, derandomize=True)
rare_classes_are_fine = pytest.mark.filterwarnings("ignore:The least populated")
STRATIFIED = [StratifiedClusterKFold, NeighborWalkKFold, NeighborhoodKFold]


def cross_by_hand(rows, n_splits):
    """Return the stratum of each row, a column at a time: rare values are taken together, or join the commonest."""
    strata = [(row[0],) for row in rows]
    for column in range(1, len(rows[0])):
        after = list(strata)
        for stratum in set(strata):
            members = [number for number, one in enumerate(strata) if one == stratum]
            values = [rows[number][column] for number in members]
            rare = [number for number in members if values.count(rows[number][column]) < n_splits]
            for number in members:
                after[number] = (*stratum, "rest" if number in rare else rows[number][column])
            if 0 < len(rare) < n_splits and len(rare) < len(members):
                counts = {
                    value: values.count(value) for value in sorted(set(values)) if values.count(value) >= n_splits
                }
                for number in rare:
                    after[number] = (*stratum, max(counts, key=counts.get))
        strata = after
    return strata


def spread(folds, members, n_splits):
    return np.ptp(np.bincount(folds[members], minlength=n_splits))


class TestColumns:
    """One or more columns given as strata."""

    def test_the_target_as_strata_is_the_default(self, own_stratified_case, table):
        X, y = table
        wanted = own_stratified_case.make(4).fold_of_each_row(X, y)
        assert own_stratified_case.make(4, strata=y).fold_of_each_row(X).tolist() == wanted.tolist()

    @few
    @given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=5, max_size=60), st.integers(2, 5))
    def test_columns_are_crossed_as_by_hand(self, rows, n_splits):
        columns = [np.unique(column, return_inverse=True)[1] for column in np.array(rows).T]
        strata = _cross(columns, n_splits)[-1].tolist()
        by_hand = cross_by_hand(list(zip(*(column.tolist() for column in columns), strict=True)), n_splits)
        assert len(set(strata)) == len(set(by_hand)) == len(set(zip(strata, by_hand, strict=True)))

    @few
    @given(st.integers(0, 10**6), st.integers(2, 5))
    @rare_classes_are_fine
    def test_every_stratum_and_every_class_above_it_is_spread(self, seed, n_splits):
        rng = np.random.RandomState(seed)
        X, columns = rng.normal(size=(70, 2)), rng.choice(3, p=[0.6, 0.3, 0.1], size=(70, 3))
        folds = NeighborWalkKFold(n_splits, strata=columns).fold_of_each_row(X)
        for level in _cross([np.unique(column, return_inverse=True)[1] for column in columns.T], n_splits):
            for stratum in set(level):
                assert spread(folds, level == stratum, n_splits) <= 1
        assert spread(folds, np.ones(70, dtype=bool), n_splits) <= 1

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_columns_may_come_in_any_container_or_be_named(self, kind):
        rng = np.random.RandomState(0)
        frame = pd.DataFrame({"a": rng.rand(60), "site": rng.randint(0, 3, 60), "sex": rng.randint(0, 2, 60)})
        both = frame[["site", "sex"]]
        wanted = kind(3, strata=both).fold_of_each_row(frame)
        for strata in (both.to_numpy(), both.to_numpy().tolist(), ["site", "sex"], ("site", "sex")):
            assert kind(3, strata=strata).fold_of_each_row(frame).tolist() == wanted.tolist()
        one = kind(3, strata="site").fold_of_each_row(frame)
        assert one.tolist() == kind(3, strata=frame["site"].to_numpy()).fold_of_each_row(frame).tolist()

    def test_text_and_numbers_may_stand_side_by_side(self):
        X = np.random.RandomState(0).rand(60, 2)
        strata = pd.DataFrame({"site": ["a", "b", None] * 20, "day": pd.date_range("2020", periods=60), "x": X[:, 0]})
        with pytest.warns(UserWarning, match="strata '(day|x)' is continuous and cut into 10 bins") as said:
            folds = NeighborWalkKFold(4, strata=strata).fold_of_each_row(X)
        assert len(said) == 2
        for site in ("a", "b", None):  # missing is a value of its own
            members = strata["site"].isna() if site is None else strata["site"] == site
            assert spread(folds, members.to_numpy(), 4) <= 1

    def test_names_of_columns_work_where_rows_are_cut_twice(self):
        rng = np.random.RandomState(0)
        frame = pd.DataFrame({"a": rng.rand(80), "site": np.arange(80) % 4})
        inner, outer = NeighborWalkKFold(3, strata="site"), StratifiedClusterKFold(4, strata=["site"], n_clusters=2)
        search = GridSearchCV(Ridge(), {"alpha": [1, 10]}, cv=inner)
        assert cross_val_score(search, frame, frame["a"], cv=outer, error_score="raise").shape == (4,)

    def test_a_splitter_with_strata_is_copied_and_printed(self, table):
        X, y = table
        splitter = NeighborWalkKFold(4, strata=np.column_stack([y, y]), n_bins=3)
        assert clone(splitter).fold_of_each_row(X).tolist() == splitter.fold_of_each_row(X).tolist()
        assert "n_bins=3" in repr(splitter)

    def test_by_name(self, table):
        X, y = table
        strata = np.arange(91) % 2
        by_name = make_splitter("DBSCV", n_splits=4, strata=strata, shuffle=False)
        assert (
            by_name.fold_of_each_row(X, y).tolist() == NeighborWalkKFold(4, strata=strata).fold_of_each_row(X).tolist()
        )

    def test_groups_are_spread_over_several_columns(self):
        rng = np.random.RandomState(0)
        groups = np.repeat(np.arange(48), 3)
        site, sex = groups % 3, groups // 3 % 2
        X = rng.rand(144, 2)
        folds = NeighborWalkKFold(4, strata=np.column_stack([site, sex])).fold_of_each_row(X, groups=groups)
        for one, other in itertools.product(range(3), range(2)):
            assert spread(folds, (site == one) & (sex == other), 4) == 0


class TestRefusals:
    """Strata that do not fit are refused by name."""

    @pytest.mark.parametrize(
        ("strata", "said"),
        [
            ("sight", "strata names the column 'sight' of X: did you mean site?"),
            (["site", "z"], "strata names the column 'z' of X"),
            (np.zeros(7), "strata has 7 rows and X has 40; .*name columns of X instead"),
            (np.zeros((40, 2, 2)), r"strata must be one or more columns of values; its shape is \(40, 2, 2\)"),
            (np.arange(40), "more than the members of any class.*If strata holds quantities.*n_bins"),
        ],
    )
    def test_strata_that_cannot_be_used(self, strata, said):
        frame = pd.DataFrame({"a": np.arange(40.0), "site": np.arange(40) % 4})
        warned = pytest.warns(UserWarning, match="whole numbers") if "quantities" in said else contextlib.nullcontext()
        with warned, pytest.raises(ValueError, match=said):
            NeighborWalkKFold(3, strata=strata).fold_of_each_row(frame)

    def test_names_need_a_frame(self):
        with pytest.raises(ValueError, match="'site' of X: X is no data frame. Give an array of values"):
            NeighborWalkKFold(3, strata="site").fold_of_each_row(np.zeros((9, 2)))

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_number_of_bins(self, kind):
        with pytest.raises(ValueError, match="n_bins must be an integer of at least 2, or None.*; it is 1"):
            kind(n_bins=1)

    def test_only_stratified_splitters_have_strata(self):
        with pytest.raises(TypeError, match="strata"):
            ClusterKFold(3, strata=[1, 2])


class TestQuantities:
    """A continuous target is cut into bins, and a warning says how; whole numbers are classes unless told otherwise."""

    X = np.random.RandomState(0).rand(200, 2)

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_a_warning_says_into_how_many(self, kind):
        with pytest.warns(
            UserWarning, match="y is continuous and cut into 10 bins of about equal size.*n_bins"
        ) as said:
            kind(5).fold_of_each_row(self.X, self.X[:, 0])
        assert len(said) == 1

    @pytest.mark.parametrize("of_kind", [np.asarray, lambda y: pd.to_datetime(1e18 * y)], ids=["numbers", "dates"])
    def test_plain_stratified_folds_do_the_same(self, of_kind):
        y = self.X[:, 0]
        splitter = make_splitter("SCV", n_splits=5, random_state=0)
        with pytest.warns(UserWarning, match="y is continuous and cut into 10 bins"):
            tests = [test for _, test in splitter.split(self.X, of_kind(y))]
        tenths = y.argsort().argsort() // 20
        assert all((np.bincount(tenths[test]) == 4).all() for test in tests)

    @pytest.mark.parametrize("n_bins", [2, 3, 20])
    def test_bins_may_be_chosen(self, n_bins):
        y = self.X[:, 0]
        folds = NeighborWalkKFold(5, n_bins=n_bins).fold_of_each_row(self.X, y)
        bins = y.argsort().argsort() * n_bins // 200
        for number in range(n_bins):
            assert spread(folds, bins == number, 5) <= 2  # a quantile lies between rows, or on one
        assert NeighborWalkKFold(5, n_bins=40).fold_of_each_row(self.X, y).tolist() == (
            NeighborWalkKFold(5, n_bins=200).fold_of_each_row(self.X, y).tolist()
        )  # no more than leave a row for each fold

    def test_whole_numbers_are_classes(self):
        y = np.arange(200) % 4
        plain = NeighborWalkKFold(5).fold_of_each_row(self.X, y)
        for same in (NeighborWalkKFold(5, n_bins=4), NeighborWalkKFold(5, n_bins=9)):
            assert same.fold_of_each_row(self.X, y).tolist() == plain.tolist()
            assert same.fold_of_each_row(self.X, y.astype(float)).tolist() == plain.tolist()

    @pytest.mark.parametrize("kind", [int, float])
    def test_many_whole_numbers_are_classes_with_a_warning_or_bins(self, kind):
        age = np.round(np.random.RandomState(1).normal(40, 9, size=200)).astype(kind)
        with pytest.warns(UserWarning) as said:
            NeighborWalkKFold(5).fold_of_each_row(self.X, age)
        many = len(set(age))
        assert str(said[0].message).startswith(f"each of the {many} whole numbers in y is a class of its own; if they")
        assert "The least populated class in y has only 1 members" in str(said[1].message)
        folds = NeighborWalkKFold(5, n_bins=4).fold_of_each_row(self.X, age)
        assert spread(folds, age <= np.quantile(age, 0.25) - 1, 5) <= 10
        assert np.ptp([np.median(age[folds == number]) for number in range(5)]) < 4

    def test_an_identifier_is_no_class(self):
        with pytest.warns(UserWarning, match="each of the 200 whole"), pytest.raises(ValueError, match="give n_bins"):
            NeighborWalkKFold(5).fold_of_each_row(self.X, np.arange(200))

    @pytest.mark.filterwarnings("error")
    def test_no_warning_for_many_classes_that_fill_the_folds(self):
        NeighborWalkKFold(5).fold_of_each_row(self.X, np.arange(200) % 26)


def iterative_stratification(labels, n_splits, random):
    """Give each row to a subset, by the text of the paper: the rarest label first, to the subset that wants it most."""
    n_rows, n_labels = labels.shape
    wanted_rows = [n_rows / n_splits] * n_splits
    wanted = [[labels[:, label].sum() / n_splits for label in range(n_labels)] for _ in range(n_splits)]
    left, fold = set(range(n_rows)), {}

    def give(row, label):
        most = max(wanted[one][label] if label is not None else wanted_rows[one] for one in range(n_splits))
        ties = [one for one in range(n_splits) if (wanted_rows[one] if label is None else wanted[one][label]) == most]
        largest = max(wanted_rows[one] for one in ties)
        chosen = random.choice([one for one in ties if wanted_rows[one] == largest])
        fold[row] = chosen
        left.discard(row)
        wanted_rows[chosen] -= 1
        for number in np.flatnonzero(labels[row]):
            wanted[chosen][number] -= 1

    while left:
        counts = {label: sum(labels[row, label] for row in left) for label in range(n_labels)}
        counts = {label: count for label, count in counts.items() if count}
        if not counts:
            for row in sorted(left):
                give(row, None)
            break
        rarest = min(counts, key=counts.get)
        for row in sorted(left):
            if labels[row, rarest]:
                give(row, rarest)
    return np.array([fold[row] for row in range(n_rows)])


def random_labels(seed, n_rows=80):
    rng = np.random.RandomState(seed)
    share = rng.choice([0.05, 0.15, 0.4], size=rng.randint(2, 20))
    labels = (rng.rand(n_rows, len(share)) < share).astype(int)
    labels[:5] = 1
    return rng.rand(n_rows, 2), labels


@rare_classes_are_fine
class TestLabels:
    """A target of several labels per row."""

    def test_labels_are_spread_at_least_as_evenly_as_by_iterative_stratification(self):
        ours, theirs = [], []
        for seed in range(12):
            X, labels = random_labels(seed)
            counts = np.column_stack([labels, np.ones(len(labels), dtype=int)])
            for n_splits in (3, 5):
                found = NeighborhoodKFold(n_splits).fold_of_each_row(X, labels)
                ours.append(imbalance(found, counts, n_splits))
                by_hand = iterative_stratification(labels, n_splits, random.Random(seed))
                theirs.append(imbalance(by_hand, counts, n_splits))
                assert spread(found, np.ones(80, dtype=bool), n_splits) <= 1
        better = np.array(ours) - theirs
        assert better.max() < 1e-9
        assert (better < -1e-9).mean() > 0.3

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_every_label_and_every_size_is_nearly_even(self, kind):
        X, labels = random_labels(0, 200)
        folds = kind(4).fold_of_each_row(X, labels)
        assert spread(folds, np.ones(200, dtype=bool), 4) <= 1
        assert max(spread(folds, label == 1, 4) for label in labels.T) <= 1

    def test_labels_may_come_in_any_container(self):
        X, labels = random_labels(1)
        wanted = NeighborWalkKFold(4).fold_of_each_row(X, labels).tolist()
        for held in (labels.tolist(), pd.DataFrame(labels), labels.astype(bool), sparse.csr_array(labels)):
            assert NeighborWalkKFold(4).fold_of_each_row(X, held).tolist() == wanted

    def test_the_order_of_rows_does_not_matter(self):
        X, labels = random_labels(2)
        order = np.random.RandomState(0).permutation(len(X))
        before = NeighborWalkKFold(4).fold_of_each_row(X, labels)
        assert NeighborWalkKFold(4).fold_of_each_row(X[order], labels[order]).tolist() == before[order].tolist()

    def test_groups_of_rows_with_labels_stay_together(self):
        X, labels = random_labels(3)
        groups = np.arange(80) // 2
        folds = NeighborWalkKFold(4).fold_of_each_row(X, labels, groups)
        assert (folds[::2] == folds[1::2]).all()
        assert max(spread(folds, label == 1, 4) for label in labels.T) <= 2

    def test_a_rare_label_is_named_in_a_warning(self):
        X, labels = random_labels(4)
        labels[:, 0] = np.arange(80) < 2
        with pytest.warns(UserWarning, match="The least populated label in y has only 2 members"):
            NeighborWalkKFold(4).fold_of_each_row(X, labels)


class TestClassesThatHoldTheSameRows:
    """Only their names can tell such classes apart; the order of rows must not."""

    @pytest.mark.parametrize("names", [("a", "b", "c"), (3, 1, 2)], ids=str)
    def test_permuting_rows_changes_nothing(self, own_stratified_case, names):
        rng = np.random.RandomState(0)
        X, y = np.tile(rng.rand(10, 2), (3, 1)), np.repeat(names, 10)
        before = own_stratified_case.make(4, n_clusters=2).fold_of_each_row(X, y)
        for _ in range(3):
            order = rng.permutation(30)
            after = own_stratified_case.make(4, n_clusters=2).fold_of_each_row(X[order], y[order])
            assert sorted(zip(after, y[order], X[order, 0], strict=True)) == sorted(
                zip(before, y, X[:, 0], strict=True)
            )


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.coo_array])
def test_plain_stratified_folds_take_sparse_labels_as_dense_ones(form):
    labels = np.random.RandomState(0).randint(0, 2, (60, 3))
    splitter = make_splitter("SCV", n_splits=3, random_state=0)
    X = np.zeros((60, 1))
    assert fold_numbers(splitter, X, form(labels)).tolist() == fold_numbers(splitter, X, labels).tolist()


@pytest.mark.parametrize("technique", ["SCV", "SCBCV"])
@pytest.mark.parametrize("missing", [np.nan, None])
def test_rows_without_a_class_are_told_alike(technique, missing):
    y = np.array([0, 1, missing] * 20)
    with pytest.raises(InputError, match="y has missing values, 20 of 60"):
        list(make_splitter(technique, n_splits=3).split(np.zeros((60, 1)), y))


@pytest.mark.parametrize("groups", [None, np.arange(40) // 2], ids=["rows", "groups"])
def test_the_order_of_rows_with_labels_does_not_matter_where_rows_are_equal(own_stratified_case, groups):
    rng = np.random.RandomState(0)
    for _ in range(5):
        X, labels, order = rng.randint(0, 2, (40, 2)).astype(float), rng.randint(0, 2, (40, 3)), rng.permutation(40)
        contents = []
        for rows in (np.arange(40), order):
            splitter = own_stratified_case.make(4, n_clusters=2)
            some = None if groups is None else groups[rows]
            folds = splitter.fold_of_each_row(X[rows], labels[rows], some)
            contents.append(sorted(np.column_stack([folds, X[rows], labels[rows]]).tolist()))
        assert contents[0] == contents[1]


def test_columns_named_by_numbers_can_be_strata():
    X = pd.DataFrame(np.random.RandomState(0).randint(0, 2, (40, 2)))
    by_name = StratifiedClusterKFold(4, n_clusters=2, strata="1").fold_of_each_row(X)
    assert by_name.tolist() == StratifiedClusterKFold(4, n_clusters=2, strata=X[1]).fold_of_each_row(X).tolist()
