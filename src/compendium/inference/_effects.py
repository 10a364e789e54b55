"""How large a difference is, with intervals that treat whole data sets as what was sampled."""

from __future__ import annotations

import functools
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.utils import check_random_state

from compendium.inference._table import DECIMALS, checked


def bootstrap_interval(
    values: Any,
    groups: Any,
    statistic: Literal["mean", "median"] = "mean",
    n_resamples: int = 10000,
    level: float = 0.95,
    random_state: Any = 0,
) -> pd.Series:
    """Estimate a mean or median, with a percentile interval from resampling whole groups with replacement.

    Parameters
    ----------
    values : array-like of shape (n_values,)
        Finite numbers, none missing.
    groups : array-like of shape (n_values,)
        The group of each value, such as its data set. At least 2 groups; they may differ in size.
    statistic : {"mean", "median"}, default="mean"
        What to estimate. It is taken over all values together, so that a larger group counts for more.
    n_resamples : int, default=10000
        Number of resamples, at least 1; each draws as many groups as there are.
    level : float, default=0.95
        Probability, between 0 and 1, with which such an interval should hold the true value.
    random_state : int, RandomState instance or None, default=0
        Seed or generator of the resamples; None draws anew each time.

    Returns
    -------
    Series
        ``estimate``, ``low`` and ``high``.

    Notes
    -----
    Plain percentiles are too narrow when groups are few: resampling n groups shrinks their variance by (n - 1) / n, and
    takes it for known. The interval therefore goes out to the percentiles at which, for a normal mean, it would be as
    wide as Student's.

    Examples
    --------
    >>> from compendium.inference import bootstrap_interval
    >>> values, groups = [1, 1, 1, 3, 3, 8], ["a", "a", "a", "b", "b", "c"]
    >>> bootstrap_interval(values, groups, n_resamples=500).round(2).to_dict()
    {'estimate': 2.83, 'low': 1.0, 'high': 8.0}
    """
    if statistic not in ("mean", "median"):
        raise ValueError(f"statistic must be 'mean' or 'median'; it is {statistic!r}")
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1; it is {n_resamples}")
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1; it is {level}")
    numbers, codes = _grouped(values, groups)
    n_groups = codes.max() + 1
    draws = _draws(int(n_groups), n_resamples, random_state)
    if statistic == "mean":
        estimate, resampled = numbers.mean(), _resampled_means(numbers, codes, draws)
    else:
        estimate, resampled = np.median(numbers), _resampled_medians(numbers, codes, draws)
    tail = stats.norm.cdf(-np.sqrt(n_groups / (n_groups - 1)) * stats.t.ppf((1 + level) / 2, n_groups - 1))
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return pd.Series({"estimate": estimate, "low": low, "high": high})


def effects(
    table: pd.DataFrame,
    reference: Any,
    groups: Any,
    *,
    n_resamples: int = 10000,
    level: float = 0.95,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Measure how each technique differs from a reference.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete. Differences are compared after rounding to 12 decimals.
    reference : column of the table
        The technique that the others are compared to.
    groups : str or array-like of shape (n_blocks,)
        What to resample: the name of a level of the table's index, or a group for each block.
    n_resamples, level, random_state
        As in :func:`bootstrap_interval`. An integer as `random_state` draws the same groups for all techniques.

    Returns
    -------
    DataFrame
        A line per other technique. Columns:

        - ``difference``: mean over the blocks of the technique minus the reference;
        - ``low``, ``high``: its interval over the groups;
        - ``rank_biserial``: matched pairs, from -1 (always smaller than the reference) to 1 (always larger);
        - ``share_smaller``: share of the blocks in which it is smaller than the reference; ties count half.

    Notes
    -----
    The rank-biserial correlation is the sum of signed ranks as a share of the sum of all ranks. Differences of zero are
    ranked and have no sign, as in :func:`pairwise`: blocks without a difference bring the correlation nearer to 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import effects
    >>> blocks = pd.MultiIndex.from_product([["iris", "wine"], ["tree", "svm"]], names=["dataset", "model"])
    >>> table = pd.DataFrame({"plain": [3, 4, 5, 6], "new": [2, 4, 3, 3]}, index=blocks)
    >>> effects(table, "plain", "dataset").loc["new"].to_dict()
    {'difference': -1.5, 'low': -2.5, 'high': -0.5, 'rank_biserial': -0.9, 'share_smaller': 0.875}
    """
    values = checked(table)
    if reference not in values.columns:
        raise ValueError(f"the reference must be a technique of the table, one of {list(table)}; it is {reference!r}")
    labels = _labels(values.index, groups)
    others = values.drop(columns=reference)
    differences = others.sub(values[reference], axis=0).round(DECIMALS)
    options = {"n_resamples": n_resamples, "level": level, "random_state": random_state}
    lines = [bootstrap_interval(differences[name], labels, **options) for name in others]
    intervals = pd.DataFrame([line.to_dict() for line in lines], index=others.columns)
    signs = np.sign(differences)
    ranks = stats.rankdata(differences.abs(), axis=0)
    return intervals.rename(columns={"estimate": "difference"}).assign(
        rank_biserial=(signs * ranks).sum() / ranks.sum(axis=0), share_smaller=(1 - signs.mean()) / 2
    )


def effects_if_several(table: pd.DataFrame, reference: Any, groups: str) -> pd.DataFrame:
    """Return :func:`effects` over a level of the index, or bare differences where it has but one value.

    Parameters
    ----------
    table, reference, groups
        As in :func:`effects`; `groups` is the name of a level.

    Returns
    -------
    DataFrame
        As from :func:`effects`. A single group has no interval: ``low`` and ``high`` are missing then.
    """
    if table.index.get_level_values(groups).nunique() > 1:
        return effects(table, reference, groups)
    others = table.drop(columns=reference)
    return pd.DataFrame({"difference": others.sub(table[reference], axis=0).mean(), "low": np.nan, "high": np.nan})


def _draws(n_groups: int, n_resamples: int, random_state: Any) -> np.ndarray:
    """Return how often each group is drawn in each resample; the same seed means the same draws, made once."""
    if isinstance(random_state, int):
        return _seeded_draws(n_groups, n_resamples, random_state)
    even = np.full(n_groups, 1 / n_groups)
    draws: np.ndarray = check_random_state(random_state).multinomial(n_groups, even, size=n_resamples)
    return draws


@functools.lru_cache(maxsize=8)
def _seeded_draws(n_groups: int, n_resamples: int, seed: int) -> np.ndarray:
    return _draws(n_groups, n_resamples, np.random.RandomState(seed))


def _labels(index: pd.Index, groups: Any) -> Any:
    if not isinstance(groups, str):
        return groups
    if groups not in index.names:
        raise ValueError(f"groups must be a level of the table's index, one of {list(index.names)}; it is {groups!r}")
    return index.get_level_values(groups)


def _grouped(values: Any, groups: Any) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.asarray(values, dtype=float)
    labels = pd.Index(groups)
    if numbers.ndim != 1 or len(labels) != len(numbers):
        raise ValueError(f"there must be one group for each value; there are {len(labels)} for shape {numbers.shape}")
    codes, names = pd.factorize(labels)
    bad = int((~np.isfinite(numbers) | (codes < 0)).sum())
    if bad:
        raise ValueError(f"{bad} of {len(numbers)} values are missing, infinite or without a group; drop them")
    if len(names) < 2:
        raise ValueError(f"an interval over groups needs at least 2 groups; there is only {list(names)}")
    return numbers, codes


def _resampled_means(numbers: np.ndarray, codes: np.ndarray, draws: np.ndarray) -> np.ndarray:
    means: np.ndarray = (draws @ np.bincount(codes, weights=numbers)) / (draws @ np.bincount(codes))
    return means


def _resampled_medians(numbers: np.ndarray, codes: np.ndarray, draws: np.ndarray) -> np.ndarray:
    order = np.argsort(numbers)
    ordered, owners = numbers[order], codes[order]
    medians = np.empty(len(draws))
    for number, draw in enumerate(draws):
        seen = np.cumsum(draw[owners])
        middle = np.searchsorted(seen, [(seen[-1] - 1) // 2, seen[-1] // 2], side="right")
        medians[number] = ordered[middle].mean()
    return medians
