"""Variance of fold scores: formula against simulation, simulation against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score

from cvstrat import metrics

COUNTS, RECALLS = [180, 45, 25], [0.95, 0.7, 0.5]


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("n_splits", [4, 5])
def test_the_formula_agrees_with_simulation(stratified, n_splits):
    drawn = metrics.simulate_scores(COUNTS, RECALLS, n_splits, stratified=stratified, n_folds=40000)
    name = "stratified" if stratified else "random"
    accuracy = metrics.accuracy_variance(COUNTS, RECALLS, n_splits)[name]
    assert drawn["accuracy"].var() == pytest.approx(accuracy, rel=0.04)
    assert drawn["accuracy"].mean() == pytest.approx(np.dot(COUNTS, RECALLS) / 250, abs=0.003)


def test_simulated_scores_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    scores, slow = metrics.simulate_scores(COUNTS, RECALLS, 5, stratified=True, n_folds=4000, random_state=1), []
    for _ in range(400):
        y = np.repeat([0, 1, 2], metrics.dealt_counts(COUNTS, 5)[rng.integers(5)])
        guess = y.copy()
        for row in np.flatnonzero(rng.random(len(y)) >= np.take(RECALLS, y)):
            others = np.where(np.arange(3) == y[row], 0, COUNTS)
            guess[row] = rng.choice(3, p=others / others.sum())
        slow.append((balanced_accuracy_score(y, guess), f1_score(y, guess, average="macro", zero_division=0)))
    fast = scores[["balanced_accuracy", "macro_f1"]]
    assert fast.mean().to_numpy() == pytest.approx(np.mean(slow, axis=0), abs=0.012)
    assert fast.std().to_numpy() == pytest.approx(np.std(slow, axis=0), rel=0.1)


def test_equal_recalls_leave_accuracy_nothing_to_gain():
    found = metrics.accuracy_variance([900, 100], [0.8, 0.8], 10)
    assert found["random"] == pytest.approx(found["stratified"])
