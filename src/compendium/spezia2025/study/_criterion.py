"""Balanced folds as the library deals small sets, by the energy distance, on the data sets of the cluster-based study.

That study deals Balanced and Balanced0 by features. Here the same subsamples are cut by the energy distance and scored
by the same models, so that both kinds of folds can be compared pair by pair, and with the truth that is known there.
What is compared is decided in :func:`compendium.spezia2025.tables.criterion_table`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pandas as pd

from compendium.datasets import Entry, by_size, catalogue, checksums
from compendium.engine import Study, StudyError, Table, Tables, Unit
from compendium.spezia2025.study._spec import BALANCED, Spezia2025Spec
from compendium.spezia2025.study._units import evaluate, prepared, quiet, resamples, study_splitter, tune_unit, tuned
from cvstrat.metrics import fold_numbers

MAX_ROWS = 4096  # of a subsample: beyond, the library deals by features


def is_dealt_by_energy(entry: Entry, spec: Spezia2025Spec) -> bool:
    """Whether the subsamples of a data set are so small that all distances of their rows are held."""
    return entry.rows * (1 - spec.test_size) <= MAX_ROWS


def _paper() -> Spezia2025Spec:
    sets = [one for one in catalogue().select(study="spezia2025") if is_dealt_by_energy(one, Spezia2025Spec(()))]
    return Spezia2025Spec(tuple(entry.id for entry in sets), techniques=BALANCED)


def _validate(spec: Spezia2025Spec) -> None:
    if not set(spec.techniques) <= set(BALANCED):
        raise StudyError(
            f"techniques={spec.techniques}: only {' and '.join(BALANCED)} are dealt by the energy distance"
        )


def _checksums(spec: Spezia2025Spec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted, lambda data: None)


def _each_pair(spec: Spezia2025Spec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name, "model": model} for name in by_size(spec.datasets) for model in spec.models)


def _each_run(spec: Spezia2025Spec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        for technique in spec.techniques:
            for n_splits in spec.n_splits:
                for repeat in range(spec.n_repeats):
                    yield {"dataset": name, "technique": technique, "n_splits": n_splits, "repeat": repeat}


@quiet
def _folds(spec: Spezia2025Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Cross-validate all models on one subsample, with balanced folds by the energy distance."""
    data = prepared(unit["dataset"])
    sample = resamples(unit["dataset"], spec.n_repeats, spec.test_size, spec.subsample_seed)[unit["repeat"]][0]
    X, y = data.X[sample], data.y[sample]
    splitter = study_splitter(unit["technique"], unit["n_splits"], random_state=spec.splitter_seed, criterion="energy")
    return evaluate(tuned(spec, inputs), X, y, fold_numbers(splitter, X, y), data.n_classes)


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    by = ["technique", "n_splits", "model"]
    return {"mean accuracy": tables["folds"].groupby(by, sort=False)["accuracy"].mean().unstack().reset_index()}


SPEZIA2025_CRITERION = Study(
    name="spezia2025-criterion",
    summary="balanced folds by the energy distance, the library's default, on the data sets of the cluster-based study",
    spec_type=Spezia2025Spec,
    profiles={
        "paper": _paper,
        "smoke": lambda: Spezia2025Spec(
            ("sklearn/iris",), models=("LR", "DT"), techniques=BALANCED, n_splits=(2,), n_repeats=2
        ),
    },
    tables=(
        Table("tuning", ("dataset", "model"), _each_pair, tune_unit, measured=("fit_seconds",)),
        Table(
            "folds",
            ("dataset", "technique", "n_splits", "repeat"),
            _each_run,
            _folds,
            needs=("tuning",),
            keys=("model",),
            measured=("fit_seconds", "predict_seconds"),
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)
