"""How much of the cluster-based study the results hold, in a reader's words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def coverage(bias: pd.DataFrame, techniques: Sequence[str]) -> dict[str, int]:
    """Return on how many data sets, and pairs of data set and model, results of all these techniques are there.

    Parameters
    ----------
    bias : DataFrame
        From :func:`cvstrat.reports.bias_table`.
    techniques : sequence of str
        Which.

    Returns
    -------
    dict of str to int
        ``datasets``, ``balanced`` and ``imbalanced`` (data sets of either kind), and ``pairs``.
    """
    part = bias[bias["technique"].isin(techniques)]
    versions = part[["technique", "version", "n_splits"]].drop_duplicates()
    counts = part.groupby(["dataset", "balance", "model"]).size()
    whole = counts[counts == len(versions)].reset_index()
    sets = whole[["dataset", "balance"]].drop_duplicates()
    return {
        "datasets": len(sets),
        "balanced": int((sets["balance"] == "balanced").sum()),
        "imbalanced": int((sets["balance"] == "imbalanced").sum()),
        "pairs": len(whole),
    }
