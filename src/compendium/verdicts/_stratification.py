"""What closed forms say of the claims of the introductory text on stratified k-fold cross-validation."""

from __future__ import annotations

import numpy as np

from compendium.figures import signed
from compendium.stratification import theory
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed
from cvstrat.metrics import (
    accuracy_variance,
    dealt_counts,
    empty_probability,
    largest_n_splits,
)

# The examples of the page that shows these claims, theory_estimates: the values of its parameters.
FOLDS = 10
MAJORITY_ROWS, MAJORITY_SHARE = 200, 0.51
SIZES, RARE_SHARE, RECALLS = (300, 400, 600, 800, 1200, 2000, 4000, 8000, 16000), 0.05, (0.95, 0.6)
N_RARE, ERRORS = 4, (0.1, 0.5)
BRIER_ROWS, BRIER_SHARE = 100, 0.2
SHARES = (1200, 324, 8)  # rows, rows of the class and folds in the text's own example


def findings() -> dict[str, tuple[str, str]]:
    """Return verdict and finding for each claim of the text, by its id."""
    empty = empty_probability(20_000, 200, 10)
    share = theory.share_variance(*SHARES)
    saved = 1 - share["stratified"] / share[["random", "binomial"]]
    three, ten = (dealt_counts([23, 7, 3], k) for k in (3, 10))
    gaps = [
        np.abs(counts / counts.sum(axis=1, keepdims=True) - np.array([23, 7, 3]) / 33).max() for counts in (three, ten)
    ]
    least = largest_n_splits([23, 7, 3])
    return {
        "empty-folds": (
            NOT if empty < 1e-6 else HOLDS,
            f"It is {1e10 * empty:.0f} in ten billion: a fold may hold few rows of the class, hardly ever none.",
        ),
        "share-variance": (
            HOLDS if saved["random"] > 0.99 else NOT,
            f"{100 * saved['random']:.2f} % of the variance of a fold's share, which is exact; with the text's "
            f"binomial variance it would be {100 * saved['binomial']:.2f} %.",
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
        **_majority(),
        **_metrics(),
        **_correlation(),
    }


def _majority() -> dict[str, tuple[str, str]]:
    """Return whether the majority of all rows is that of every training part of stratified folds."""
    ones = round(MAJORITY_SHARE * MAJORITY_ROWS)
    flips = theory.flip_probability(MAJORITY_ROWS, ones, FOLDS)
    leads = {more: theory.strict_lead(MAJORITY_ROWS, more, FOLDS) for more in range(MAJORITY_ROWS // 2 + 1, ones + 50)}
    ties = [more for more, lead in leads.items() if lead == 0]
    reverses = min(leads.values()) < 0
    said = "every training part has the majority of the whole set"
    if reverses:
        said = "a training part may have the other majority"
    elif ties:
        counts = f"{ties[0]} and {MAJORITY_ROWS - ties[0]} rows"
        said = f"a strict majority never reverses, but a training part can lose it to a tie: with {counts} one does"
    return {
        "majority": (
            NOT if reverses else IN_PART if ties else HOLDS,
            f"In random folds it does, in {100 * flips:.1f} % of the training parts for {ones} of {MAJORITY_ROWS} rows "
            f"and {FOLDS} folds. Dealt class by class, {said}.",
        )
    }


def _metrics() -> dict[str, tuple[str, str]]:
    rare = [round(RARE_SHARE * n) for n in SIZES]
    gains = [_gains([n - few, few], RECALLS) for n, few in zip(SIZES, rare, strict=True)]
    ahead, behind = (
        [f"{few / FOLDS:g}" for few, (micro, macro) in zip(rare, gains, strict=True) if (macro > micro) == more]
        for more in (True, False)
    )
    sides = [f"{word} with {listed(side)}" for word, side in (("holds", ahead), ("fails", behind)) if side]
    bias = float(theory.balanced_error_bias(MAJORITY_ROWS // 2, N_RARE, FOLDS, ERRORS)["stratified"])
    formula = (FOLDS - N_RARE) / (2 * FOLDS) * (ERRORS[0] - ERRORS[1])
    return {
        "macro": (
            HOLDS if len(ahead) == len(gains) else IN_PART if ahead else NOT,
            f"For models with recalls of {RECALLS[0]} and {RECALLS[1]} it {listed(sides)} rows of the rare class in a "
            "fold, on average; for equal recalls accuracy has nothing to gain.",
        ),
        "balanced-error": (
            HOLDS if np.isclose(bias, formula) else UNKNOWN,
            f"For {N_RARE} rows in {FOLDS} folds and error rates of {ERRORS[0]} and {ERRORS[1]} it is "
            f"{signed(formula, 3)}.",
        ),
    }


def _gains(counts: list[int], recalls: tuple[float, float]) -> tuple[float, float]:
    """Return how much of the variance stratification takes away from accuracy and balanced accuracy, as shares."""
    found = [function(counts, recalls, FOLDS) for function in (accuracy_variance, theory.balanced_accuracy_variance)]
    micro, macro = (float(1 - one["stratified"] / one["random"]) for one in found)
    return micro, macro


def _correlation() -> dict[str, tuple[str, str]]:
    moments = theory.brier_moments(BRIER_ROWS, BRIER_SHARE, FOLDS)
    random, dealt = moments.loc["random"], moments.loc["stratified"]
    grown = dealt["covariance"] / random["covariance"]
    return {
        "correlation": (
            HOLDS if dealt["correlation"] > random["correlation"] else NOT,
            f"From {random['correlation']:.3f} to {dealt['correlation']:.3f} for the Brier score of {BRIER_ROWS} "
            f"rows in {FOLDS} folds.",
        ),
        "covariance": (
            NOT if abs(grown - 1) > 0.1 else HOLDS,
            f"It becomes {grown:.0f} times as large; the variance of the mean of all folds stays almost the same.",
        ),
    }
