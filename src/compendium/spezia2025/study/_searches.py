"""Hyperparameters by grid, at random and by successive halving: what is chosen, what it costs, what it changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import loguniform, randint
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from compendium.engine import StudyError, Tables, Unit, seed_of
from compendium.spezia2025.study._models import SCORES, fit_and_score, grid, make_model
from compendium.spezia2025.study._units import evaluate, prepared, quiet, resamples, study_splitter
from cvstrat.metrics import fold_numbers

if TYPE_CHECKING:
    from compendium.spezia2025.study._future import FutureSpec

SEARCHES = ("grid", "random", "wide", "halving")
ESTIMATED = ("SCV", "SCBCV")  # whose estimates with two folds are compared with the truth
_CV = 5
_WIDER = 10


def n_settings(model: str) -> int:
    """Return the number of settings in the paper's grid for a model."""
    return int(np.prod([len(values) for values in grid(model).values()]))


def make_search(search: str, model: str, model_seed: int, seed: int) -> Any:
    """Return an unfitted search for the hyperparameters of a model, scored by balanced accuracy in five folds.

    ``grid`` tries all settings of the paper's Table II. ``random`` draws half as many, from all values between the ends
    of the grid; ``wide`` twice as many, from ranges ten times as wide at both ends. ``halving`` tries the grid on a
    part of the rows, keeps the best third, and goes on with three times as many rows until it has all.
    """
    estimator = make_model(model, model_seed)
    prefix = type(estimator).__name__.lower()
    pipeline = make_pipeline(MinMaxScaler(), estimator)
    options: dict[str, Any] = {"scoring": "balanced_accuracy", "cv": _CV, "refit": False}
    values = {f"{prefix}__{name}": listed for name, listed in grid(model).items()}
    if search == "grid":
        return GridSearchCV(pipeline, values, **options)
    if search == "halving":
        return HalvingGridSearchCV(pipeline, values, min_resources="exhaust", random_state=seed, **options)
    ranges = {name: _range(listed, _WIDER if search == "wide" else 1) for name, listed in values.items()}
    n_iter = 2 * n_settings(model) if search == "wide" else (n_settings(model) + 1) // 2
    return RandomizedSearchCV(pipeline, ranges, n_iter=n_iter, random_state=seed, **options)


def _range(values: list[Any], wider: int) -> Any:
    if isinstance(values[0], int):
        return randint(min(values), max(values) * wider + 1)
    return loguniform(min(values) / wider, max(values) * wider)


def cost(search: Any, n_rows: int) -> tuple[int, float]:
    """Return how many fits a finished search made, and to how many fits on all rows they amount."""
    if not hasattr(search, "n_candidates_"):
        fits = _CV * len(search.cv_results_["params"])
        return fits, float(fits)
    pairs = list(zip(search.n_candidates_, search.n_resources_, strict=True))
    return _CV * sum(tried for tried, _ in pairs), _CV * sum(tried * rows / n_rows for tried, rows in pairs)


@quiet
def search_unit(spec: FutureSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Search once; then score the model that was chosen on hold-outs, and estimate that score with two folds."""
    if "clusters" not in inputs:
        raise StudyError("the parameters of the clusterings could not be estimated")
    name, data = unit["dataset"], prepared(unit["dataset"])
    seed = seed_of(spec.search_seed, *unit.values()) % 2**31
    search = make_search(unit["search"], unit["model"], spec.model_seed, seed).fit(data.X, data.y)
    best = {long.partition("__")[2]: np.asarray(value).item() for long, value in search.best_params_.items()}
    model = make_model(unit["model"], spec.model_seed, **best)
    fits, full_fits = cost(search, len(data.y))
    row = {
        "hyperparameters": json.dumps(best),
        "fits": fits,
        "full_fits": full_fits,
        "truth": _truth(spec, name, model),
    }
    for technique in ESTIMATED:
        row[technique] = _estimate(spec, name, model, technique, inputs["clusters"].iloc[0])
    return pd.DataFrame([row])


def _truth(spec: FutureSpec, name: str, model: Any) -> float:
    data, scores = prepared(name), []
    for train, test in resamples(name, spec.n_holdouts, spec.test_size, spec.truth_seed):
        scaler = MinMaxScaler().fit(data.X[train])
        parts = scaler.transform(data.X[train]), data.y[train], scaler.transform(data.X[test]), data.y[test]
        scores.append(fit_and_score(model, *parts, data.n_classes)[0])
    return float(np.mean(scores, axis=0)[SCORES.index("balanced_accuracy")])


def _estimate(spec: FutureSpec, name: str, model: Any, technique: str, clusters: pd.Series) -> float:
    data, scores = prepared(name), []
    splitter = study_splitter(technique, 2, clusters=clusters, random_state=spec.splitter_seed)
    for sample, _ in resamples(name, spec.n_subsamples, spec.test_size, spec.subsample_seed):
        X, y = data.X[sample], data.y[sample]
        found = evaluate({technique: model}, X, y, fold_numbers(splitter, X, y), data.n_classes)
        scores.append(found["balanced_accuracy"].item())
    return float(np.mean(scores))
