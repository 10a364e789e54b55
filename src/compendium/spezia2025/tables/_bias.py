"""From the scores of the cluster-based study to bias and standard deviation, the two measures of its paper."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from compendium.datasets import UnknownDataset, catalogue, load
from compendium.spezia2025.study._spec import with_twins
from cvstrat.metrics import USUAL_METRIC, balance_kind, imbalance_index


@functools.cache
def balance_of(dataset: str) -> str:
    """Return ``imbalanced`` for a data set whose imbalance index is above 0.20, as in the paper, else ``balanced``."""
    try:
        index = catalogue().find(dataset).imbalance
    except UnknownDataset:
        index = imbalance_index(load(dataset).y)
    return balance_kind(index)


def bias_table(tables: dict[str, pd.DataFrame], *, metric: str = "") -> pd.DataFrame:
    """Return bias and standard deviation of the estimates of every technique on every pair of data set and model.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``clusters``, ``truth`` and ``folds`` of the cluster-based study.
    metric : str, default=""
        Score that is estimated; empty means the paper's choice, accuracy for balanced sets and macro F1 for the others.

    Returns
    -------
    DataFrame
        A row per ``dataset``, ``model``, ``n_splits``, ``technique`` and ``version`` whose repeats are all there, with

        - ``balance``: ``balanced`` or ``imbalanced``;
        - ``truth``, ``truth_se``: mean score over the hold-outs, and its standard error;
        - ``estimate``, ``std``: mean and standard deviation of the cross-validated score over the repeats;
        - ``bias``, ``bias_se``: estimate minus truth, and its standard error (of estimate and truth together);
        - ``abs_bias``: absolute value of the bias; like any size of a noisy number, it is too large on average;
        - ``squared_bias``: squared bias minus squared ``bias_se``: on average the square of the true bias; negative
          where the bias is smaller than its noise;
        - ``rmse``: root mean squared error of one estimate, the root of ``squared_bias`` plus squared ``std``.
    """
    folds, truth = with_twins(tables["folds"], tables["clusters"]), tables["truth"]
    balance = {name: balance_of(name) for name in folds["dataset"].unique()}
    folds = folds.assign(balance=folds["dataset"].map(balance))
    truth = truth.assign(balance=truth["dataset"].map(balance)).dropna(subset="balance")
    for frame in (folds, truth):
        frame["score"] = np.nan
        for name, usual in USUAL_METRIC.items():
            chosen = frame["balance"] == name
            frame.loc[chosen, "score"] = frame.loc[chosen, metric or usual]
    by = ["dataset", "balance", "model", "n_splits", "technique", "version"]
    found = folds.groupby(by, sort=False)["score"].agg(estimate="mean", std="std", repeats="count").reset_index()
    found = found[found["repeats"] == found["repeats"].max()].drop(columns="repeats")
    true = truth.groupby(["dataset", "model"], sort=False)["score"].agg(truth="mean", truth_se="sem").reset_index()
    table: pd.DataFrame = found.merge(true, on=["dataset", "model"], how="inner")
    n_repeats = folds["repeat"].nunique()
    table["bias"] = table["estimate"] - table["truth"]
    table["abs_bias"] = table["bias"].abs()
    table["bias_se"] = np.hypot(table["truth_se"], table["std"] / np.sqrt(n_repeats))
    table["squared_bias"] = table["bias"] ** 2 - table["bias_se"] ** 2
    table["rmse"] = np.sqrt((table["squared_bias"] + table["std"] ** 2).clip(lower=0))
    return table


def blocks(bias: pd.DataFrame, techniques: Sequence[str], measure: str, **where: object) -> pd.DataFrame:
    """Return a measure as pairs of data set and model by techniques: the pairs for which all techniques are there.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    techniques : sequence of str
        Names in ``STUDIED``: the columns, in this order.
    measure : str
        ``bias``, ``squared_bias``, ``std`` or ``rmse``.
    **where
        Values of other columns, such as ``balance="balanced"``, ``n_splits=10``, ``version="correct"``.

    Returns
    -------
    DataFrame
        Indexed by ``dataset`` and ``model``.
    """
    chosen = bias["technique"].isin(techniques).to_numpy()
    for column, value in where.items():
        chosen = chosen & (bias[column] == value).to_numpy()
    columns = ["dataset", "model", "technique", measure]
    wide = bias.loc[chosen, columns].pivot(index=["dataset", "model"], columns="technique", values=measure)
    return wide.reindex(columns=list(techniques)).dropna()
