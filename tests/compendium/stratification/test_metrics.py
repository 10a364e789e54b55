"""Variance of fold scores, the bias of missing classes, merging: against simulation and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score

from compendium.stratification import theory
from cvstrat import metrics

COUNTS, RECALLS = [180, 45, 25], [0.95, 0.7, 0.5]


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("n_splits", [4, 5])
def test_formulas_agree_with_simulation(stratified, n_splits):
    drawn = metrics.simulate_scores(COUNTS, RECALLS, n_splits, stratified=stratified, n_folds=40000)
    name = "stratified" if stratified else "random"
    accuracy = metrics.accuracy_variance(COUNTS, RECALLS, n_splits)[name]
    balanced = metrics.balanced_accuracy_variance(COUNTS, RECALLS, n_splits)[name]
    assert drawn["accuracy"].var() == pytest.approx(accuracy, rel=0.04)
    assert drawn.loc[drawn["missing"] == 0, "balanced accuracy"].var() == pytest.approx(balanced, rel=0.04)
    assert drawn["accuracy"].mean() == pytest.approx(np.dot(COUNTS, RECALLS) / 250, abs=0.003)


def test_simulated_scores_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    scores, slow = metrics.simulate_scores(COUNTS, RECALLS, 5, stratified=True, n_folds=4000, random_state=1), []
    for _ in range(800):
        y = np.repeat([0, 1, 2], metrics.dealt_counts(COUNTS, 5)[rng.integers(5)])
        guess = y.copy()
        for row in np.flatnonzero(rng.random(len(y)) >= np.take(RECALLS, y)):
            others = np.where(np.arange(3) == y[row], 0, COUNTS)
            guess[row] = rng.choice(3, p=others / others.sum())
        slow.append((balanced_accuracy_score(y, guess), f1_score(y, guess, average="macro", zero_division=0)))
    fast = scores[["balanced accuracy", "macro F1"]]
    assert fast.mean().to_numpy() == pytest.approx(np.mean(slow, axis=0), abs=0.012)
    assert fast.std().to_numpy() == pytest.approx(np.std(slow, axis=0), rel=0.1)


def test_equal_recalls_leave_accuracy_nothing_to_gain():
    found = metrics.accuracy_variance([900, 100], [0.8, 0.8], 10)
    assert found["random"] == pytest.approx(found["stratified"])


@given(st.integers(20, 400), st.integers(2, 10), st.floats(0.05, 0.95))
def test_stratification_never_hurts_recall_where_folds_hold_two_or_more(n_class, n_splits, recall):
    found = metrics.recall_variance(1000, n_class, n_splits, recall)
    if n_class >= 4 * n_splits:
        assert found["stratified"] <= found["random"] * (1 + 1e-12)


def test_macro_gains_more_than_micro_only_while_a_fold_holds_few_rows_of_the_rare_class():
    table = theory.metric_table([1000, 10000], 0.05, (0.95, 0.6), 10, n_folds=20000)
    wide = table.pivot(index="x", columns=["curve", "kind"], values="value")
    formula = wide.xs("formula", axis=1, level="kind")
    assert formula.loc[5, "balanced accuracy"] < formula.loc[5, "accuracy"]
    assert formula.loc[50, "balanced accuracy"] > formula.loc[50, "accuracy"]
    assert (wide.xs("simulation", axis=1, level="kind") - formula).abs().max().max() < 0.06


@given(st.integers(2, 20), st.integers(1, 20), st.floats(0, 1), st.floats(0, 1))
def test_the_bias_is_that_of_the_text(n_splits, n_rare, common, rare):
    found = theory.balanced_error_bias(200, n_rare, n_splits, (common, rare))["stratified"]
    assert found == pytest.approx(max(n_splits - n_rare, 0) / (2 * n_splits) * (common - rare), abs=1e-15)


@pytest.mark.parametrize("missing", ["skip", "wrong"])
def test_simulated_biases_lie_on_the_curves(missing):
    table = theory.bias_by_folds(100, 4, [2, 4, 10], (0.1, 0.5), missing=missing, n_cuts=6000)
    wide = table.pivot(index=["curve", "x"], columns="kind", values="value")
    assert (wide["formula"] - wide["simulation"]).abs().max() < 0.012
    sign = -1 if missing == "skip" else 1
    assert sign * wide.loc[("stratified", 10), "formula"] > 0
    assert wide.loc[("stratified", 4), "formula"] == 0


def test_an_unknown_way_with_missing_classes_is_refused():
    with pytest.raises(ValueError, match="'skip' or 'wrong'"):
        theory.balanced_error_bias(100, 4, 10, (0.1, 0.5), missing="zero")


@given(st.integers(2, 6), st.integers(2, 5), st.integers(30, 80))
def test_merging_in_step_is_dealing_to_fewer_folds_if_the_number_divides(n_blocks, times, n):
    order = np.random.default_rng(n).permutation(n)
    folds, fewer = np.empty(n, dtype=int), np.empty(n, dtype=int)
    folds[order], fewer[order] = np.arange(n) % (n_blocks * times), np.arange(n) % n_blocks
    assert (theory.merged(folds, n_blocks) == fewer).all()


def test_merging_is_the_same_only_if_the_number_of_blocks_divides():
    same = theory.merging_table(60, 5, 10, n_sets=200)
    other = theory.merging_table(60, 4, 10, n_sets=200)
    assert same.loc["merged", ["same training parts", "same estimate"]].to_list() == [1, 1]
    assert other.loc["merged", "same training parts"] == 0
    assert other.loc["merged", "same estimate"] < 0.6
    assert other.loc["merged", "smallest training part"] < other.loc["merged", "largest training part"]
    for table in (same, other):
        assert table.loc["merged for scoring", "fits"] == 10
        assert table.loc["merged for scoring", "same training parts"] == 0
