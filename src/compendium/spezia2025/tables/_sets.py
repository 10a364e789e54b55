"""The tables of the cluster-based paper, ours beside the published ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compendium.datasets import published
from compendium.inference import critical_difference, friedman, indistinguishable, mean_ranks, wins
from compendium.spezia2025.study._spec import AS_PUBLISHED, CORRECT
from compendium.spezia2025.tables._bias import blocks
from compendium.spezia2025.tables._coverage import complete

_MEASURES = {"bias": "signed bias", "squared_bias": "squared bias", "std": "standard deviation"}
_PRINTED = {"bias": "bias", "std": "deviation"}  # what the files of published values call a measure
_COLUMNS = {AS_PUBLISHED: "as_published", CORRECT: "correct"}


def cells(bias: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Return the kinds of data and numbers of folds that are there, each as ``balance`` and ``n_splits``."""
    found = bias[["balance", "n_splits"]].drop_duplicates().sort_values(["balance", "n_splits"])
    return ({"balance": balance, "n_splits": int(n_splits)} for balance, n_splits in found.to_numpy())


def both_versions(bias: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of both versions; techniques that have but one, such as SCV, stand in both."""
    twofold = bias.loc[bias["version"] == AS_PUBLISHED, "technique"].unique()
    others = bias[~bias["technique"].isin(twofold)]
    return pd.concat([bias, others.assign(version=AS_PUBLISHED)], ignore_index=True)


def friedman_table(bias: pd.DataFrame, techniques: Sequence[str], experiment: str = "") -> pd.DataFrame:
    """Return p-values of Friedman's test among techniques: published, as published rerun, and correct.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    techniques : sequence of str
        At least three names in ``STUDIED``.
    experiment : str, default=""
        ``set1``, ``set2`` or ``set3``: the set whose published p-values stand beside ours; empty means none.

    Returns
    -------
    DataFrame
        A row per ``balance``, ``n_splits`` and ``measure`` (in words), with the number of ``pairs`` of data set and
        model that our p-values rest on, and the p-values ``published``, ``as_published`` (rerun), ``correct``,
        ``as_published_by_set`` and ``correct_by_set``. Those by set take the mean over the models first, so that a
        block is a data set: the models of a data set share their folds, and the test wants independent blocks.
    """
    printed = published("spezia2025_friedman").query("set == @experiment").set_index(["balance", "n_splits"])
    versions = both_versions(bias)
    rows = []
    for cell in cells(bias):
        for measure, words in _MEASURES.items():
            key = (cell["balance"], cell["n_splits"])
            row = {**cell, "measure": words, "published": np.nan}
            if measure in _PRINTED and key in printed.index:
                row["published"] = printed.loc[key, _PRINTED[measure]]
            for version, column in _COLUMNS.items():
                table = blocks(versions, techniques, measure, version=version, **cell)
                row["pairs"] = len(table)
                row[column] = _p_value(table)
                row[f"{column}_by_set"] = _p_value(table.groupby("dataset").mean())
            rows.append(row)
    order = [*_COLUMNS.values(), *(f"{column}_by_set" for column in _COLUMNS.values())]
    return pd.DataFrame(rows)[["balance", "n_splits", "measure", "pairs", "published", *order]]


def _p_value(table: pd.DataFrame) -> float:
    return float(friedman(table)["p_value"]) if len(table) > 1 and table.shape[1] > 2 else np.nan


def wins_table(bias: pd.DataFrame, techniques: Sequence[str], experiment: str = "") -> pd.DataFrame:
    """Return how often each technique is closest to zero: published, as published rerun, and correct.

    Parameters
    ----------
    bias, techniques, experiment
        As in :func:`friedman_table`; the paper counts wins for Sets 2 and 3.

    Returns
    -------
    DataFrame
        A row per ``balance``, ``n_splits``, ``measure`` (``bias`` or ``standard deviation``) and ``version``, with the
        number of ``pairs`` and a column of wins per technique; a tie is shared.
    """
    printed = published("spezia2025_wins").query("set == @experiment")
    versions = both_versions(bias)
    rows: list[dict[Any, object]] = []
    for cell in cells(bias):
        for measure, words in (("bias", "bias"), ("std", "standard deviation")):
            row = {**cell, "measure": words}
            key = pd.Series({**cell, "measure": _PRINTED[measure]})
            known = printed[(printed[list(key.index)] == key).all(axis=1)].set_index("technique")["wins"]
            if len(known):
                rows.append({**row, "version": "published", "pairs": int(known.sum()), **known.to_dict()})
            for version in (AS_PUBLISHED, CORRECT):
                table = blocks(versions, techniques, measure, version=version, **cell)
                if len(table):
                    rows.append({**row, "version": version, "pairs": len(table), **wins(table).to_dict()})
    return pd.DataFrame(rows).reindex(columns=["balance", "n_splits", "measure", "version", "pairs", *techniques])


def summary_table(bias: pd.DataFrame, techniques: Sequence[str]) -> pd.DataFrame:
    """Return each technique's mean bias, and the roots of its mean squared bias, variance and squared error.

    Only pairs of data set and model for which all of the techniques are there count, so that rows can be compared.
    Squared biases are those of :func:`bias_table`, freed of noise; where their mean is negative the root is zero.
    """
    whole = complete(bias, techniques)
    whole = whole.assign(variance=whole["std"] ** 2)
    grouped = whole.groupby(["balance", "n_splits", "technique", "version"], sort=False)
    means = grouped[["bias", "squared_bias", "variance"]].mean()
    roots = {
        "rms_bias": np.sqrt(means["squared_bias"].clip(lower=0)),
        "std": np.sqrt(means["variance"]),
        "rmse": np.sqrt((means["squared_bias"] + means["variance"]).clip(lower=0)),
    }
    return means[["bias"]].assign(**roots, pairs=grouped.size()).reset_index()


def rank_groups(bias: pd.DataFrame, measure: str, techniques: Sequence[str], **where: Any) -> dict[str, Any]:
    """Return what a critical-difference diagram shows: ``ranks``, ``difference`` and ``groups``.

    Parameters
    ----------
    bias, measure, techniques
        As in :func:`effects_table`; small values rank first. Blocks are data sets, with the mean over
        their models, which share folds.
    **where
        Values of columns, such as ``version="correct"``, ``n_splits=10``.
    """
    table = blocks(both_versions(bias), techniques, measure, **where).groupby("dataset").mean()
    return {
        "ranks": mean_ranks(table),
        "difference": critical_difference(table),
        "groups": [group for group in indistinguishable(table) if len(group) > 1],
    }
