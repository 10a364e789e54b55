"""Complete k-fold cross-validation: count the errors of every candidate, choose by the mean bound, bound the error."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from cvstrat.complete._bounds import clopper_pearson_upper
from cvstrat.complete._draws import Draw, Draws
from cvstrat.complete._learners import Learner, Setting
from cvstrat.progress import Progress


@dataclass(frozen=True, eq=False)
class Selection:
    """What the selection parts say of the candidates.

    Attributes
    ----------
    ks : list of int
        Numbers of folds that were tried.
    errors : dict of int to ndarray of shape (n_candidates, n_draws)
        Errors on the selection parts; -1 where a candidate was not tried.
    bounds, stds, rates : ndarray of shape (n_candidates, n_ks)
        Mean bound over the draws that were tried, its standard deviation over draws, mean error.
    n_draws : ndarray of shape (n_candidates, n_ks)
        Number of draws that each candidate was tried on.
    """

    ks: list[int]
    errors: dict[int, np.ndarray]
    bounds: np.ndarray
    stds: np.ndarray
    rates: np.ndarray
    n_draws: np.ndarray

    def best(self, k: int | None = None) -> tuple[int, int]:
        """Return candidate and number of folds with the least mean bound (the first of equals), of all or of one k."""
        complete = self.n_draws == self.n_draws.max(axis=0)
        bounds = np.where(complete, self.bounds, np.inf)
        if k is not None:
            return int(bounds[:, self.ks.index(k)].argmin()), k
        candidate, column = np.unravel_index(bounds.argmin(), bounds.shape)
        return int(candidate), self.ks[int(column)]


def select(
    learner: Learner,
    settings: Sequence[Setting],
    draws: Mapping[int, Draws],
    delta: float,
    *,
    n_screening: int | None = None,
    n_finalists: int = 3,
    parallel: Parallel | None = None,
    verbose: bool = False,
) -> Selection:
    """Count the errors of every candidate on the selection part of every draw.

    Parameters
    ----------
    learner : Learner
        Fits candidates and counts their errors.
    settings : sequence of dict
        Hyperparameters of each candidate.
    draws : mapping of int to Draws
        The draws of each number of folds.
    delta : float
        Probability, between 0 and 1, with which a bound may be too low.
    n_screening : int, default=None
        If given, all candidates are tried on the first draws only, this many, and on the others the best few.
    n_finalists : int, default=3
        How many go on, for each number of folds.
    parallel : Parallel, default=None
        Where the work is done; None means here.
    verbose : bool, default=False
        Whether to show progress.

    Returns
    -------
    Selection
        Errors of every candidate, and the mean bounds that follow.
    """
    errors = {k: np.full((len(settings), len(some)), -1, dtype=np.int64) for k, some in draws.items()}
    first = {k: len(some) if n_screening is None else min(n_screening, len(some)) for k, some in draws.items()}
    tasks = [(k, group, some[: first[k]], 0) for k, some in draws.items() for group in learner.groups(settings)]
    _count(learner, settings, tasks, errors, parallel, "selection", verbose=verbose)
    tasks = []
    for k, some in draws.items():
        if first[k] < len(some):
            means = _bounds(errors[k][:, : first[k]], _size(some), delta).mean(axis=1)
            chosen = np.sort(np.argsort(means, kind="stable")[:n_finalists])
            groups = learner.groups([settings[number] for number in chosen])
            tasks += [(k, [int(chosen[place]) for place in group], some[first[k] :], first[k]) for group in groups]
    _count(learner, settings, tasks, errors, parallel, "selection, finalists", verbose=verbose)
    return _summarised(errors, draws, delta)


def _count(
    learner: Learner,
    settings: Sequence[Setting],
    tasks: list[tuple[int, list[int], list[Draw], int]],
    errors: dict[int, np.ndarray],
    parallel: Parallel | None,
    title: str,
    *,
    verbose: bool,
) -> None:
    jobs = (
        ([settings[number] for number in group], [(one.training, one.selection) for one in some])
        for _, group, some, _ in tasks
    )
    if parallel is None:
        found = itertools.starmap(learner.errors, jobs)
    else:
        found = parallel(delayed(learner.errors)(*job) for job in jobs)
    costs = [float(len(group) * len(some)) for _, group, some, _ in tasks]
    progress = Progress(title, costs, 0, quiet=not verbose)
    for (k, group, some, start), counts, cost in zip(tasks, found, costs, strict=True):
        errors[k][group, start : start + len(some)] = counts
        progress.finished(f"k={k}", cost)
    progress.close()


def _summarised(errors: dict[int, np.ndarray], draws: Mapping[int, Draws], delta: float) -> Selection:
    columns = []
    for k, counts in errors.items():
        tried = counts >= 0
        size = _size(draws[k])
        bounds = np.where(tried, _bounds(np.maximum(counts, 0), size, delta), np.nan)
        rates = np.where(tried, counts / size, np.nan)
        columns.append([np.nanmean(bounds, 1), np.nanstd(bounds, 1), np.nanmean(rates, 1), tried.sum(1)])
    bounds, stds, rates, n_draws = np.moveaxis(np.array(columns), 0, -1)
    return Selection(list(errors), errors, bounds, stds, rates, n_draws.astype(int))


def _size(draws: Draws) -> int:
    return len(draws[0].selection)


def _bounds(errors: np.ndarray, n: int, delta: float) -> np.ndarray:
    """Return the bound of each count, from a table of the few values there are."""
    table: np.ndarray = clopper_pearson_upper(np.arange(n + 1), n, delta)
    return np.asarray(table[errors])


def mean_bound(errors: Any, n: int, delta: float) -> tuple[float, float]:
    """Return the mean of the bounds of some counts of errors, and its standard error over draws."""
    bounds = _bounds(np.asarray(errors), n, delta)
    return float(bounds.mean()), float(bounds.std(ddof=1) / len(bounds) ** 0.5) if len(bounds) > 1 else float("nan")
