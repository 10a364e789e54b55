"""How alike the folds of each technique are on the data sets of the cluster-based study, at every scale."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from compendium.datasets import by_size, catalogue, checksums, task_and_shape
from compendium.engine import Skip, Study, StudyError, Table, Tables, Unit, axis
from compendium.spezia2025.study._spec import SETS, STUDIED
from compendium.spezia2025.study._units import cluster_unit, study_splitter, subsample
from cvstrat.checks import check_known
from cvstrat.metrics import balance_ratio, balance_spectrum, fold_numbers

COMPARED = tuple(name for name in STUDIED if name not in SETS["set1"][1:])


@dataclass(frozen=True)
class BalanceSpec:
    """Which folds are measured.

    Attributes
    ----------
    datasets : tuple of str
        Names of the catalogue, or CSV files whose last column (or the one after a colon) is the class.
    techniques : tuple of str
        Names of the cluster-based study.
    n_splits : tuple of int
        Numbers of folds, each at least 2.
    n_repeats : int
        Number of subsamples whose folds are measured: the first of those that the cluster-based study takes.
    n_scales : int
        Number of bandwidths, from nearest neighbours to the whole set.
    n_subsamples : int
        Number of subsamples that the cluster-based study draws in all.
    test_size : float
        Share of the rows, between 0 and 1, that a subsample leaves out.
    subsample_seed, splitter_seed : int
        Seeds of the cluster-based study.
    """

    datasets: tuple[str, ...] = axis("dataset")
    techniques: tuple[str, ...] = axis("technique", COMPARED)
    n_splits: tuple[int, ...] = axis("n_splits", (2, 10))
    n_repeats: int = axis("repeat", 5)
    n_scales: int = 10
    n_subsamples: int = 20
    test_size: float = 0.1
    subsample_seed: int = 456
    splitter_seed: int = 123


def _validate(spec: BalanceSpec) -> None:
    for name in spec.techniques:
        check_known("technique", name, STUDIED)
    if not spec.n_splits or min(spec.n_splits) < 2:
        raise StudyError(f"n_splits={spec.n_splits}: give numbers of folds, each at least 2")
    if not 1 <= spec.n_repeats <= spec.n_subsamples:
        raise StudyError(f"n_repeats={spec.n_repeats}: give from 1 to n_subsamples={spec.n_subsamples}")
    if spec.n_scales < 1:
        raise StudyError(f"n_scales={spec.n_scales}: give at least 1")


def _checksums(spec: BalanceSpec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted, lambda data: None)


def _each_set(spec: BalanceSpec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name} for name in by_size(spec.datasets))


def _each_split(spec: BalanceSpec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        for technique in spec.techniques:
            for n_splits in spec.n_splits:
                for repeat in range(spec.n_repeats):
                    yield {"dataset": name, "technique": technique, "n_splits": n_splits, "repeat": repeat}


def _costs(spec: BalanceSpec, units: list[Unit], _: Tables) -> list[float]:
    shapes = {name: task_and_shape(name) for name in spec.datasets}
    return [100.0 + shapes[unit["dataset"]][1] for unit in units]


def _ratios(spec: BalanceSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Measure the folds of one technique on one subsample: the ratio of the columns, then at each bandwidth."""
    if "clusters" not in inputs:
        raise StudyError("the parameters of the clusterings could not be estimated")
    data = subsample(spec, unit, spec.n_subsamples)
    X, y = data.X, data.y
    splitter: Any = study_splitter(
        unit["technique"], unit["n_splits"], clusters=inputs["clusters"].iloc[0], random_state=spec.splitter_seed
    )
    try:
        folds = fold_numbers(splitter, X, y)
    except ValueError as error:
        raise Skip(str(error)) from error
    spectrum = balance_spectrum(folds, X, y, bandwidths=spec.n_scales)
    return pd.DataFrame(
        {
            "scale": np.arange(spec.n_scales + 1, dtype=np.int8),
            "relative": np.append(np.inf, spectrum["relative"]).astype(np.float32),
            "ratio": np.append(balance_ratio(folds, X, y), spectrum["ratio"]).astype(np.float32),
        }
    )


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    whole = tables["ratios"][tables["ratios"]["scale"] == 0]
    means = whole.groupby(["technique", "n_splits"], sort=False)["ratio"].mean().unstack()
    return {"mean balance ratio": means.reset_index()}


SPEZIA2025_BALANCE = Study(
    name="spezia2025-balance",
    summary="how alike the folds of every technique are, on the data sets of the cluster-based study",
    spec_type=BalanceSpec,
    profiles={
        "paper": lambda: BalanceSpec(tuple(entry.id for entry in catalogue().select(study="spezia2025"))),
        "smoke": lambda: BalanceSpec(
            ("sklearn/iris",), techniques=("SCBCV", "DBSCV", "SCV"), n_splits=(2,), n_repeats=2, n_scales=3
        ),
    },
    tables=(
        Table("clusters", ("dataset",), _each_set, cluster_unit, measured=("count_seconds", "eps_seconds")),
        Table(
            "ratios",
            ("dataset", "technique", "n_splits", "repeat"),
            _each_split,
            _ratios,
            needs=("clusters",),
            keys=("scale",),
            costs=_costs,
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)
