"""When to stop a cross-validation, or many side by side: rules that look at the scores so far, and at nothing else.

A rule has one method, ``should_stop(scores)``, and keeps no state, so that one rule serves any number of
cross-validations, and a loop of one's own: ``if rule.should_stop(scores): break``.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import stats

from cvstrat.checks import check_count
from cvstrat.errors import InputError

_ROUNDING = 16 * float(np.finfo(float).eps)  # of the largest score: the most that rounding makes of no deviation


class StoppingRule(Protocol):
    """Whether a cross-validation may end after the folds whose scores are given, in their order."""

    def should_stop(self, scores: Sequence[float]) -> bool:
        """Return True if no further fold is needed."""


@dataclass(frozen=True)
class StableDeviation:
    """The rule of e-fold cross-validation: stop when the standard deviation of the scores has become stable.

    A fold, from the third on, counts as stable if the deviation of all scores so far fell, or rose by no more than
    `tolerance` of itself; `patience` stable folds in a row end the cross-validation, after ``patience + 2`` folds at
    the earliest. Equal scores are stable, whatever rounding makes of them; after a score that is not a number no fold
    is. The scale of the scores does not matter.

    Parameters
    ----------
    patience : int, default=2
        Number of stable folds in a row that end it, at least 1.
    tolerance : float, default=0.05
        Share of itself by which the standard deviation may rise in a stable fold, at least 0.
    ddof : int, default=1
        1 for the standard deviation of a sample, as in the paper; 0 for that of a population.

    Examples
    --------
    >>> from cvstrat import StableDeviation
    >>> rule = StableDeviation()
    >>> [rule.should_stop([0.8, 0.9, 0.85, 0.86][:n]) for n in (1, 2, 3, 4)]
    [False, False, False, True]
    """

    patience: int = 2
    tolerance: float = 0.05
    ddof: int = 1

    def __post_init__(self) -> None:
        check_count("patience", self.patience, 1)
        if not self.tolerance >= 0:
            raise InputError(f"tolerance must be at least 0; it is {self.tolerance}")
        if self.ddof not in (0, 1):
            raise InputError(f"ddof must be 0 (population) or 1 (sample); it is {self.ddof!r}")

    def should_stop(self, scores: Sequence[float]) -> bool:
        """Return True if the deviation was stable in the last `patience` folds."""
        if len(scores) < self.patience + 2:
            return False
        return bool(self._stable_folds(scores)[-self.patience :].all())

    def _stable_folds(self, scores: Sequence[float] | np.ndarray) -> np.ndarray:
        """Return whether each fold from the third on is stable, in one run or in each of many."""
        stds = running_stds(scores, self.ddof)
        before, now = stds[..., 1:-1], stds[..., 2:]
        return np.asarray((now < before) | (np.abs(now - before) <= self.tolerance * before))


def check_n_folds(n_folds: int, rule: StoppingRule) -> None:
    """Raise if there is no fold at all; warn if so few folds never let the rule of e-fold stop."""
    if n_folds < 1:
        raise InputError("cv has no folds: give a number, a splitter, or pairs of training and test rows")
    if isinstance(rule, StableDeviation) and n_folds < rule.patience + 2:
        warnings.warn(
            f"with {n_folds} folds and patience={rule.patience} this can never stop early: "
            f"that takes {rule.patience + 2} folds at least",
            UserWarning,
            stacklevel=3,
        )


@dataclass(frozen=True)
class FixedFolds:
    """Stop after `n_folds` folds: the control that a rule which looks at scores has to beat."""

    n_folds: int

    def __post_init__(self) -> None:
        check_count("n_folds", self.n_folds, 1)

    def should_stop(self, scores: Sequence[float]) -> bool:
        """Return True after `n_folds` folds."""
        return len(scores) >= self.n_folds


@dataclass(frozen=True)
class NarrowInterval:
    """Stop when the confidence interval of the mean score (Student's, over folds) is narrow enough.

    It is narrower than it should be, since it takes folds for independent, but their training parts overlap.

    Parameters
    ----------
    half_width : float
        How far the ends of the interval may be from the mean.
    level : float, default=0.95
        Confidence level, between 0 and 1.
    min_folds : int, default=3
        Number of folds below which it never stops, at least 2.
    """

    half_width: float
    level: float = 0.95
    min_folds: int = 3

    def __post_init__(self) -> None:
        if not self.half_width > 0:
            raise InputError(f"half_width must be above 0; it is {self.half_width}")
        if not 0 < self.level < 1:
            raise InputError(f"level must lie between 0 and 1; it is {self.level}")
        check_count("min_folds", self.min_folds, 2)

    def should_stop(self, scores: Sequence[float]) -> bool:
        """Return True if the interval is no wider than asked."""
        n = len(scores)
        if n < self.min_folds:
            return False
        half = stats.t.ppf((1 + self.level) / 2, n - 1) * np.std(scores, ddof=1) / math.sqrt(n)
        return bool(half <= self.half_width)


@dataclass(frozen=True)
class CannotWin:
    """Stop when the mean of all folds can no longer be above the best one known, whatever the folds to come give.

    Parameters
    ----------
    best, n_folds : float, int
        The mean score to beat, and the number of folds of the whole cross-validation.
    highest : float, default=1.0
        The highest score that a fold can have; 0 for negated errors.
    """

    best: float
    n_folds: int
    highest: float = 1.0

    def __post_init__(self) -> None:
        check_count("n_folds", self.n_folds, 1)

    def should_stop(self, scores: Sequence[float]) -> bool:
        """Return True if even perfect folds to come would not help."""
        return bool(sum(scores) + (self.n_folds - len(scores)) * self.highest <= self.best * self.n_folds)


@dataclass(frozen=True)
class AnyOf:
    """Stop as soon as one of several `rules` says so."""

    rules: tuple[StoppingRule, ...]

    def should_stop(self, scores: Sequence[float]) -> bool:
        """Return True if any rule does."""
        return any(rule.should_stop(scores) for rule in self.rules)


def running_means(scores: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the mean of the first one, two, three, ... scores."""
    values = np.asarray(scores, dtype=float)
    return np.asarray(np.cumsum(values) / np.arange(1, len(values) + 1))


def running_stds(scores: Sequence[float] | np.ndarray, ddof: int = 1) -> np.ndarray:
    """Return the standard deviation of the first one (NaN), two, three, ... scores, of one run or of each of many."""
    values = np.asarray(scores, dtype=float)
    found = np.full(values.shape, math.nan)
    for n in range(2, values.shape[-1] + 1):
        first = values[..., :n]
        stds = first.std(axis=-1, ddof=ddof)
        found[..., n - 1] = np.where(stds <= _ROUNDING * np.abs(first).max(axis=-1), 0.0, stds)  # equal scores have 0
    return found


def stable_stops(scores: np.ndarray, rule: StableDeviation) -> np.ndarray:
    """Return the number of folds after which the rule of e-fold ends each of many cross-validations.

    Parameters
    ----------
    scores : ndarray of shape (n_runs, n_folds)
        All scores of each run, in the order of the folds.
    rule : StableDeviation
        The rule; a run that it never ends has `n_folds`.
    """
    values = np.asarray(scores, dtype=float)
    n_runs, n_folds = values.shape
    stops = np.full(n_runs, n_folds)
    count = np.zeros(n_runs, dtype=int)
    for n, stable in enumerate(rule._stable_folds(values).T, start=3):
        count = np.where(stable, count + 1, 0)
        stops = np.where((count >= rule.patience) & (stops == n_folds), n, stops)
    return stops


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
    scores, dropped : list of list of float, ndarray of bool
        Scores of each candidate, as far as it got, and which candidates were dropped.
    """
    scores: list[list[float]] = [[] for _ in range(n_candidates)]
    dropped = np.zeros(n_candidates, dtype=bool)
    active, best = list(range(n_candidates)), -np.inf
    limit = math.inf if highest is None else highest
    for fold in range(n_folds):
        for number, score in zip(active, evaluate(active, fold), strict=True):
            if score > limit and not math.isclose(score, limit, rel_tol=1e-9, abs_tol=1e-12):
                raise InputError(
                    f"a fold scored {score:.4g}, above the best possible score that dropping candidates assumes, "
                    f"{limit:g}: set highest_score to the best score that a fold can have, or drop_hopeless=False"
                )
            scores[number].append(score)
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
