"""What e-fold does to scores that are noise and nothing else: the measure of what its runs on real data show."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from cvstrat.efold import StableDeviation, stable_stops
from cvstrat.errors import InputError


def inside_share(n_used: int, n_folds: int = 10, *, level: float = 0.95, ddof: int = 1) -> float:
    """Return how often the mean of the first few of several scores is in the confidence interval made from all of them.

    Parameters
    ----------
    n_used, n_folds : int
        How many scores are in the mean, 1 to `n_folds`, and how many there are in all.
    level : float, default=0.95
        Confidence level of the interval (Student's), between 0 and 1.
    ddof : int, default=1
        Degrees of freedom lost by the standard deviation of the scores in the interval: 1 for that of a sample, 0 for
        that of a population.

    Returns
    -------
    float
        Exact for independent, normal scores, whatever their mean and variance.

    Notes
    -----
    The difference of the two means is a contrast of the scores, so its square, over the sum of squares of the scores
    around their mean times :math:`1/e - 1/k`, has a beta distribution with parameters 1/2 and (k - 2)/2.

    Examples
    --------
    >>> from compendium.mahlich2024.study import inside_share
    >>> [round(inside_share(n_used), 3) for n_used in (4, 5, 6)]
    [0.942, 0.988, 1.0]
    """
    if not 1 <= n_used <= n_folds:
        raise InputError(f"n_used must lie between 1 and n_folds={n_folds}; it is {n_used}")
    if n_used == n_folds:
        return 1.0
    reach = stats.t.ppf((1 + level) / 2, n_folds - 1) ** 2 / (n_folds * (n_folds - ddof))
    return float(stats.beta(0.5, (n_folds - 2) / 2).cdf(min(reach / (1 / n_used - 1 / n_folds), 1)))


def noise_table(
    *, patience: int = 2, tolerance: float = 0.05, ddof: int = 1, n_folds: int = 10, n_runs: int = 50_000
) -> pd.DataFrame:
    """Return where e-fold stops when scores are noise, and how often the mean is then inside the interval.

    Parameters
    ----------
    patience, tolerance, ddof
        Settings of the stopping rule, as in :class:`cvstrat.StableDeviation`.
    n_folds : int, default=10
        Number of folds of the whole cross-validation, at least ``patience + 2``.
    n_runs : int, default=50000
        Number of runs to simulate.

    Returns
    -------
    DataFrame
        A row per number of folds: ``runs`` (percent of the simulated runs that e-fold stops there), ``efold_inside``
        (percent of these inside the interval), and ``fixed_inside``: the exact percent when every run ends there;
        ``fixed_inside_ddof0`` is the same for an interval with the standard deviation of a population.
    """
    scores = np.random.default_rng(0).standard_normal((n_runs, n_folds))
    stops = stable_stops(scores, StableDeviation(patience, tolerance, ddof))
    means = np.cumsum(scores, axis=1)[np.arange(n_runs), stops - 1] / stops
    half = stats.t.ppf(0.975, n_folds - 1) * scores.std(axis=1, ddof=1) / np.sqrt(n_folds)
    inside = np.abs(means - scores.mean(axis=1)) <= half
    rows = [
        {
            "folds": n_used,
            "runs": 100 * (stops == n_used).mean(),
            "efold_inside": 100 * inside[stops == n_used].mean(),
            "fixed_inside": 100 * inside_share(n_used, n_folds),
            "fixed_inside_ddof0": 100 * inside_share(n_used, n_folds, ddof=0),
        }
        for n_used in range(patience + 2, n_folds + 1)
    ]
    return pd.DataFrame(rows).set_index("folds")
