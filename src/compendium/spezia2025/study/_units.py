"""The units of work of the cluster-based study: estimate, tune, hold out, cross-validate."""

from __future__ import annotations

import functools
import json
import warnings
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from compendium.datasets import file_state, load_cached
from compendium.engine import Skip, StudyError, Tables, Unit
from compendium.spezia2025.study._displaced import published_folds
from compendium.spezia2025.study._models import SCORES, fit_and_score, grid, make_model
from compendium.spezia2025.study._spec import AS_PUBLISHED, CORRECT, PUBLISHED, SETS, STUDIED, Spezia2025Spec
from cvstrat.checks import check_known
from cvstrat.clustering import estimate_eps, estimate_n_clusters
from cvstrat.metrics import fold_numbers
from cvstrat.splitters import make_splitter


@dataclass(frozen=True)
class Prepared:
    """A data set with its classes numbered from 0."""

    X: np.ndarray
    y: np.ndarray
    n_classes: int


def prepared(name: str) -> Prepared:
    """Return a data set with its classes numbered from 0."""
    data = load_cached(name)
    classes, codes = np.unique(data.y, return_inverse=True)
    return Prepared(data.X, codes, len(classes))


def resamples(name: str, n: int, test_size: float, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return stratified random parts of a data set, training and test rows; kept, since all techniques share them."""
    return _resamples(name, n, test_size, seed, file_state(name))


@functools.lru_cache(maxsize=4)
def _resamples(name: str, n: int, test_size: float, seed: int, _: object) -> list[tuple[np.ndarray, np.ndarray]]:
    data = prepared(name)
    return list(StratifiedShuffleSplit(n, test_size=test_size, random_state=seed).split(data.X, data.y))


def subsample(spec: Any, unit: Unit, n_subsamples: int) -> Prepared:
    """Return the subsample of a data set that a unit is about, one of `n_subsamples`."""
    data = prepared(unit["dataset"])
    some = resamples(unit["dataset"], n_subsamples, spec.test_size, spec.subsample_seed)[unit["repeat"]][0]
    return Prepared(data.X[some], data.y[some], data.n_classes)


def quiet(work: Any) -> Any:
    """Let warnings of fits and splits pass: what they tell is in the rows, as counts."""

    @functools.wraps(work)
    def working(spec: Spezia2025Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame: pd.DataFrame = work(spec, unit, inputs)
            return frame

    return working


@quiet
def cluster_unit(spec: Spezia2025Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Estimate the parameters of the clusterings on the whole data set."""
    data = prepared(unit["dataset"])
    start = perf_counter()
    n_clusters = estimate_n_clusters(data.X)
    counted = perf_counter()
    min_samples = 2 * data.X.shape[1]
    eps = estimate_eps(data.X, min_samples=min_samples)
    return pd.DataFrame(
        {
            "n_clusters": [n_clusters],
            "eps": [eps],
            "min_samples": [min_samples],
            "count_seconds": [counted - start],
            "eps_seconds": [perf_counter() - counted],
        }
    )


@quiet
def tune_unit(spec: Spezia2025Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Choose hyperparameters by grid search on the whole data set."""
    data = prepared(unit["dataset"])
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
    search.fit(data.X, data.y)
    best = {name: search.best_params_[long] for name, long in names.items()}
    return pd.DataFrame(
        {
            "hyperparameters": [json.dumps(best)],
            "balanced_accuracy": [search.best_score_],
            "fit_seconds": [perf_counter() - start],
        }
    )


def tuned(spec: Spezia2025Spec, inputs: Tables) -> dict[str, Any]:
    """Return the models of a data set with the hyperparameters that were chosen."""
    if "tuning" not in inputs:
        raise StudyError("the grid search of this data set has failed")
    best = zip(inputs["tuning"]["model"], inputs["tuning"]["hyperparameters"], strict=True)
    return {name: make_model(name, spec.model_seed, **json.loads(text)) for name, text in best}


@quiet
def truth_unit(spec: Spezia2025Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Score a model on many stratified hold-outs."""
    data = prepared(unit["dataset"])
    model = tuned(spec, inputs)[unit["model"]]
    found = []
    for train, test in resamples(unit["dataset"], spec.n_holdouts, spec.test_size, spec.truth_seed):
        scaler = MinMaxScaler().fit(data.X[train])
        scaled, scaled_test = scaler.transform(data.X[train]), scaler.transform(data.X[test])
        found.append(fit_and_score(model, scaled, data.y[train], scaled_test, data.y[test], data.n_classes))
    return pd.DataFrame({"holdout": np.arange(spec.n_holdouts, dtype=np.int16)}).assign(
        **dict(zip(SCORES, np.array([scores for scores, *_ in found]).T, strict=True)),
        converged=[converged for *_, converged in found],
        fit_seconds=[seconds for _, seconds, *_ in found],
        predict_seconds=[seconds for _, _, seconds, _ in found],
    )


def study_splitter(
    technique: str,
    n_splits: int,
    *,
    clusters: pd.Series | None = None,
    random_state: int = 123,
    criterion: str = "features",
) -> Any:
    """Return the splitter that the study means by the name of a technique.

    Parameters
    ----------
    technique : str
        One of ``STUDIED``; ``SCBCV2`` to ``SCBCV5`` are SCBCV with that number of clusters, ``Balanced0`` is Balanced
        with folds as alike as can be.
    n_splits : int
        Number of folds, at least 2.
    clusters : Series, default=None
        ``n_clusters``, ``eps`` and ``min_samples`` of the data set; None estimates them on the rows that are split.
    random_state : int, default=123
        Seed of the splitter; the default is the published one.
    criterion : str, default="features"
        By which Balanced and Balanced0 are dealt; this study does so by features.

    Returns
    -------
    splitter
        A scikit-learn splitter.
    """
    check_known("technique", technique, STUDIED)
    given: dict[str, Any] = {"criterion": criterion}
    if clusters is not None:
        given |= {"n_clusters": int(clusters["n_clusters"]), "eps": float(clusters["eps"])}
        given |= {"min_samples": int(clusters["min_samples"])}
    if technique in SETS["set1"] and technique != "SCBCV":
        technique, given["n_clusters"] = "SCBCV", int(technique[-1])
    if technique == "Balanced0":
        technique, given["balance"] = "Balanced", 0
    return make_splitter(technique, n_splits=n_splits, random_state=random_state, **given)


@quiet
def cross_validate_unit(spec: Spezia2025Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Cross-validate all models on one subsample, with the folds of one technique."""
    models = tuned(spec, inputs)
    if len(models) < len(spec.models) or "clusters" not in inputs:
        raise StudyError("not every table that this one needs could be computed")
    data = subsample(spec, unit, spec.n_repeats)
    X, y = data.X, data.y
    splitter = study_splitter(
        unit["technique"],
        unit["n_splits"],
        clusters=inputs["clusters"].iloc[0],
        random_state=spec.splitter_seed,
    )
    start = perf_counter()
    try:
        versions = {CORRECT: fold_numbers(splitter, X, y)}
        seconds = perf_counter() - start
        if unit["technique"] in PUBLISHED:
            versions[AS_PUBLISHED] = published_folds(unit["technique"], splitter, versions[CORRECT], X, y)
    except ValueError as error:
        raise Skip(str(error)) from error
    frames = [
        evaluate(models, X, y, scored, data.n_classes).assign(version=version) for version, scored in versions.items()
    ]
    rows_found = pd.concat(frames, ignore_index=True).assign(split_seconds=seconds)
    return rows_found[["version", *(name for name in rows_found.columns if name != "version")]]


def evaluate(models: dict[str, Any], X: np.ndarray, y: np.ndarray, folds: np.ndarray, n_classes: int) -> pd.DataFrame:
    n_splits = folds.max() + 1
    scores = np.empty((len(models), n_splits, len(SCORES)))
    times = np.zeros((len(models), 2))
    unconverged = np.zeros(len(models), dtype=np.int16)
    lacking = 0
    for fold in range(n_splits):
        train, test = folds != fold, folds == fold
        scaler = MinMaxScaler().fit(X[train])
        scaled, scaled_test = scaler.transform(X[train]), scaler.transform(X[test])
        lacking += len(np.unique(y[train])) < n_classes
        for place, model in enumerate(models.values()):
            found, fitting, predicting, converged = fit_and_score(
                model, scaled, y[train], scaled_test, y[test], n_classes
            )
            scores[place, fold] = found
            times[place] += fitting, predicting
            unconverged[place] += not converged
    std = scores.std(axis=1, ddof=1)  # over the folds; the stored columns are called sd
    return pd.DataFrame({"model": list(models)}).assign(
        **dict(zip(SCORES, scores.mean(axis=1).T, strict=True)),
        accuracy_sd=std[:, SCORES.index("accuracy")],
        f1_macro_sd=std[:, SCORES.index("f1_macro")],
        unconverged=unconverged,
        folds_lacking_a_class=np.int16(lacking),
        fit_seconds=times[:, 0],
        predict_seconds=times[:, 1],
    )
