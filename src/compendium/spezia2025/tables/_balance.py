"""How alike the folds of a technique are, beside the bias of its estimates."""

from __future__ import annotations

import pandas as pd
from scipy.stats import spearmanr

from compendium.spezia2025.study._spec import CORRECT, SETS

REFERENCE = "SCV"


def balance_and_bias(bias: pd.DataFrame, ratios: pd.DataFrame, *, scale: int = 0) -> pd.DataFrame:
    """Return the balance ratio and the bias of every technique on every data set, relative to stratified folds.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    ratios : DataFrame
        The table of that name of the study ``spezia2025-balance``.
    scale : int, default=0
        0 for the ratio of the columns; from 1 on for that at a bandwidth, from nearest neighbours to the whole set.

    Returns
    -------
    DataFrame
        A line per ``dataset``, ``model``, ``n_splits`` and ``technique``: ``ratio``, mean over subsamples, and
        ``difference``, its bias minus that of SCV, in points; above 0 is less pessimistic.
    """
    correct = bias[bias["version"] == CORRECT]
    wide = correct.pivot(index=["dataset", "model", "n_splits"], columns="technique", values="bias")
    differences = 100 * wide.sub(wide[REFERENCE], axis=0)
    long = differences.melt(ignore_index=False, value_name="difference").dropna().reset_index()
    at = ratios[ratios["scale"] == scale]
    means = at.groupby(["dataset", "technique", "n_splits"], sort=False)["ratio"].mean().reset_index()
    table: pd.DataFrame = means.merge(long, on=["dataset", "technique", "n_splits"])
    return table


def one_of_each(pairs: pd.DataFrame) -> pd.DataFrame:
    """Leave out what would count twice, SCBCV with given numbers of clusters, and ROCBCV, whose folds are to differ."""
    return pairs[~pairs["technique"].isin(["ROCBCV", *SETS["set1"][1:]])]


def law_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a line per number of folds and technique: means over data sets of ratio and difference, and its error.

    Only data sets on which every technique has both are taken.
    """
    n_techniques = pairs.groupby("n_splits")["technique"].transform("nunique")
    full = pairs.groupby(["dataset", "n_splits"])["technique"].transform("nunique") == n_techniques
    by = ["n_splits", "technique", "dataset"]
    each = pairs[full].groupby(by, sort=False)[["ratio", "difference"]].mean().reset_index()
    grouped = each.groupby(["n_splits", "technique"], sort=False)
    table = grouped.agg(
        ratio=("ratio", "mean"),
        difference=("difference", "mean"),
        difference_se=("difference", "sem"),
        n=("dataset", "nunique"),
    )
    return table.reset_index()


def rank_correlations(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of ratio and difference over techniques, for each data set and number of folds."""
    by = ["n_splits", "dataset", "technique"]
    each = pairs.groupby(by, sort=False)[["ratio", "difference"]].mean().reset_index()
    found = [
        {"n_splits": n_splits, "dataset": name, "correlation": spearmanr(one["ratio"], one["difference"]).statistic}
        for (n_splits, name), one in each.groupby(["n_splits", "dataset"], sort=False)
    ]
    return pd.DataFrame(found)


def scales_followed(bias: pd.DataFrame, ratios: pd.DataFrame) -> pd.DataFrame:
    """Return, for each model, number of folds and scale, the rank correlation of ratio and difference.

    The correlation is over techniques, with means over data sets; a model follows the scale at which it is lowest.
    """
    found = []
    for scale in sorted(ratios["scale"].unique()):
        pairs = balance_and_bias(bias, ratios, scale=scale)
        for (model, n_splits), one in pairs.groupby(["model", "n_splits"], sort=False):
            means = one.groupby("technique")[["ratio", "difference"]].mean()
            correlation = spearmanr(means["ratio"], means["difference"]).statistic
            found.append({"model": model, "n_splits": n_splits, "scale": scale, "correlation": correlation})
    return pd.DataFrame(found)
