"""The pool of neighbours, against a search through everything that is left."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from cvstrat.splitters import _pool
from cvstrat.splitters._pool import SMALL, NeighborPool


def distances_left(points, left, point):
    """The distances from a point to each other one that is left, nearest first, by looking at all of them."""
    found = []
    for other in range(len(points)):
        if other != point and left[other] > 0:
            found.append((math.dist(points[point], points[other]), other))
    return sorted(found)


def assert_nearest(pool, points, left, point, number):
    expected = distances_left(points, left, point)[:number]
    found = pool.nearest(point, number).tolist()
    assert len(found) == len(expected)
    assert len(set(found)) == len(found)
    assert point not in found
    assert all(left[other] > 0 for other in found)
    for other, (distance, _) in zip(found, expected, strict=True):
        assert math.dist(points[point], points[other]) == pytest.approx(distance, rel=1e-9, abs=1e-9)


def empty_at_random(points, counts, *, seed, list_size=8, most=12, every=1, kind=np.asarray):
    """Take points out in random order, all copies at once or some, and ask for the neighbours of those gone."""
    random = np.random.RandomState(seed)
    pool = NeighborPool(kind(points), np.array(counts), list_size)
    points, left, gone = points.tolist(), list(counts), []
    for step in range(sum(counts)):
        alive = [point for point in range(len(points)) if left[point]]
        if not alive:
            break
        point = alive[random.randint(len(alive))]
        number = random.randint(1, left[point] + 1)
        pool.take(point, number)
        left[point] -= number
        if not left[point]:
            gone.append(point)
            if step % every == 0:
                assert_nearest(pool, points, left, point, random.randint(1, most))
                assert_nearest(pool, points, left, gone[random.randint(len(gone))], random.randint(1, most))
    assert pool.left.tolist() == left


def test_of_points_equally_near_the_one_is_taken_on_which_results_rest():
    points = np.random.RandomState(0).randint(0, 3, size=(60, 3)).astype(float)
    pool = NeighborPool(points, np.ones(60, dtype=int), 8)
    differ = 0
    for point in range(60):
        pool.take(point)
        there = np.flatnonzero(pool.left)
        if there.size > 1:
            squared = ((points[there] - points[point]) ** 2).sum(axis=1)
            assert pool.nearest(point, 1).tolist() == [there[np.argpartition(squared, 1)[0]]]
            differ += there[squared.argmin()] != there[np.argpartition(squared, 1)[0]]
    assert differ  # or there would be nothing to keep to


@pytest.mark.parametrize("n_points", [1, 2, 3, 40, SMALL // 2, SMALL])
def test_few_points(n_points):
    points = np.random.RandomState(n_points).randn(n_points, 3)
    empty_at_random(points, [1] * n_points, seed=0, every=max(1, n_points // 40))


@pytest.mark.parametrize("width", [1, 2, 5, 20])
@pytest.mark.parametrize("n_points", [SMALL + 1, SMALL + 2, 700, 1100])
def test_points_enough_for_lists(n_points, width):
    points = np.random.RandomState(n_points).randn(n_points, width)
    empty_at_random(points, [1] * n_points, seed=1, every=9)


def test_half_is_forgotten_each_time_it_is_gone_and_lists_are_made_while_there_are_many(monkeypatch):
    sizes, listed = [], []
    rebuild, search = NeighborPool._rebuild, _pool.nearest_neighbors

    def counted(pool, members):
        sizes.append(len(members))
        rebuild(pool, members)

    def searched(rows, size):
        listed.append(len(rows))
        return search(rows, size)

    monkeypatch.setattr(_pool, "nearest_neighbors", searched)
    monkeypatch.setattr(NeighborPool, "_rebuild", counted)
    n_points = 4 * SMALL + 60
    points = np.random.RandomState(0).randn(n_points, 2)
    pool, left = NeighborPool(points, np.ones(n_points, dtype=int), 8), [1] * n_points
    for step, point in enumerate(np.random.RandomState(1).permutation(n_points).tolist()):
        pool.take(point)
        left[point] = 0
        pool.nearest(point, 5)
        if step % 40 == 0:
            assert_nearest(pool, points.tolist(), left, point, 5)
    # Half is gone three times before the pool is small; the point asked about is a member each time.
    expected = [n_points]
    while expected[-1] > 2:
        expected.append(expected[-1] // 2 + 1)
    assert sizes[: len(expected)] == expected
    assert set(sizes[len(expected) :]) <= {1, 2}
    assert listed == [size for size in expected if size > SMALL]
    assert len(listed) == 3


@pytest.mark.parametrize("n_points", [60, 640])
def test_several_copies(n_points):
    random = np.random.RandomState(3)
    points = random.randn(n_points, 2)
    empty_at_random(points, random.randint(1, 5, size=n_points).tolist(), seed=4, every=13)


@pytest.mark.parametrize("side", [4, 6])
def test_points_on_a_grid_with_many_ties(side):
    grid = np.array(np.meshgrid(*[np.arange(float(side))] * 4)).reshape(4, -1).T
    empty_at_random(grid, [1] * len(grid), seed=5, every=11)


@pytest.mark.parametrize("n_points", [80, 700])
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_points(n_points, kind):
    random = np.random.RandomState(6)
    points = random.rand(n_points, 12) * (random.rand(n_points, 12) < 0.4)
    points[:, 0] = random.permutation(n_points) / n_points
    empty_at_random(points, [1] * n_points, seed=7, every=9, kind=kind)


@pytest.mark.parametrize("n_points", [30, 600])
def test_more_neighbours_than_a_list_holds_or_than_there_are(n_points):
    points = np.random.RandomState(8).randn(n_points, 2)
    empty_at_random(points, [1] * n_points, seed=9, list_size=3, most=2 * n_points, every=29)


def test_lists_of_all_sizes_say_the_same():
    points = np.random.RandomState(10).randn(SMALL + 50, 2)
    pools = [NeighborPool(points, np.ones(len(points), dtype=int), size) for size in (1, 4, 100, 10_000)]
    for point in np.random.RandomState(11).permutation(len(points)).tolist():
        for pool in pools:
            pool.take(point)
        found = [pool.nearest(point, 3).tolist() for pool in pools]
        assert all(one == found[0] for one in found)


@pytest.mark.parametrize("n_points", [70, SMALL + 100])
def test_points_still_there_are_not_their_own_neighbours(n_points):
    points = np.random.RandomState(12).randn(n_points, 2)
    left = [1] * len(points)
    pool = NeighborPool(points, np.array(left), 8)
    for point in range(0, 60, 7):
        assert_nearest(pool, points.tolist(), left, point, 4)


def test_points_still_there_are_not_their_own_neighbours_later_either():
    points = np.random.RandomState(12).randn(3 * SMALL, 2)
    left = [1] * len(points)
    pool = NeighborPool(points, np.array(left), 8)
    for point in range(2 * SMALL - 50):
        pool.take(point)
        left[point] = 0
    for point in range(2 * SMALL, 2 * SMALL + 20):
        assert_nearest(pool, points.tolist(), left, point, 4)


@pytest.mark.parametrize("n_points", [300, 700])
@pytest.mark.parametrize("width", [5, 20])
def test_points_far_from_the_origin(n_points, width):
    points = np.random.RandomState(13).rand(n_points, width) + 1e7
    empty_at_random(points, [1] * n_points, seed=14, every=9)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25, unique=True),
    st.data(),
    st.integers(1, 6),
    st.sampled_from([1, 4, SMALL]),
)
def test_any_small_pool(points, data, list_size, small):
    """A pool that makes lists however small it is, too."""
    counts = data.draw(st.lists(st.integers(1, 3), min_size=len(points), max_size=len(points)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_pool, "SMALL", small)
        empty_at_random(np.array(points, dtype=float), counts, seed=len(points), list_size=list_size)


def test_the_counts_given_are_left_alone():
    counts = np.array([2, 1])
    NeighborPool(np.array([[0.0], [1.0]]), counts, 4).take(0, 2)
    assert counts.tolist() == [2, 1]


def step_by_step(pool, point):
    """The same walk, asking for one neighbour at a time."""
    walked = []
    while pool.left.any():
        point = int(pool.nearest(point, 1)[0])
        pool.take(point, pool.left[point])
        walked.append(point)
    return walked


@pytest.mark.parametrize("kind", ["no ties", "grid", "few values", "one column", "very large"])
@pytest.mark.parametrize("n_points", [2, 3, 60, SMALL])
def test_a_walk_goes_where_single_steps_go(kind, n_points):
    random = np.random.RandomState(n_points)
    points = {
        "no ties": random.randn(n_points, 20),
        "grid": np.array(np.unravel_index(random.permutation(4**5)[:n_points], (4,) * 5)).T.astype(float),
        "few values": random.permutation(np.unique(random.randint(0, 9, size=(4 * n_points, 3)), axis=0))[:n_points],
        "one column": random.permutation(n_points)[:, None].astype(float),
        "very large": random.randn(n_points, 2) * 1e299,  # whose squares are infinite, and therefore tied
    }[kind]
    counts = random.randint(1, 4, size=len(points))
    with np.errstate(over="ignore"):
        pools = [NeighborPool(points.astype(float), counts, 8) for _ in range(2)]
        for pool in pools:
            pool.take(0, counts[0])
        assert pools[0].can_be_walked
        walked = pools[0].walk(0)
        assert walked == step_by_step(pools[1], 0)
    assert sorted(walked) == list(range(1, len(points)))
    assert not pools[0].left.any()


def test_a_walk_may_begin_where_the_pool_is_no_longer_large():
    points = np.random.RandomState(3).randn(SMALL + 300, 2)
    pools = [NeighborPool(points, np.ones(len(points), dtype=int), 8) for _ in range(2)]
    assert not pools[0].can_be_walked
    for pool in pools:
        pool.take(np.arange(500))
        pool.nearest(499, 1)
    assert pools[0].can_be_walked
    assert pools[0].walk(499) == step_by_step(pools[1], 499)


def test_sparse_points_are_asked_for_one_by_one():
    assert not NeighborPool(sparse.csr_array(np.eye(5)), np.ones(5, dtype=int), 4).can_be_walked
