"""Error against cost: which procedure estimates best for what it costs, and what the dial does to each learner."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from compendium.balance.study import BALANCES
from compendium.balance.tables import CELL, by_criterion, score, with_truth
from cvstrat.metrics import unbiased_balance

CELLS = [name for name in CELL if name != "replicate"]


def frontier(errors: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of procedures that nothing cheaper, or as cheap, beats: a line per cell and procedure.

    Parameters
    ----------
    errors : DataFrame
        From :func:`compendium.balance.tables.errors`.
    """
    found = []
    for _, cell in errors.groupby(CELLS, observed=True, sort=False):
        ordered = cell.sort_values(["cost", "rmse"])
        found.append(ordered[ordered["rmse"] < ordered["rmse"].cummin().shift(fill_value=np.inf)])
    return pd.concat(found, ignore_index=True)


def shares_on_frontier(errors: pd.DataFrame) -> pd.DataFrame:
    """Return for each procedure its cost, on which share of the cells it is on the frontier, and how far from the best.

    Returns
    -------
    DataFrame
        Columns ``procedure``, ``cost``, ``cells``, ``on_frontier`` (per cent of them) and ``excess``: by how many per
        cent its root mean squared error is above the smallest of the cell, mean over cells. The best comes first.
    """
    best = errors.groupby(CELLS, observed=True)["rmse"].transform("min")
    lines = errors.assign(excess=100 * (errors["rmse"] / best - 1))
    table = lines.groupby("procedure", sort=False).agg(
        cost=("cost", "mean"), cells=("rmse", "size"), excess=("excess", "mean")
    )
    on = frontier(errors).groupby("procedure")["rmse"].size()
    table["on_frontier"] = 100 * on.reindex(table.index).fillna(0) / table["cells"]
    return table.reset_index().sort_values(["on_frontier", "excess"], ascending=[False, True], ignore_index=True)


def mean_over_problems(errors: pd.DataFrame) -> pd.DataFrame:
    """Return errors by number of rows, learner and procedure: means over problems and shares of the rarer class."""
    keys = ["n_rows", "learner", "procedure", "technique", "n_splits"]
    squared = errors.assign(bias_variance=errors["bias_se"] ** 2, rmse_variance=errors["rmse_se"] ** 2)
    grouped = squared.groupby(keys, observed=True, sort=False)
    table = grouped.agg(
        cost=("cost", "mean"),
        bias=("bias", "mean"),
        rmse=("rmse", "mean"),
        bias_variance=("bias_variance", "sum"),
        rmse_variance=("rmse_variance", "sum"),
        cells=("rmse", "size"),
    ).reset_index()
    for name in ("bias", "rmse"):
        table[f"{name}_se"] = np.sqrt(table[f"{name}_variance"]) / table["cells"]
    return table.drop(columns=["bias_variance", "rmse_variance"])


def dial(errors: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of balanced folds, with a column ``balance``: the ratio that was aimed at."""
    labels = {f"balanced {label}": balance for label, balance in BALANCES.items()}
    lines = errors[errors["technique"].isin(labels)]
    aims = lines["technique"].map(labels)
    unbiased = [unbiased_balance(k) for k in lines["n_splits"]]
    return lines.assign(balance=np.where(aims == "unbiased", unbiased, pd.to_numeric(aims, errors="coerce")))


def choices(estimated: pd.DataFrame, truths: pd.DataFrame) -> pd.DataFrame:
    """Return how often a procedure finds the better of two learners, and what its errors cost.

    All pairs of learners are compared on each data set whose truth is given, without the forest, which is not on all
    of them. A tie counts half.

    Returns
    -------
    DataFrame
        A line per ``n_rows`` and ``procedure``: mean ``cost``, ``right`` in per cent, and ``lost``, the accuracy that
        is given away in the mean, in points. Each problem and share of the rarer class counts alike, however many data
        sets it has, as in the other tables.
    """
    known = truths.assign(truth=score(truths))[[*CELL, "truth"]]
    both = estimated.merge(known, on=CELL)
    of_pairs = both[both["learner"] != "forest"]
    unit = ["problem", "n_rows", "minority", "replicate", "procedure"]
    wide = of_pairs.pivot_table(index=unit, columns="learner", values=["estimate", "truth"], observed=True)
    found = []
    for one, other in itertools.combinations(wide["truth"].columns, 2):
        said = np.sign(wide["estimate", one] - wide["estimate", other])
        real = wide["truth", one] - wide["truth", other]
        right = (1 + said * np.sign(real)) / 2
        found.append(pd.DataFrame({"right": 100 * right, "lost": 100 * (1 - right) * real.abs()}))
    pairs = pd.concat(found).groupby(["problem", "minority", "n_rows", "procedure"], observed=True, sort=False).mean()
    costs = both.groupby([*CELLS, "procedure"], observed=True, sort=False)["cost"].mean()
    table, cost = (one.groupby(["n_rows", "procedure"], observed=True, sort=False).mean() for one in (pairs, costs))
    return cost.reset_index().merge(table.reset_index(), on=["n_rows", "procedure"])


def claim_table(errors: pd.DataFrame, ratios: pd.DataFrame) -> pd.DataFrame:
    """Return how alike the folds of each procedure are, and its bias and error for each learner.

    Parameters
    ----------
    errors : DataFrame
        From :func:`compendium.balance.tables.errors`, of the study ``balance-dps``.
    ratios : DataFrame
        The table of that name of that study.

    Returns
    -------
    DataFrame
        A line per procedure, the cheapest first: ``procedure``, ``cost``, ``ratio``, then ``bias, ...`` and
        ``error, ...`` for each learner, in points: means over problems and numbers of rows. Folds dealt several times
        have no ratio.
    """
    errors = errors[errors["procedure"] != "e-fold"]
    means = errors.groupby(["cost", "procedure", "learner"], sort=False)[["bias", "rmse"]].mean().unstack()
    order = list(dict.fromkeys(errors["learner"]))
    both = pd.concat([means["bias"][order].add_prefix("bias, "), means["rmse"][order].add_prefix("error, ")], axis=1)
    table: pd.DataFrame = both.sort_index(kind="stable").reset_index().rename_axis(columns=None)
    measured = ratios.assign(procedure=ratios["technique"].astype(str) + " " + ratios["n_splits"].astype(str))
    table.insert(2, "ratio", table["procedure"].map(measured.groupby("procedure")["ratio"].mean()))
    return table


def ratios_reached(ratios: pd.DataFrame) -> pd.DataFrame:
    """Return which balance ratio folds have, dealt by either criterion, beside that which was asked for.

    Parameters
    ----------
    ratios : DataFrame
        The table of that name of the study ``balance-criterion``.

    Returns
    -------
    DataFrame
        A line per ``n_rows``, ``n_splits`` and ``balance`` (``0`` or ``unbiased``): the ratio ``asked`` for, and the
        means reached by ``energy`` and by ``features``.
    """
    by = ["n_rows", "n_splits", "balance"]
    means = by_criterion(ratios).pivot_table("ratio", by, "criterion", observed=True)
    table = means[["energy", "features"]].reset_index()
    asked = [unbiased_balance(k) if balance == "unbiased" else 0.0 for k, balance in table[by[1:]].to_numpy()]
    table.insert(3, "asked", asked)
    return table.rename_axis(columns=None)


def bias_by_criterion(estimated: pd.DataFrame, truths: pd.DataFrame) -> pd.DataFrame:
    """Return the bias, in points, of folds that were asked for the unbiased ratio, dealt by either criterion.

    Parameters
    ----------
    estimated : DataFrame
        Table ``estimates`` of the study ``balance-criterion``.
    truths : DataFrame
        Table ``truths`` of the study ``balance``, whose first data sets are the same.

    Returns
    -------
    DataFrame
        A line per ``n_rows``, ``learner``, ``n_splits`` and ``criterion``: ``bias``, its standard error ``se``, and
        ``n``, the number of data sets of each problem.
    """
    named = by_criterion(estimated)
    grouped = with_truth(named[named["balance"] == "unbiased"], truths).groupby(
        ["n_rows", "learner", "n_splits", "criterion"], observed=True
    )
    return grouped.agg(bias=("error", "mean"), se=("error", "sem"), n=("replicate", "nunique")).reset_index()
