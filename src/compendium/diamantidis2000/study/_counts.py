"""How many clusters Mojena's rule finds in the data sets of the cluster-based study and of the study of 2000."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from compendium.datasets import catalogue, checksums, load_cached
from compendium.diamantidis2000.study._attributes import attributes_of
from compendium.engine import Study, Table, Tables, Unit, axis, seed
from cvstrat.clustering import mojena_counts

_LARGE_SAMPLES = {"pmlb/letter": 200}


@dataclass(frozen=True)
class CountsSpec:
    """What the study of numbers of clusters runs.

    Attributes
    ----------
    datasets : tuple of str
        Names in the catalogue. A set whose attribute kinds are known is measured as the study of 2000 does (scaled,
        discrete attributes compared by equal or not, missing values apart), any other as it is.
    n_samples : int
        How many samples of each data set, at least 1. A sample has 100 rows (200 for letter, as in the study of 2000).
    random_state : int
        Seed of the samples.
    """

    datasets: tuple[str, ...] = axis("dataset")
    n_samples: int = axis("sample", 50)
    random_state: int = seed(0)


def _checksums(spec: CountsSpec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted)


def _units(spec: CountsSpec, _: Tables) -> list[Unit]:
    return [{"dataset": name} for name in spec.datasets]


def _counts(spec: CountsSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    data = load_cached(unit["dataset"])
    counts = paper_counts(unit["dataset"], attributes_of(data).X, data.categorical, spec.n_samples, spec.random_state)
    return pd.DataFrame({"sample": np.arange(spec.n_samples), "clusters": counts})


def paper_counts(name: str, X: np.ndarray, categorical: Any, n_samples: int, seed: int) -> np.ndarray:
    """Return the numbers of clusters in samples of a data set, as large as in the study of 2000."""
    return mojena_counts(
        X,
        n_subsamples=n_samples,
        sample_size=_LARGE_SAMPLES.get(name, 100),
        categorical=categorical,
        random_state=seed,
    )


def _both_studies() -> CountsSpec:
    both = (*catalogue().select(study="spezia2025"), *catalogue().select(study="diamantidis2000"))
    return CountsSpec(tuple(entry.id for entry in both))


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.diamantidis2000.tables import summarise_cluster_counts

    return {"numbers of clusters": summarise_cluster_counts(tables["counts"])}


DIAMANTIDIS2000_COUNTS = Study(
    name="diamantidis2000-counts",
    summary="numbers of clusters by Mojena's rule, beside the published ones",
    spec_type=CountsSpec,
    profiles={
        "paper": _both_studies,
        "smoke": lambda: CountsSpec(("sklearn/iris", "sklearn/wine"), n_samples=5),
    },
    tables=(Table("counts", ("dataset",), _units, _counts, keys=("sample",)),),
    validate=lambda spec: None,
    checksums=_checksums,
    report=_report,
)
