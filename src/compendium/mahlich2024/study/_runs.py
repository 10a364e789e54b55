"""The e-fold study (Mahlich et al., 2024): all ten scores of a hundred cross-validations of each model on each set."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compendium.datasets import Dataset, by_size, checksums, load_cached, published, task_and_shape
from compendium.engine import Skip, Study, Table, Tables, Unit, axis, count
from cvstrat.checks import check_known
from cvstrat.splitters import TECHNIQUES, make_splitter

CLASSIFIERS = {
    "AdaBoost": AdaBoostClassifier,
    "Decision tree": DecisionTreeClassifier,
    "Naive Bayes": GaussianNB,
    "k-NN": KNeighborsClassifier,
    "Logistic regression": LogisticRegression,
}
REGRESSORS = {
    "Decision tree": DecisionTreeRegressor,
    "k-NN": KNeighborsRegressor,
    "Lasso": Lasso,
    "Linear regression": LinearRegression,
    "Ridge": Ridge,
}
PLAIN = "plain"  # StratifiedKFold for classification, KFold for regression, both shuffled
_BLOCK = 10


@dataclass(frozen=True)
class Mahlich2024Spec:
    """Which cross-validations are run: of which models, on which data sets, with which folds.

    Attributes
    ----------
    datasets : tuple of str
        Names in the catalogue, or paths of CSV files.
    models : tuple of str
        Names in ``CLASSIFIERS`` or ``REGRESSORS``; those that do not apply to the task of a data set are left out.
    techniques : tuple of str
        ``plain`` for the paper's folds, or a name in ``cvstrat.TECHNIQUES``.
    n_runs : int
        Number of cross-validations of each model; their seeds are 1, 2, 3, ...
    n_splits : int
        Number of folds, at least 4.
    """

    datasets: tuple[str, ...] = axis("dataset")
    models: tuple[str, ...] = axis("model", tuple(dict.fromkeys([*CLASSIFIERS, *REGRESSORS])))
    techniques: tuple[str, ...] = axis("technique", (PLAIN,))
    n_runs: int = axis("run", 100, first=1)
    n_splits: int = count(10, minimum=4)


def _validate(spec: Mahlich2024Spec) -> None:
    for name in spec.models:
        check_known("model", name, [*CLASSIFIERS, *REGRESSORS])
    for name in spec.techniques:
        check_known("technique", name, [PLAIN, *TECHNIQUES])


def _checksums(spec: Mahlich2024Spec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted)


def _units(spec: Mahlich2024Spec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        known = CLASSIFIERS if task_and_shape(name)[0] == "classification" else REGRESSORS
        for technique in spec.techniques:
            for model in (model for model in spec.models if model in known):
                for first in range(1, spec.n_runs + 1, _BLOCK):
                    yield {"dataset": name, "technique": technique, "model": model, "first_run": first}


def _scoring(data: Dataset) -> str:
    if data.task == "regression":
        return "neg_mean_absolute_error"
    return "f1" if len(np.unique(data.y)) == 2 else "f1_weighted"


def _model(task: str, name: str, seed: int) -> Any:
    model: BaseEstimator = (CLASSIFIERS if task == "classification" else REGRESSORS)[name]()
    return model.set_params(random_state=seed) if "random_state" in model.get_params() else model


def _splitter(data: Dataset, technique: str, n_splits: int, seed: int) -> Any:
    if technique != PLAIN:
        return make_splitter(technique, n_splits=n_splits, random_state=seed)
    kind = StratifiedKFold if data.task == "classification" else KFold
    return kind(n_splits, shuffle=True, random_state=seed)


def _runs(spec: Mahlich2024Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Cross-validate a model in full, once for each seed of a block."""
    data = load_cached(unit["dataset"])
    frames = []
    for run in range(unit["first_run"], min(unit["first_run"] + _BLOCK, spec.n_runs + 1)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fits with default settings that do not converge, as in the paper
            try:
                splits = list(_splitter(data, unit["technique"], spec.n_splits, run).split(data.X, data.y))
            except ValueError as error:
                raise Skip(str(error)) from error
            model = _model(data.task, unit["model"], run)
            found = cross_validate(model, data.X, data.y, cv=splits, scoring=_scoring(data), error_score="raise")
        frames.append(
            pd.DataFrame(
                {
                    "run": np.int16(run),
                    "fold": np.arange(1, spec.n_splits + 1, dtype=np.int8),
                    "score": np.abs(found["test_score"]),  # an error is negated by its scorer
                    "fit_seconds": found["fit_time"],
                    "predict_seconds": found["score_time"],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _runs_in_block(spec: Mahlich2024Spec, unit: Unit) -> int:
    return min(_BLOCK, spec.n_runs + 1 - int(unit["first_run"]))


def _costs(spec: Mahlich2024Spec, units: list[Unit], tables: Tables) -> list[float]:
    relative = {"AdaBoost": 12.0, "k-NN": 3.0, "Logistic regression": 6.0, "Decision tree": 2.0}
    sizes = {name: rows * columns for name in spec.datasets for _, rows, columns in [task_and_shape(name)]}
    return [1e4 + sizes[unit["dataset"]] * relative.get(unit["model"], 1.0) for unit in units]


def _paper() -> Mahlich2024Spec:
    table = published("mahlich2024_table1")
    return Mahlich2024Spec(
        tuple(f"{collection}/{name}" for collection, name in table[["collection", "name"]].to_numpy())
    )


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.mahlich2024 import tables as views

    stopped = views.stopped_runs(tables)
    return {"mean number of folds": views.stop_table(stopped), "against controls": views.control_table(tables, stopped)}


def _report_techniques(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.mahlich2024 import tables as views

    table = views.technique_table(tables)
    references = [name for name in ("KFold", "SCV") if (table["technique"] == name).any()]
    found = {f"in percent of {name}": views.technique_effects(table, name) for name in references}
    return {"folds of each technique": table, **found}


MAHLICH2024 = Study(
    name="mahlich2024",
    summary="when e-fold cross-validation stops, and what it gives up (Mahlich et al., 2024)",
    spec_type=Mahlich2024Spec,
    profiles={
        "paper": _paper,
        "smoke": lambda: Mahlich2024Spec(
            ("sklearn/iris", "sklearn/diabetes"), models=("Naive Bayes", "Ridge"), n_runs=12
        ),
    },
    tables=(
        Table(
            "runs",
            ("dataset", "technique", "model", "first_run"),
            _units,
            _runs,
            keys=("run", "fold"),
            measured=("fit_seconds", "predict_seconds"),
            costs=_costs,
            extent=_runs_in_block,
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)

# Do folds that resemble the whole let it stop earlier? Other folds, the smaller sets, the faster models.
MAHLICH2024_CLUSTERS = replace(
    MAHLICH2024,
    name="mahlich2024-clusters",
    summary="e-fold on random, stratified and cluster-based folds",
    profiles={
        "paper": lambda: Mahlich2024Spec(
            ("sklearn/iris", "sklearn/wine", "sklearn/breast_cancer", "sklearn/digits"),
            models=("Decision tree", "Naive Bayes", "k-NN", "Logistic regression"),
            techniques=("KFold", "SCV", "KCBCV", "SCBCV", "DOB-SCV"),
        ),
        "smoke": lambda: Mahlich2024Spec(
            ("sklearn/iris",), models=("Naive Bayes",), techniques=("KFold", "SCBCV"), n_runs=4
        ),
    },
    report=_report_techniques,
)

# What e-fold replaces in practice is five folds, not ten: these, with the same seeds, on the smaller sets and with the
# models that are fitted fast.
MAHLICH2024_FIVE = replace(
    MAHLICH2024,
    name="mahlich2024-five",
    summary="five-fold cross-validation, which costs a little less than e-fold",
    profiles={
        "paper": lambda: Mahlich2024Spec(
            ("sklearn/iris", "sklearn/wine", "sklearn/breast_cancer", "sklearn/digits", "sklearn/diabetes"),
            models=("Decision tree", "Naive Bayes", "k-NN", "Lasso", "Linear regression", "Ridge"),
            n_splits=5,
        ),
        "smoke": lambda: Mahlich2024Spec(("sklearn/iris",), models=("Naive Bayes",), n_runs=12, n_splits=5),
    },
    report=lambda tables: {
        "mean score": tables["runs"].groupby(["dataset", "model"], sort=False)["score"].mean().reset_index()
    },
)
