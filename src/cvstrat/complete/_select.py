"""Complete k-fold cross-validation: count the errors of every candidate, choose by the mean bound, bound the error."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from cvstrat.complete._bounds import clopper_pearson_upper
from cvstrat.complete._draws import Draws
from cvstrat.complete._learners import Learner, Setting


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
    settings, draws : sequence of dict, mapping of int to Draws
        Hyperparameters of each candidate, and the draws of each number of folds.
    delta : float
        Probability, between 0 and 1, with which a bound may be too low.
    n_screening, n_finalists : int, default=None, 3
        If `n_screening` is given, so many draws are for all candidates, the others for the best few of each `k`.
    parallel, verbose : Parallel, bool, default=None, False
        Where the work is done (None means here), and whether to show progress.

    Returns
    -------
    Selection
        Errors of every candidate, and the mean bounds that follow.
    """
    errors = {k: np.full((len(settings), len(some)), -1, dtype=np.int64) for k, some in draws.items()}
    sizes = {k: len(some[0].selection) for k, some in draws.items()}

    def count(title: str, candidates: Mapping[int, Sequence[int]], part: slice) -> None:
        tasks = [
            (k, [chosen[place] for place in group], draws[k][part])
            for k, chosen in candidates.items()
            for group in learner.groups([settings[number] for number in chosen])
        ]
        jobs = (
            ([settings[number] for number in group], [(one.training, one.selection) for one in some])
            for _, group, some in tasks
        )
        if parallel is None:
            found = itertools.starmap(learner.errors, jobs)
        else:
            found = parallel(delayed(learner.errors)(*job) for job in jobs)
        for number, ((k, group, _), counts) in enumerate(zip(tasks, found, strict=True), start=1):
            errors[k][group, part] = counts
            if verbose:
                print(f"{title}: {number} of {len(tasks)}, k={k}")

    count("selection", dict.fromkeys(draws, range(len(settings))), slice(n_screening))
    finalists = {}
    for k, some in draws.items():
        if n_screening is not None and n_screening < len(some):
            means = _bounds(errors[k][:, :n_screening], sizes[k], delta).mean(axis=1)
            finalists[k] = np.sort(np.argsort(means, kind="stable")[:n_finalists]).tolist()
    count("selection, finalists", finalists, slice(n_screening, None))
    columns = []
    for k, counts in errors.items():
        tried = counts >= 0
        bounds = np.where(tried, _bounds(np.maximum(counts, 0), sizes[k], delta), np.nan)
        rates = np.where(tried, counts / sizes[k], np.nan)
        columns.append([np.nanmean(bounds, 1), np.nanstd(bounds, 1), np.nanmean(rates, 1), tried.sum(1)])
    bounds, stds, rates, n_draws = np.moveaxis(np.array(columns), 0, -1)
    return Selection(list(errors), errors, bounds, stds, rates, n_draws.astype(int))


def _bounds(errors: np.ndarray, n: int, delta: float) -> np.ndarray:
    """Return the bound of each count, from a table of the few values there are."""
    table: np.ndarray = clopper_pearson_upper(np.arange(n + 1), n, delta)
    return np.asarray(table[errors])


def mean_bound(errors: Any, n: int, delta: float) -> tuple[float, float]:
    """Return the mean of the bounds of some counts of errors, and its standard error over draws."""
    bounds = _bounds(np.asarray(errors), n, delta)
    return float(bounds.mean()), float(bounds.std(ddof=1) / len(bounds) ** 0.5) if len(bounds) > 1 else float("nan")
