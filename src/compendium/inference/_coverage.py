"""How often intervals over a few groups miss: a simulation that chooses among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.inference._studentized import grouped_mean

INTERVALS = ("studentised bootstrap", "Student's t", "bias-corrected bootstrap (BCa)")


def coverage_table(
    populations: Sequence[Any],
    n_groups: Sequence[int] = (10, 20),
    level: float = 0.95,
    n_runs: int = 150,
    seed: int = 0,
) -> pd.DataFrame:
    """Return how often intervals over groups miss the mean of the population that the groups are drawn from.

    Parameters
    ----------
    populations : sequence of array-like
        For each population its values, one for a group; groups are drawn with replacement. Populations are not mixed:
        skews of both signs would cancel.
    n_groups : sequence of int, default=(10, 20)
        Numbers of groups, each at least 3.
    level : float, default=0.95
        Probability, between 0 and 1, with which intervals should hold the mean.
    n_runs : int, default=150
        Number of draws for each population and number of groups.
    seed : int, default=0
        Seed of all draws.

    Returns
    -------
    DataFrame
        A row per number of groups (``n_groups``) and kind of ``interval``, with the share of intervals that miss the
        mean (``missed``, mean over populations, and ``most``, of the population in which most do) and their mean width
        over that of Student's (``width``). The first kind is the one that :func:`bootstrap_interval` gives; the last is
        scipy's.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for n in n_groups:
        missed, widths = [], []
        for values in map(np.asarray, populations):
            ends = np.array([_intervals(rng.choice(values, n), level, rng) for _ in range(n_runs)])
            missed.append(((ends[..., 0] > values.mean()) | (ends[..., 1] < values.mean())).mean(axis=0))
            widths.append((ends[..., 1] - ends[..., 0]).mean(axis=0))
        mean, most = np.mean(missed, axis=0), np.max(missed, axis=0)
        width = np.mean([one / one[1] for one in widths], axis=0)
        for place, name in enumerate(INTERVALS):
            line = {"n_groups": n, "interval": name, "missed": mean[place], "most": most[place]}
            rows.append(line | {"width": width[place]})
    return pd.DataFrame(rows)


def _intervals(sample: np.ndarray, level: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    mean, se = sample.mean(), stats.sem(sample)
    if not se:
        return [(mean, mean)] * len(INTERVALS)
    student = stats.t.interval(level, len(sample) - 1, mean, se)
    corrected = stats.bootstrap(
        (sample,), np.mean, n_resamples=999, confidence_level=level, method="BCa", rng=rng
    ).confidence_interval
    studentized = grouped_mean(sample, np.arange(len(sample)), 2000, 0).interval(level)
    return [studentized, student, (corrected.low, corrected.high)]
