"""Orders that depend on content alone: keys of rows, runs of equal rows, stable sorting, bins of a target."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from cvstrat.splitters._classes import by_class, quantile_bins, rank_classes
from cvstrat.splitters._content import finalize_hash, first_of_equals, pick, rounded, row_keys, stable_order

quick = settings(max_examples=60)
few_values = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-300, -1e300])
tables = hnp.arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=few_values)


def keys_of(X, seed=0):
    return row_keys(X, np.random.RandomState(seed))


def key_by_hand(row, factors, start):
    """One key in plain integers: random odd multiples of the values' bits, scrambled, added up and scrambled again."""
    total = start
    for value, factor in zip(row, factors, strict=True):
        bits = int(np.float64(0.0 if value == 0 else value).view(np.uint64))
        bits = (bits ^ (bits >> 32)) * 0x9E3779B97F4A7C15 % 2**64
        total = (total + (bits ^ (bits >> 29)) * factor) % 2**64
    total = (total ^ (total >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    total = (total ^ (total >> 27)) * 0x94D049BB133111EB % 2**64
    return total ^ (total >> 31)


class TestRowKeys:
    """A key is a function of what a row contains."""

    @quick
    @given(tables, st.integers(0, 5))
    def test_keys_are_equal_exactly_where_rows_are(self, X, seed):
        keys = keys_of(X, seed)
        for one, other in itertools.combinations(range(len(X)), 2):
            assert (keys[one] == keys[other]) == (X[one].tolist() == X[other].tolist())

    @quick
    @given(tables)
    def test_a_sparse_matrix_has_the_keys_of_its_dense_twin(self, X):
        expected = keys_of(X)
        for kind in (sparse.csr_matrix, sparse.csr_array):
            assert keys_of(kind(X)).tolist() == expected.tolist()

    def test_stored_zeros_do_not_matter(self):
        stored = sparse.csr_array((np.array([1.0, 0.0, -0.0, 2.0]), np.array([0, 2, 1, 2]), np.array([0, 2, 4])))
        assert keys_of(stored).tolist() == keys_of(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])).tolist()

    def test_the_sign_of_zero_does_not_matter(self):
        X = np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, -1.0]])
        keys = keys_of(X)
        assert keys[0] == keys[1] != keys[2]

    def test_missing_values_are_a_value_of_their_own(self):
        keys = keys_of(np.array([[np.nan, 1.0], [np.nan, 1.0], [0.0, 1.0], [1.0, np.nan]]))
        assert keys[0] == keys[1]
        assert len(set(keys.tolist())) == 3

    def test_keys_follow_their_rows(self):
        X = np.random.RandomState(0).randn(5000, 3)
        order = np.random.RandomState(1).permutation(5000)
        assert (keys_of(X[order]) == keys_of(X)[order]).all()

    @pytest.mark.parametrize("layout", ["C", "F", "view", "float32", "int"])
    def test_memory_layout_and_type_do_not_matter(self, layout):
        X = np.random.RandomState(0).randint(-9, 9, size=(50, 6)).astype(float)
        kinds = {"C": X, "F": np.asfortranarray(X), "view": np.repeat(X, 2, axis=1)[:, ::2]}
        kinds |= {"float32": X.astype(np.float32), "int": X.astype(int)}
        assert keys_of(kinds[layout]).tolist() == keys_of(X).tolist()

    def test_blocks_do_not_matter(self, monkeypatch):
        X = np.random.RandomState(0).randn(100, 3)
        expected = keys_of(X)
        monkeypatch.setattr("cvstrat.splitters._content._BLOCK", 7)
        assert keys_of(X).tolist() == expected.tolist()

    def test_equals_the_formula(self):
        X = np.random.RandomState(3).randn(20, 12).round(1)
        rng = np.random.RandomState(7)
        halves = rng.randint(0, 2**32, size=(2, 12), dtype=np.uint64)
        factors = [(int(high) << 32) | int(low) | 1 for high, low in halves.T]
        start = int(rng.randint(0, 2**32, dtype=np.uint64)) << 32
        assert keys_of(X, 7).tolist() == [key_by_hand(row, factors, start) for row in X]

    def test_columns_do_not_play_the_same_part(self):
        keys = keys_of(np.array([[1.0, 2.0], [2.0, 1.0]]))
        assert keys[0] != keys[1]


class TestNoCollisions:
    """Different rows have different keys, also where values are few and round."""

    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("values", [(0, 1, 2, 3), (-2, -1, 1, 2), (1, 2, 4, 8), (0, 0.5, 1, 1.5), (0, 10, 20, 30)])
    def test_small_grids(self, values, seed):
        X = np.array(list(itertools.product(values, repeat=6)), dtype=float)
        assert len(np.unique(keys_of(X, seed))) == 4**6

    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("values", [(0, 1), (0, 1, 2), tuple(range(10)), (0, 1000)])
    def test_many_rows_of_integers(self, values, seed):
        X = np.random.RandomState(seed).choice(np.array(values), size=(50_000, 40))
        distinct = len(np.unique(X, axis=0))
        assert len(np.unique(keys_of(X, seed))) == distinct

    def test_many_rows_of_wide_integers(self):
        X = np.unique(np.random.RandomState(0).randint(-(10**6), 10**6, size=(50_000, 5)), axis=0)
        assert len(np.unique(keys_of(X))) == len(X)

    @pytest.mark.parametrize("values", [(-1, 1), (0, 2)])
    def test_many_rows_of_two_signs(self, values):
        X = np.random.RandomState(5).choice(np.array(values, dtype=np.int8), size=(300_000, 40))
        assert len(np.unique(np.packbits(X > 0, axis=1), axis=0)) == len(X)
        assert len(np.unique(keys_of(X))) == len(X)


class TestSeeds:
    """A seed shuffles contents."""

    def test_same_seed_same_order(self):
        X = np.random.RandomState(0).randn(30, 2)
        assert keys_of(X, 4).tolist() == keys_of(X, 4).tolist()

    @pytest.mark.parametrize(
        "values",
        [
            (1.0, 2.0, 3.0),
            (-1.0, 1.0, 0.5),
            (0.0, 1.0, 2.0),
        ],
    )
    def test_every_order_of_three_rows_comes_about_as_often(self, values):
        X = np.array(values)[:, None]
        seen = [tuple(stable_order(keys_of(X, seed)).tolist()) for seed in range(1200)]
        counts = [seen.count(order) for order in itertools.permutations(range(3))]
        assert sum(counts) == 1200
        assert min(counts) > 130  # 200 expected, standard deviation 13

    def test_the_order_has_nothing_to_do_with_size(self):
        X = np.arange(2000.0)[:, None]
        ranks = np.argsort(stable_order(keys_of(X)))
        assert abs(np.corrcoef(ranks, X[:, 0])[0, 1]) < 0.1


class TestMixed:
    """The scrambler of keys."""

    def test_loses_nothing(self):
        assert len(np.unique(finalize_hash(np.arange(100_000, dtype=np.uint64)))) == 100_000

    def test_known_values_of_splitmix64(self):
        """The first numbers of the generator started at 0, whose state grows by the golden ratio."""
        state = np.array([0x9E3779B97F4A7C15, 0x3C6EF372FE94F82A], dtype=np.uint64)
        assert finalize_hash(state).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


class TestOrders:
    """Sorting, runs of equal rows and rounding, which all methods use."""

    @quick
    @given(st.lists(st.integers(0, 8), max_size=60))
    def test_stable_order_is_that_of_a_stable_sort(self, values):
        assert stable_order(np.array(values, dtype=float)).tolist() == sorted(
            range(len(values)), key=values.__getitem__
        )

    def test_stable_order_of_many_equal_values(self):
        values = np.random.RandomState(0).randint(0, 5, size=5000).astype(np.uint64)
        assert stable_order(values).tolist() == sorted(range(5000), key=values.tolist().__getitem__)

    @quick
    @given(tables, st.integers(0, 3))
    def test_first_of_equals_finds_every_distinct_row_once(self, X, seed):
        rows = X[stable_order(keys_of(X, seed))]
        first, previous = [], None
        for number, row in enumerate(rows.tolist()):
            if row != previous:
                first.append(number)
            previous = row
        assert first_of_equals(rows).tolist() == first
        assert len(first) == len({tuple(row) for row in rows.tolist()})
        assert first_of_equals(sparse.csr_array(rows)).tolist() == first

    def test_pick_takes_rows_of_both_kinds(self):
        X = np.random.RandomState(0).randint(0, 3, size=(9, 4)).astype(float)
        numbers = np.array([5, 0, 0, 8])
        assert (pick(X, numbers) == X[numbers]).all()
        assert (pick(sparse.csr_array(X), numbers).toarray() == X[numbers]).all()

    def test_rounding_differences_do_not_count(self):
        distance = np.array([0.1 + 0.2, 0.3, 0.30001, 0.0, 3.0])
        assert rounded(distance)[0] == rounded(distance)[1] < rounded(distance)[2]
        assert rounded(distance * 2.0**30).tolist() == (rounded(distance) * 2.0**30).tolist()
        assert rounded(np.array([1e-12, 1.000001e-12, 1e6]))[0] < rounded(np.array([1e-12, 1.000001e-12, 1e6]))[1]
        assert rounded(np.zeros(3)).tolist() == [0.0, 0.0, 0.0]


class TestClasses:
    """Classes are ranked by content and not by name."""

    @quick
    @given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(0, 9), st.randoms(use_true_random=False))
    def test_neither_names_nor_places_matter(self, labels, seed, random):
        codes = np.unique(labels, return_inverse=True)[1]
        keys = keys_of(np.arange(len(codes), dtype=float)[:, None], seed)
        ranks = rank_classes(codes, keys)
        assert sorted(set(ranks.tolist())) == list(range(codes.max() + 1))
        assert len(set(zip(codes.tolist(), ranks.tolist(), strict=True))) == codes.max() + 1
        names = list(range(codes.max() + 1))
        random.shuffle(names)
        assert rank_classes(np.array(names)[codes], keys).tolist() == ranks.tolist()
        places = list(range(len(codes)))
        random.shuffle(places)
        assert rank_classes(codes[places], keys[places]).tolist() == ranks[places].tolist()

    def test_seeds_change_which_class_is_first(self):
        X, codes = np.arange(10.0)[:, None], np.repeat([0, 1, 2], [5, 3, 2])
        first = [int(codes[rank_classes(codes, keys_of(X, seed)) == 0][0]) for seed in range(300)]
        assert min(first.count(label) for label in (0, 1, 2)) > 60  # 100 expected, standard deviation 8

    @quick
    @given(st.lists(st.integers(0, 5), min_size=1, max_size=50), st.randoms(use_true_random=False))
    def test_by_class_keeps_the_order_inside(self, labels, random):
        codes = np.unique(labels, return_inverse=True)[1]
        order = list(range(len(codes)))
        random.shuffle(order)
        expected = [[row for row in order if codes[row] == label] for label in range(codes.max() + 1)]
        assert [group.tolist() for group in by_class(np.array(order), codes)] == expected

    def test_by_class_with_more_classes_than_16_bits_hold(self):
        codes = np.concatenate([np.arange(70_000), [69_999, 0]])
        groups = by_class(np.arange(len(codes))[::-1], codes)
        assert len(groups) == 70_000
        assert groups[0].tolist() == [70_001, 0]
        assert groups[66_000].tolist() == [66_000]
        assert groups[-1].tolist() == [70_000, 69_999]


class TestQuantileBins:
    """A continuous target is cut into classes of about equal size."""

    @pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
    @pytest.mark.parametrize("n_rows", [10, 11, 21, 23, 31, 50, 99, 100, 101, 237])
    def test_distinct_values(self, n_rows, n_splits):
        target = np.random.RandomState(n_rows).randn(n_rows)
        bins = quantile_bins(target, n_splits)
        counts = np.bincount(bins)
        assert len(counts) == max(1, min(10, n_rows // n_splits))
        assert counts.min() >= n_splits
        assert counts.max() - counts.min() <= 2
        assert (np.diff(bins[np.argsort(target)]) >= 0).all()

    @quick
    @given(st.lists(st.integers(0, 12), min_size=2, max_size=80), st.integers(2, 10))
    def test_ties(self, values, n_splits):
        target = np.array(values) + 0.5
        bins = quantile_bins(target, n_splits)
        assert sorted(set(bins.tolist())) == list(range(bins.max() + 1))
        assert bins.max() < 10
        for one, other in itertools.combinations(range(len(values)), 2):
            if target[one] <= target[other]:
                assert bins[one] <= bins[other]
            if target[one] == target[other]:
                assert bins[one] == bins[other]

    def test_fewer_rows_than_folds_make_one_bin(self):
        assert quantile_bins(np.array([0.5, 1.5, 2.5]), 5).tolist() == [0, 0, 0]
