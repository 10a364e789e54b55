"""Numbers of clusters, ours beside the published ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.datasets import published
from compendium.diamantidis2000.tables._estimates import PRINTED


def summarise_cluster_counts(counts: pd.DataFrame) -> pd.DataFrame:
    """Compare the numbers of clusters found in the samples of each data set with the published number.

    Parameters
    ----------
    counts : DataFrame
        Table ``counts`` of the study of numbers of clusters: ``clusters`` for each ``dataset`` and ``sample``.

    Returns
    -------
    DataFrame
        A row per ``dataset``: ``mean`` and ``std`` (standard deviation) of the number of clusters over the samples,
        ``estimate`` (the mean, rounded), the ``published`` number (NaN if there is none), and ``agrees``, whether that
        one, rounded, is the estimate.
    """
    ours = counts.groupby("dataset", sort=False)["clusters"].agg(mean="mean", std="std")
    ours["estimate"] = np.floor(ours["mean"] + 0.5).astype(int)
    spezia = published("spezia2025_table1").assign(published=lambda table: table["clusters"].astype(float))
    diamantidis = published("diamantidis2000_table2").assign(published=lambda table: table["clusters"])
    printed = pd.concat([spezia, diamantidis])[["name", "published"]]
    printed.index = pd.Index("pmlb/" + printed["name"])
    table: pd.DataFrame = ours.join(printed["published"])
    return table.assign(agrees=np.floor(table["published"] + 0.5) == table["estimate"]).reset_index()


def cluster_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the paper's Table 2, ours beside it.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``clusters`` of the study.

    Returns
    -------
    DataFrame
        A row per ``dataset``: ``mean`` and ``std`` (standard deviation) of the number of clusters over the samples, the
        number ``used``, and the mean and standard deviation that the paper prints, ``published`` and ``published_std``.
    """
    printed = published("diamantidis2000_table2").rename(columns={"clusters": PRINTED})
    printed = printed.assign(dataset="pmlb/" + printed["name"], published_std=printed["deviation"])
    ours: pd.DataFrame = tables["clusters"].rename(columns={"n_clusters": "used"})
    return ours.merge(printed[["dataset", PRINTED, "published_std"]], on="dataset", how="left")
