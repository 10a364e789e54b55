"""The study of 2000 (Diamantidis et al.): folds by one centre or by clusters, without regard to classes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from compendium.datasets import DataError, Dataset, by_size, checksums, published, task_and_shape
from compendium.diamantidis2000.study._c45 import missing_for_c45
from compendium.diamantidis2000.study._learners import LEARNERS
from compendium.diamantidis2000.study._spec import (
    ESTIMATORS,
    PAPER_TECHNIQUES,
    Diamantidis2000Spec,
    curve_sizes,
    sample_size,
)
from compendium.diamantidis2000.study._units import cluster_unit, curve_unit, estimator_unit, fold_unit, truth_unit
from compendium.engine import Study, StudyError, Table, Tables, Unit
from cvstrat.checks import check_known
from cvstrat.errors import InputError
from cvstrat.splitters import TECHNIQUES


def _validate(spec: Diamantidis2000Spec) -> None:
    for kind, names, known in (
        ("learner", spec.learners, LEARNERS),
        ("technique", spec.techniques, TECHNIQUES),
        ("estimator", spec.estimators, ESTIMATORS),
    ):
        for name in names:
            check_known(kind, name, known)
    if "C4.5" in spec.learners and missing_for_c45():
        raise StudyError(missing_for_c45())


def _checksums(spec: Diamantidis2000Spec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted, lambda data: _check(data, spec))


def _check(data: Dataset, spec: Diamantidis2000Spec) -> None:
    name = f"{data.collection}/{data.name}"
    if data.task != "classification":
        raise DataError(f"{name} is a {data.task} problem; this study needs classes")
    if len(np.unique(data.y)) < 2:
        raise DataError(f"{name} has one class only; there is nothing to learn")


def _each_set(spec: Diamantidis2000Spec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name} for name in by_size(spec.datasets))


def _each_sample(spec: Diamantidis2000Spec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name, "sample": sample} for name in by_size(spec.datasets) for sample in range(spec.n_samples))


def _each_size(spec: Diamantidis2000Spec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        for size in curve_sizes(task_and_shape(name)[1], _size(spec, name)):
            yield {"dataset": name, "size": size}


def _each_technique(spec: Diamantidis2000Spec, tables: Tables) -> Iterator[Unit]:
    return (unit | {"technique": name} for unit in _each_sample(spec, tables) for name in spec.techniques)


def _each_estimator(spec: Diamantidis2000Spec, tables: Tables) -> Iterator[Unit]:
    return (unit | {"estimator": name} for unit in _each_sample(spec, tables) for name in spec.estimators)


def _size(spec: Diamantidis2000Spec, name: str) -> int:
    size = sample_size(name, spec.share)
    if size < max(spec.n_splits):
        raise InputError(f"{name}: samples of {size} rows are fewer than {max(spec.n_splits)} folds; use fewer folds")
    return size


def _costs(spec: Diamantidis2000Spec, units: list[Unit], _: Tables) -> list[float]:
    seconds = {}
    for name in spec.datasets:
        seconds[name] = 1e-3 + 8e-7 * sample_size(name, spec.share) * task_and_shape(name)[2]
    per_row = {"leave-one-out": True}
    return [
        seconds[unit["dataset"]]
        * (sample_size(unit["dataset"], spec.share) if per_row.get(unit.get("estimator", "")) else sum(spec.n_splits))
        for unit in units
    ]


def _sets() -> tuple[str, ...]:
    return tuple(f"pmlb/{name}" for name in published("diamantidis2000_table1")["name"])


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.diamantidis2000 import tables as views

    estimates = views.estimate_table(views.estimates_of_samples(tables))
    return {
        "numbers of clusters": views.cluster_table(tables),
        "estimates, in percent": estimates,
        "how often best": views.best_table(views.accuracy_table(estimates)),
    }


def _errors(tables: Tables) -> pd.DataFrame:
    from compendium.diamantidis2000 import tables as views

    return views.error_table(views.estimate_table(views.estimates_of_samples(tables)))


DIAMANTIDIS2000 = Study(
    name="diamantidis2000",
    summary="folds by one centre or by clusters, and the other estimators (Diamantidis et al., 2000)",
    spec_type=Diamantidis2000Spec,
    profiles={
        "paper": lambda: Diamantidis2000Spec(_sets()),
        "smoke": lambda: Diamantidis2000Spec(
            ("sklearn/iris", "sklearn/wine"),
            n_splits=(2, 5),
            n_samples=2,
            n_curve=2,
            n_bootstraps=5,
        ),
    },
    tables=(
        Table("clusters", ("dataset",), _each_set, cluster_unit),
        Table("truth", ("dataset", "sample"), _each_sample, truth_unit, keys=("learner",), measured=("fit_seconds",)),
        Table(
            "curves",
            ("dataset", "size"),
            _each_size,
            curve_unit,
            keys=("run", "learner"),
            measured=("fit_seconds",),
        ),
        Table(
            "folds",
            ("dataset", "sample", "technique"),
            _each_technique,
            fold_unit,
            needs=("clusters",),
            keys=("learner", "n_splits"),
            measured=("split_seconds", "fit_seconds"),
            costs=_costs,
        ),
        Table(
            "estimators",
            ("dataset", "sample", "estimator"),
            _each_estimator,
            estimator_unit,
            needs=("truth",),
            keys=("learner", "kind"),
            measured=("fit_seconds",),
            costs=_costs,
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
    errors=_errors,
)

# C4.5 itself needs Java and Weka: a study of its own, so that the other one runs everywhere.
DIAMANTIDIS2000_C45 = replace(
    DIAMANTIDIS2000,
    name="diamantidis2000-c45",
    summary="the same with C4.5 itself (Weka's J48), the techniques of the paper, samples of up to 900 rows",
    profiles={
        "paper": lambda: Diamantidis2000Spec(
            tuple(name for name in _sets() if name != "pmlb/letter"),
            learners=("C4.5",),
            techniques=tuple(PAPER_TECHNIQUES.values()),
            estimators=("hold-out", "bootstrap"),
        ),
        "smoke": lambda: Diamantidis2000Spec(
            ("sklearn/iris",),
            learners=("C4.5",),
            techniques=("KFold", "CL-CV"),
            estimators=("hold-out",),
            n_splits=(2, 5),
            n_samples=2,
            n_curve=2,
        ),
    },
)

# On letter, whose samples are ten times as large: the paper's learning curve (Fig. 6), and few folds.
DIAMANTIDIS2000_LETTER = replace(
    DIAMANTIDIS2000_C45,
    name="diamantidis2000-letter",
    summary="C4.5 itself on letter: the learning curve of Fig. 6, and 2 and 5 folds on samples of 8000 rows",
    profiles={
        "paper": lambda: Diamantidis2000Spec(
            ("pmlb/letter",),
            learners=("C4.5",),
            techniques=tuple(PAPER_TECHNIQUES.values()),
            estimators=("hold-out",),
            n_splits=(2, 5),
        ),
        "smoke": DIAMANTIDIS2000_C45.profiles["smoke"],
    },
)
