"""The number of clusters, against Mojena's rule on dendrograms made by hand."""

import math
from statistics import mean, pstdev

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from cvstrat import estimate_n_clusters
from cvstrat.clustering import average_linkage, mixed_rows, mojena_count, mojena_counts, mojena_threshold


def clouds(seed, n_rows=60, width=3, n_clouds=3):
    random = np.random.RandomState(seed)
    return random.randn(n_rows, width) + 2.5 * random.randint(0, n_clouds, size=n_rows)[:, None]


def similarity(one, other):
    return -math.dist(one, other)


def mixed_similarity(discrete):
    """The paper's similarity of scaled rows, in which the last `discrete` columns are codes; NaN is missing."""

    def compare(one, other):
        total = 0.0
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            if math.isnan(a) or math.isnan(b):
                total += 1
            elif number >= len(one) - discrete:
                total += a != b
            else:
                total += (a - b) ** 2
        return -math.sqrt(total)

    return compare


def coefficients_by_hand(rows, compare=similarity):
    """The similarity of the clusters merged at each stage, average linkage between groups."""
    table = [[compare(one, other) for other in rows] for one in rows]
    groups, coefficients = [[i] for i in range(len(rows))], []
    while len(groups) > 1:
        best = (-math.inf, 0, 0)
        for g in range(len(groups)):
            for h in range(g):
                total = 0.0
                for i in groups[g]:
                    for j in groups[h]:
                        total += table[i][j]
                best = max(best, (total / (len(groups[g]) * len(groups[h])), g, h))
        coefficients.append(best[0])
        groups[best[2]] += groups.pop(best[1])
    return coefficients


def count_by_hand(coefficients):
    """The stopping rule as printed: the first stage after which a coefficient is low by two standard deviations."""
    N = len(coefficients) + 1
    alpha = dict(enumerate(coefficients, start=1))
    critical = mean(coefficients) - 2 * pstdev(coefficients)
    for j in range(1, N - 1):
        if alpha[j + 1] < critical:
            return N - j
    return 1


class TestRule:
    """Mojena's rule on given heights."""

    @pytest.mark.parametrize(
        ("heights", "count"),
        [
            ([1], 1),
            ([1, 9], 1),
            ([1, 1, 1, 1], 1),
            ([0, 0, 0, 0, 5], 1),  # exactly at the threshold, which is not above it
            ([0, 0, 0, 0, 0, 5], 2),
            ([1] * 50 + [20, 20], 3),
            ([1] * 50 + [19, 20, 21], 4),
        ],
    )
    def test_known_values(self, heights, count):
        assert mojena_count(np.array(heights, dtype=float)) == count

    def test_threshold(self):
        assert mojena_threshold(np.array([0.0, 0, 0, 0, 5])) == 5
        assert mojena_threshold(np.array([1.0, 3.0])) == 4

    @settings(max_examples=200)
    @given(st.lists(st.sampled_from([0, 1, 2, 3, 5, 8, 13, 21, 55, 144]), min_size=1, max_size=40))
    def test_equals_the_printed_rule(self, heights):
        heights = sorted(heights)
        critical = mean(heights) + 2 * pstdev(heights)
        assume(all(abs(height - critical) > 1e-9 for height in heights))
        assert mojena_count(np.array(heights, dtype=float)) == count_by_hand([-height for height in heights])


class TestLinkage:
    """The dendrogram."""

    @pytest.mark.parametrize("seed", range(5))
    def test_heights_of_numbers(self, seed):
        X = clouds(seed, n_rows=35)
        expected = [-coefficient for coefficient in coefficients_by_hand(X.tolist())]
        assert average_linkage(X)[:, 2] == pytest.approx(expected, rel=1e-9)
        assert sorted(expected) == expected  # so that counting what is above and finding the first stage agree

    @pytest.mark.parametrize("seed", range(5))
    def test_heights_of_mixed_attributes(self, seed):
        random = np.random.RandomState(seed)
        continuous, codes = random.rand(30, 2), random.randint(0, 3, size=(30, 2)).astype(float)
        continuous[[0, 1], [0, 1]] = [0.0, 0.0]
        continuous[[2, 3], [0, 1]] = [1.0, 1.0]  # scaled already
        values = np.hstack([continuous, codes])
        values[4:][random.rand(26, 4) < 0.1] = np.nan
        expected = [-coefficient for coefficient in coefficients_by_hand(values.tolist(), mixed_similarity(2))]
        assert average_linkage(mixed_rows(values, [2, 3]))[:, 2] == pytest.approx(expected, rel=1e-9)


class TestCounts:
    """The rule on random samples."""

    @pytest.mark.parametrize(("n_rows", "sample_size"), [(60, 30), (60, 100), (150, 100), (5, 100), (4, 100)])
    def test_equal_the_rule_by_hand(self, n_rows, sample_size):
        X = clouds(n_rows, n_rows=n_rows)
        rng, expected = np.random.RandomState(3), []
        for _ in range(6):
            sample = rng.choice(n_rows, min(sample_size, n_rows - 1), replace=False)
            expected.append(count_by_hand(coefficients_by_hand(X[sample].tolist())))
        found = mojena_counts(X, n_subsamples=6, sample_size=sample_size, random_state=3)
        assert found.tolist() == expected
        assert n_rows < 6 or max(expected) > 1

    def test_fifty_samples_of_a_hundred_rows_unless_told(self):
        X = clouds(0, n_rows=300)
        assert mojena_counts(X).tolist() == mojena_counts(X, n_subsamples=50, sample_size=100, random_state=0).tolist()
        assert len(mojena_counts(X)) == 50
        assert mojena_counts(X, sample_size=40).tolist() != mojena_counts(X).tolist()

    def test_mixed_attributes(self):
        random = np.random.RandomState(1)
        X = np.hstack([clouds(1, n_rows=50) * [1, 10, 100], random.randint(0, 3, size=(50, 1))])
        scaled = X.copy()
        scaled[:, :3] = (X[:, :3] - X[:, :3].min(axis=0)) / (X[:, :3].max(axis=0) - X[:, :3].min(axis=0))
        rng, expected = np.random.RandomState(0), []
        for _ in range(5):
            sample = rng.choice(50, 40, replace=False)
            expected.append(count_by_hand(coefficients_by_hand(scaled[sample].tolist(), mixed_similarity(1))))
        options = {"n_subsamples": 5, "sample_size": 40}
        assert mojena_counts(X, categorical=[3], **options).tolist() == expected
        assert mojena_counts(mixed_rows(X, [3]), **options).tolist() == expected
        assert mojena_counts(X, **options).tolist() != expected

    def test_rows_as_they_are_unless_attributes_are_named(self):
        X = clouds(2, n_rows=80) * [1, 1, 1000]
        scaled = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
        assert mojena_counts(X, categorical=[]).tolist() == mojena_counts(scaled).tolist()
        assert mojena_counts(X).tolist() != mojena_counts(scaled).tolist()

    def test_sparse(self):
        random = np.random.RandomState(3)
        X = clouds(3, n_rows=90) * (random.rand(90, 3) < 0.7)
        assert mojena_counts(sparse.csr_array(X)).tolist() == mojena_counts(X).tolist()

    @pytest.mark.parametrize("n_rows", [1, 2, 3])
    def test_too_few_rows_are_one_cluster(self, n_rows):
        assert mojena_counts(np.arange(float(n_rows))[:, None], n_subsamples=7).tolist() == [1] * 7

    @pytest.mark.parametrize("n_rows", [4, 30, 101])
    def test_rows_all_equal_or_all_equally_far_are_one_cluster(self, n_rows):
        assert set(mojena_counts(np.ones((n_rows, 2)), n_subsamples=5).tolist()) == {1}
        assert set(mojena_counts(np.eye(n_rows), n_subsamples=5).tolist()) == {1}


class TestEstimate:
    """The mean of the samples' counts, rounded."""

    @pytest.mark.parametrize(
        ("counts", "estimate"), [([1, 1], 1), ([3, 4], 4), ([2, 3], 3), ([4, 4, 5], 4), ([4, 5, 5], 5), ([4, 7], 6)]
    )
    def test_rounding_half_up(self, monkeypatch, counts, estimate):
        monkeypatch.setattr("cvstrat.clustering._mojena.mojena_counts", lambda *args, **kwargs: np.array(counts))
        assert estimate_n_clusters(np.zeros((9, 1))) == estimate

    @pytest.mark.parametrize("n_clouds", [2, 3, 5])
    def test_finds_clouds_far_apart(self, n_clouds):
        random = np.random.RandomState(0)
        X = random.rand(300, 2) + 50.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 3]])[np.arange(300) % n_clouds]
        assert estimate_n_clusters(X) == n_clouds

    def test_options_reach_the_samples(self):
        X = clouds(4, n_rows=120) * [1, 1, 50]
        for options in ({"n_subsamples": 3}, {"sample_size": 20}, {"categorical": [0]}, {"random_state": 9}):
            assert estimate_n_clusters(X, **options) == math.floor(mojena_counts(X, **options).mean() + 0.5)

    def test_permuting_rows_changes_the_mean_by_sampling_noise_only(self):
        X = clouds(5, n_rows=400)
        counts = mojena_counts(X)
        error = counts.std() / math.sqrt(len(counts))
        assert error > 0
        for seed in range(6):
            permuted = X[np.random.RandomState(seed).permutation(len(X))]
            assert abs(mojena_counts(permuted).mean() - counts.mean()) < 5 * math.sqrt(2) * error
            assert abs(estimate_n_clusters(permuted) - estimate_n_clusters(X)) <= 1
