"""Groups: whole ones are ordered and dealt, against a dealer by hand and against scikit-learn's."""

from itertools import combinations, product
from math import lcm

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from cvstrat import (
    ClusterBlockKFold,
    ClusterKFold,
    NeighborWalkKFold,
    OneCenterKFold,
    StratifiedClusterKFold,
    make_splitter,
)
from cvstrat.errors import InputError
from cvstrat.splitters import DealtKFold, deal, deal_whole, imbalance
from cvstrat.splitters._classes import rank_classes
from cvstrat.splitters._content import row_keys

few = settings(deadline=None, max_examples=10, derandomize=True)
rare_classes_are_fine = pytest.mark.filterwarnings("ignore:The least populated class")


def folds_with(splitter, X, y, groups):
    return [test.tolist() for _, test in splitter.split(X, y, groups)]


def deal_whole_by_hand(order, counts, focus, n_splits):
    """Deal groups to the neediest fold, then try every exchange of one or two groups, in exact numbers."""
    totals = [sum(column) for column in zip(*counts, strict=True)]
    common = lcm(*(int(total) or 1 for total in totals))  # shares as whole numbers of this unit
    shares = [
        [int(one) * (common // (int(all_) or 1)) for one, all_ in zip(row, totals, strict=True)] for row in counts
    ]
    in_order = [[] for _ in range(n_splits)]
    for group in order:
        need = [sum(counts[one][focus[group]] for one in fold) for fold in in_order]
        sizes = [sum(counts[one][-1] for one in fold) for fold in in_order]
        in_order[min(range(n_splits), key=lambda fold: (need[fold], sizes[fold], fold))].append(group)
    starts = [in_order]
    if n_splits < len(order) <= 20 * n_splits:
        largest_first = [[] for _ in range(n_splits)]
        for group in sorted(order, key=lambda group: -sum(share**2 for share in shares[group])):
            added = [squares([*fold, group], shares) - squares(fold, shares) for fold in largest_first]
            largest_first[added.index(min(added))].append(group)
        starts.append(largest_first)
    ends = [exchange_by_hand([sorted(fold, key=order.index) for fold in start], shares, order) for start in starts]
    best = min(ends, key=lambda folds: sum(squares(fold, shares) for fold in folds))
    return [next(number for number, fold in enumerate(best) if group in fold) for group in range(len(counts))]


def exchange_by_hand(folds, shares, order):
    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(folds)), 2):
            now = squares(folds[one], shares) + squares(folds[other], shares)
            best = (now, folds[one], folds[other])
            for leaving, coming in product(offers_by_hand(folds[one]), offers_by_hand(folds[other])):
                first = [group for group in [*folds[one], *coming] if group not in leaving]
                second = [group for group in [*folds[other], *leaving] if group not in coming]
                if first and second and squares(first, shares) + squares(second, shares) < best[0]:
                    best = (squares(first, shares) + squares(second, shares), first, second)
            if best[0] < now:
                improved = True
                folds[one], folds[other] = (sorted(fold, key=order.index) for fold in best[1:])
    return folds


def offers_by_hand(fold):
    return [*((group,) for group in fold), *(combinations(fold, 2) if len(fold) <= 20 else ()), ()]


def squares(fold, shares):
    return sum(sum(shares[group][column] for group in fold) ** 2 for column in range(len(shares[0])))


class Backwards(DealtKFold):
    """An order of its own: from the last by content to the first."""

    def __init__(self, n_splits=5, *, stratified=False):
        self.n_splits = n_splits
        self.stratified = stratified

    def _order(self, rows, settings, rng):
        return np.arange(rows.shape[0])[::-1]


def backwards_by_hand(X, y, groups, n_splits):
    """Put a group at its mean, into the stratum of its rarest class, and deal from the last by content to the first."""
    names = sorted(set(groups))
    means = np.array([[sum(row) / len(rows) for row in rows.T] for rows in (X[groups == name] for name in names)])
    sizes = [int((y == label).sum()) for label in range(max(y) + 1)]
    counts = [[int(((groups == name) & (y == label)).sum()) for label in range(len(sizes))] for name in names]
    focus = [min((label for label in range(len(sizes)) if row[label]), key=sizes.__getitem__) for row in counts]
    keys = row_keys(means, np.random.RandomState(0))
    ranks = rank_classes(np.array(focus), keys)
    order = sorted(range(len(names)), key=lambda group: (ranks[group], -int(keys[group])))
    fold_of_group = deal_whole_by_hand(order, [[*row, sum(row)] for row in counts], focus, n_splits)
    return [fold_of_group[names.index(name)] for name in groups]


@st.composite
def group_tables(draw):
    n_splits = draw(st.integers(2, 4))
    n_classes = draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 5), min_size=n_classes, max_size=n_classes).filter(any)
    counts = draw(st.lists(row, min_size=n_splits, max_size=12))
    return n_splits, [[*row, sum(row)] for row in counts], draw(st.randoms(use_true_random=False))


class TestDealer:
    """Whole groups, dealt in order and then exchanged."""

    @few
    @given(group_tables())
    def test_groups_go_where_the_dealer_by_hand_puts_them(self, drawn):
        n_splits, counts, random = drawn
        focus = [random.choice([label for label in range(len(row) - 1) if row[label]]) for row in counts]
        order = list(range(len(counts)))
        random.shuffle(order)
        found = deal_whole(np.array(order), np.array(counts), np.array(focus), n_splits)
        assert found.tolist() == deal_whole_by_hand(order, counts, focus, n_splits)

    @few
    @given(st.lists(st.integers(0, 3), min_size=12, max_size=60), st.integers(2, 12))
    def test_groups_of_one_row_are_dealt_round_and_round(self, labels, n_splits):
        labels = np.sort(labels)
        counts = np.column_stack([labels[:, None] == np.arange(4), np.ones(len(labels), dtype=bool)]).astype(int)
        order = np.arange(len(labels))
        assert deal_whole(order, counts, labels, n_splits).tolist() == deal(order, n_splits).tolist()

    def test_a_fold_per_group_and_no_more(self):
        counts = np.array([[100, 100], [1, 1], [1, 1], [1, 1]])
        assert sorted(deal_whole(np.arange(4), counts, np.zeros(4, dtype=int), 4)) == [0, 1, 2, 3]

    def test_one_large_group_has_a_fold_for_itself(self):
        counts = np.array([[5, 5], [100, 100], *[[5, 5]] * 7])
        folds = deal_whole(np.arange(9), counts, np.zeros(9, dtype=int), 3)
        assert np.flatnonzero(folds == folds[1]).tolist() == [1]
        assert sorted(np.bincount(folds)) == [1, 4, 4]


class TestContract:
    """What holds for every splitter."""

    @few
    @given(st.data())
    @rare_classes_are_fine
    def test_no_group_is_torn_and_no_fold_is_empty(self, own_even_case, data):
        n_splits = data.draw(st.integers(2, 4))
        groups = np.array(data.draw(st.lists(st.integers(0, 9), min_size=20, max_size=40)))
        groups = np.concatenate([groups, np.arange(n_splits)])
        X = np.random.RandomState(len(groups)).randint(0, 5, size=(len(groups), 2)).astype(float)
        y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(groups), max_size=len(groups))))
        folds = own_even_case.make(n_splits).fold_of_each_row(X, y, groups)
        assert sorted(set(folds)) == list(range(n_splits))
        for group in set(groups):
            assert len(set(folds[groups == group])) == 1

    def test_groups_of_one_row_change_nothing(self, own_case, ties, folds):
        X, y = ties
        names = np.array([f"patient {number}" for number in range(92)])
        for seed in (None, 3):
            splitter = own_case.make(4, seed=seed)
            assert folds_with(splitter, X, y, names) == folds(splitter, X, y)

    def test_neither_the_order_of_rows_nor_names_of_groups_matter(self, own_case, table):
        X, y = table
        rng = np.random.RandomState(2)
        groups = rng.randint(0, 30, 91)
        order = rng.permutation(91)
        before = own_case.make(3).fold_of_each_row(X, y, groups)
        after = own_case.make(3).fold_of_each_row(X[order], y[order], [f"{97 * one % 31}" for one in groups[order]])
        assert after.tolist() == before[order].tolist()

    def test_a_sparse_matrix_gives_the_folds_of_its_dense_twin(self, own_case):
        rng = np.random.RandomState(9)
        X = rng.rand(91, 6) * (rng.rand(91, 6) < 0.4)
        X[:, 0] = rng.rand(91)
        y, groups = rng.randint(0, 3, 91), rng.randint(0, 30, 91)
        dense, thin = (folds_with(own_case.make(3), hold(X), y, groups) for hold in (np.asarray, sparse.csr_array))
        assert dense == thin

    def test_groups_may_come_in_any_container(self, table):
        X, y = table
        groups = np.arange(91) // 4
        wanted = folds_with(NeighborWalkKFold(3), X, y, groups)
        for held in (groups.tolist(), pd.Series(groups, index=groups), pd.Categorical(groups), groups[:, None]):
            assert folds_with(NeighborWalkKFold(3), X, y, held) == wanted


class TestRandomFolds:
    """KFold and SCV are scikit-learn's until groups or strata come in."""

    X, y = [["text"]] * 60, np.arange(60) % 3
    groups = np.arange(60) // 4

    @pytest.mark.parametrize(("name", "kind"), [("KFold", KFold), ("SCV", StratifiedKFold)])
    def test_nothing_changes_without_groups(self, name, kind):
        ours = make_splitter(name, n_splits=4, random_state=1).split(self.X, self.y)
        theirs = kind(4, shuffle=True, random_state=1).split(self.X, self.y)
        assert [test.tolist() for _, test in ours] == [test.tolist() for _, test in theirs]

    @pytest.mark.parametrize("name", ["KFold", "SCV"])
    @pytest.mark.parametrize("n_repeats", [None, 2])
    def test_groups_stay_together_and_seeds_matter(self, name, n_repeats):
        splitters = [make_splitter(name, n_splits=5, random_state=seed, n_repeats=n_repeats) for seed in (1, 1, 2)]
        first, again, other = (folds_with(splitter, self.X, self.y, self.groups) for splitter in splitters)
        assert first == again != other
        for test in first:
            assert len(test) == 12
            assert not set(self.groups[test]) & set(np.delete(self.groups, test))
        with sklearn.config_context(enable_metadata_routing=True):
            requests = splitters[0].get_metadata_routing().split.requests
        assert requests == {"groups": True}

    def test_strata_and_labels(self):
        strata = np.arange(60) // 30
        folds = folds_with(make_splitter("SCV", n_splits=5, strata=strata, random_state=0), self.X, None, None)
        assert [np.bincount(strata[test]).tolist() for test in folds] == [[6, 6]] * 5
        labels = np.column_stack([strata, self.y == 0])
        folds = folds_with(make_splitter("SCV", n_splits=5, random_state=0), self.X, labels, None)
        assert [labels[test].sum(axis=0).tolist() for test in folds] == [[6, 4]] * 5


class TestPlaces:
    """A group stands at the mean of its rows."""

    @few
    @given(st.integers(0, 10**6), st.integers(2, 4), st.booleans())
    @rare_classes_are_fine
    def test_an_order_of_groups_is_dealt_as_by_hand(self, seed, n_splits, stratified):
        rng = np.random.RandomState(seed)
        X, groups = rng.randint(-9, 9, size=(40, 2)).astype(float), rng.randint(0, 12, 40)
        y = rng.permutation(np.repeat([0, 1, 2], [19, 14, 7])) if stratified else np.zeros(40, dtype=int)
        found = Backwards(n_splits, stratified=stratified).fold_of_each_row(X, y, groups)
        assert found.tolist() == backwards_by_hand(X, y, groups, n_splits)

    def test_patients_that_are_alike_are_parted(self):
        """Ten pairs of patients with four rows each; the two of a pair are alike and must not share a fold."""
        rng = np.random.RandomState(0)
        pair, groups = np.repeat(np.arange(10), 8), np.repeat(np.arange(20), 4)
        X = 100.0 * pair[:, None] + rng.normal(size=(80, 2))
        for splitter in (
            ClusterKFold(2, n_clusters=10),
            StratifiedClusterKFold(2, n_clusters=10),
            NeighborWalkKFold(2),
        ):
            folds = splitter.fold_of_each_row(X, np.zeros(80, dtype=int), groups)[::4]
            assert (folds[::2] != folds[1::2]).all()

    def test_mixed_attributes_have_means_and_most_frequent_values(self):
        frame = pd.DataFrame({"size": [1.0, 3.0, np.nan, 5.0, 9.0, 9.0], "hue": ["a", "b", "b", "a", "c", None]})
        groups = ["p", "p", "p", "q", "r", "r"]
        places = pd.DataFrame({"size": [2.0, 5.0, 9.0], "hue": ["b", "a", "c"]})
        scaled = places.assign(size=(places["size"] - 1) / 8)
        wanted = OneCenterKFold(3).fold_of_each_row(scaled)
        assert OneCenterKFold(3).fold_of_each_row(frame, groups=groups).tolist() == wanted[[0, 0, 0, 1, 2, 2]].tolist()

    def test_blocks_are_clusters_of_groups(self):
        X = np.array([[0.0], [0.2], [9.0], [5.0], [5.1], [0.1]])
        assert folds_with(ClusterBlockKFold(2), X, None, [1, 1, 1, 2, 2, 3]) in (
            [[0, 1, 2, 3, 4], [5]],
            [[5], [0, 1, 2, 3, 4]],
        )


def random_structure(seed):
    """Draw groups of all sizes, pure or mixed: rows, classes, groups and a number of folds."""
    rng = np.random.default_rng(seed)
    n_splits = int(rng.choice([2, 3, 5, 10]))
    n_groups = int(n_splits * rng.choice([1, 2, 3, 5, 10]))
    sizes = np.ceil(rng.pareto(1.0, n_groups)).clip(1, 50) if rng.random() < 0.5 else rng.geometric(0.2, n_groups)
    groups = np.repeat(np.arange(n_groups), sizes.astype(int))
    share = rng.dirichlet([1.0] * int(rng.integers(2, 5)))
    pure = rng.random(n_groups)[groups] < rng.random()
    y = np.where(pure, rng.choice(len(share), n_groups, p=share)[groups], rng.choice(len(share), len(groups), p=share))
    y[: 2 * n_splits] = 0  # a class with a row for each fold
    return n_splits, rng.normal(size=(len(y), 1)), y, groups


class TestBalance:
    """Folds are at least as even as those of scikit-learn, in sizes and classes taken together."""

    @rare_classes_are_fine
    def test_at_least_as_even_as_stratified_group_k_fold(self):
        ours, theirs = [], []
        for seed in range(30):
            n_splits, X, y, groups = random_structure(seed)
            if len(y) < 2 * n_splits:
                continue
            counts = np.column_stack([np.unique(y)[None] == y[:, None], np.ones(len(y), dtype=bool)]).astype(int)
            folds = np.empty(len(y), dtype=int)
            for number, (_, test) in enumerate(StratifiedGroupKFold(n_splits).split(X, y, groups)):
                folds[test] = number
            ours.append(imbalance(NeighborWalkKFold(n_splits).fold_of_each_row(X, y, groups), counts, n_splits))
            theirs.append(imbalance(folds, counts, n_splits))
        difference = np.array(ours) - theirs
        assert difference.max() < 1e-9
        assert (difference < -1e-9).mean() > 0.3

    def test_sizes_are_at_least_as_even_as_those_of_group_k_fold(self):
        gaps = []
        for seed in range(20):
            n_splits, X, _, groups = random_structure(seed)
            sizes = np.bincount(OneCenterKFold(n_splits).fold_of_each_row(X, groups=groups))
            theirs = [len(test) for _, test in GroupKFold(n_splits).split(X, groups=groups)]
            gaps.append(np.std(sizes) - np.std(theirs))
        assert max(gaps) < 1e-9


class TestRefusals:
    """What cannot be dealt is refused by name."""

    def test_more_folds_than_groups(self, own_case, table):
        with pytest.raises(ValueError, match="n_splits=4 is more than the number of groups, 3"):
            next(own_case.make(4).split(*table, groups=np.arange(91) % 3))

    def test_groups_of_another_length(self, own_case, table):
        with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[91, 91, 90\]"):
            next(own_case.make(3).split(*table, groups=np.arange(90)))

    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
    def test_a_row_without_a_group(self, table, missing):
        groups = pd.Series(["a", "b", "c"] * 30 + [missing], dtype=object)
        with pytest.raises(ValueError, match="groups has missing values, 1 of 91: give each a group"):
            next(ClusterKFold(2, n_clusters=2).split(*table, groups=groups))


def test_missing_groups_in_a_list_are_refused_and_tuples_are_names():
    X = np.random.RandomState(0).rand(100, 2)
    with pytest.raises(InputError, match="groups has missing values, 25 of 100"):
        ClusterKFold(2, n_clusters=2).fold_of_each_row(X, groups=["a", "b", float("nan"), "c"] * 25)
    names = [("ward", number % 10) for number in range(100)]
    folds = ClusterKFold(2, n_clusters=2).fold_of_each_row(X, groups=names)
    assert folds.tolist() == ClusterKFold(2, n_clusters=2).fold_of_each_row(X, groups=np.arange(100) % 10).tolist()
