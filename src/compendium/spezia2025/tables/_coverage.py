"""How much of the cluster-based study the results hold, in a reader's words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def complete(bias: pd.DataFrame, techniques: Sequence[str]) -> pd.DataFrame:
    """Return the rows of some techniques on the pairs of data set and model for which all of them are there.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    techniques : sequence of str
        Names in ``STUDIED``; of those that were run in two versions, both must be there.

    Returns
    -------
    DataFrame
        Rows of `bias`; none if some technique is nowhere.
    """
    part = bias[bias["technique"].isin(techniques)]
    if set(techniques) - set(part["technique"]):
        return part.iloc[:0]
    wanted = len(part[["technique", "version", "n_splits"]].drop_duplicates())
    return part[part.groupby(["dataset", "model"])["bias"].transform("size") == wanted]


def coverage(bias: pd.DataFrame, techniques: Sequence[str]) -> dict[str, int]:
    """Return on how many data sets, and pairs of data set and model, results of all these techniques are there.

    Parameters
    ----------
    bias, techniques
        As in :func:`complete`.

    Returns
    -------
    dict of str to int
        ``datasets``, ``balanced`` and ``imbalanced`` (data sets of either kind), and ``pairs``.
    """
    whole = complete(bias, techniques)[["dataset", "balance", "model"]].drop_duplicates()
    sets = whole[["dataset", "balance"]].drop_duplicates()
    return {
        "datasets": len(sets),
        "balanced": int((sets["balance"] == "balanced").sum()),
        "imbalanced": int((sets["balance"] == "imbalanced").sum()),
        "pairs": len(whole),
    }
