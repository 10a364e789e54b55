"""Correlated folds: exact moments against enumeration, simulation, and a learner written out by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from compendium.stratification import theory
from compendium.stratification.theory._gaussian import draw_line, random_folds, stratified_folds, wrong_rows


@given(st.integers(2, 8), st.integers(0, 10**6))
def test_the_variance_of_the_mean_is_that_of_the_mean(n_splits, seed):
    scores = np.random.default_rng(seed).normal(size=(50, n_splits))
    covariance = np.cov(scores, rowvar=False)
    variance = covariance.trace() / n_splits
    correlation = (covariance.sum() - covariance.trace()) / (n_splits * (n_splits - 1)) / variance
    direct = scores.mean(axis=1).var(ddof=1)
    assert theory.variance_of_mean(variance, correlation, n_splits) == pytest.approx(direct)
    assert theory.score_moments(scores)["variance_of_mean"] == pytest.approx(direct)


def test_an_impossible_correlation_is_refused():
    with pytest.raises(ValueError, match="cannot all have the correlation -0.5"):
        theory.variance_of_mean(1.0, -0.5, 10)


def test_random_moments_agree_with_every_data_set():
    n, share, k = 6, 0.3, 3
    weights, scores = [], []
    for y in itertools.product([0, 1], repeat=n):
        weights.append(np.prod(np.where(y, share, 1 - share)))
        parts = np.reshape(y, (k, 2))
        scores.append([np.mean((parts[i] - np.delete(parts, i, axis=0).mean()) ** 2) for i in range(k)])
    covariance = np.cov(scores, rowvar=False, aweights=weights, ddof=0)
    found = theory.brier_moments(n, share, k).loc["random"]
    assert found["variance"] == pytest.approx(covariance.trace() / k)
    assert found["covariance"] == pytest.approx(covariance[0, 1])
    assert found["mean"] == pytest.approx(np.average(scores, axis=0, weights=weights)[0])


def test_exact_and_simulated_moments_agree():
    exact = theory.brier_moments(60, 0.2, 6)
    drawn = theory.simulate_moments(60, 0.2, 6, n_sets=8000).loc["Brier score (simulated)"]
    for column in ("mean", "variance", "variance_of_mean"):
        assert drawn[column].to_numpy() == pytest.approx(exact[column].to_numpy(), rel=0.06)
    assert drawn["correlation"].to_numpy() == pytest.approx(exact["correlation"].to_numpy(), abs=0.03)


def test_stratification_raises_the_correlation_by_way_of_the_covariance_too():
    exact = theory.brier_moments(100, 0.2, 10)
    assert exact.loc["stratified", "correlation"] > exact.loc["random", "correlation"] + 0.3
    assert exact.loc["stratified", "covariance"] > 10 * exact.loc["random", "covariance"]
    ratio = exact.loc["stratified", "variance_of_mean"] / exact.loc["random", "variance_of_mean"]
    assert 0.9 < ratio < 1


def test_folds_must_be_exchangeable():
    with pytest.raises(ValueError, match="multiple of n_splits"):
        theory.brier_moments(101, 0.2, 10)


def test_the_learner_is_linear_discriminant_analysis():
    rng = np.random.default_rng(0)
    x, labels = draw_line([40, 12], 1.5, rng, 3)
    y = np.broadcast_to(labels, x.shape)
    for folds in (random_folds(3, 52, 4, rng), stratified_folds(y, 4, rng)):
        wrong = wrong_rows(x, y, folds, 4)
        for number in range(3):
            for fold in range(4):
                test = folds[number] == fold
                model = LinearDiscriminantAnalysis().fit(x[number, ~test, None], labels[~test])
                assert (wrong[number, test] == (model.predict(x[number, test, None]) != labels[test])).all()


def test_a_class_missing_in_training_is_never_predicted():
    x, y = np.array([[0.0, 0.1, 0.2, 5.0]]), np.array([[0, 0, 0, 1]])
    assert wrong_rows(x, y, np.array([[0, 0, 1, 1]]), 2).tolist()[0][2:] == [False, True]
