"""Candidates that are cross-validated side by side, fold by fold, and leave when they need no further fold."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from cvstrat.efold._stopping import CannotWin, StoppingRule
from cvstrat.errors import InputError


def race(
    n_candidates: int,
    n_folds: int,
    rule: StoppingRule,
    evaluate: Callable[[list[int], int], Sequence[float]],
    *,
    highest: float | None = None,
) -> tuple[list[list[float]], np.ndarray]:
    """Score all candidates on the first fold, those that are left on the second, and so on.

    Parameters
    ----------
    n_candidates, n_folds : int
        Number of candidates, and of folds.
    rule : stopping rule
        Says when a candidate has enough folds.
    evaluate : callable
        Given the indices of the candidates that are left and the index of the fold, returns their scores.
    highest : float, default=None
        The best score a fold can have; if given, candidates that can no longer be above the best mean of those that are
        done are dropped, and a score above it is an error.

    Returns
    -------
    scores : list of list of float
        Scores of each candidate, as far as it got.
    dropped : ndarray of bool
        Which candidates were dropped.
    """
    scores: list[list[float]] = [[] for _ in range(n_candidates)]
    dropped = np.zeros(n_candidates, dtype=bool)
    active, best = list(range(n_candidates)), -np.inf
    for fold in range(n_folds):
        for number, score in zip(active, evaluate(active, fold), strict=True):
            scores[number].append(score)
            _check_possible(score, highest)
        done = [number for number in active if rule.should_stop(scores[number])]
        means = [float(np.mean(scores[number])) for number in done]
        best = max([best, *(mean for mean in means if np.isfinite(mean))])
        active = [number for number in active if number not in done]
        if highest is not None and fold + 1 < n_folds:
            hopeless = CannotWin(best, n_folds, highest)
            dropped[active] = [hopeless.should_stop(scores[number]) for number in active]
            active = [number for number in active if not dropped[number]]
        if not active:
            break
    return scores, dropped


def _check_possible(score: float, highest: float | None) -> None:
    if highest is not None and score > highest and not math.isclose(score, highest, rel_tol=1e-9, abs_tol=1e-12):
        raise InputError(
            f"a fold scored {score:.4g}, above the best possible score that dropping candidates assumes, {highest:g}: "
            "set highest_score to the best score that a fold can have, or drop_hopeless=False"
        )
