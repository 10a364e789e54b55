"""Friedman's and Nemenyi's tests, against their formulas in plain loops and published examples."""

import math
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scikit_posthocs import posthoc_nemenyi_friedman
from scipy import stats

from compendium.inference import critical_difference, friedman, indistinguishable, mean_ranks

# Hollander and Wolfe (1973), p. 140: times of 22 players with three ways to round first base.
ROUNDING = pd.DataFrame(
    [
        [5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40], [5.90, 5.85, 5.70],
        [5.45, 5.55, 5.60], [5.40, 5.40, 5.35], [5.45, 5.50, 5.35], [5.25, 5.15, 5.00], [5.85, 5.80, 5.70],
        [5.25, 5.20, 5.10], [5.65, 5.55, 5.45], [5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40],
        [5.45, 5.55, 5.50], [5.55, 5.55, 5.35], [5.45, 5.50, 5.55], [5.50, 5.45, 5.25], [5.65, 5.60, 5.40],
        [5.70, 5.65, 5.55], [6.30, 6.30, 6.25],
    ],
    columns=["round out", "narrow", "wide"],
)  # fmt: skip
# Demšar (2006), table 6: areas under the curve of four variants of C4.5 on 14 data sets. Of the two that are
# printed as 0.975, the paper ranks the first higher.
DEMSAR = pd.DataFrame(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.97501, 0.975], [0.957, 0.978, 0.946, 0.970],
    ],
    columns=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
)  # fmt: skip


@st.composite
def tables(draw, min_techniques=3, max_techniques=6):
    n_techniques = draw(st.integers(min_techniques, max_techniques))
    row = st.lists(st.integers(-3, 3), min_size=n_techniques, max_size=n_techniques)
    return pd.DataFrame(draw(st.lists(row, min_size=1, max_size=15)), columns=list("abcdefgh"[:n_techniques])) / 10


def ranks_by_hand(row):
    return [sum(other < one for other in row) + (sum(other == one for other in row) + 1) / 2 for one in row]


def friedman_by_hand(rows):
    """The variance of the rank sums over what it is under the null, given the ties."""
    n, k = len(rows), len(rows[0])
    ranks = [ranks_by_hand(row) for row in rows]
    between = sum((sum(row[j] for row in ranks) - n * (k + 1) / 2) ** 2 for j in range(k))
    within = sum((rank - (k + 1) / 2) ** 2 for row in ranks for rank in row)
    return 0.0 if within == 0 else (k - 1) * between / within


def range_exceeds(threshold, k, step=0.01):
    """The probability that k standard normal numbers lie farther apart than the threshold, by a Riemann sum."""
    normal = NormalDist()
    inside = 0.0
    for i in range(int(-8 / step), int(8 / step)):
        smallest = (i + 0.5) * step
        inside += step * k * normal.pdf(smallest) * (normal.cdf(smallest + threshold) - normal.cdf(smallest)) ** (k - 1)
    return 1 - inside


def bars_by_hand(ranks, width):
    """All runs of at least two neighbours within the width, without those inside another."""
    names = sorted(ranks, key=ranks.get)
    runs = [names[i:j] for i in range(len(names)) for j in range(i + 2, len(names) + 1)]
    short = [run for run in runs if ranks[run[-1]] - ranks[run[0]] <= width]
    return [run for run in short if not any(set(run) < set(other) for other in short)]


class TestFriedman:
    """The test of all techniques at once."""

    @settings(max_examples=100)
    @given(tables())
    def test_equals_the_formula(self, table):
        found = friedman(table)
        assert found["statistic"] == pytest.approx(friedman_by_hand(table.to_numpy().tolist()), abs=1e-9)
        assert found["p_value"] == pytest.approx(stats.chi2.sf(found["statistic"], table.shape[1] - 1), abs=1e-9)
        assert (found["n_blocks"], found["n_techniques"]) == table.shape

    @pytest.mark.parametrize("seed", range(3))
    def test_equals_scipy(self, seed):
        table = pd.DataFrame(np.random.RandomState(seed).rand(20, 5))
        assert friedman(table)[["statistic", "p_value"]].tolist() == pytest.approx(
            list(stats.friedmanchisquare(*table.to_numpy().T)), rel=1e-12
        )

    def test_times_to_second_base(self):
        found = friedman(ROUNDING)
        assert found["statistic"] == pytest.approx(11.143, abs=5e-4)
        assert found["p_value"] == pytest.approx(0.003805, abs=5e-7)

    def test_variants_of_a_tree(self):
        """The paper does not correct for ties: three pairs and one block of four among 14 blocks."""
        uncorrected = friedman(-DEMSAR)["statistic"] * (1 - (3 * (2**3 - 2) + (4**3 - 4)) / (14 * (4**3 - 4)))
        assert uncorrected == pytest.approx(9.28, abs=5e-3)

    def test_no_difference_at_all(self):
        tied = pd.DataFrame({name: [0.1, 0.2, 0.7] for name in "abc"})
        assert friedman(tied).to_dict() == {"statistic": 0, "p_value": 1, "n_blocks": 3, "n_techniques": 3}

    def test_two_techniques(self):
        with pytest.raises(ValueError, match=r"at least 3 techniques; the table has 2: use pairwise\(\).*Wilcoxon"):
            friedman(ROUNDING[["narrow", "wide"]])


class TestMeanRanks:
    """Ranks of techniques."""

    @settings(max_examples=100)
    @given(tables(min_techniques=2))
    def test_equal_ranks_by_hand(self, table):
        ranks = [ranks_by_hand(row) for row in table.to_numpy().tolist()]
        found = mean_ranks(table)
        assert found.tolist() == pytest.approx([math.fsum(column) / len(table) for column in zip(*ranks, strict=True)])
        assert list(found.index) == list(table.columns)
        assert found.sum() == pytest.approx(table.shape[1] * (table.shape[1] + 1) / 2)

    def test_published(self):
        assert mean_ranks(-DEMSAR).tolist() == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)

    def test_noise_does_not_break_ties(self):
        assert mean_ranks(pd.DataFrame({"a": [0.1 + 0.2], "b": [0.3]})).tolist() == [1.5, 1.5]


class TestCriticalDifference:
    """Demšar's table 5, his example, and Nemenyi's test."""

    @pytest.mark.parametrize("k", [2, 3, 5])
    @pytest.mark.parametrize("alpha", [0.05, 0.4])
    def test_equals_the_distribution_of_the_range(self, k, alpha):
        found = critical_difference(pd.DataFrame(np.zeros((9, k))), alpha)
        assert range_exceeds(found / math.sqrt(k * (k + 1) / (12 * 9)), k) == pytest.approx(alpha, abs=1e-3)

    @settings(max_examples=20)
    @given(tables(min_techniques=2))
    def test_tells_apart_what_the_test_of_scikit_posthocs_does(self, table):
        p_values, ranks = posthoc_nemenyi_friedman(table.to_numpy()).to_numpy(), mean_ranks(table)
        for alpha in (0.05, 0.4):
            width = critical_difference(table, alpha)
            for one in range(table.shape[1]):
                for other in range(table.shape[1]):
                    apart = abs(ranks.iloc[one] - ranks.iloc[other])
                    assert abs(apart - width) < 1e-6 or (apart > width) == (p_values[one, other] < alpha)

    @pytest.mark.parametrize(
        ("alpha", "quantiles"),
        [
            (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
            (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
        ],
    )
    def test_published_quantiles(self, alpha, quantiles):
        for k, quantile in enumerate(quantiles, start=2):
            found = critical_difference(pd.DataFrame(np.zeros((30, k))), alpha)
            assert found == pytest.approx(quantile * math.sqrt(k * (k + 1) / (6 * 30)), abs=1e-3)

    def test_published_example(self):
        assert critical_difference(DEMSAR) == pytest.approx(1.25, abs=5e-3)
        assert critical_difference(DEMSAR, alpha=0.10) == pytest.approx(1.12, abs=5e-3)

    @pytest.mark.parametrize("alpha", [0, 1, -0.1, 5, math.nan])
    def test_bad_alpha(self, alpha):
        with pytest.raises(ValueError, match=f"alpha must lie between 0 and 1; it is {alpha}"):
            critical_difference(DEMSAR, alpha)


class TestIndistinguishable:
    """The bars of the diagram."""

    @settings(max_examples=100)
    @given(tables(min_techniques=2), st.sampled_from([0.05, 0.5, 0.9]))
    def test_equal_the_longest_runs(self, table, alpha):
        ranks = mean_ranks(table).to_dict()
        assert indistinguishable(table, alpha) == bars_by_hand(ranks, critical_difference(table, alpha))

    def test_overlapping_bars(self):
        steps = pd.DataFrame([[1, 2, 3, 4, 5]] * 8, columns=list("edcba"))
        assert 2 < critical_difference(steps) < 3
        assert indistinguishable(steps) == [["e", "d", "c"], ["d", "c", "b"], ["c", "b", "a"]]

    def test_published_example(self):
        """At 0.05 no pair differs; at 0.10 C4.5 is worse than both with tuned m, and C4.5+cf may be like either."""
        assert indistinguishable(-DEMSAR) == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]
        assert indistinguishable(-DEMSAR, alpha=0.10) == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]

    def test_all_different(self):
        assert indistinguishable(pd.DataFrame([[1, 2, 3]] * 100, columns=list("abc"))) == []
