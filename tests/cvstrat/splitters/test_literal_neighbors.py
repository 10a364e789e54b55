"""Methods along nearest neighbours, against the same done by hand with the distances of all pairs.

On rows without ties the folds must be the same. Where distances are tied, several walks are right; then each step must
go to a row at the smallest distance there is. With as many folds as rows, a row's fold is its place in the walk.
"""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from cvstrat import NeighborhoodKFold, NeighborWalkKFold
from cvstrat.splitters import make_splitter
from cvstrat.splitters._classes import rank_classes
from cvstrat.splitters._content import row_keys
from cvstrat.splitters._pool import SMALL

FOLDS = [2, 3, 5, 10]
SEEDS = [None, 1, 2]


def rows_in_classes(seed, n_rows, width=3):
    random = np.random.RandomState(seed)
    X = random.randn(n_rows, width)
    return X, random.choice(["b", "a", "c"], size=n_rows, p=[0.6, 0.25, 0.15])


def options(seed):
    return {} if seed is None else {"shuffle": True, "random_state": seed}


def classes_by_content(X, y, seed):
    """The rows of each class, classes and rows in the order of their contents."""
    keys = row_keys(X, np.random.RandomState(0 if seed is None else seed))
    order = sorted(range(len(y)), key=lambda row: int(keys[row]))
    ranks = rank_classes(np.unique(y, return_inverse=True)[1], keys)
    return [[row for row in order if ranks[row] == rank] for rank in range(max(ranks) + 1)]


def distance_matrix(X):
    rows = np.asarray(X).tolist()
    return [[math.dist(one, other) for other in rows] for one in rows]


def walk(classes, distance):
    """DBSCV: from a first row to the nearest of the class that is not used yet, and on, until all are used."""
    order = []
    for members in classes:
        unused = list(members)
        here = unused.pop(0)
        order.append(here)
        while unused:
            here = min(unused, key=distance[here].__getitem__)
            unused.remove(here)
            order.append(here)
    return order


def neighborhoods(classes, distance, n_splits):
    """DOB-SCV: a row and its k - 1 nearest neighbours among the unused of the class, then the next unused row."""
    order = []
    for members in classes:
        unused = list(members)
        while unused:
            here = unused.pop(0)
            order.append(here)
            for neighbor in sorted(unused, key=distance[here].__getitem__)[: n_splits - 1]:
                unused.remove(neighbor)
                order.append(neighbor)
    return order


def deal_by_hand(order, n_splits):
    fold_of_row = {}
    for turn, row in enumerate(order):
        fold_of_row[row] = turn % n_splits
    return [fold_of_row[row] for row in range(len(order))]


def assert_is_a_walk(X, order, first):
    """Each step goes to a row not used yet, at the smallest distance."""
    rows, unused = np.asarray(X).tolist(), set(range(len(X)))
    assert sorted(order) == sorted(unused)
    assert rows[order[0]] == rows[first]
    unused.remove(order[0])
    for here, there in itertools.pairwise(order):
        least = min(math.dist(rows[here], rows[other]) for other in unused)
        assert math.dist(rows[here], rows[there]) <= least + 1e-9
        unused.remove(there)


def assert_are_neighborhoods(X, order, n_splits):
    """Rows of `X` come by content: a block begins with the first row left and goes on with the nearest ones left."""
    rows, unused = np.asarray(X).tolist(), set(range(len(X)))
    assert sorted(order) == sorted(unused)
    for start in range(0, len(order), n_splits):
        block = order[start : start + n_splits]
        here = rows[block[0]]
        assert here == rows[min(unused)]
        for there in block:
            least = min(math.dist(here, rows[other]) for other in unused)
            assert math.dist(here, rows[there]) <= least + 1e-9
            unused.remove(there)


def order_of(splitter, rows):
    """The order in which rows that come by content are dealt."""
    return splitter._order(rows, None, np.random.RandomState(0)).tolist()


def sorted_by_content(X, seed=0):
    return X[np.argsort(row_keys(X, np.random.RandomState(seed)), kind="stable")]


def integer_rows(kind):
    """Rows with many ties: copies, grids, few values."""
    random = np.random.RandomState(0)
    grid = np.array(np.meshgrid(*[np.arange(6.0)] * 4)).reshape(4, -1).T
    return {
        "few values": random.randint(0, 3, size=(150, 4)).astype(float),
        "all equal": np.ones((40, 2)),
        "two rows": np.repeat([[0.0, 1.0], [1.0, 0.0]], [30, 11], axis=0),
        "copies": np.repeat(random.randn(60, 3), random.randint(1, 9, size=60), axis=0),
        "a line": np.arange(90.0)[:, None],
        "large grid": grid,
        "large grid with copies": np.concatenate([grid, grid[::3], grid[::7]]),
    }[kind]


KINDS = ["few values", "all equal", "two rows", "copies", "a line", "large grid", "large grid with copies"]


class TestWalk:
    """DBSCV."""

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", FOLDS)
    @pytest.mark.parametrize("n_rows", [120, 400])
    def test_without_ties(self, n_rows, k, seed):
        X, y = rows_in_classes(n_rows + k, n_rows)
        expected = deal_by_hand(walk(classes_by_content(X, y, seed), distance_matrix(X)), k)
        assert NeighborWalkKFold(k, **options(seed)).fold_of_each_row(X, y).tolist() == expected

    @pytest.mark.parametrize("width", [2, 20])
    def test_a_class_so_large_that_lists_are_made_again(self, width):
        X, y = np.random.RandomState(width).randn(1500, width), np.repeat([0, 1], [1300, 200])
        assert (y == 0).sum() > 2 * SMALL
        expected = deal_by_hand(walk(classes_by_content(X, y, None), distance_matrix(X)), 5)
        assert NeighborWalkKFold(5).fold_of_each_row(X, y).tolist() == expected

    @pytest.mark.parametrize("seed", [0, 1])
    @pytest.mark.parametrize("kind", KINDS)
    def test_with_ties(self, kind, seed):
        rows = sorted_by_content(integer_rows(kind), seed)
        assert_is_a_walk(rows, order_of(NeighborWalkKFold(5), rows), 0)

    @pytest.mark.parametrize("kind", ["few values", "copies", "a line"])
    def test_with_ties_from_outside(self, kind):
        X = integer_rows(kind)
        keys = row_keys(X, np.random.RandomState(0))
        places = NeighborWalkKFold(len(X)).fold_of_each_row(X, np.zeros(len(X)))
        assert_is_a_walk(X, np.argsort(places).tolist(), int(keys.argmin()))

    def test_copies_are_met_one_after_the_other(self):
        X = integer_rows("copies")
        places = NeighborWalkKFold(len(X)).fold_of_each_row(X, np.zeros(len(X)))
        walked = X[np.argsort(places)]
        assert (walked[1:] != walked[:-1]).any(axis=1).sum() + 1 == 60

    @pytest.mark.parametrize("n_rows", [150, 700])
    def test_sparse(self, n_rows):
        random = np.random.RandomState(3)
        X, y = random.rand(n_rows, 8) * (random.rand(n_rows, 8) < 0.6), np.zeros(n_rows)
        X[:, 0] = random.rand(n_rows)
        expected = deal_by_hand(walk(classes_by_content(X, y, None), distance_matrix(X)), 5)
        assert NeighborWalkKFold(5).fold_of_each_row(sparse.csr_array(X), y).tolist() == expected

    def test_classes_of_one_row(self):
        X = np.random.RandomState(4).randn(30, 2)
        y = np.array([0] * 28 + [1, 2])
        expected = deal_by_hand(walk(classes_by_content(X, y, None), distance_matrix(X)), 3)
        with pytest.warns(UserWarning, match="least populated class"):
            assert NeighborWalkKFold(3).fold_of_each_row(X, y).tolist() == expected

    def test_by_the_name_of_the_paper(self):
        X, y = rows_in_classes(5, 90)
        expected = deal_by_hand(walk(classes_by_content(X, y, 6), distance_matrix(X)), 4)
        assert make_splitter("DBSCV", n_splits=4, random_state=6).fold_of_each_row(X, y).tolist() == expected

    def test_a_walk_can_start_at_any_row(self):
        X = np.arange(4.0)[:, None]
        starts = set()
        for seed in range(100):
            places = NeighborWalkKFold(4, shuffle=True, random_state=seed).fold_of_each_row(X, np.zeros(4))
            starts.add(int(places.argmin()))
        assert starts == {0, 1, 2, 3}

    def test_a_walk_can_start_at_any_row_but_zeros(self):
        X = np.arange(1.0, 5.0)[:, None]
        starts = [
            int(NeighborWalkKFold(4, shuffle=True, random_state=seed).fold_of_each_row(X, np.zeros(4)).argmin())
            for seed in range(200)
        ]
        assert min(starts.count(row) for row in range(4)) > 25  # 50 expected, standard deviation 6


class TestNeighborhoods:
    """DOB-SCV."""

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("k", FOLDS)
    @pytest.mark.parametrize("n_rows", [120, 400])
    def test_without_ties(self, n_rows, k, seed):
        X, y = rows_in_classes(n_rows + k, n_rows)
        expected = deal_by_hand(neighborhoods(classes_by_content(X, y, seed), distance_matrix(X), k), k)
        assert NeighborhoodKFold(k, **options(seed)).fold_of_each_row(X, y).tolist() == expected

    @pytest.mark.parametrize("k", [2, 10])
    @pytest.mark.parametrize("width", [2, 20])
    def test_a_class_so_large_that_lists_are_made_again(self, width, k):
        X, y = np.random.RandomState(width).randn(1500, width), np.repeat([0, 1], [1300, 200])
        assert (y == 0).sum() > 2 * SMALL
        expected = deal_by_hand(neighborhoods(classes_by_content(X, y, None), distance_matrix(X), k), k)
        assert NeighborhoodKFold(k).fold_of_each_row(X, y).tolist() == expected

    @pytest.mark.parametrize("k", FOLDS)
    @pytest.mark.parametrize("kind", KINDS)
    def test_with_ties(self, kind, k):
        rows = sorted_by_content(integer_rows(kind))
        assert_are_neighborhoods(rows, order_of(NeighborhoodKFold(k), rows), k)

    @pytest.mark.parametrize("k", [3, 10])
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_other_orders_of_a_grid(self, seed, k):
        rows = sorted_by_content(integer_rows("large grid with copies"), seed)
        assert_are_neighborhoods(rows, order_of(NeighborhoodKFold(k), rows), k)

    def test_more_folds_than_a_list_of_neighbours_is_long_by_default(self):
        X, y = np.random.RandomState(0).randn(900, 2), np.zeros(900)
        expected = deal_by_hand(neighborhoods(classes_by_content(X, y, None), distance_matrix(X), 50), 50)
        assert NeighborhoodKFold(50).fold_of_each_row(X, y).tolist() == expected

    @pytest.mark.parametrize("n_rows", [150, 700])
    def test_sparse(self, n_rows):
        random = np.random.RandomState(3)
        X, y = random.rand(n_rows, 8) * (random.rand(n_rows, 8) < 0.6), np.zeros(n_rows)
        X[:, 0] = random.rand(n_rows)
        expected = deal_by_hand(neighborhoods(classes_by_content(X, y, None), distance_matrix(X), 5), 5)
        assert NeighborhoodKFold(5).fold_of_each_row(sparse.csr_array(X), y).tolist() == expected

    def test_copies_go_to_different_folds(self):
        X = np.repeat(np.random.RandomState(0).randn(40, 2), 4, axis=0)
        folds = NeighborhoodKFold(4).fold_of_each_row(X, np.zeros(160))
        for start in range(0, 160, 4):
            assert sorted(folds[start : start + 4].tolist()) == [0, 1, 2, 3]

    def test_by_the_name_of_the_paper(self):
        X, y = rows_in_classes(5, 90)
        expected = deal_by_hand(neighborhoods(classes_by_content(X, y, 6), distance_matrix(X), 4), 4)
        assert make_splitter("DOB-SCV", n_splits=4, random_state=6).fold_of_each_row(X, y).tolist() == expected


@pytest.mark.parametrize("splitter", [NeighborWalkKFold(5), NeighborhoodKFold(5)])
def test_rows_far_from_the_origin(splitter):
    rows = sorted_by_content(np.random.RandomState(0).rand(700, 20) + 1e7)
    order = order_of(splitter, rows)
    if isinstance(splitter, NeighborWalkKFold):
        assert_is_a_walk(rows, order, 0)
    else:
        assert_are_neighborhoods(rows, order, 5)


@pytest.mark.parametrize("splitter", [NeighborWalkKFold(5), NeighborhoodKFold(5)], ids=["walk", "neighborhoods"])
def test_memory_is_linear_in_the_number_of_rows(splitter):
    """All pairs of 20 000 rows would take 3200 MB."""
    X, y = np.random.RandomState(0).randn(20_000, 5), np.zeros(20_000)
    tracemalloc.start()
    try:
        splitter.fold_of_each_row(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6
