"""Repeated rows: how likely a tested row has a twin among the rows that are trained on."""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.metrics import fold_sizes


def twin_probability(copies: Any, n_splits: int) -> float:
    r"""Return the probability that a row tested in random folds has a twin in training.

    A row that occurs :math:`c` times has none if its :math:`c - 1` copies are all in its own fold. With folds of
    :math:`m` of :math:`n` rows that has the probability

    .. math:: \prod_{i=1}^{c-1} \frac{m - i}{n - i} .

    Parameters
    ----------
    copies : array-like of int
        How often each distinct row occurs.
    n_splits : int
        Number of folds.

    Returns
    -------
    float
        The mean over all rows, so that a row that occurs often counts as often.

    Examples
    --------
    >>> from compendium.stratification.theory import twin_probability
    >>> twin_probability([1, 1, 1, 1], 2), round(twin_probability([2, 1, 1], 2), 3)
    (0.0, 0.333)
    """
    times = np.asarray(copies, dtype=int)
    n = int(times.sum())
    alone = 0.0
    for size in fold_sizes(n, n_splits):
        steps = np.arange(1, int(times.max()))
        none = np.cumprod([1.0, *np.maximum(size - steps, 0) / (n - steps)])
        alone += size / n * float(times @ none[times - 1]) / n
    return float(1 - alone)
