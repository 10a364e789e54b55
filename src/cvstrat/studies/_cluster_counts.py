"""How many clusters Mojena's rule finds in the data sets of the cluster-based study and of the study of 2000."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cvstrat.clustering import mojena_counts
from cvstrat.datasets import catalogue, published
from cvstrat.studies._attributes import attributes_of
from cvstrat.studies._data import checksums, kept
from cvstrat.studies._study import Study, StudyError, Table, Tables, Unit

_LARGE_SAMPLES = {"pmlb/letter": 200}


@dataclass(frozen=True)
class ClusterCountsSpec:
    """What is run.

    Attributes
    ----------
    datasets : tuple of str
        A set whose attribute kinds are known is measured as the study of 2000 does (scaled, discrete attributes
        compared by equal or not, missing values apart), any other as it is.
    n_samples : int
        Samples of 100 rows each (200 for letter, as in the study of 2000).
    random_state : int
        Where the samples come from.
    """

    datasets: tuple[str, ...]
    n_samples: int = 50
    random_state: int = 0


def _data(spec: ClusterCountsSpec, wanted: Collection[str] | None) -> dict[str, str]:
    if spec.n_samples < 1:
        raise StudyError(f"n_samples={spec.n_samples} is too few: give at least 1")
    return checksums(spec.datasets, wanted)


def _units(spec: ClusterCountsSpec, _: Tables) -> list[Unit]:
    return [{"dataset": name} for name in spec.datasets]


def _counts(spec: ClusterCountsSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    data = kept(unit["dataset"])
    counts = paper_counts(unit["dataset"], attributes_of(data).X, data.categorical, spec.n_samples, spec.random_state)
    return pd.DataFrame({"sample": np.arange(spec.n_samples), "clusters": counts})


def paper_counts(name: str, X: np.ndarray, categorical: Any, n_samples: int, seed: int) -> np.ndarray:
    """Return the numbers of clusters in samples of a data set, as large as in the study of 2000."""
    return mojena_counts(
        X,
        n_samples=n_samples,
        sample_size=_LARGE_SAMPLES.get(name, 100),
        categorical=categorical,
        random_state=seed,
    )


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


def _both_studies() -> ClusterCountsSpec:
    both = (*catalogue().select(study="spezia2025"), *catalogue().select(study="diamantidis2000"))
    return ClusterCountsSpec(tuple(entry.id for entry in both))


CLUSTER_COUNTS = Study(
    name="cluster-counts",
    summary="numbers of clusters by Mojena's rule, beside the published ones",
    profiles={
        "paper": _both_studies,
        "smoke": lambda: ClusterCountsSpec(("sklearn/iris", "sklearn/wine"), n_samples=5),
    },
    tables=(Table("counts", ("dataset",), _units, _counts, keys=("sample",)),),
    data=_data,
)
