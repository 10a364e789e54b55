"""The cluster-based study (Spezia et al., 2025): how well its folds estimate scores, correct and as published."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np
import pandas as pd

from compendium.datasets import DataError, Dataset, by_size, catalogue, checksums, task_and_shape
from compendium.engine import Study, Table, Tables, Unit
from compendium.spezia2025.study._models import MODELS
from compendium.spezia2025.study._spec import EXTRAS, PUBLISHED, SETS, STUDIED, Spezia2025Spec, twins
from compendium.spezia2025.study._units import cluster_unit, cross_validate_unit, truth_unit, tune_unit
from cvstrat.checks import check_known

_TIMES = ("fit_seconds", "predict_seconds")


def _validate(spec: Spezia2025Spec) -> None:
    for kind, names, known in (
        ("model", spec.models, MODELS),
        ("technique", spec.techniques, STUDIED),
    ):
        for name in names:
            check_known(kind, name, known)


def study_checksums(spec: Spezia2025Spec, wanted: Collection[str] | None) -> dict[str, str]:
    """Return the checksums of the data sets, each of which is looked at first: it must have classes, large enough."""
    return checksums(spec.datasets, wanted, lambda data: _check(data, spec))


def _check(data: Dataset, spec: Spezia2025Spec) -> None:
    if data.task != "classification":
        raise DataError(f"{data.name} is a {data.task} problem; this study needs classes")
    counts = np.unique(data.y, return_counts=True)[1]
    if len(counts) < 2:
        raise DataError(f"{data.name} has one class only; there is nothing to learn")
    if counts.min() < 2:
        raise DataError(f"{data.name} has a class with one member; stratified hold-outs need two")
    left_out = math.ceil(len(data.y) * spec.test_size)  # as scikit-learn rounds
    if left_out < len(counts):
        raise DataError(
            f"{data.name}: test_size={spec.test_size} leaves out {left_out} of {len(data.y)} rows, fewer than classes"
        )


def _each_set(spec: Spezia2025Spec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name} for name in by_size(spec.datasets))


def each_pair(spec: Spezia2025Spec, _: Tables) -> Iterator[Unit]:
    """Return a unit for each data set and model."""
    return ({"dataset": name, "model": model} for name in by_size(spec.datasets) for model in spec.models)


def each_run(spec: Spezia2025Spec, tables: Tables) -> Iterator[Unit]:
    """Yield a unit for each data set, technique, number of folds and subsample."""
    # What the paper compares comes first, set by set from the smallest: partial results are then results on some sets.
    paper = [name for name in spec.techniques if name not in EXTRAS]
    beyond = [name for name in spec.techniques if name in EXTRAS]
    same = twins(tables["clusters"]) if "clusters" in tables and "SCBCV" in paper else {}
    for techniques in (paper, beyond):
        for name in by_size(spec.datasets):
            for technique in [one for one in techniques if one != same.get(name)]:
                for n_splits in spec.n_splits:
                    for repeat in range(spec.n_repeats):
                        yield {"dataset": name, "technique": technique, "n_splits": n_splits, "repeat": repeat}


def pair_costs(spec: Spezia2025Spec, units: list[Unit], _: Tables) -> list[float]:
    """Return how long the fits of each data set and model are expected to take, relative to each other."""
    relative = {"RF": 1.0, "SVM": 2.0, "LR": 0.2, "DT": 0.05}
    shapes = {name: task_and_shape(name) for name in spec.datasets}
    return [
        100 + rows * columns**0.5 * relative[unit["model"]]
        for unit in units
        for _, rows, columns in [shapes[unit["dataset"]]]
    ]


def _run_costs(spec: Spezia2025Spec, units: list[Unit], tables: Tables) -> list[float]:
    if "truth_times" not in tables:
        return [1.0] * len(units)
    one_fit = tables["truth_times"].groupby("dataset")["fit_seconds"].sum() / spec.n_holdouts
    return [
        (1 + (unit["technique"] in PUBLISHED)) * (unit["n_splits"] - 1) * one_fit.get(unit["dataset"], 0.0)
        for unit in units
    ]


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.spezia2025 import tables as views

    bias = views.bias_table(tables)
    paper = [name for name in STUDIED if name not in EXTRAS]
    found = {
        "mean bias, absolute bias, standard deviation and RMSE": views.summary_table(bias, paper),
        "the same, with the techniques beyond the paper": views.summary_table(bias, STUDIED),
    }
    for experiment, techniques in SETS.items():
        found[f"{experiment}: p-values of Friedman's test"] = views.friedman_table(bias, techniques, experiment)
        found[f"{experiment}: how often closest to zero"] = views.wins_table(bias, techniques, experiment)
    return found


def _errors(tables: Tables) -> pd.DataFrame:
    from compendium.spezia2025.tables import error_table

    return error_table(tables)


SPEZIA2025 = Study(
    name="spezia2025",
    summary="bias and standard deviation of cluster-based folds (Spezia et al., 2025), correct and as published",
    spec_type=Spezia2025Spec,
    profiles={
        "paper": lambda: Spezia2025Spec(tuple(entry.id for entry in catalogue().select(study="spezia2025"))),
        "smoke": lambda: Spezia2025Spec(
            ("sklearn/iris", "sklearn/wine"), models=("LR", "DT"), n_splits=(2,), n_repeats=2, n_holdouts=5
        ),
    },
    tables=(
        Table("clusters", ("dataset",), _each_set, cluster_unit, measured=("count_seconds", "eps_seconds")),
        Table("tuning", ("dataset", "model"), each_pair, tune_unit, measured=("fit_seconds",), costs=pair_costs),
        Table(
            "truth",
            ("dataset", "model"),
            each_pair,
            truth_unit,
            needs=("tuning",),
            keys=("holdout",),
            measured=_TIMES,
            costs=pair_costs,
        ),
        Table(
            "folds",
            ("dataset", "technique", "n_splits", "repeat"),
            each_run,
            cross_validate_unit,
            needs=("clusters", "tuning"),
            keys=("version", "model"),
            measured=("split_seconds", *_TIMES),
            costs=_run_costs,
        ),
    ),
    validate=_validate,
    checksums=study_checksums,
    report=_report,
    errors=_errors,
)
