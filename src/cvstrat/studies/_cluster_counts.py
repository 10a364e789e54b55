"""How many clusters Mojena's rule finds in the data sets of the cluster-based study and of the study of 2000."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from cvstrat.clustering import mojena_counts
from cvstrat.datasets import Dataset, catalogue, load, published

_LARGE_SAMPLES = {"pmlb/letter": 200}


def cluster_counts(names: Iterable[str] | None = None, *, n_samples: int = 50, random_state: int = 0) -> pd.DataFrame:
    """Return the number of clusters in each sample of each data set.

    Parameters
    ----------
    names : iterable of str, default=None
        Data sets; None means those of both studies. A set whose attribute kinds are known is measured as the study of
        2000 does (scaled, discrete attributes compared by equal or not, missing values apart), any other as it is.
    n_samples : int, default=50
        Samples of 100 rows each (200 for letter, as in the study of 2000).
    random_state : int, default=0
        Where the samples come from.

    Returns
    -------
    DataFrame
        Columns ``name``, ``sample`` and ``clusters``.
    """
    if names is None:
        both = (*catalogue().select(study="spezia2025"), *catalogue().select(study="diamantidis2000"))
        names = [entry.id for entry in both]
    frames = [_counts(load(name), n_samples, random_state) for name in names]
    return pd.concat(frames, ignore_index=True)


def _counts(data: Dataset, n_samples: int, random_state: int) -> pd.DataFrame:
    name = f"{data.collection}/{data.name}"
    X = data.X
    for column, code in data.missing.items():
        place = data.feature_names.index(column)
        X = X.copy()
        X[X[:, place] == code, place] = np.nan
    counts = mojena_counts(
        X,
        n_samples=n_samples,
        sample_size=_LARGE_SAMPLES.get(name, 100),
        categorical=data.categorical,
        random_state=random_state,
    )
    return pd.DataFrame({"name": name, "sample": np.arange(n_samples), "clusters": counts})


def summarise_cluster_counts(counts: pd.DataFrame) -> pd.DataFrame:
    """Return a row per data set: mean, deviation and rounded number of clusters, and the published number."""
    ours = counts.groupby("name", sort=False)["clusters"].agg(mean="mean", deviation="std")
    ours["estimate"] = np.floor(ours["mean"] + 0.5).astype(int)
    spezia = published("spezia2025_table1").assign(published=lambda table: table["clusters"].astype(float))
    diamantidis = published("diamantidis2000_table2").assign(published=lambda table: table["clusters"])
    printed = pd.concat([spezia, diamantidis])[["name", "published"]]
    printed.index = pd.Index("pmlb/" + printed["name"])
    table: pd.DataFrame = ours.join(printed["published"])
    return table.assign(agrees=np.floor(table["published"] + 0.5) == table["estimate"]).reset_index()
