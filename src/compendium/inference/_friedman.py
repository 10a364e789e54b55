"""Friedman's test of whether techniques differ at all, and Nemenyi's of which cannot be told apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from compendium.inference._table import checked


def friedman(table: pd.DataFrame) -> pd.Series:
    """Test whether all techniques have the same distribution of ranks (Friedman's test, corrected for ties).

    Parameters
    ----------
    table : DataFrame
        A block (such as a data set and a model) per row, a technique per column; complete. At least 3 techniques.

    Returns
    -------
    Series
        ``statistic`` (chi-squared), ``p_value``, ``n_blocks`` and ``n_techniques``.

    Notes
    -----
    If all techniques are tied in all blocks, the statistic is 0 and the p-value 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import friedman
    >>> table = pd.DataFrame({"a": [1, 2, 1, 3], "b": [2, 3, 3, 4], "c": [3, 4, 2, 5]})
    >>> friedman(table).round(3).to_dict()
    {'statistic': 6.5, 'p_value': 0.039, 'n_blocks': 4.0, 'n_techniques': 3.0}
    """
    values = checked(table).to_numpy()
    n_blocks, n_techniques = values.shape
    if n_techniques < 3:
        raise ValueError(
            f"Friedman's test needs at least 3 techniques; the table has {n_techniques}: "
            "use pairwise(), which runs Wilcoxon's signed-rank test"
        )
    if (values == values[:, :1]).all():
        statistic, p_value = 0.0, 1.0
    else:
        statistic, p_value = stats.friedmanchisquare(*values.T)
    return pd.Series(
        {"statistic": statistic, "p_value": p_value, "n_blocks": n_blocks, "n_techniques": n_techniques}, dtype=float
    )


def mean_ranks(table: pd.DataFrame) -> pd.Series:
    """Return the mean rank of each technique over the blocks: 1 is the smallest value, ties share their ranks.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete. Values are compared after rounding to 12 decimals.

    Returns
    -------
    Series
        A mean rank per technique, in the order of the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import mean_ranks
    >>> table = pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.2], "c": [0.4, 0.4]})
    >>> mean_ranks(table).to_dict()
    {'a': 1.25, 'b': 1.75, 'c': 3.0}
    """
    return checked(table).rank(axis=1).mean()


def critical_difference(table: pd.DataFrame, alpha: float = 0.05) -> float:
    """Return the difference of mean ranks from which on Nemenyi's test tells two techniques apart.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete. Only its shape matters.
    alpha : float, default=0.05
        Level of the test, between 0 and 1.

    Returns
    -------
    float
        ``q * sqrt(k * (k + 1) / (6 * n))`` of `k` techniques and `n` blocks; `q` is the quantile of the studentized
        range with infinite degrees of freedom, divided by the square root of 2.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from compendium.inference import critical_difference
    >>> table = pd.DataFrame(np.zeros((14, 4)))  # as large as the example in the paper
    >>> round(critical_difference(table), 2)
    1.25
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1; it is {alpha}")
    n_blocks, n_techniques = checked(table).shape
    quantile = stats.studentized_range.ppf(1 - alpha, n_techniques, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(n_techniques * (n_techniques + 1) / (6 * n_blocks)))


def indistinguishable(table: pd.DataFrame, alpha: float = 0.05) -> list[list[str]]:
    """Return the groups of techniques that Nemenyi's test cannot tell apart: the bars of its diagram.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete.
    alpha : float, default=0.05
        Level of the test, between 0 and 1.

    Returns
    -------
    list of lists
        Techniques next to each other in mean rank, of which the first and the last differ by at most
        :func:`critical_difference`. No group is part of another. A technique that differs from all others is in none.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import indistinguishable
    >>> ranks = {"worst": [9] * 10, "good": [1, 2] * 5, "fair": [2, 1] * 5}
    >>> table = pd.DataFrame(ranks)
    >>> indistinguishable(table)
    [['good', 'fair']]
    """
    ranks = mean_ranks(table).sort_values(kind="stable")
    values = ranks.to_numpy()
    ends = np.searchsorted(values, values + critical_difference(table, alpha), side="right")
    return [
        list(ranks.index[start:end])
        for start, (end, before) in enumerate(zip(ends, [0, *ends[:-1]], strict=True))
        if end > before and end - start > 1
    ]
