"""The study of 2000: estimates beside the truth, and the tables of its paper, ours beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from compendium.datasets import published
from compendium.diamantidis2000.study._spec import PAPER_TECHNIQUES, sample_size
from compendium.engine import read_tables

PAPER_NAMES = {ours: theirs for theirs, ours in PAPER_TECHNIQUES.items()}
PRINTED = "published"
_CASE = ["dataset", "learner", "technique", "n_splits"]


def with_c45(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the tables with the committed results of C4.5 added, for the data sets and samples that they hold.

    C4.5 needs Java and Weka, and so has studies of its own, that of letter with fewer numbers of folds; its samples are
    the same.
    """
    here = tables["truth"][["dataset", "sample"]].drop_duplicates()
    joined = dict(tables)
    for study in ("diamantidis2000-c45", "diamantidis2000-letter"):
        stored = read_tables(study)
        for name in (name for name in stored if name != "clusters"):
            keys = ["dataset", "sample"] if "sample" in stored[name] else ["dataset"]
            rows = stored[name].merge(here[keys].drop_duplicates(), on=keys)
            joined[name] = pd.concat([joined[name], rows], ignore_index=True)
    return joined


def estimates_of_samples(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return every estimate of every sample beside what it estimates.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``truth``, ``folds`` and ``estimators`` of the study.

    Returns
    -------
    DataFrame
        A row per ``dataset``, ``sample``, ``learner``, ``technique`` (by the paper's names; estimators without folds
        have theirs, and ``n_splits`` 0): ``accuracy``, ``truth`` (accuracy outside the sample of what was learned from
        all of it) and ``bias``, their difference. All in percent.
    """
    columns = ["dataset", "sample", "learner", "technique", "n_splits", "accuracy"]
    folds = tables["folds"].assign(technique=tables["folds"]["technique"].replace(PAPER_NAMES))
    others = tables["estimators"].assign(technique=tables["estimators"]["kind"], n_splits=0)
    apparent = tables["truth"].assign(technique="apparent", n_splits=0, accuracy=tables["truth"]["apparent"])
    rows = pd.concat([folds[columns], others[columns], apparent[columns]], ignore_index=True)
    rows = rows.merge(tables["truth"][["dataset", "sample", "learner", "truth"]], on=["dataset", "sample", "learner"])
    rows[["accuracy", "truth"]] *= 100
    return rows.assign(bias=rows["accuracy"] - rows["truth"])


def estimate_table(samples: pd.DataFrame) -> pd.DataFrame:
    """Return what each way of estimating gives on average over the samples.

    Parameters
    ----------
    samples : DataFrame
        From :func:`estimates_of_samples`.

    Returns
    -------
    DataFrame
        A row per data set, learner, technique and number of folds: mean ``accuracy`` and its standard deviation ``std``
        over the samples (the two columns of the paper's Table 3), ``truth``, ``bias`` with its standard error
        ``bias_se``, ``abs_bias`` (absolute value of the mean bias), ``rmse`` (root of the mean squared difference to
        the truth) and the number of ``samples``. Only what could be done on all samples of a data set is there:
        stratified methods refuse samples in which no class has as many rows as there are folds, and the others would
        be a selection.
    """
    grouped = samples.groupby(_CASE, sort=False)
    found = grouped.agg(
        accuracy=("accuracy", "mean"),
        std=("accuracy", "std"),
        truth=("truth", "mean"),
        bias=("bias", "mean"),
        bias_se=("bias", "sem"),
        rmse=("bias", lambda bias: float(np.sqrt(np.mean(bias**2)))),
        samples=("bias", "size"),
    )
    found = found.assign(abs_bias=found["bias"].abs()).reset_index()
    complete = found["samples"] == found.groupby(["dataset", "learner"])["samples"].transform("max")
    return found[complete].reset_index(drop=True)


def error_table(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates of :func:`estimate_table` as the page that explores results wants them, by our names."""
    found = estimates.assign(technique=estimates["technique"].replace(PAPER_TECHNIQUES), metric="accuracy")
    return found.rename(columns={"learner": "model", "samples": "n"})


def comparable(estimates: pd.DataFrame, techniques: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the data sets, learners and numbers of folds for which all of the techniques are there."""
    rows = estimates[estimates["technique"].isin(techniques)]
    there = rows.groupby(["dataset", "learner", "n_splits"])["technique"].transform("nunique")
    return rows[there == len(techniques)].reset_index(drop=True)


def accuracy_table(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's Table 3, ours and the published one below each other.

    Parameters
    ----------
    estimates : DataFrame
        From :func:`estimate_table`.

    Returns
    -------
    DataFrame
        A row per ``source`` (``published`` or a learner of ours), data set, technique of the paper and number of folds:
        mean ``accuracy`` and its standard deviation ``std`` over the samples, in percent.
    """
    ours = estimates[estimates["technique"].isin(PAPER_TECHNIQUES)].rename(columns={"learner": "source"})
    printed = published("diamantidis2000_table3").rename(columns={"deviation": "std"})
    printed = printed.assign(dataset="pmlb/" + printed["name"], source=PRINTED)
    printed = printed[printed["dataset"].isin(ours["dataset"]) & printed["n_splits"].isin(ours["n_splits"])]
    columns = ["source", "dataset", "technique", "n_splits", "accuracy", "std"]
    return pd.concat([printed[columns], ours[columns]], ignore_index=True)


def beside_published(accuracies: pd.DataFrame, measure: str, sources: Sequence[str]) -> pd.DataFrame:
    """Return Table 3 in the layout of the paper, with figures of ours beside the published ones.

    Parameters
    ----------
    accuracies : DataFrame
        From :func:`accuracy_table`.
    measure : str
        Column to show: ``accuracy`` or ``std``.
    sources : sequence of str
        Learners of ours to show: values of the column ``source``.

    Returns
    -------
    DataFrame
        A row per data set and technique, a column per number of folds and source.
    """
    rows = accuracies[accuracies["source"].isin([PRINTED, *sources])]
    wide = rows.pivot(index=["dataset", "technique"], columns=["n_splits", "source"], values=measure)
    folds = sorted(rows["n_splits"].unique())
    columns = [(k, source) for k in folds for source in (PRINTED, *sources) if (k, source) in wide.columns]
    lines = [
        (name, one) for name in dict.fromkeys(rows["dataset"]) for one in PAPER_TECHNIQUES if (name, one) in wide.index
    ]
    return wide.reindex(pd.MultiIndex.from_tuples(lines, names=wide.index.names))[columns]


def curve_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return learning curves: the mean accuracy outside, in percent, for each number of rows that are learned from.

    Returns
    -------
    DataFrame
        A row per data set, learner and ``size``: ``accuracy``, the ends ``low`` and ``high`` of its 95 % interval over
        the runs, and ``sampled``, whether the samples of the study have that size.
    """
    grouped = tables["curves"].groupby(["dataset", "learner", "size"], sort=False)["accuracy"]
    found = (100 * grouped.agg(accuracy="mean", half="sem")).reset_index()
    runs = tables["curves"]["run"].nunique()
    half = found.pop("half").fillna(0.0) * (stats.t.ppf(0.975, runs - 1) if runs > 1 else 0.0)
    sizes = {name: sample_size(name) for name in found["dataset"].unique()}
    return found.assign(
        low=found["accuracy"] - half,
        high=found["accuracy"] + half,
        sampled=found["size"] == found["dataset"].map(sizes),
    )
