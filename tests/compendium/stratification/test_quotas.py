"""Dealing: quotas, deviations of shares and their variance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from compendium.stratification import theory
from cvstrat import StratifiedClusterKFold, metrics

COUNTS = st.lists(st.integers(0, 60), min_size=1, max_size=5).filter(lambda counts: sum(counts) > 0)


@given(COUNTS, st.integers(2, 12))
def test_dealt_counts_are_those_of_dealing_row_by_row(counts, n_splits):
    classes = np.repeat(np.arange(len(counts)), counts)
    literal = np.zeros((n_splits, len(counts)), dtype=int)
    for row, label in enumerate(classes):
        literal[row % n_splits, label] += 1
    dealt = metrics.dealt_counts(counts, n_splits)
    assert (dealt == literal).all()
    assert np.ptp(dealt.sum(axis=1)) <= 1
    assert (np.ptp(dealt, axis=0) <= 1).all()


@given(COUNTS, st.integers(2, 12))
def test_starting_each_class_anew_keeps_counts_even_but_not_sizes(counts, n_splits):
    restarted = metrics.dealt_counts(counts, n_splits, restart=True)
    assert (restarted.sum(axis=0) == counts).all()
    assert (np.ptp(restarted, axis=0) <= 1).all()
    assert np.ptp(restarted.sum(axis=1)) <= len(counts)


def test_the_splitters_of_both_packages_deal_these_counts():
    y = np.repeat([0, 1, 2], [23, 7, 3])
    X = np.random.default_rng(0).normal(size=(33, 2))
    wanted = sorted(map(tuple, metrics.dealt_counts([23, 7, 3], 3)))
    for cv in (StratifiedKFold(3), StratifiedClusterKFold(3, n_clusters=2)):
        found = [tuple(np.bincount(y[test], minlength=3)) for _, test in cv.split(X, y)]
        assert sorted(len(y[test]) for _, test in cv.split(X, y)) == [11, 11, 11]
        assert np.ptp(found, axis=0).max() <= 1
    assert sorted(tuple(np.bincount(y[test], minlength=3)) for _, test in StratifiedKFold(3).split(X, y)) == wanted


def test_the_example_of_the_text_has_three_folds_and_needs_dealing_on():
    assert metrics.dealt_counts([23, 7, 3], 3).tolist() == [[8, 2, 1], [8, 2, 1], [7, 3, 1]]
    assert metrics.dealt_counts([23, 7, 3], 3, restart=True).tolist() == [[8, 3, 1], [8, 2, 1], [7, 2, 1]]
    assert sorted(set(metrics.dealt_counts([23, 7, 3], 10).sum(axis=1))) == [3, 4]
    assert sorted(set(metrics.dealt_counts([23, 7, 3], 10, restart=True).sum(axis=1))) == [2, 3, 5]


def test_deviation_is_the_largest_gap_to_the_whole():
    assert theory.share_deviations([[2, 0], [1, 1]]) == pytest.approx(0.25)
    assert theory.share_deviations([[[2, 0], [1, 1]], [[1, 1], [1, 1]]]) == pytest.approx([0.25, 0])
    table = theory.deviation_table([23, 7, 3], [3, 6, 7, 10]).pivot(index="x", columns="curve", values="value")
    assert table.loc[10, "dealt on and on"] > table.loc[3, "dealt on and on"]
    assert table.loc[7, "dealt on and on"] < table.loc[6, "dealt on and on"]  # not in step with k
    assert (table["random (mean)"] > table["dealt on and on"]).all()


@given(st.lists(st.integers(1, 40), min_size=2, max_size=4))
def test_up_to_the_rarest_class_every_fold_has_every_class(counts):
    largest = metrics.largest_n_splits(counts)
    if largest >= 2:
        assert (metrics.dealt_counts(counts, largest) > 0).all()
    assert (metrics.dealt_counts(counts, largest + 1) == 0).any()


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


def test_simulated_deviations_lie_on_the_curve():
    table = theory.share_table(120, 32, [2, 7, 8], n_cuts=4000)
    wide = table[table["curve"] == "random"].pivot(index="x", columns="kind", values="value")
    assert wide["simulation"].to_numpy() == pytest.approx(wide["formula"].to_numpy(), rel=0.05)
