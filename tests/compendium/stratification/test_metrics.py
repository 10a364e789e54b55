"""Variance of fold scores, the bias of missing classes, merging: formulas against simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compendium.stratification import theory
from cvstrat.metrics import simulate_scores


@pytest.mark.parametrize("kind", ["random", "stratified"])
@pytest.mark.parametrize("n_splits", [4, 5])
def test_the_variance_of_balanced_accuracy_agrees_with_simulation(kind, n_splits):
    counts, recalls = [180, 45, 25], [0.95, 0.7, 0.5]
    drawn = simulate_scores(counts, recalls, n_splits, stratified=kind == "stratified", n_folds=40000)
    balanced = theory.balanced_accuracy_variance(counts, recalls, n_splits)[kind]
    assert drawn.loc[drawn["missing"] == 0, "balanced_accuracy"].var() == pytest.approx(balanced, rel=0.04)


@given(st.integers(20, 400), st.integers(2, 10), st.floats(0.05, 0.95))
def test_stratification_never_hurts_recall_where_folds_hold_two_or_more(n_class, n_splits, recall):
    found = theory.recall_variance(1000, n_class, n_splits, recall)
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
    assert same.loc["merged", ["same_training_parts", "same_estimate"]].to_list() == [1, 1]
    assert other.loc["merged", "same_training_parts"] == 0
    assert other.loc["merged", "same_estimate"] < 0.6
    assert other.loc["merged", "min_training_rows"] < other.loc["merged", "max_training_rows"]
    for table in (same, other):
        assert table.loc["merged for scoring", "fits"] == 10
        assert table.loc["merged for scoring", "same_training_parts"] == 0
