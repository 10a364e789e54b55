"""Numbers of clusters, ours beside the published ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.datasets import published


def summarise_cluster_counts(counts: pd.DataFrame) -> pd.DataFrame:
    """Return a row per data set: mean, deviation and rounded number of clusters, and the published number."""
    ours = counts.groupby("dataset", sort=False)["clusters"].agg(mean="mean", deviation="std")
    ours["estimate"] = np.floor(ours["mean"] + 0.5).astype(int)
    spezia = published("spezia2025_table1").assign(published=lambda table: table["clusters"].astype(float))
    diamantidis = published("diamantidis2000_table2").assign(published=lambda table: table["clusters"])
    printed = pd.concat([spezia, diamantidis])[["name", "published"]]
    printed.index = pd.Index("pmlb/" + printed["name"])
    table: pd.DataFrame = ours.join(printed["published"])
    return table.assign(agrees=np.floor(table["published"] + 0.5) == table["estimate"]).reset_index()
