"""The law of balance, simulated."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from compendium.balance import law


@pytest.mark.parametrize("model", ["mean", "least squares"])
def test_the_simulated_bias_is_that_of_the_formula(model):
    table = law.simulate_law(model, 2, 40, 30)
    assert table["ratio"].is_monotonic_increasing
    assert (table["bias"] - table["formula"]).abs().max() < 4 * table["bias_se"].max()
    assert table["bias"].is_monotonic_increasing  # the same data sets at each degree: their noise cancels


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
