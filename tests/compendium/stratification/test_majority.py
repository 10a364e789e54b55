"""The majority rule: exact values against every cut, and against cutting and fitting."""

import itertools
import math

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from compendium.stratification import theory
from cvstrat import metrics


@pytest.mark.parametrize("n", [2, 5, 8, 9])
def test_the_formulas_agree_with_every_possible_cut(every_cut, n):
    for n_splits, n_ones in itertools.product(range(2, n + 1), range(n + 1)):
        sizes = metrics.fold_sizes(n, n_splits)
        errors, flips = [], []
        for ones in every_cut(n, n_ones, n_splits).tolist():
            lost = [2 * (n_ones - one) < n - size for one, size in zip(ones, sizes, strict=True)]
            flips.append(lost)
            wrong = [one if flip else size - one for one, size, flip in zip(ones, sizes, lost, strict=True)]
            errors.append(np.mean(np.divide(wrong, sizes)))
        assert theory.flip_probability(n, n_ones, n_splits) == pytest.approx(np.mean(flips))
        exact = theory.majority_estimate(n, n_ones, n_splits).loc["random"]
        assert exact.to_list() == pytest.approx([np.mean(errors), np.std(errors)], abs=1e-7), (n_splits, n_ones)


@pytest.mark.parametrize(("n", "n_ones", "n_splits"), [(100, 51, 2), (101, 99, 3)])
def test_folds_that_cannot_hold_all_of_class_0_vary_too(n, n_ones, n_splits):
    ones = theory.random_counts([n_ones, n - n_ones], n_splits, 20_000, np.random.default_rng(0))[..., 0]
    estimates = theory.majority_errors(ones, metrics.fold_sizes(n, n_splits), n, n_ones)[0].mean(axis=1)
    exact = theory.majority_estimate(n, n_ones, n_splits).loc["random"]
    assert exact["mean"] == pytest.approx(estimates.mean(), abs=0.001)
    assert exact["std"] == pytest.approx(estimates.std(), rel=0.05, abs=1e-7)


def test_it_is_what_cross_validation_of_a_majority_classifier_gives():
    X, y = np.zeros((100, 1)), np.repeat([0, 1], [48, 52])
    model = DummyClassifier(strategy="most_frequent")
    random = [
        1 - cross_val_score(model, X, y, cv=KFold(10, shuffle=True, random_state=seed)).mean() for seed in range(100)
    ]
    stratified = [
        1 - cross_val_score(model, X, y, cv=StratifiedKFold(10, shuffle=True, random_state=seed)).mean()
        for seed in range(3)
    ]
    exact = theory.majority_estimate(100, 52, 10)
    # scikit-learn gives ties to class 0, so a tie is a flip there: the same as one row of class 1 less in training
    assert stratified == pytest.approx([0.48] * 3)
    assert exact.loc["stratified"].to_list() == pytest.approx([0.48, 0.0])
    assert np.mean(random) >= exact.loc["random", "mean"] - 0.01
    assert exact.loc["random", "mean"] > 0.48 + 0.02


def test_over_new_data_sets_stratification_does_not_bring_the_standard_deviation_to_zero():
    found = theory.majority_over_data(60, 0.51, 6)
    rng = np.random.default_rng(0)
    drawn = []
    for n_ones in rng.binomial(60, 0.51, size=1500):
        ones = theory.random_counts([n_ones, 60 - n_ones], 6, 1, rng)[0, :, 0]
        drawn.append(theory.majority_errors(ones, np.full(6, 10), 60, n_ones)[0].mean())
    assert found.loc["random", "mean"] == pytest.approx(np.mean(drawn), abs=0.006)
    assert found.loc["random", "std"] == pytest.approx(np.std(drawn), rel=0.06)
    assert found.loc["stratified", "cuts_std"] == 0
    assert 0.02 < found.loc["stratified", "std"] < found.loc["random", "std"]
    assert found["std"].to_numpy() ** 2 == pytest.approx((found[["cuts_std", "data_std"]] ** 2).sum(axis=1).to_numpy())


@pytest.mark.parametrize(("n", "share"), [(7, 0.4), (8, 0.55), (20, 0.51)])
def test_over_new_data_sets_random_folds_are_right_and_stratified_ones_too_low(n, share):
    """The truth is summed up over all data sets, one by one."""
    truth = 0.0
    for n_ones in range(n + 1):
        wrong = 1 - share if 2 * n_ones >= n else share
        truth += math.comb(n, n_ones) * share**n_ones * (1 - share) ** (n - n_ones) * wrong
    assert theory.majority_truth(n, share) == pytest.approx(truth)
    if n == 20:
        found = theory.majority_over_data(n, share, 10)["mean"]
        assert found["random"] == pytest.approx(theory.majority_truth(18, share), abs=1e-6)  # fitted to 18 rows
        assert found["stratified"] < truth - 0.02


def test_simulated_values_lie_on_the_curves():
    table = theory.majority_table(200, [0.505, 0.51, 0.53], 10, n_cuts=4000)
    wide = table[table["curve"] == "random"].pivot(index=["panel", "x"], columns="kind", values="value")
    assert (wide["formula"] - wide["simulation"]).abs().max() < 0.01
    flips = wide.loc["probability of a flip", "formula"]
    assert flips.is_monotonic_decreasing


@pytest.mark.parametrize("n_splits", [2, 3, 10])
def test_a_strict_majority_never_reverses_in_stratified_folds(n_splits):
    for n in range(2 * n_splits, 50):
        for n_ones in range(n + 1):
            lead = abs(2 * n_ones - n)
            if lead:
                found = theory.strict_lead(n, n_ones, n_splits)
                assert found >= 0
                assert found > 0 or lead <= 2
                assert found == theory.strict_lead(n, n - n_ones, n_splits)


@pytest.mark.parametrize(("n", "n_ones"), [(200, 101), (200, 102), (41, 21), (40, 21), (200, 99)])
def test_the_least_lead_is_that_of_scikit_learns_training_parts(n, n_ones):
    y = np.repeat([1, 0], [n_ones, n - n_ones])
    sign = 1 if 2 * n_ones > n else -1
    leads = [
        int(sign * (2 * y[train].sum() - len(train)))
        for train, _ in StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)
    ]
    assert theory.strict_lead(n, n_ones, 10) == min(leads)


def test_equal_classes_have_no_majority():
    with pytest.raises(ValueError, match="neither class has a majority"):
        theory.strict_lead(10, 5, 2)
