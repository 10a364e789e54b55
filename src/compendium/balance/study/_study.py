"""The study: every procedure of the five texts, and folds made alike to any degree, where the truth is known."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from compendium.balance.study._learners import LEARNERS, Prepared
from compendium.balance.study._problems import PROBLEMS, Sample, draw_sample
from compendium.balance.study._procedures import Draw, Parts, draw_parts
from compendium.engine import Study, StudyError, Table, Tables, Unit, axis, seed_of
from cvstrat.checks import check_known

_CLIP = 0.01
PRIMARY_PROBLEMS = ("clusters near", "clusters far")
PRIMARY_SIZES = (60, 200)
POOLED = -1
_TYPES = {
    "technique": "str",
    "n_splits": "int8",
    "repeat": "int8",
    "learner": "str",
    "fold": "int8",
    "tested": "int16",
    "positives": "int16",
    "true_positives": "int16",
    "true_negatives": "int16",
    "log_loss": "float32",
    "auc": "float32",
}


@dataclass(frozen=True)
class BalanceSpec:
    """Which problems are drawn, how often, and what is tried on them.

    Attributes
    ----------
    problems : tuple of str
        Names in ``PROBLEMS``.
    sizes : tuple of int
        Numbers of rows of a data set, at least 40.
    minorities : tuple of float
        Shares of the rarer class, at most 0.5. The problems without clusters are drawn with the first alone.
    learners : tuple of str
        Names in ``LEARNERS``.
    n_replicates : int
        Number of data sets of each problem, size and share.
    n_primary : int
        The same for the primary cells: clusters, balanced classes, 60 and 200 rows.
    n_forest : int
        On how many data sets of each the forest is tried, which costs more than all other learners together.
    n_splits : tuple of int
        Numbers of folds of random and stratified folds.
    few_splits : tuple of int
        Numbers of folds of all other techniques.
    n_fresh : int
        Number of fresh rows that tell the truth.
    seed : int
        Root of all seeds.
    """

    problems: tuple[str, ...] = axis("problem", tuple(PROBLEMS))
    sizes: tuple[int, ...] = axis("n_rows", (60, 200, 1000))
    minorities: tuple[float, ...] = axis("minority", (0.5, 0.2, 0.05))
    learners: tuple[str, ...] = axis("learner", tuple(LEARNERS))
    n_replicates: int = 60
    n_primary: int = 500
    n_forest: int = 10
    n_splits: tuple[int, ...] = (2, 3, 5, 10, 20)
    few_splits: tuple[int, ...] = (2, 5, 10)
    n_fresh: int = 20000
    seed: int = 0


def validate(spec: BalanceSpec) -> None:
    """Refuse values that do not go together."""
    for name in spec.problems:
        check_known("problem", name, PROBLEMS)
    for name in spec.learners:
        check_known("learner", name, LEARNERS)
    if not spec.sizes or min(spec.sizes) < 40:
        raise StudyError(f"sizes={spec.sizes}: give at least 40 rows")
    if not spec.minorities or not all(0 < share <= 0.5 for share in spec.minorities):
        raise StudyError(f"minorities={spec.minorities}: give shares above 0, at most 0.5")
    for k in (*spec.n_splits, *spec.few_splits):
        if not 2 <= k <= min(spec.sizes) // 2:
            raise StudyError(f"{k} folds: give from 2 to half of the smallest number of rows")
    if min(spec.n_replicates, spec.n_primary, spec.n_fresh) < 1 or spec.n_forest < 0:
        raise StudyError("give at least 1 replicate and 1 fresh row")


def is_primary(problem: str, n_rows: int, minority: float) -> bool:
    """Tell whether a cell is one that the stated hypotheses are about."""
    return problem in PRIMARY_PROBLEMS and n_rows in PRIMARY_SIZES and minority == 0.5


def units(spec: BalanceSpec, _: Tables) -> Iterator[Unit]:
    """Yield a data set after the other: problem, number of rows, share of the rarer class, replicate."""
    for problem in spec.problems:
        clustered = problem in PRIMARY_PROBLEMS
        for n_rows in spec.sizes:
            for minority in spec.minorities if clustered else spec.minorities[:1]:
                count = spec.n_primary if is_primary(problem, n_rows, minority) else spec.n_replicates
                for replicate in range(count):
                    yield {"problem": problem, "n_rows": n_rows, "minority": minority, "replicate": replicate}


def draw_unit(spec: BalanceSpec, unit: Unit, part: str) -> Sample:
    """Draw the rows of a unit, or the fresh ones that tell the truth."""
    names = (unit["problem"], unit["n_rows"], unit["minority"], unit["replicate"], part)
    n_rows = unit["n_rows"] if part == "rows" else spec.n_fresh
    return draw_sample(unit["problem"], n_rows, unit["minority"], np.random.default_rng(seed_of(spec.seed, *names)))


def _counts(y: np.ndarray, p: np.ndarray, part: np.ndarray, n_parts: int) -> dict[str, np.ndarray]:
    """Return, for each part of the rows, what accuracy, balanced accuracy and F1 are made of."""
    said = p > 0.5
    chosen = {
        "tested": slice(None),
        "positives": y == 1,
        "true_positives": said & (y == 1),
        "true_negatives": ~said & (y == 0),
    }
    return {name: np.bincount(part[these], minlength=n_parts).astype(np.int16) for name, these in chosen.items()}


def _pooled(y: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
    """Return the same for all rows together, with what only they have: log loss and the area under the curve."""
    clipped = np.clip(p, _CLIP, 1 - _CLIP)
    ranks, positive = rankdata(p), y == 1
    n_pairs = positive.sum() * (~positive).sum()
    area = (ranks[positive].sum() - positive.sum() * (positive.sum() + 1) / 2) / n_pairs
    loss = -np.log(np.where(positive, clipped, 1 - clipped)).mean()
    digits = np.round([loss, area], 4).astype(np.float32)
    return {**_counts(y, p, np.zeros(len(y), int), 1), "log_loss": digits[:1], "auc": digits[1:]}


def _learners(spec: BalanceSpec, unit: Unit) -> list[str]:
    """Return the learners of a replicate: the first few have the forest."""
    return [name for name in spec.learners if name != "forest" or unit["replicate"] < spec.n_forest]


def _truths(spec: BalanceSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Fit every learner to all rows and ask how it does on fresh ones."""
    start = time.perf_counter()
    sample, fresh = draw_unit(spec, unit, "rows"), draw_unit(spec, unit, "fresh")
    data = Prepared(sample.X, sample.y, fresh.X, seed_of(spec.seed, *unit.values(), "trees"))
    everything, rows = np.ones((1, len(sample.y))), [np.arange(len(fresh.y))]
    found = [
        pd.DataFrame({"learner": name, **_pooled(fresh.y, p)})
        for name in _learners(spec, unit)
        for p in LEARNERS[name](data, everything, rows)
    ]
    return pd.concat(found).assign(fit_seconds=(time.perf_counter() - start) / len(found))


def drawn(spec: BalanceSpec, unit: Unit, draw: Draw) -> tuple[Sample, list[Parts]]:
    """Return the rows of a unit, and their partitions and resamples."""
    sample = draw_unit(spec, unit, "rows")
    root = seed_of(spec.seed, *unit.values(), "procedures")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # fewer rows of a class than folds
        return sample, list(draw(sample, spec.n_splits, spec.few_splits, root))


def _folds(spec: BalanceSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    return scored(spec, unit, draw_parts)


def scored(spec: BalanceSpec, unit: Unit, draw: Draw) -> pd.DataFrame:
    """Score every learner on every test part of every procedure."""
    sample, every = drawn(spec, unit, draw)
    data = Prepared(sample.X, sample.y, sample.X, seed_of(spec.seed, *unit.values(), "trees"))
    columns: dict[str, list[np.ndarray]] = {name: [] for name in _TYPES}
    for parts in every:
        rows = np.concatenate(parts.rows)
        part = np.repeat(np.arange(parts.n_splits), [len(these) for these in parts.rows])
        missing = np.full(parts.n_splits, np.nan)
        for name in _learners(spec, unit):
            p = np.concatenate(LEARNERS[name](data, parts.weights, parts.rows))
            single = {**_counts(sample.y[rows], p, part, parts.n_splits), "log_loss": missing, "auc": missing}
            together = _pooled(sample.y[rows], p)
            same = {"technique": parts.technique, "n_splits": parts.n_splits, "repeat": parts.repeat, "learner": name}
            for column, value in same.items():
                columns[column].append(np.full(parts.n_splits + 1, value))
            columns["fold"].append(np.append(np.arange(parts.n_splits), POOLED))
            for column, values in single.items():
                columns[column].append(np.append(values, together[column]))
    return pd.DataFrame({name: np.concatenate(values) for name, values in columns.items()}).astype(_TYPES)


def costs(spec: BalanceSpec, these: list[Unit], _: Tables) -> list[float]:
    """Return how long units take, in proportion."""
    return [100.0 + unit["n_rows"] for unit in these]


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.balance.tables import errors, estimates

    found = errors(estimates(tables["folds"]), tables["truths"])
    mean = found.groupby(["n_rows", "procedure"], sort=False, observed=True)[["bias", "rmse", "cost"]].mean()
    return {"accuracy, percentage points, mean over problems and learners": mean.reset_index()}


def _errors(tables: Tables) -> pd.DataFrame:
    from compendium.balance.tables import error_table

    return error_table(tables)


AXES = ("problem", "n_rows", "minority", "replicate")
FOLD_KEYS = ("technique", "n_splits", "repeat", "learner", "fold")

BALANCE = Study(
    name="balance",
    summary="bias and error of every procedure, and of folds made alike to any degree, where the truth is known",
    spec_type=BalanceSpec,
    profiles={
        "paper": BalanceSpec,
        "smoke": lambda: BalanceSpec(
            problems=("clusters near", "grouped"),
            sizes=(40,),
            minorities=(0.5,),
            learners=("LDA", "1-NN", "tree"),
            n_replicates=2,
            n_primary=2,
            n_forest=1,
            n_splits=(2, 5, 10),
            few_splits=(2, 5),
            n_fresh=500,
        ),
    },
    tables=(
        Table("truths", AXES, units, _truths, keys=("learner",), measured=("fit_seconds",), costs=costs),
        Table("folds", AXES, units, _folds, keys=FOLD_KEYS, costs=costs),
    ),
    validate=validate,
    checksums=lambda spec, wanted: {},
    report=_report,
    errors=_errors,
)
