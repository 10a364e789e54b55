"""The tables of the cluster-based paper, ours beside the published ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cvstrat.datasets import published
from cvstrat.reports._bias import blocks
from cvstrat.statistics import friedman, wins
from cvstrat.studies import AS_PUBLISHED, CORRECT, SETS

_CELLS = [(balance, n_splits) for balance in ("balanced", "imbalanced") for n_splits in (2, 10)]
_MEASURES = {"bias": "signed bias", "size": "absolute bias", "deviation": "deviation"}


def of_version(bias: pd.DataFrame, version: str) -> pd.DataFrame:
    """Return the rows of one version; SCV and KFold, which have but one, belong to both."""
    if version == CORRECT:
        return bias[bias["version"] == CORRECT]
    published_ones = bias.loc[bias["version"] == AS_PUBLISHED, "technique"].unique()
    rest = (bias["version"] == CORRECT) & ~bias["technique"].isin(published_ones)
    return bias[(bias["version"] == AS_PUBLISHED) | rest]


def friedman_table(bias: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """Return p-values of Friedman's test for an experiment set: as published, as published rerun, and correct.

    Parameters
    ----------
    bias : DataFrame
        From :func:`cvstrat.reports.bias_table`.
    experiment : str
        ``set1``, ``set2`` or ``set3``.

    Returns
    -------
    DataFrame
        A row per balance, number of folds and measure with the published p-value, ours for either version, and the
        number of pairs that ours rest on.
    """
    printed = published("spezia2025_friedman").query("set == @experiment").set_index(["balance", "n_splits"])
    rows = []
    for balance, n_splits in _CELLS:
        for measure, words in _MEASURES.items():
            row = {"balance": balance, "n_splits": n_splits, "measure": words, "published": np.nan}
            if measure != "size":
                row["published"] = printed.loc[(balance, n_splits), measure]
            for version in (AS_PUBLISHED, CORRECT):
                table = blocks(of_version(bias, version), SETS[experiment], measure, balance=balance, n_splits=n_splits)
                row[version] = friedman(table)["p_value"] if len(table) > 1 else np.nan
                row["pairs"] = len(table)
            rows.append(row)
    return pd.DataFrame(rows)


def wins_table(bias: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """Return how often each technique of an experiment set is closest to zero: published, rerun, and correct.

    A tie is shared. The published counts are there for Sets 2 and 3.
    """
    printed = published("spezia2025_wins").query("set == @experiment")
    frames: list[dict[Any, object]] = []
    for balance, n_splits in _CELLS:
        for measure in ("bias", "deviation"):
            row = {"balance": balance, "n_splits": n_splits, "measure": measure}
            known = printed.query("balance == @balance and n_splits == @n_splits and measure == @measure")
            if len(known):
                counts = known.set_index("technique")["wins"]
                frames.append({**row, "version": "published", "pairs": int(counts.sum()), **counts.to_dict()})
            for version in (AS_PUBLISHED, CORRECT):
                table = blocks(of_version(bias, version), SETS[experiment], measure, balance=balance, n_splits=n_splits)
                found = wins(table).to_dict() if len(table) else {}
                frames.append({**row, "version": version, "pairs": len(table), **found})
    order = ["balance", "n_splits", "measure", "version", "pairs", *SETS[experiment]]
    return pd.DataFrame(frames).reindex(columns=order)


def summary_table(bias: pd.DataFrame) -> pd.DataFrame:
    """Return mean bias, mean absolute bias and mean deviation of each technique and version, by balance and folds.

    Only pairs of data set and model for which every technique is there count, so that rows can be compared.
    """
    wanted = bias.groupby(["technique", "version"]).ngroups
    whole = bias.groupby(["dataset", "model", "n_splits"])["bias"].transform("size") == wanted
    by = ["balance", "n_splits", "technique", "version"]
    means = bias[whole].groupby(by, sort=False)[["bias", "size", "deviation"]].mean()
    means["pairs"] = bias[whole].groupby(by, sort=False).size()
    return means.reset_index()
