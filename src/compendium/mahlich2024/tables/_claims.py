"""What the paper says of its results beyond Table 2: of large sets, complex models, the interval, and five folds."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.datasets import task_and_shape
from compendium.inference import effects_if_several
from compendium.mahlich2024.tables._stops import PAIR, score_table, task_of

# The paper does not say which models it takes for complex: those that adapt most to the data against the simplest.
COMPLEX = ("AdaBoost", "Decision tree")
SIMPLE = ("Naive Bayes", "Logistic regression", "Linear regression", "Ridge", "Lasso")


def differences_by_size(stopped: pd.DataFrame) -> pd.DataFrame:
    """Return how far early stops are from ten folds on each data set, the smallest first.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``task``, ``rows``, ``percent`` (mean difference of runs that stopped early, in percent of
        the score) and ``percent_std`` (its standard deviation over runs).
    """
    early = stopped[stopped["stop"] < stopped["n_folds"]]
    table = early.groupby("dataset")["percent"].agg(percent="mean", percent_std="std").reset_index()
    table = table.assign(
        task=table["dataset"].map(task_of), rows=[task_and_shape(name)[1] for name in table["dataset"]]
    )
    return table.sort_values("rows", ignore_index=True)[["dataset", "task", "rows", "percent", "percent_std"]]


def differences_by_complexity(stopped: pd.DataFrame) -> pd.DataFrame:
    """Return how far early stops of complex and of simple models are from ten folds, on each data set.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``task``, ``complex`` and ``simple`` (means over models and runs that stopped early, in
        percent of the score); data sets that lack either kind are left out.
    """
    early = stopped[stopped["stop"] < stopped["n_folds"]]
    kinds = {name: "complex" for name in COMPLEX} | {name: "simple" for name in SIMPLE}
    means = early.groupby(["dataset", "model"])["percent"].mean().reset_index()
    wide = means.assign(kind=means["model"].map(kinds)).pivot_table("percent", "dataset", "kind")
    wide = wide.reindex(columns=["complex", "simple"]).dropna().reset_index().rename_axis(columns=None)
    wide.insert(1, "task", wide["dataset"].map(task_of))
    return wide


def inside_shares(stopped: pd.DataFrame) -> pd.Series:
    """Return how the percentage of runs inside the interval is spread over pairs, as the paper's Figure 3 has it.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    Series
        Percent of the pairs of data set and model, by the whole percentage of their runs that are inside.
    """
    inside = (100 * stopped.groupby(["dataset", "model"])["inside"].mean()).round().astype(int)
    return 100 * inside.value_counts(normalize=True).sort_index()


def five_fold_table(five: dict[str, pd.DataFrame], ten: dict[str, pd.DataFrame], stopped: pd.DataFrame) -> pd.DataFrame:
    """Return how far e-fold and a genuine five-fold cross-validation are from the mean of all ten-fold runs.

    Parameters
    ----------
    five : dict of str to DataFrame
        ``runs`` of the study ``mahlich2024-five``.
    ten : dict of str to DataFrame
        ``runs`` of the e-fold study.
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        A row per pair of data set and model that both studies have: ``fits`` of e-fold, and, in percent of the score,
        the mean distances ``efold`` and ``five``, and ``shift``: how far the mean of all five-fold runs is from that of
        all ten-fold runs, with its sign.
    """
    scores = {name: score_table(tables["runs"]).mean(axis=1) for name, tables in (("five", five), ("ten", ten))}
    reference = scores["ten"].groupby(PAIR).mean()
    efold = stopped.set_index([*PAIR, "run"])["estimate"]
    frame = pd.DataFrame(
        {
            "fits": stopped.groupby(PAIR)["stop"].mean(),
            "efold": _distance(efold, reference),
            "five": _distance(scores["five"], reference),
            "shift": 100 * (scores["five"].groupby(PAIR).mean() - reference) / reference.abs(),
        }
    )
    return frame.dropna().reset_index()


def _distance(estimates: pd.Series, reference: pd.Series) -> pd.Series:
    both = estimates.rename("estimate").reset_index().merge(reference.rename("truth").reset_index(), on=PAIR)
    away = 100 * (both["estimate"] - both["truth"]).abs() / both["truth"].abs()
    means: pd.Series = away.groupby([both[name] for name in PAIR]).mean()
    return means


def five_fold_effects(table: pd.DataFrame) -> pd.DataFrame:
    """Return by how much five folds are further off than e-fold, with an interval over data sets.

    Parameters
    ----------
    table : DataFrame
        From :func:`five_fold_table`.
    """
    wide = table.set_index(["dataset", "model"])[["efold", "five"]]
    return effects_if_several(wide, "efold", "dataset").rename_axis("technique").reset_index()


def rank_correlation(table: pd.DataFrame) -> float:
    """Return Spearman's correlation between the number of rows and the mean difference of a data set."""
    return float(np.corrcoef(table["rows"].rank(), table["percent"].rank())[0, 1])
