"""Searches for hyperparameters: all scores of all candidates, so that any search can be tried on the same fits."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, ParameterGrid, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compendium.datasets import by_size, checksums, load_cached, task_and_shape
from compendium.engine import Skip, Study, Table, Tables, Unit, axis, count
from cvstrat.checks import check_known

_WIDTHS: dict[str, list[Any]] = {"C": [0.01, 0.1, 1, 10, 100], "gamma": [0.001, 0.01, 0.1, 1]}
_DEPTHS: dict[str, list[Any]] = {"max_depth": [2, 4, 6, 8, None], "min_samples_leaf": [1, 2, 5, 10]}
# Twenty candidates each: the estimator for classification and for regression, and the grid.
SEARCHED: dict[str, tuple[dict[str, Any], dict[str, list[Any]]]] = {
    "SVM": ({"classification": SVC, "regression": SVR}, _WIDTHS),
    "Decision tree": ({"classification": DecisionTreeClassifier, "regression": DecisionTreeRegressor}, _DEPTHS),
}


@dataclass(frozen=True)
class SearchSpec:
    """Which searches are run: of which models, on which data sets, with how many folds.

    Attributes
    ----------
    datasets : tuple of str
        Names in the catalogue, or paths of CSV files.
    models : tuple of str
        Names in ``SEARCHED``.
    n_runs : int
        Number of searches of each model on each set; the seeds of their folds are 1, 2, 3, ...
    n_splits : int
        Number of folds, at least 4.
    """

    datasets: tuple[str, ...] = axis("dataset")
    models: tuple[str, ...] = axis("model", tuple(SEARCHED))
    n_runs: int = axis("run", 10, first=1)
    n_splits: int = count(10, minimum=4)


def search_space(model: str, task: str, seed: int = 0) -> tuple[Any, list[dict[str, Any]]]:
    """Return the estimator and the candidates of a search of the study.

    Parameters
    ----------
    model : str
        ``SVM`` (scaled) or ``Decision tree``.
    task : str
        ``classification`` or ``regression``.
    seed : int, default=0
        Random state of the tree; a support vector machine has none.
    """
    check_known("model", model, SEARCHED)
    kinds, grid = SEARCHED[model]
    if model == "SVM":
        name = kinds[task].__name__.lower()
        grid = {f"{name}__{key}": values for key, values in grid.items()}
        return make_pipeline(StandardScaler(), kinds[task]()), list(ParameterGrid(grid))
    return kinds[task](random_state=seed), list(ParameterGrid(grid))


def search_folds(task: str, n_splits: int, seed: int) -> Any:
    """Return the folds of a search of the study: shuffled, and stratified for classification."""
    return (StratifiedKFold if task == "classification" else KFold)(n_splits, shuffle=True, random_state=seed)


def _validate(spec: SearchSpec) -> None:
    for name in spec.models:
        check_known("model", name, SEARCHED)


def _checksums(spec: SearchSpec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted)


def _units(spec: SearchSpec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        for model in spec.models:
            for run in range(1, spec.n_runs + 1):
                yield {"dataset": name, "model": model, "run": run}


def _fits(spec: SearchSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Cross-validate all candidates in full, on the same folds; the score is accuracy, or R squared."""
    data = load_cached(unit["dataset"])
    model, settings = search_space(unit["model"], data.task, unit["run"])
    try:
        splits = list(search_folds(data.task, spec.n_splits, unit["run"]).split(data.X, data.y))
    except ValueError as error:
        raise Skip(str(error)) from error
    frames = []
    for number, setting in enumerate(settings):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.set_params(**setting)
            found = cross_validate(model, data.X, data.y, cv=splits, error_score="raise")
        frames.append(
            pd.DataFrame(
                {
                    "candidate": np.int16(number),
                    "fold": np.arange(1, spec.n_splits + 1, dtype=np.int8),
                    "score": found["test_score"],
                    "fit_seconds": found["fit_time"],
                    "predict_seconds": found["score_time"],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _costs(spec: SearchSpec, units: list[Unit], tables: Tables) -> list[float]:
    sizes = {name: rows * columns for name in spec.datasets for _, rows, columns in [task_and_shape(name)]}
    return [1e4 + sizes[unit["dataset"]] * (10.0 if unit["model"] == "SVM" else 1.0) for unit in units]


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.mahlich2024 import tables as views

    searches = views.search_table(tables)
    means = searches.groupby(["dataset", "search"], sort=False)[["fits", "seconds", "loss", "regret"]].mean()
    return {"searches": means.reset_index(), "losses compared": views.search_effects(searches)}


MAHLICH2024_SEARCH = Study(
    name="mahlich2024-search",
    summary="what e-fold saves in a search for hyperparameters, and what it costs",
    spec_type=SearchSpec,
    profiles={
        "paper": lambda: SearchSpec(
            (
                *("sklearn/iris", "sklearn/wine", "sklearn/breast_cancer", "sklearn/digits", "sklearn/diabetes"),
                *("efold/era", "efold/student_performance"),
            )
        ),
        "smoke": lambda: SearchSpec(("sklearn/iris", "sklearn/diabetes"), models=("Decision tree",), n_runs=2),
    },
    tables=(
        Table(
            "fits",
            ("dataset", "model", "run"),
            _units,
            _fits,
            keys=("candidate", "fold"),
            measured=("fit_seconds", "predict_seconds"),
            costs=_costs,
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)
