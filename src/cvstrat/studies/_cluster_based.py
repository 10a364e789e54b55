"""The cluster-based study (Spezia et al., 2025): bias and deviation of fold constructions, right and as published."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from cvstrat.clustering import estimate_eps, estimate_n_clusters
from cvstrat.datasets import Dataset, catalogue, load
from cvstrat.splitters import make_splitter
from cvstrat.studies._displaced import displaced_folds
from cvstrat.studies._scores import METRICS, MODELS, fit_and_score, grid, make_model
from cvstrat.studies._study import Skip, Study, StudyError, Table, Tables, Unit, choose

_SCBCV = ("SCBCV", "SCBCV2", "SCBCV3", "SCBCV4", "SCBCV5")
SETS = {
    "set1": _SCBCV,
    "set2": ("SCBCV", "SCBCV-Mini", "SCV"),
    "set3": ("ACBCV", "KCBCV", "KCBCV-Mini", "DBSCANBCV", "SCBCV", "SCBCV-Mini"),
}
PUBLISHED = (*_SCBCV, "SCBCV-Mini", "KCBCV", "KCBCV-Mini", "ACBCV", "DBSCANBCV")
EXTRAS = ("DBSCV", "DOB-SCV", "1C-CV", "CL-CV", "SpectralBCV", "ROCBCV")
STUDIED = (*PUBLISHED, "SCV", "KFold", *EXTRAS)

CORRECT, AS_PUBLISHED = "correct", "as published"
_TIMES = ("fit_seconds", "predict_seconds")


@dataclass(frozen=True)
class ClusterBasedSpec:
    """What is run.

    Attributes
    ----------
    datasets : tuple of str
        Names of the catalogue, or CSV files whose last column (or the one after a colon) is the class.
    models, techniques : tuple of str
        Of ``LR DT SVM RF``, and of the names in ``STUDIED``.
    n_splits : tuple of int
        Numbers of folds.
    n_repeats : int
        Subsamples that are cross-validated.
    n_holdouts : int
        Hold-outs behind the true performance.
    test_size : float
        Share that a hold-out tests on, and that a subsample leaves out.
    truth_seed, subsample_seed, splitter_seed, model_seed : int
        As in the published code.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...] = MODELS
    techniques: tuple[str, ...] = STUDIED
    n_splits: tuple[int, ...] = (2, 10)
    n_repeats: int = 20
    n_holdouts: int = 100
    test_size: float = 0.1
    truth_seed: int = 123
    subsample_seed: int = 456
    splitter_seed: int = 123
    model_seed: int = 0


@dataclass(frozen=True)
class _Rows:
    X: np.ndarray
    y: np.ndarray
    n_classes: int


@functools.lru_cache(maxsize=4)
def _rows(name: str) -> _Rows:
    data = load(name)
    classes, codes = np.unique(data.y, return_inverse=True)
    return _Rows(data.X, codes, len(classes))


@functools.lru_cache(maxsize=4)
def _parts(name: str, n: int, test_size: float, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rows = _rows(name)
    return list(StratifiedShuffleSplit(n, test_size=test_size, random_state=seed).split(rows.X, rows.y))


def _data(spec: ClusterBasedSpec) -> dict[str, str]:
    for kind, names, known in (
        ("model", spec.models, MODELS),
        ("technique", spec.techniques, STUDIED),
    ):
        for name in names:
            choose(kind, name, known)
        if not names:
            raise StudyError(f"no {kind} is asked for: give at least one of {', '.join(known)}")
    for field, least in (("n_repeats", 1), ("n_holdouts", 2)):
        if getattr(spec, field) < least:
            raise StudyError(f"{field}={getattr(spec, field)} is too few: give at least {least}")
    if not spec.n_splits or min(spec.n_splits) < 2:
        raise StudyError(f"n_splits={spec.n_splits}: give numbers of folds, each at least 2")
    return {name: _usable(load(name), spec).sha256 for name in spec.datasets}


def _usable(data: Dataset, spec: ClusterBasedSpec) -> Dataset:
    if data.task != "classification":
        raise StudyError(f"{data.name} is a {data.task} problem; this study needs classes")
    counts = np.unique(data.y, return_counts=True)[1]
    if len(counts) < 2:
        raise StudyError(f"{data.name} has one class only; there is nothing to learn")
    if counts.min() < 2:
        raise StudyError(f"{data.name} has a class with one member; stratified hold-outs need two")
    left_out = round(len(data.y) * spec.test_size)
    if left_out < len(counts):
        raise StudyError(
            f"{data.name}: test_size={spec.test_size} leaves out {left_out} of {len(data.y)} rows, fewer than classes"
        )
    return data


def _quiet(work: Any) -> Any:
    """Let warnings of fits and splits pass: what they tell is in the rows, as counts."""

    @functools.wraps(work)
    def working(spec: ClusterBasedSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame: pd.DataFrame = work(spec, unit, inputs)
            return frame

    return working


def _by_size(spec: ClusterBasedSpec) -> list[str]:
    return sorted(spec.datasets, key=lambda name: (_rows(name).X.size, name))


def _each_set(spec: ClusterBasedSpec) -> Iterator[Unit]:
    return ({"dataset": name} for name in _by_size(spec))


def _each_pair(spec: ClusterBasedSpec) -> Iterator[Unit]:
    return ({"dataset": name, "model": model} for name in _by_size(spec) for model in spec.models)


def _each_run(spec: ClusterBasedSpec) -> Iterator[Unit]:
    # What the paper compares comes first, set by set from the smallest: partial results are then results on some sets.
    paper = [name for name in spec.techniques if name not in EXTRAS]
    beyond = [name for name in spec.techniques if name in EXTRAS]
    for techniques in (paper, beyond):
        for name in _by_size(spec):
            for technique in techniques:
                for n_splits in spec.n_splits:
                    for repeat in range(spec.n_repeats):
                        yield {"dataset": name, "technique": technique, "n_splits": n_splits, "repeat": repeat}


@_quiet
def _cluster(spec: ClusterBasedSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    rows = _rows(unit["dataset"])
    start = perf_counter()
    n_clusters = estimate_n_clusters(rows.X)
    counted = perf_counter()
    min_samples = 2 * rows.X.shape[1]
    eps = estimate_eps(rows.X, min_samples=min_samples)
    return pd.DataFrame(
        {
            "n_clusters": [n_clusters],
            "eps": [eps],
            "min_samples": [min_samples],
            "count_seconds": [counted - start],
            "eps_seconds": [perf_counter() - counted],
        }
    )


@_quiet
def _tune(spec: ClusterBasedSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    rows = _rows(unit["dataset"])
    model = make_model(unit["model"], spec.model_seed)
    names = {name: f"{type(model).__name__.lower()}__{name}" for name in grid(unit["model"])}
    search = GridSearchCV(
        make_pipeline(MinMaxScaler(), model),
        {names[name]: values for name, values in grid(unit["model"]).items()},
        scoring="balanced_accuracy",
        cv=5,
        refit=False,
    )
    start = perf_counter()
    search.fit(rows.X, rows.y)
    best = {name: search.best_params_[long] for name, long in names.items()}
    return pd.DataFrame(
        {
            "hyperparameters": [json.dumps(best)],
            "balanced_accuracy": [search.best_score_],
            "fit_seconds": [perf_counter() - start],
        }
    )


def _tuned(spec: ClusterBasedSpec, inputs: Tables) -> dict[str, Any]:
    if "tuning" not in inputs:
        raise StudyError("the grid search of this data set has failed")
    best = inputs["tuning"].set_index("model")["hyperparameters"]
    return {name: make_model(name, spec.model_seed, **json.loads(text)) for name, text in best.items()}


@_quiet
def _truth(spec: ClusterBasedSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    rows = _rows(unit["dataset"])
    model = _tuned(spec, inputs)[unit["model"]]
    found = []
    for train, test in _parts(unit["dataset"], spec.n_holdouts, spec.test_size, spec.truth_seed):
        scaler = MinMaxScaler().fit(rows.X[train])
        scaled, scaled_test = scaler.transform(rows.X[train]), scaler.transform(rows.X[test])
        found.append(fit_and_score(model, scaled, rows.y[train], scaled_test, rows.y[test], rows.n_classes))
    return pd.DataFrame({"holdout": np.arange(spec.n_holdouts, dtype=np.int16)}).assign(
        **dict(zip(METRICS, np.array([scores for scores, *_ in found]).T, strict=True)),
        converged=[converged for *_, converged in found],
        fit_seconds=[seconds for _, seconds, *_ in found],
        predict_seconds=[seconds for _, _, seconds, _ in found],
    )


def study_splitter(technique: str, n_splits: int, *, clusters: pd.Series | None = None, random_state: int = 123) -> Any:
    """Return the splitter that the study means by the name of a technique.

    Parameters
    ----------
    technique : str
        One of ``STUDIED``; ``SCBCV2`` to ``SCBCV5`` are SCBCV with that number of clusters.
    n_splits : int
        Number of folds.
    clusters : Series, default=None
        ``n_clusters``, ``eps`` and ``min_samples`` of the data set; None estimates them on the rows that are split.
    random_state : int, default=123
        The published seed.

    Returns
    -------
    splitter
        A scikit-learn splitter.
    """
    choose("technique", technique, STUDIED)
    fixed = technique.startswith("SCBCV") and technique[-1].isdigit()
    given = {} if clusters is None else {"eps": float(clusters["eps"]), "min_samples": int(clusters["min_samples"])}
    if fixed:
        given["n_clusters"] = int(technique[-1])
    elif clusters is not None:
        given["n_clusters"] = int(clusters["n_clusters"])
    name = technique[:-1] if fixed else technique
    return make_splitter(name, n_splits=n_splits, random_state=random_state, **given)


def _fold_numbers(splitter: Any, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    folds = np.empty(len(y), dtype=np.intp)
    for number, (_, test) in enumerate(splitter.split(X, y)):
        folds[test] = number
    return folds


@_quiet
def _cross_validate(spec: ClusterBasedSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    rows = _rows(unit["dataset"])
    sample = _parts(unit["dataset"], spec.n_repeats, spec.test_size, spec.subsample_seed)[unit["repeat"]][0]
    X, y = rows.X[sample], rows.y[sample]
    splitter = study_splitter(
        unit["technique"],
        unit["n_splits"],
        clusters=inputs["clusters"].iloc[0],
        random_state=spec.splitter_seed,
    )
    start = perf_counter()
    try:
        folds = _fold_numbers(splitter, X, y)
    except ValueError as error:
        raise Skip(str(error)) from error
    seconds = perf_counter() - start
    versions = {CORRECT: folds}
    if unit["technique"] in PUBLISHED:
        stratified = unit["technique"].startswith("SCBCV")
        versions[AS_PUBLISHED] = displaced_folds(folds, y, sorts_by_class=stratified, random_state=spec.splitter_seed)
    models = _tuned(spec, inputs)
    if len(models) < len(spec.models) or "clusters" not in inputs:
        raise StudyError("not every table that this one needs could be computed")
    frames = [
        _evaluate(models, X, y, numbers, rows.n_classes).assign(version=version)
        for version, numbers in versions.items()
    ]
    rows_found = pd.concat(frames, ignore_index=True).assign(split_seconds=seconds)
    return rows_found[["version", *(name for name in rows_found.columns if name != "version")]]


def _evaluate(models: dict[str, Any], X: np.ndarray, y: np.ndarray, folds: np.ndarray, n_classes: int) -> pd.DataFrame:
    n_splits = folds.max() + 1
    scores = np.empty((len(models), n_splits, len(METRICS)))
    times = np.zeros((len(models), 2))
    unconverged = np.zeros(len(models), dtype=np.int16)
    lacking = 0
    for number in range(n_splits):
        train, test = folds != number, folds == number
        scaler = MinMaxScaler().fit(X[train])
        scaled, scaled_test = scaler.transform(X[train]), scaler.transform(X[test])
        lacking += len(np.unique(y[train])) < n_classes
        for place, model in enumerate(models.values()):
            found, fitting, predicting, converged = fit_and_score(
                model, scaled, y[train], scaled_test, y[test], n_classes
            )
            scores[place, number] = found
            times[place] += fitting, predicting
            unconverged[place] += not converged
    spread = scores.std(axis=1, ddof=1)
    return pd.DataFrame({"model": list(models)}).assign(
        **dict(zip(METRICS, scores.mean(axis=1).T, strict=True)),
        accuracy_sd=spread[:, METRICS.index("accuracy")],
        f1_macro_sd=spread[:, METRICS.index("f1_macro")],
        unconverged=unconverged,
        folds_lacking_a_class=np.int16(lacking),
        fit_seconds=times[:, 0],
        predict_seconds=times[:, 1],
    )


def _pair_costs(spec: ClusterBasedSpec, units: list[Unit], _: Tables) -> list[float]:
    relative = {"RF": 1.0, "SVM": 2.0, "LR": 0.2, "DT": 0.05}
    shapes = {name: _rows(name).X.shape for name in spec.datasets}
    return [
        100 + rows * columns**0.5 * relative[unit["model"]]
        for unit in units
        for rows, columns in [shapes[unit["dataset"]]]
    ]


def _run_costs(spec: ClusterBasedSpec, units: list[Unit], tables: Tables) -> list[float]:
    one_fit = tables["truth_times"].groupby("dataset")["fit_seconds"].sum() / spec.n_holdouts
    return [
        (1 + (unit["technique"] in PUBLISHED)) * (unit["n_splits"] - 1) * one_fit.get(unit["dataset"], 0.0)
        for unit in units
    ]


CLUSTER_BASED = Study(
    name="cluster-based",
    summary="bias and deviation of cluster-based cross-validation (Spezia et al., 2025), right and as published",
    profiles={
        "paper": lambda: ClusterBasedSpec(tuple(entry.id for entry in catalogue().select(study="spezia2025"))),
        "smoke": lambda: ClusterBasedSpec(
            ("sklearn/iris", "sklearn/wine"), models=("LR", "DT"), n_splits=(2,), n_repeats=2, n_holdouts=5
        ),
    },
    tables=(
        Table("clusters", ("dataset",), _each_set, _cluster, measured=("count_seconds", "eps_seconds")),
        Table("tuning", ("dataset", "model"), _each_pair, _tune, measured=("fit_seconds",), costs=_pair_costs),
        Table(
            "truth",
            ("dataset", "model"),
            _each_pair,
            _truth,
            needs=("tuning",),
            keys=("holdout",),
            measured=_TIMES,
            costs=_pair_costs,
        ),
        Table(
            "folds",
            ("dataset", "technique", "n_splits", "repeat"),
            _each_run,
            _cross_validate,
            needs=("clusters", "tuning"),
            keys=("version", "model"),
            measured=("split_seconds", *_TIMES),
            costs=_run_costs,
        ),
    ),
    data=_data,
)
