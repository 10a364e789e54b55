"""Does the bound hold? How often the true error is above it, where the true error is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from cvstrat.complete import clopper_pearson_upper

_CELL = ["problem", "replicate", "k"]
MEAN, SINGLE = "mean of all draws", "a single draw"


def true_and_bound(replicates: pd.DataFrame, delta: float = 0.05) -> pd.DataFrame:
    """Return true error and bound of every data set and k, for the whole procedure and for its first draw alone.

    Parameters
    ----------
    replicates : DataFrame
        ``replicates`` of the study of the guarantee.
    delta : float, default=0.05
        Probability with which a bound may be too low, between 0 and 1.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``replicate``, ``k`` (a number as text, or ``tuned``), ``draws`` (which bound), ``bound``,
        ``true_error`` and ``exceeded``.
    """
    counts = replicates["errors"].to_numpy(), replicates["tested"].to_numpy()
    rows = replicates.assign(bound=clopper_pearson_upper(*counts, delta))
    mean = rows.groupby(_CELL, sort=False)[["bound", "true_error", "selection_bound"]].mean()
    single = rows[rows["draw"] == 0].set_index(_CELL)[["bound", "true_error", "selection_bound"]]
    both = pd.concat({MEAN: mean, SINGLE: single}, names=["draws"]).reset_index()
    tuned = both.groupby(["draws", "problem", "replicate"])["selection_bound"].idxmin()
    both = pd.concat([both.astype({"k": str}), both.loc[tuned].assign(k="tuned")], ignore_index=True)
    both = both.drop(columns="selection_bound")
    both = both.sort_values("draws", key=lambda names: names == SINGLE, kind="stable", ignore_index=True)
    return both.assign(exceeded=both["true_error"] > both["bound"])


def exceedance(replicates: pd.DataFrame, deltas: Sequence[float] = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)) -> pd.DataFrame:
    """Return how often the true error is above the bound, for each delta, with exact 95 % intervals.

    Parameters
    ----------
    replicates : DataFrame
        As in :func:`true_and_bound`.
    deltas : sequence of float
        Probabilities with which a bound may be too low, each between 0 and 1.

    Returns
    -------
    DataFrame
        Columns ``delta``, ``draws``, ``problem``, ``k``, ``share``, ``low``, ``high`` and ``looseness`` (mean of bound
        minus true error), all but the first four in percent or points.
    """
    frames = []
    for delta in deltas:
        table = true_and_bound(replicates, delta).assign(looseness=lambda frame: frame["bound"] - frame["true_error"])
        grouped = table.groupby(["draws", "problem", "k"], sort=False)
        counts = grouped["exceeded"].agg(["sum", "size"])
        low, high = _exact_interval(counts["sum"].to_numpy(), counts["size"].to_numpy())
        found = counts.assign(share=100 * counts["sum"] / counts["size"], low=100 * low, high=100 * high)
        found["looseness"] = 100 * grouped["looseness"].mean()
        frames.append(found.drop(columns=["sum", "size"]).reset_index().assign(delta=delta))
    return pd.concat(frames, ignore_index=True)


def _exact_interval(hits: np.ndarray, n: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    tail = (1 - level) / 2
    low = np.where(hits > 0, stats.beta.ppf(tail, np.maximum(hits, 1), n - hits + 1), 0.0)
    return low, clopper_pearson_upper(hits, n, tail)
