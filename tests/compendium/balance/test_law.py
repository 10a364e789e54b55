"""The law of balance, simulated."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from compendium.balance import law


@pytest.mark.parametrize(("model", "n_rows"), [("mean", 40), ("least squares", 160)])
def test_the_simulated_bias_is_that_of_the_formula(model, n_rows):
    table = law.simulate_law(model, 2, n_rows, 100)
    assert table["ratio"].is_monotonic_increasing
    assert ((table["bias"] - table["formula"]).abs() < 3 * table["bias_se"]).all()
    assert table["bias_se"].iloc[0] < 0.006  # what all estimates of a data set share is taken out; else 0.01 to 0.02
    assert table["bias"].is_monotonic_increasing  # the same data sets at each degree: their noise cancels


def test_with_few_rows_for_each_column_least_squares_is_above_the_formula():
    """At random folds the expectation is known: columns are normal, so inverse Wishart matrices have it."""
    table = law.simulate_law("least squares", 2, 40, 400)
    exact = law.N_COLUMNS / (20 - law.N_COLUMNS - 1) - law.N_COLUMNS / (40 - law.N_COLUMNS - 1)
    at_random = table.iloc[-1]
    assert abs(at_random["bias"] - exact) < 3 * at_random["bias_se"]
    assert at_random["bias"] - at_random["formula"] > 2 * at_random["bias_se"]


def test_where_the_formula_agrees_with_the_simulation_is_told_in_words():
    lines = {"bias": [0.10, 0.30], "formula": [0.11, 0.29], "bias_se": [0.01, 0.01], "n_rows": 40}
    both = [lines | {"model": "mean"}, lines | {"model": "least squares", "formula": 0.05}]
    assert law.agreement_text(pd.concat(map(pd.DataFrame, both))) == (
        "For a mean with 40 rows the formula is within two standard errors of the simulation. "
        "For least squares with 40 rows the simulation is +0.05 to +0.25 off the formula."
    )


def test_accuracy_falls_as_folds_differ_more():
    table = law.simulate_law("LDA", 2, 40, 30)
    assert table["bias"].iloc[0] > table["bias"].iloc[-1] + 2 * table["bias_se"].iloc[-1]
    assert table["formula"].isna().all()


def test_the_true_accuracy_of_a_discriminant_is_that_of_many_fresh_rows():
    rng = np.random.default_rng(0)
    data = law._lda(50, rng)
    X, y = data.statistics, data.y
    low, high = X[y == 0], X[y == 1]
    within = np.cov(np.vstack([low - low.mean(0), high - high.mean(0)]).T)
    slope = np.linalg.solve(within, high.mean(0) - low.mean(0))
    cut = slope @ (high.mean(0) + low.mean(0)) / 2
    labels = rng.integers(2, size=200_000)
    fresh = rng.standard_normal((200_000, law.N_COLUMNS)) + 0.5 * (2 * labels[:, None] - 1)
    right = np.mean((fresh @ slope > cut) == labels)
    assert abs(data.truth - right) < norm.ppf(0.9999) * 0.5 / np.sqrt(200_000)


@pytest.mark.parametrize(
    ("bias", "expected"),
    [
        ([0.01, -0.01, -0.03], "is within two standard errors of zero from a ratio of 0.00 to 0.50."),
        ([0.03, 0.02, 0.01], "is within two standard errors of zero at a ratio of 1.00."),
        ([0.03, 0.02, 0.03], "is nowhere zero."),
    ],
)
def test_where_the_bias_cannot_be_told_from_zero_is_told_in_words(bias, expected):
    rows = {"asked": [0.0, 2 / 3, 1.0], "ratio": [0.0, 0.5, 1.0], "bias": bias, "bias_se": [0.008] * 3, "n_splits": 2}
    assert expected in law.crossing_text(pd.DataFrame(rows))
