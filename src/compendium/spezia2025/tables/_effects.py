"""Differences from a reference on every kind of data, and which of them are evidence of something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.inference import adjusted, effects_if_several, with_findings
from compendium.spezia2025.study._models import SCORES
from compendium.spezia2025.study._spec import CORRECT
from compendium.spezia2025.tables._bias import bias_table, blocks
from compendium.spezia2025.tables._sets import both_versions, cells
from compendium.words import out_of

MARGIN = 0.005  # half a point: fixed before any result was looked at
_ALPHA = 0.05
_FOUND = ["difference", "low", "high", "joint_low", "joint_high", "p_value", "p_equivalent", "detectable"]


def effects_table(
    bias: pd.DataFrame,
    measure: str,
    techniques: Sequence[str],
    reference: str = "SCV",
    version: str = CORRECT,
    *,
    by_balance: bool = True,
    n_comparisons: int = 0,
) -> pd.DataFrame:
    """Return how much larger or smaller a measure is than that of a reference, with intervals over data sets.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    measure : str
        ``bias``, ``std`` or ``rmse``.
    techniques : sequence of str
        Names in ``STUDIED``; the reference among them is left out.
    reference : str, default="SCV"
        The technique that they are compared with.
    version : str, default="correct"
        ``correct`` or ``as published``.
    by_balance : bool, default=True
        Whether balanced and imbalanced sets are looked at apart; else ``balance`` is ``all``.
    n_comparisons : int, default=0
        Number of differences for which the joint intervals hold at once; 0 means all rows of this table.

    Returns
    -------
    DataFrame
        A row per balance, number of folds and technique, on the pairs that it shares with the reference: the columns of
        :func:`compendium.inference.effects`, with a margin of half a point, and of
        :func:`compendium.inference.with_findings`; ``panel`` for figures and ``n_sets``.
    """
    compared = list(_compared(both_versions(bias), measure, techniques, reference, version, by_balance))
    rows: list[dict[Any, object]] = []
    for where, technique, table in compared:
        found = effects_if_several(
            table, reference, "dataset", n_comparisons=n_comparisons or len(compared), margin=MARGIN
        ).loc[technique]
        n_sets = table.index.get_level_values("dataset").nunique()
        rows.append({**where, "technique": technique, "n_sets": n_sets, "pairs": len(table), **found.to_dict()})
    columns = ["balance", "n_splits", "panel", "technique", "n_sets", "pairs", *_FOUND, "share_smaller"]
    return with_findings(pd.DataFrame(rows).reindex(columns=columns))


def clear_without(bias: pd.DataFrame, found: Mapping[Any, Any], n_comparisons: int) -> str:
    """Return in how many cases a clear difference from SCV stays clear if one data set is left out.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    found : mapping
        A line of :func:`effects_table` of the error, by kind of data.
    n_comparisons : int
        Number of differences for which the joint interval holds at once.
    """
    same = (bias["balance"] == found["balance"]) & (bias["n_splits"] == found["n_splits"])
    here = bias[same & bias["technique"].isin([found["technique"], "SCV"])]
    sets = here["dataset"].unique()
    without = [
        effects_table(here[here["dataset"] != name], "rmse", [found["technique"]], n_comparisons=n_comparisons)
        for name in sets
    ]
    stays = sum(bool((one["joint_low"] * one["joint_high"] > 0).all()) for one in without)
    return out_of(stays, len(sets))


def _compared(
    bias: pd.DataFrame, measure: str, techniques: Sequence[str], reference: str, version: str, by_balance: bool
) -> Iterator[tuple[dict[str, Any], str, pd.DataFrame]]:
    bias = bias if by_balance else bias.assign(balance="all")
    for cell in cells(bias):
        panel = f"{cell['balance']} sets, {cell['n_splits']} folds"
        for technique in (name for name in techniques if name != reference):
            table = blocks(bias, [reference, technique], measure, version=version, **cell)
            if len(table):
                yield {**cell, "panel": panel}, technique, table


def count_findings(effects: pd.DataFrame) -> dict[str, int]:
    """Return how many comparisons of a table say what.

    Parameters
    ----------
    effects : DataFrame
        From :func:`effects_table` or :func:`metrics_table`.

    Returns
    -------
    dict of str to int
        ``compared``; ``smaller`` and ``larger`` (by joint intervals), ``equal`` (clearly below the margin, with a clear
        sign or without) and ``open``; ``alone_smaller`` and ``alone_larger`` (by intervals that hold for one comparison
        each); ``holm`` and ``fdr`` (p-values below 0.05 after correction).
    """
    finding = effects["finding"]
    return {
        "compared": len(effects),
        "smaller": int(finding.str.startswith("smaller").sum()),
        "larger": int(finding.str.startswith("larger").sum()),
        "equal": int(finding.isin(["equal", "larger, below the margin", "smaller, below the margin"]).sum()),
        "open": int((finding == "open").sum()),
        "alone_smaller": int((effects["high"] < 0).sum()),
        "alone_larger": int((effects["low"] > 0).sum()),
        "holm": int((effects["p_holm"] < _ALPHA).sum()),
        "fdr": int((effects["p_fdr"] < _ALPHA).sum()),
    }


def metrics_table(
    tables: dict[str, pd.DataFrame],
    measure: str,
    techniques: Sequence[str],
    reference: str = "SCV",
    version: str = CORRECT,
    *,
    by_balance: bool = True,
) -> pd.DataFrame:
    """Return the effects under every stored metric; joint intervals and corrections hold for all of them at once.

    Parameters
    ----------
    tables : dict of str to DataFrame
        As in :func:`bias_table`.
    measure, techniques, reference, version, by_balance
        As in :func:`effects_table`.

    Returns
    -------
    DataFrame
        As from :func:`effects_table`, with ``metric`` in front.
    """
    biases = {metric: bias_table(tables, metric=metric) for metric in SCORES if metric in tables["folds"]}
    given = (techniques, reference, version, by_balance)
    total = sum(len(list(_compared(both_versions(bias), measure, *given))) for bias in biases.values())
    frames = [
        effects_table(bias, measure, *given[:3], by_balance=by_balance, n_comparisons=total).assign(metric=metric)
        for metric, bias in biases.items()
    ]
    table = with_findings(pd.concat(frames, ignore_index=True))
    return table[["metric", *(name for name in table.columns if name != "metric")]]


def signs_table(
    tables: dict[str, pd.DataFrame], techniques: Sequence[str], reference: str = "SCV", measure: str = "bias"
) -> pd.DataFrame:
    """Return on how many data sets a measure is larger than that of a reference, under every stored metric.

    Parameters
    ----------
    tables : dict of str to DataFrame
        As in :func:`bias_table`.
    techniques, reference : sequence of str, str
        Names in ``STUDIED``, in their correct version; the reference among the techniques is left out.
    measure : str, default="bias"
        As in :func:`effects_table`; the difference of two biases is free of the noise of the true score.

    Returns
    -------
    DataFrame
        A row per ``technique``, ``n_splits`` and ``metric``: number of data sets (``n_sets``; tied ones are left out),
        on how many the mean over models is ``larger``, the mean ``difference``, and the two-sided ``p_value`` of the
        sign test, also corrected for all rows by Holm's method (``p_holm``).
    """
    rows = []
    for metric in (name for name in SCORES if name in tables["folds"]):
        bias = bias_table(tables, metric=metric)
        for technique in (name for name in techniques if name != reference):
            for n_splits in sorted(bias["n_splits"].unique()):
                table = blocks(bias, [reference, technique], measure, version=CORRECT, n_splits=n_splits)
                gaps = (table[technique] - table[reference]).groupby("dataset").mean().round(12)
                larger, n_sets = int((gaps > 0).sum()), int((gaps != 0).sum())
                p_value = stats.binomtest(larger, n_sets).pvalue if n_sets else np.nan
                rows.append((technique, int(n_splits), metric, n_sets, larger, gaps.mean(), p_value))
    columns = ["technique", "n_splits", "metric", "n_sets", "larger", "difference", "p_value"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(p_holm=adjusted(table["p_value"]))
