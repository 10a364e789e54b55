"""What closed forms say of the claims of the introductory text on stratified k-fold cross-validation."""

from __future__ import annotations

import numpy as np

from compendium.stratification import theory
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN
from cvstrat.metrics import (
    accuracy_variance,
    balanced_accuracy_variance,
    dealt_counts,
    empty_probability,
    largest_n_splits,
)


def findings() -> dict[str, tuple[str, str]]:
    """Return verdict and finding for each claim of the text, by its id."""
    empty = empty_probability(20_000, 200, 10)
    random = 8 * 0.27 * 0.73 / 1200
    dealt = 4 * (8 - 4) / 1200**2
    three, ten = (dealt_counts([23, 7, 3], k) for k in (3, 10))
    gaps = [
        np.abs(counts / counts.sum(axis=1, keepdims=True) - np.array([23, 7, 3]) / 33).max() for counts in (three, ten)
    ]
    least = largest_n_splits([23, 7, 3])
    return {
        "empty-folds": (
            NOT if empty < 1e-6 else HOLDS,
            f"It is {1e10 * empty:.0f} in ten billion: a fold may hold few rows of the class, but not none.",
        ),
        "share-variance": (
            HOLDS if dealt / random < 0.01 else NOT,
            f"{100 * (1 - dealt / random):.1f} % of the variance of a fold's share.",
        ),
        "majority": (
            HOLDS,
            f"In random folds it does, in a share of {theory.flip_probability(200, 102, 10):.2f} of the folds for 102 "
            "of 200 rows and ten folds; dealt class by class every training part has the same majority.",
        ),
        "four-folds": (
            NOT,
            f"There are {len(three)} folds: {' and '.join(str(tuple(map(int, row))) for row in three)}.",
        ),
        "larger-k": (
            HOLDS if gaps[1] > gaps[0] else NOT,
            f"In the text's example from {gaps[0]:.3f} with 3 folds to {gaps[1]:.3f} with 10.",
        ),
        "smallest-class": (
            HOLDS if (dealt_counts([23, 7, 3], least) > 0).all() else NOT,
            f"With counts of 23, 7 and 3 every one of {least} folds holds every class.",
        ),
        **_metrics(),
        **_correlation(),
    }


def _metrics() -> dict[str, tuple[str, str]]:
    gains = {recalls: _gains(recalls) for recalls in ((0.9, 0.9), (0.95, 0.6))}
    ahead = [macro > micro for micro, macro in gains.values()]
    (alike, (micro, macro)), (unlike, (other_micro, other_macro)) = gains.items()
    errors, n_rare, k = (0.1, 0.4), 4, 10
    bias = theory.balanced_error_bias(40, n_rare, k, errors)["stratified"]
    formula = (k - n_rare) / (2 * k) * (errors[0] - errors[1])
    return {
        "macro": (
            HOLDS if all(ahead) else IN_PART if any(ahead) else NOT,
            f"It depends on the model. With 900 and 100 rows and recalls of {alike[0]} and {alike[1]}, stratification "
            f"takes away {micro:.0f} % of the variance of a fold's accuracy and {macro:.0f} % of that of its balanced "
            f"accuracy; with recalls of {unlike[0]} and {unlike[1]}, {other_micro:.0f} % and {other_macro:.0f} %.",
        ),
        "balanced-error": (
            HOLDS if np.isclose(float(bias), formula) else UNKNOWN,
            f"For 4 rows in 10 folds and error rates of 0.1 and 0.4 it is {formula:+.3f}.",
        ),
    }


def _gains(recalls: tuple[float, float]) -> tuple[float, float]:
    """Return how much of the variance stratification takes away from accuracy and balanced accuracy, in percent."""
    found = [function([900, 100], recalls, 10) for function in (accuracy_variance, balanced_accuracy_variance)]
    micro, macro = (100 * float(1 - one["stratified"] / one["random"]) for one in found)
    return micro, macro


def _correlation() -> dict[str, tuple[str, str]]:
    moments = theory.brier_moments(200, 0.2, 10)
    random, dealt = moments.loc["random"], moments.loc["stratified"]
    grown = dealt["covariance"] / random["covariance"]
    return {
        "correlation": (
            HOLDS if dealt["correlation"] > random["correlation"] else NOT,
            f"From {random['correlation']:.3f} to {dealt['correlation']:.3f} for the Brier score of 200 rows in ten "
            "folds.",
        ),
        "covariance": (
            NOT if abs(grown - 1) > 0.1 else HOLDS,
            f"It becomes {grown:.0f} times as large; the variance of the mean of all folds stays almost the same.",
        ),
    }
