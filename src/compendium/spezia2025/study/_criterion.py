"""Balanced folds as the library deals small sets, by the energy distance, on the data sets of the cluster-based study.

That study deals Balanced and Balanced0 by features. Here the same subsamples are cut by the energy distance and scored
by the same models, so that both kinds of folds can be compared pair by pair, and with the truth that is known there.
What is compared is decided in :func:`compendium.spezia2025.tables.criterion_table`.
"""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from compendium.datasets import catalogue
from compendium.engine import Study, StudyError, Table, Tables, Unit
from compendium.spezia2025.study._spec import BALANCED, Spezia2025Spec
from compendium.spezia2025.study._study import each_pair, each_run, pair_costs, study_checksums
from compendium.spezia2025.study._units import evaluate, quiet, study_splitter, subsample, tune_unit, tuned
from cvstrat.metrics import fold_numbers

MAX_ROWS = 4096  # of a subsample: beyond, the library deals by features


def _paper() -> Spezia2025Spec:
    spec = Spezia2025Spec((), techniques=BALANCED)
    kept = [one for one in catalogue().select(study="spezia2025") if one.rows * (1 - spec.test_size) <= MAX_ROWS]
    return replace(spec, datasets=tuple(entry.id for entry in kept))


def _validate(spec: Spezia2025Spec) -> None:
    if not set(spec.techniques) <= set(BALANCED):
        raise StudyError(
            f"techniques={spec.techniques}: only {' and '.join(BALANCED)} are dealt by the energy distance"
        )


@quiet
def _folds(spec: Spezia2025Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Cross-validate all models on one subsample, with balanced folds by the energy distance."""
    data = subsample(spec, unit, spec.n_repeats)
    splitter = study_splitter(unit["technique"], unit["n_splits"], random_state=spec.splitter_seed, criterion="energy")
    return evaluate(tuned(spec, inputs), data.X, data.y, fold_numbers(splitter, data.X, data.y), data.n_classes)


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
        Table("tuning", ("dataset", "model"), each_pair, tune_unit, measured=("fit_seconds",), costs=pair_costs),
        Table(
            "folds",
            ("dataset", "technique", "n_splits", "repeat"),
            each_run,
            _folds,
            needs=("tuning",),
            keys=("model",),
            measured=("fit_seconds", "predict_seconds"),
        ),
    ),
    validate=_validate,
    checksums=study_checksums,
    report=_report,
)
