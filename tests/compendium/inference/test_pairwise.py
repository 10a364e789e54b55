"""Wins and Wilcoxon's test, against counting by hand and all ways to flip signs."""

import math
from fractions import Fraction
from itertools import combinations, product
from statistics import median

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scikit_posthocs import posthoc_wilcoxon
from scipy import stats
from statsmodels.stats.multitest import multipletests

from compendium.inference import adjusted, pairwise, wins

COLUMNS = ["first", "second", "difference", "statistic", "p_value", "p_adjusted"]


@st.composite
def tables(draw, max_blocks=12):
    n_techniques = draw(st.integers(2, 5))
    row = st.lists(st.integers(-4, 4), min_size=n_techniques, max_size=n_techniques)
    rows = draw(st.lists(row, min_size=1, max_size=max_blocks))
    return pd.DataFrame(rows, columns=list("vwxyz"[:n_techniques])) / 10


def random_table(n_blocks, seed, n_techniques=4, decimals=9):
    random = np.random.RandomState(seed)
    values = random.rand(n_blocks, n_techniques) + 0.1 * np.arange(n_techniques)
    return pd.DataFrame(values.round(decimals), columns=list("abcdef"[:n_techniques]))


def wins_by_hand(table, ties):
    won = dict.fromkeys(table.columns, Fraction(0))
    for _, row in table.iterrows():
        best = [name for name in table if abs(row[name]) == min(abs(row))]
        if ties == "first":
            best = best[:1]
        for name in best:
            won[name] += Fraction(1, len(best))
    return {name: float(count) for name, count in won.items()}


def wilcoxon_by_hand(differences):
    """The smaller rank sum, and how often flipped signs give one as far from the middle, on the likelier side."""
    sizes = [abs(difference) for difference in differences]
    ranks = [sum(o < s for o in sizes) + (sum(o == s for o in sizes) + 1) / 2 for s in sizes]

    def positive(signs):
        return sum(rank * (1 + sign) / 2 for rank, sign in zip(ranks, signs, strict=True))

    signs = [(difference > 0) - (difference < 0) for difference in differences]
    observed = positive(signs)
    sums = [
        positive([s * f for s, f in zip(signs, flips, strict=True)]) for flips in product([1, -1], repeat=len(signs))
    ]
    above, below = sum(s >= observed for s in sums), sum(s <= observed for s in sums)
    return min(observed, sum(ranks) - observed), min(1.0, 2 * min(above, below) / len(sums))


def holm_by_hand(p_values):
    """The largest, over the steps up to its own, of p-value times the number of hypotheses left."""
    adjusted = []
    for p in p_values:
        steps = sorted(other for other in p_values if other <= p)
        adjusted.append(min(1.0, max(other * (len(p_values) - i) for i, other in enumerate(steps))))
    return adjusted


class TestWins:
    """Who is best how often."""

    @settings(max_examples=100)
    @given(tables(), st.sampled_from(["share", "first"]))
    def test_equal_counting(self, table, ties):
        found = wins(table, ties=ties)
        assert found.to_dict() == pytest.approx(wins_by_hand(table, ties))
        assert found.sum() == pytest.approx(len(table))

    @settings(max_examples=50)
    @given(tables())
    def test_first_is_what_argmin_does(self, table):
        best = np.argmin(table.abs().to_numpy(), axis=1).tolist()
        assert wins(table, ties="first").tolist() == [best.count(number) for number in range(table.shape[1])]

    def test_shared_unless_told(self):
        table = pd.DataFrame({"a": [1, 0], "b": [-1, 5], "c": [1, -5]})
        assert wins(table).tolist() == pytest.approx([4 / 3, 1 / 3, 1 / 3])

    def test_noise_does_not_break_ties(self):
        table = pd.DataFrame({"a": [0.1 + 0.2, 1.0], "b": [-0.3, 1 + 1e-11]})
        assert wins(table).to_dict() == {"a": 1.5, "b": 0.5}
        assert wins(table, ties="first").to_dict() == {"a": 2, "b": 0}

    def test_bad_ties(self):
        with pytest.raises(ValueError, match="ties must be 'share' or 'first'; it is 'last'"):
            wins(random_table(5, 0), ties="last")


class TestPairwise:
    """The test of each pair."""

    @settings(max_examples=50)
    @given(tables(max_blocks=8))
    def test_equals_flipping_all_signs(self, table):
        found = pairwise(table)
        assert list(found.columns) == COLUMNS
        assert [(line.first, line.second) for line in found.itertuples()] == list(combinations(table, 2))
        for line in found.itertuples():
            differences = [round(a - b, 6) for a, b in zip(table[line.first], table[line.second], strict=True)]
            assert line.difference == pytest.approx(median(differences))
            assert (line.statistic, line.p_value) == pytest.approx(wilcoxon_by_hand(differences))

    @pytest.mark.parametrize("decimals", [0, 1, 9])
    @pytest.mark.parametrize("n_blocks", [14, 40, 60])
    def test_equals_scipy(self, n_blocks, decimals):
        table = random_table(n_blocks, seed=n_blocks, decimals=decimals)
        for line in pairwise(table).itertuples():
            expected = stats.wilcoxon((table[line.first] - table[line.second]).round(9), zero_method="zsplit")
            assert (line.statistic, line.p_value) == pytest.approx(tuple(expected), rel=1e-9)

    def test_thirteen_blocks_with_ties_equal_scipy(self):
        table = random_table(13, seed=1, n_techniques=2, decimals=1)
        differences = (table["a"] - table["b"]).round(9)
        assert differences.abs().duplicated().any()
        line = pairwise(table).loc[0, ["statistic", "p_value"]]
        assert line.tolist() == pytest.approx(list(stats.wilcoxon(differences, zero_method="zsplit")))

    @pytest.mark.parametrize("correction", ["holm", "bonferroni", "fdr_bh", None])
    @pytest.mark.parametrize("decimals", [1, 9])
    def test_corrections_equal_scikit_posthocs(self, correction, decimals):
        table = (10 * random_table(30, seed=2, n_techniques=5, decimals=decimals)).round(decimals)
        expected = posthoc_wilcoxon(table.to_numpy().T, zero_method="zsplit", p_adjust=correction).to_numpy()
        found = pairwise(table, correction)["p_adjusted"]
        assert found.tolist() == pytest.approx(expected[np.triu_indices(5, 1)], rel=1e-9)
        assert found.min() < 0.1 < found.max()

    @settings(max_examples=50)
    @given(tables(max_blocks=8))
    def test_holm_unless_told(self, table):
        found = pairwise(table)
        assert found["p_adjusted"].tolist() == pytest.approx(holm_by_hand(found["p_value"].tolist()))

    @pytest.mark.parametrize("n_blocks", [1, 2, 13, 30, 100])
    def test_no_difference_at_all(self, n_blocks):
        table = pd.DataFrame({name: np.arange(n_blocks) / 7 for name in "abc"})
        found = pairwise(table)
        assert (found[["p_value", "p_adjusted"]] == 1).all(axis=None)
        assert (found["difference"] == 0).all()
        assert found["statistic"].tolist() == [n_blocks * (n_blocks + 1) / 4] * 3

    def test_blocks_without_a_difference_speak_for_equality(self):
        apart = pd.DataFrame({"a": [0.0] * 20, "b": np.arange(1, 21)})
        diluted = pd.concat([apart, pd.DataFrame({"a": [0.0] * 200, "b": 0.0})])
        assert pairwise(apart)["p_value"][0] < 1e-4 < pairwise(diluted)["p_value"][0]

    @settings(max_examples=30)
    @given(tables(max_blocks=8))
    def test_swapping_techniques_swaps_signs_only(self, table):
        turned = pairwise(table[table.columns[::-1]]).rename(columns={"first": "second", "second": "first"})
        turned["difference"] *= -1
        turned = turned[COLUMNS].sort_values(["first", "second"], ignore_index=True)
        pd.testing.assert_frame_equal(turned, pairwise(table))

    def test_a_pair_does_not_depend_on_the_others(self):
        table = random_table(20, seed=3)
        alone = pairwise(table[["a", "b"]]).loc[0, "p_value"]
        assert pairwise(table.assign(c=table["a"])).loc[0, "p_value"] == alone < 1
        assert math.isclose(alone, stats.wilcoxon(table["a"], table["b"], method="exact").pvalue)

    def test_bad_correction(self):
        with pytest.raises(ValueError, match="correction must be one of .*'holm'.*; it is 'tukey'"):
            pairwise(random_table(5, 0), "tukey")


@settings(max_examples=60)
@given(
    st.lists(st.one_of(st.floats(0, 1), st.just(np.nan)), max_size=12),
    st.sampled_from(["holm", "bonferroni", "fdr_bh"]),
)
def test_adjusted_p_values_are_those_of_statsmodels_and_missing_ones_do_not_count(p_values, correction):
    known = [p for p in p_values if not np.isnan(p)]
    found = adjusted(p_values, correction)
    expected = multipletests(known, method=correction)[1] if known else []
    assert found[~np.isnan(p_values)].tolist() == pytest.approx(list(expected)) if p_values else not len(found)
    assert np.isnan(found).sum() == len(p_values) - len(known)


def test_an_unknown_correction_is_refused():
    with pytest.raises(ValueError, match="correction must be one of"):
        adjusted([0.1], "fdr")
