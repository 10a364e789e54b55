"""Techniques against each other: who wins how often, and Wilcoxon's test of each pair."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from compendium.inference._table import DECIMALS, checked

CORRECTIONS = ("holm", "bonferroni", "fdr_bh", None)
MAX_BLOCKS_FLIPPED = 13


def wins(table: pd.DataFrame, ties: Literal["share", "first"] = "share") -> pd.Series:
    """Count the blocks in which each technique has the smallest absolute value.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete. Values are compared after rounding to 12 decimals.
    ties : {"share", "first"}, default="share"
        Whether the best techniques of a block share it equally, or the first column among them takes it all.

    Returns
    -------
    Series
        Wins per technique, as floats; their sum is the number of blocks.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import wins
    >>> table = pd.DataFrame({"a": [-0.1, 0.2, 0.1 + 0.2], "b": [0.2, -0.1, 0.3]})
    >>> wins(table).to_dict()
    {'a': 1.5, 'b': 1.5}
    >>> wins(table, ties="first").to_dict()
    {'a': 2.0, 'b': 1.0}
    """
    magnitudes = checked(table).abs().to_numpy()
    if ties == "share":
        smallest = magnitudes == magnitudes.min(axis=1, keepdims=True)
        won = (smallest / smallest.sum(axis=1, keepdims=True)).sum(axis=0)
    elif ties == "first":
        won = np.bincount(magnitudes.argmin(axis=1), minlength=magnitudes.shape[1]).astype(float)
    else:
        raise ValueError(f"ties must be 'share' or 'first'; it is {ties!r}")
    return pd.Series(won, index=table.columns)


def pairwise(table: pd.DataFrame, correction: str | None = "holm") -> pd.DataFrame:
    """Test each pair of techniques with Wilcoxon's signed-rank test.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete. Differences are compared after rounding to 12 decimals.
    correction : {"holm", "bonferroni", "fdr_bh", None}, default="holm"
        How p-values account for the number of pairs: Holm's steps, Bonferroni's factor, Benjamini and Hochberg's
        rate of false discoveries, or not at all.

    Returns
    -------
    DataFrame
        A line per pair. Columns: ``first``, ``second``, ``difference`` (median of first minus second), ``statistic``
        (the smaller sum of ranks), ``p_value`` (two-sided) and ``p_adjusted``.

    Notes
    -----
    The p-value is exact for up to 50 blocks if no two differences are tied and none is zero, and for up to 13 blocks in
    any case; otherwise it comes from the normal distribution. This is what scipy does too.

    Half of the rank of a difference of zero goes to either side (``zsplit``): blocks without a difference speak for
    equality, and a pair that never differs has a p-value of 1. Each pair is tested for itself, so that its p-value does
    not depend on which other techniques are in the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import pairwise
    >>> a, b = [1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12]
    >>> table = pd.DataFrame({"a": a, "b": b, "c": a})
    >>> pairwise(table)[["first", "second", "difference", "p_value", "p_adjusted"]]
      first second  difference  p_value  p_adjusted
    0     a      b        -3.5  0.03125     0.09375
    1     a      c         0.0  1.00000     1.00000
    2     b      c         3.5  0.03125     0.09375
    """
    if correction not in CORRECTIONS:  # before any test is run
        raise ValueError(f"correction must be one of {CORRECTIONS}; it is {correction!r}")
    values = checked(table)
    lines = []
    for first, second in combinations(values.columns, 2):
        differences = (values[first] - values[second]).round(DECIMALS).to_numpy()
        lines.append((first, second, np.median(differences), *_wilcoxon(differences)))
    frame = pd.DataFrame(lines, columns=["first", "second", "difference", "statistic", "p_value"])
    return frame.assign(p_adjusted=_adjusted(frame["p_value"].to_numpy(), correction))


def _wilcoxon(differences: np.ndarray) -> tuple[float, float]:
    n_blocks = len(differences)
    if not differences.any():
        return n_blocks * (n_blocks + 1) / 4, 1.0
    magnitudes = np.abs(differences)
    tied = 0 in magnitudes or len(np.unique(magnitudes)) < n_blocks
    method = "asymptotic" if n_blocks > 50 or tied else "exact"
    statistic, p_value = stats.wilcoxon(differences, zero_method="zsplit", method=method)
    if tied and n_blocks <= MAX_BLOCKS_FLIPPED:
        p_value = _flipped(np.sign(differences) * stats.rankdata(magnitudes))
    return float(statistic), float(p_value)


def _flipped(signed_ranks: np.ndarray) -> float:
    """Return the p-value from all ways to give signs to the ranks; scipy's test does this too, in a slow loop."""
    test = stats.permutation_test(
        (signed_ranks,),
        lambda ranks, axis: ranks.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=2 ** len(signed_ranks),
    )
    return float(test.pvalue)


def adjusted(p_values: Any, correction: str | None = "holm") -> np.ndarray:
    """Return p-values that account for the number of tests.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        Numbers from 0 to 1; those that are missing stay so and do not count as tests.
    correction : {"holm", "bonferroni", "fdr_bh", None}, default="holm"
        Holm's steps, Bonferroni's factor, Benjamini and Hochberg's rate of false discoveries, or none.

    Examples
    --------
    >>> from compendium.inference import adjusted
    >>> adjusted([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    if correction not in CORRECTIONS:
        raise ValueError(f"correction must be one of {CORRECTIONS}; it is {correction!r}")
    found = np.array(p_values, dtype=float)
    known = np.flatnonzero(~np.isnan(found))
    found[known] = _adjusted(found[known], correction)
    return found


def _adjusted(p_values: np.ndarray, correction: str | None) -> np.ndarray:
    n_tests = len(p_values)
    if correction is None:
        return p_values
    if correction == "fdr_bh":
        return np.asarray(stats.false_discovery_control(p_values))
    if correction == "bonferroni":
        return np.asarray(np.minimum(1, n_tests * p_values))
    order = np.argsort(p_values)
    adjusted = np.empty(n_tests)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(np.arange(n_tests, 0, -1) * p_values[order]))
    return adjusted
