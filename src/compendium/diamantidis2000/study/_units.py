"""The units of work of the study of 2000: clusters, truth, learning curves, folds, and the other estimators."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from compendium.datasets import file_state, load_cached
from compendium.diamantidis2000.study._attributes import Attributes, as_points, attributes_of
from compendium.diamantidis2000.study._counts import paper_counts
from compendium.diamantidis2000.study._learners import LEARNERS, RowLearner
from compendium.diamantidis2000.study._spec import (
    LATER_TECHNIQUES,
    REPEATED_FOLDS,
    REPEATED_RUNS,
    Diamantidis2000Spec,
    sample_size,
)
from compendium.engine import Skip, StudyError, Tables, Unit, seed_of
from compendium.inference import bootstrap_632, bootstrap_632_plus, bootstrap_rows, no_information_accuracy
from cvstrat.clustering import mixed_rows
from cvstrat.metrics import fold_numbers
from cvstrat.splitters import deal, make_splitter

Pairs = list[tuple[np.ndarray, np.ndarray]]  # rows to learn from, rows to test on


def _attributes(name: str) -> Attributes:
    return _prepared(name, file_state(name))


@functools.lru_cache(maxsize=2)
def _prepared(name: str, _: object) -> Attributes:
    return attributes_of(load_cached(name))


def _learners(spec: Diamantidis2000Spec, name: str) -> dict[str, RowLearner]:
    return {learner: _learner(learner, name, file_state(name)) for learner in spec.learners}


@functools.lru_cache(maxsize=6)
def _learner(learner: str, name: str, state: object) -> RowLearner:
    return LEARNERS[learner](_prepared(name, state))


def sample_rows(spec: Diamantidis2000Spec, name: str, sample: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of a sample, drawn at random without regard to classes, and the rows outside of it."""
    n_rows = len(_attributes(name).y)
    order = np.random.default_rng(seed_of(spec.random_state, name, "sample", sample)).permutation(n_rows)
    size = sample_size(name, spec.share)
    return order[:size], order[size:]


def cluster_unit(spec: Diamantidis2000Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Estimate the number of clusters on samples of the whole data set, as the paper does for its Table 2."""
    name = unit["dataset"]
    data = _attributes(name)
    counts = paper_counts(name, data.X, data.categorical, 50, spec.random_state)
    estimate = int(np.floor(counts.mean() + 0.5))
    return pd.DataFrame({"mean": [counts.mean()], "std": [counts.std(ddof=1)], "n_clusters": [estimate]})


def truth_unit(spec: Diamantidis2000Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Learn from a whole sample; test on all rows outside of it (the truth) and on the sample itself (apparent)."""
    name = unit["dataset"]
    y = _attributes(name).y
    sample, outside = sample_rows(spec, name, unit["sample"])
    lines = []
    for learner, model in _learners(spec, name).items():
        start = perf_counter()
        beyond, within = model.predict(sample, [outside, sample])
        lines.append(
            {
                "learner": learner,
                "truth": (beyond == y[outside]).mean(),
                "apparent": (within == y[sample]).mean(),
                "no_information": no_information_accuracy(y[sample], within),
                "fit_seconds": perf_counter() - start,
            }
        )
    return pd.DataFrame(lines)


def curve_unit(spec: Diamantidis2000Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Learn from as many random rows as the unit says and test on all others, as often as the spec says."""
    name = unit["dataset"]
    y = _attributes(name).y
    lines = []
    for run in range(spec.n_curve):
        order = np.random.default_rng(seed_of(spec.random_state, name, "curve", unit["size"], run)).permutation(len(y))
        train, test = order[: unit["size"]], order[unit["size"] :]
        for learner, model in _learners(spec, name).items():
            start = perf_counter()
            accuracy = (model.predict(train, [test])[0] == y[test]).mean()
            seconds = perf_counter() - start
            lines.append({"run": run, "learner": learner, "accuracy": accuracy, "fit_seconds": seconds})
    return pd.DataFrame(lines)


def stratified(y: np.ndarray, n_splits: int, seed: int) -> np.ndarray:
    """Deal rows class by class, at random inside; return the fold of each."""
    order = np.random.default_rng(seed).permutation(len(y))
    return deal(order[np.argsort(y[order], kind="stable")], n_splits)


def folds_of(technique: str, n_splits: int, data: Attributes, rows: np.ndarray, n_clusters: int, seed: int) -> Any:
    """Return the fold of each row of a sample.

    1C-CV and CL-CV get the attributes as they are, with their kinds and what is missing. The later methods get the
    points of :func:`as_points`, and the same number of clusters. SCV deals class by class, at random inside: what
    scikit-learn's does, but also where no class has as many rows as there are folds.
    """
    X, y = data.X[rows], data.y[rows]
    if technique == "SCV":
        return stratified(y, n_splits, seed)
    splitter = make_splitter(
        technique, n_splits=n_splits, n_clusters=n_clusters, categorical=data.categorical, random_state=seed
    )
    if technique in LATER_TECHNIQUES:
        X = as_points(mixed_rows(X, data.categorical))
    return fold_numbers(splitter, X, y)


def fold_unit(spec: Diamantidis2000Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Cross-validate all learners on one sample with the folds of one technique, for each number of folds."""
    if "clusters" not in inputs:
        raise StudyError("the number of clusters of this data set could not be estimated")
    name, technique = unit["dataset"], unit["technique"]
    data = _attributes(name)
    sample, _ = sample_rows(spec, name, unit["sample"])
    n_clusters = int(inputs["clusters"]["n_clusters"].iloc[0])
    lines, refused = [], ""
    for n_splits in spec.n_splits:
        seed = seed_of(spec.random_state, name, technique, n_splits, unit["sample"])
        start = perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of classes with fewer rows than folds
                folds = folds_of(technique, n_splits, data, sample, n_clusters, seed)
        except ValueError as error:
            refused = str(error)  # a stratified splitter, if no class has as many rows as there are folds
            continue
        split_seconds = perf_counter() - start
        for learner, model in _learners(spec, name).items():
            start = perf_counter()
            pairs = [(sample[folds != fold], sample[folds == fold]) for fold in range(n_splits)]
            scores = _accuracies(model, data.y, pairs)
            lines.append(
                {
                    "learner": learner,
                    "n_splits": np.int16(n_splits),
                    "accuracy": scores.mean(),
                    "std": scores.std(ddof=1),
                    "split_seconds": split_seconds,
                    "fit_seconds": perf_counter() - start,
                }
            )
    if not lines:
        raise Skip(refused)
    return pd.DataFrame(lines)


def _accuracies(model: RowLearner, y: np.ndarray, pairs: Pairs) -> np.ndarray:
    return np.array([(model.predict(train, [test])[0] == y[test]).mean() for train, test in pairs])


def estimator_unit(spec: Diamantidis2000Spec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Estimate the accuracy of all learners on one sample by another way than folds."""
    name, estimator = unit["dataset"], unit["estimator"]
    data = _attributes(name)
    sample, _ = sample_rows(spec, name, unit["sample"])
    if estimator == "leave-one-out" and len(sample) > spec.max_left_out:
        raise Skip(f"leave-one-out on {len(sample)} rows takes as many fits; max_left_out={spec.max_left_out}")
    pairs = _PAIRS[estimator](spec, data.y[sample], seed_of(spec.random_state, name, estimator, unit["sample"]))
    truth = inputs["truth"].set_index("learner")
    lines = []
    for learner, model in _learners(spec, name).items():
        start = perf_counter()
        outside = _accuracies(model, data.y, [(sample[train], sample[test]) for train, test in pairs]).mean()
        seconds = perf_counter() - start
        found = {estimator: outside}
        if estimator == "bootstrap":
            apparent, no_information = (truth[column].to_dict()[learner] for column in ("apparent", "no_information"))
            found[".632"] = bootstrap_632(apparent, outside)
            found[".632+"] = bootstrap_632_plus(apparent, outside, no_information)
        lines += [
            {"learner": learner, "kind": kind, "accuracy": accuracy, "fit_seconds": seconds}
            for kind, accuracy in found.items()
        ]
    return pd.DataFrame(lines)


def _holdouts(spec: Diamantidis2000Spec, y: np.ndarray, seed: int) -> Pairs:
    rng = np.random.default_rng(seed)
    size = round(spec.holdout_share * len(y))
    orders = [rng.permutation(len(y)) for _ in range(spec.n_holdouts)]
    return [(order[:size], order[size:]) for order in orders]


def _bootstraps(spec: Diamantidis2000Spec, y: np.ndarray, seed: int) -> Pairs:
    return bootstrap_rows(len(y), spec.n_bootstraps, seed)


def _each_left_out(spec: Diamantidis2000Spec, y: np.ndarray, seed: int) -> Pairs:
    rows = np.arange(len(y))
    return [(np.delete(rows, row), rows[[row]]) for row in rows]


def _repeated(spec: Diamantidis2000Spec, y: np.ndarray, seed: int) -> Pairs:
    """Cut the sample anew for each run of RS-CV: all folds of all runs, since the mean of runs is the mean of these."""
    n_splits = min(REPEATED_FOLDS, len(y))
    cuts = [stratified(y, n_splits, seed_of(seed, run)) for run in range(REPEATED_RUNS)]
    return [(np.flatnonzero(cut != fold), np.flatnonzero(cut == fold)) for cut in cuts for fold in range(n_splits)]


_PAIRS: dict[str, Callable[[Diamantidis2000Spec, np.ndarray, int], Pairs]] = {
    "hold-out": _holdouts,
    "bootstrap": _bootstraps,
    "leave-one-out": _each_left_out,
    "repeated RS-CV": _repeated,
}
