"""Dealing: gaps between class shares, and the variance of a share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compendium.stratification import theory


def test_the_gap_is_the_largest_to_the_share_in_all_rows():
    assert theory.max_share_gaps([[2, 0], [1, 1]]) == pytest.approx(0.25)
    assert theory.max_share_gaps([[[2, 0], [1, 1]], [[1, 1], [1, 1]]]) == pytest.approx([0.25, 0])
    table = theory.share_gap_table([23, 7, 3], [3, 6, 7, 10]).pivot(index="x", columns="curve", values="value")
    assert table.loc[10, "continuing"] > table.loc[3, "continuing"]
    assert table.loc[7, "continuing"] < table.loc[6, "continuing"]  # not in step with k
    assert (table["random (mean)"] > table["continuing"]).all()


def test_variances_of_the_example_of_the_text():
    found = theory.share_variance(1200, 324, 8)
    assert found["binomial"] == pytest.approx(0.001314, abs=5e-7)
    assert found["stratified"] == pytest.approx(4 * 4 / 1200**2)
    assert found["stratified"] / found["binomial"] == pytest.approx(0.0085, abs=5e-5)
    assert found["random"] == pytest.approx(found["binomial"] * 1050 / 1199)


@given(st.integers(2, 9), st.integers(1, 15), st.data())
def test_stratified_variance_is_that_of_the_formula_where_folds_are_equal(n_splits, size, data):
    n = n_splits * size
    n_class = data.draw(st.integers(0, n))
    left = n_class % n_splits
    found = theory.share_variance(n, n_class, n_splits)
    assert found["stratified"] == pytest.approx(left * (n_splits - left) / n**2, abs=1e-15)
    assert found["stratified"] <= found["random"] + 1e-15


def test_simulated_standard_deviations_lie_on_the_curve():
    table = theory.share_table(120, 32, [2, 7, 8], n_cuts=4000)
    wide = table[table["curve"] == "random"].pivot(index="x", columns="kind", values="value")
    assert wide["simulation"].to_numpy() == pytest.approx(wide["formula"].to_numpy(), rel=0.05)
