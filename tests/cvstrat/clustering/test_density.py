"""DBSCAN's radius, against a k-distance curve made by hand and its knee."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kneed import KneeLocator
from scipy import sparse
from sklearn.cluster import DBSCAN

from cvstrat import estimate_eps
from cvstrat.clustering import k_distance_knee


def clouds(seed, n_rows=90, width=2):
    random = np.random.RandomState(seed)
    return random.randn(n_rows, width) + 5.0 * random.randint(0, 3, size=n_rows)[:, None]


def curve_by_hand(X, min_samples):
    """Each row's distance to its (min_samples - 1)-th neighbour among the others, ascending."""
    rows, curve = X.tolist(), []
    for number, row in enumerate(rows):
        others = sorted(math.dist(row, other) for place, other in enumerate(rows) if place != number)
        curve.append(others[min_samples - 2])
    return sorted(curve)


def knee_of(curve):
    return KneeLocator(range(len(curve)), curve, S=1, curve="convex", direction="increasing").knee


class TestKnee:
    """The curve and its knee."""

    @pytest.mark.parametrize("min_samples", [2, 3, 4, 10])
    @pytest.mark.parametrize("seed", range(4))
    def test_equals_the_knee_by_hand(self, seed, min_samples):
        X = clouds(seed)
        curve = curve_by_hand(X, min_samples)
        found = k_distance_knee(X, min_samples=min_samples)
        assert found.distances == pytest.approx(curve, rel=1e-9)
        assert found.position == knee_of(curve)
        assert found.eps == pytest.approx(curve[knee_of(curve)], rel=1e-9)
        assert estimate_eps(X, min_samples=min_samples) == found.eps

    @pytest.mark.parametrize("width", [1, 2, 5])
    def test_twice_the_number_of_columns_unless_told(self, width):
        X = clouds(width, width=width)
        assert k_distance_knee(X).distances == pytest.approx(curve_by_hand(X, 2 * width), rel=1e-9)
        assert estimate_eps(X) == estimate_eps(X, min_samples=2 * width)

    def test_order_of_rows_does_not_matter(self):
        X = clouds(7)
        assert estimate_eps(X[::-1]) == pytest.approx(estimate_eps(X), rel=1e-12)

    def test_sparse(self):
        X = clouds(8, width=4) * (np.random.RandomState(0).rand(90, 4) < 0.7)
        assert estimate_eps(sparse.csr_array(X)) == pytest.approx(estimate_eps(X), rel=1e-6)

    def test_scale(self):
        X = clouds(9)
        assert estimate_eps(1000 * X) == pytest.approx(1000 * estimate_eps(X), rel=1e-9)

    def test_separates_clouds_from_far_rows(self):
        random = np.random.RandomState(0)
        X = np.concatenate([random.rand(100, 2), random.rand(100, 2) + 20, [[60.0, 0.0], [0.0, 60.0], [90.0, 90.0]]])
        labels = DBSCAN(eps=estimate_eps(X), min_samples=4).fit_predict(X)
        assert labels[-3:].tolist() == [-1, -1, -1]
        assert len(set(labels[:100].tolist()) - {-1}) == 1
        assert set(labels[:100].tolist()) & set(labels[100:200].tolist()) <= {-1}


class TestGuards:
    """Data without a knee, or with one in a bad place."""

    def test_no_knee_gives_the_largest_distance(self):
        X = np.array([[2.0], [2.0], [8.0], [10.0], [14.0], [19.0]])
        curve = curve_by_hand(X, 2)
        assert curve == [0, 0, 2, 2, 4, 5]
        assert knee_of(curve) is None
        found = k_distance_knee(X, min_samples=2)
        assert found.position is None
        assert found.eps == 5

    def test_equal_distances_have_no_knee(self):
        found = k_distance_knee(np.arange(10.0)[:, None], min_samples=2)
        assert found.position is None
        assert found.eps == 1

    @pytest.mark.parametrize("seed", [0, 1, 3])
    def test_knee_among_copies_gives_the_smallest_positive_distance(self, seed):
        random = np.random.RandomState(seed)
        X = np.repeat(random.rand(20, 2), random.randint(1, 4, size=20), axis=0)
        curve = curve_by_hand(X, 2)
        assert curve[knee_of(curve)] == 0
        found = k_distance_knee(X, min_samples=2)
        assert found.position == knee_of(curve)
        assert found.eps == pytest.approx(min(distance for distance in curve if distance > 0), rel=1e-9)

    def test_copies_only(self):
        """Every row has a copy, so that the curve is zero throughout."""
        found = k_distance_knee(np.repeat(clouds(0), 2, axis=0), min_samples=2)
        assert set(found.distances.tolist()) == {0.0}
        assert found.eps == 1

    @pytest.mark.parametrize("n_rows", [2, 3, 50])
    def test_all_rows_equal(self, n_rows):
        assert estimate_eps(np.full((n_rows, 3), 7.0)) == 1

    @pytest.mark.parametrize("min_samples", [6, 7, 100])
    def test_more_samples_wanted_than_rows_means_the_farthest_row(self, min_samples):
        X = clouds(1, n_rows=6)
        found = k_distance_knee(X, min_samples=min_samples)
        assert found.distances == pytest.approx(curve_by_hand(X, 6), rel=1e-9)

    @pytest.mark.parametrize("min_samples", [1, 2])
    def test_the_nearest_neighbour_is_the_first_there_is(self, min_samples):
        X = clouds(2)
        assert k_distance_knee(X, min_samples=min_samples).distances == pytest.approx(curve_by_hand(X, 2), rel=1e-9)

    def test_one_row_is_refused(self):
        with pytest.raises(ValueError, match="minimum of 2 is required"):
            estimate_eps([[1.0, 2.0]])

    @pytest.mark.parametrize("min_samples", [0, -1, 2.5, True])
    def test_min_samples_is_a_count(self, min_samples):
        with pytest.raises(ValueError, match="min_samples must be an integer of at least 1"):
            estimate_eps(clouds(3), min_samples=min_samples)

    @settings(max_examples=60)
    @given(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30),
        st.one_of(st.none(), st.integers(1, 12)),
    )
    def test_always_a_radius_that_dbscan_takes(self, rows, min_samples):
        X = np.array(rows, dtype=float)
        found = k_distance_knee(X, min_samples=min_samples)
        assert 0 < found.eps < np.inf
        assert found.eps in found.distances or set(found.distances.tolist()) == {0.0}
        assert (np.diff(found.distances) >= 0).all()
        DBSCAN(eps=found.eps, min_samples=min_samples or 4).fit(X)
