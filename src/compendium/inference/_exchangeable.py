"""Whether one draw stands out among others that should be like it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state


def stands_out(table: pd.DataFrame, reference: Any, n_resamples: int = 9999, random_state: Any = 0) -> pd.Series:
    """Test whether a column is one more draw of what the other columns are draws of.

    Parameters
    ----------
    table : DataFrame
        A block per row, a draw per column. A draw may be missing in a block (NaN); the reference may not, and each
        block needs another draw beside it.
    reference : column of the table
        The draw in question.
    n_resamples : int, default=9999
        Number of random assignments of the reference's name, at least 1.
    random_state : int, RandomState instance or None, default=0
        Seed or generator of the assignments.

    Returns
    -------
    Series
        ``difference`` (mean over blocks of the reference minus the mean of the other draws), ``rank`` of the reference
        among ``n_draws`` by the mean distance from the block's mean (1 is the smallest), and ``p_value``, two-sided.

    Notes
    -----
    If the reference is exchangeable with the other draws of a block, its name could as well stand on any of them. The
    p-value is the share of random assignments, block by block, whose difference is at least as far from zero.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import stands_out
    >>> ranks = {"a": [1.0, 2, 3, 1], "b": [2.0, 1, 1, 3], "new": [9.0, 9, 9, 9]}
    >>> table = pd.DataFrame(ranks)
    >>> stands_out(table, "new")[["difference", "rank", "n_draws"]].to_dict()
    {'difference': 7.25, 'rank': 3.0, 'n_draws': 3.0}
    """
    if reference not in table.columns:
        raise ValueError(f"the reference must be a column of the table, one of {list(table)}; it is {reference!r}")
    values = table.to_numpy(dtype=float)
    present = np.isfinite(values)
    counts = present.sum(axis=1, keepdims=True)
    place = table.columns.get_loc(reference)
    if not len(table) or not present[:, place].all() or counts.min() < 2:
        raise ValueError(f"each block needs {reference!r} and another draw beside it; drop the others")
    apart = values - np.nanmean(values, axis=1, keepdims=True)
    gaps = apart * counts / (counts - 1)  # a draw minus the mean of the others
    observed = gaps[:, place].mean()
    order = np.argsort(~present, axis=1, kind="stable")  # draws that are there come first
    drawn = check_random_state(random_state).random_sample((n_resamples, len(table)))
    chosen = order[np.arange(len(table)), (drawn * counts[:, 0]).astype(int)]
    resampled = gaps[np.arange(len(table)), chosen].mean(axis=1)
    as_far = np.abs(resampled) >= np.abs(observed) * (1 - 1e-12)
    means = np.nanmean(apart, axis=0)
    return pd.Series(
        {
            "difference": observed,
            "rank": float((means < means[place]).sum() + 1),
            "n_draws": float(table.shape[1]),
            "p_value": (1 + as_far.sum()) / (1 + n_resamples),
        }
    )
