"""Do the committed results come out again? A random sample of units is computed anew and compared, cell by cell.

Another kind of processor rounds sums in another way. Most units do not notice. Where a fit ends before it has
converged, or two rows are equally near, the last digit decides, and scores of single folds differ.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import pandas as pd

from compendium import datasets, engine
from compendium.engine import Finished, Study, Unit
from cvstrat.checks import check_known
from cvstrat.errors import CvstratError, InputError

TOLERANCE = 1e-9
# On another kind of processor, if single cells differ by more: half a point for the mean of each column, the margin of
# the studies; and of text and whole numbers, which a near tie decides, this share may differ.
MARGIN, SHARE = 0.005, 0.1


@dataclass
class Sample:
    """A table of a study: its units in random order, those that cannot be computed here, and what came out so far."""

    finished: Finished
    waiting: list[Unit]
    without_data: int = 0
    too_long: int = 0
    recomputed: int = 0
    cells: int = 0
    differing: int = 0
    largest: float = 0.0
    wrong: list[str] = field(default_factory=list)
    rounded: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """Return a row of the summary."""
        return {
            "study": self.finished.study.name,
            "table": self.finished.table.name,
            "units": len(self.finished.units),
            "without_data": self.without_data,
            "too_long": self.too_long,
            "recomputed": self.recomputed,
            "cells": self.cells,
            "differing": self.differing,
            "largest": self.largest,
        }


@dataclass
class Reproduction:
    """What came out again.

    Attributes
    ----------
    table : DataFrame
        A row per study and table: finished units, those without data here, those that take too long for the time given,
        those computed again, cells compared, cells that differ, the largest difference.
    wrong : list of str
        Units that gave something else, and what.
    rounded : list of str
        Units that gave the same but for the way in which another kind of processor rounds, and how they differ.
    left_out : list of str
        Studies, or parts of them, that could not be computed here, and why.
    """

    table: pd.DataFrame
    wrong: list[str]
    left_out: list[str]
    rounded: list[str] = field(default_factory=list)

    def verdict(self) -> str:
        """Return one sentence."""
        units, cells = int(self.table["recomputed"].sum()), int(self.table["cells"].sum())
        if not units:
            here = (self.table["without_data"] < self.table["units"]).any()
            why = "give more --minutes" if here else "none of the data are on this machine"
            return f"nothing could be computed again: {why}"
        count = f"{units} unit{'s' * (units > 1)} computed again, {cells} cells compared"
        if self.wrong:
            return f"NOT reproduced: {count}, and {_differ(self.wrong)} beyond {TOLERANCE:g}"
        if self.rounded:
            return (
                f"reproduced but for rounding: {count}; not all of the results come from this kind of "
                f"processor, so that {_differ(self.rounded)}, on average by at most {MARGIN:g}"
            )
        largest = self.table["largest"].max()
        return f"reproduced: {count}, none differs beyond {TOLERANCE:g} (largest difference {largest:g})"


def _differ(units: list[str]) -> str:
    return "1 unit differs" if len(units) == 1 else f"{len(units)} units differ"


def reproduce(
    names: list[str] | None = None, *, minutes: float = 10.0, jobs: int | None = None, seed: int = 0
) -> Reproduction:
    """Compute a random sample of the committed units anew and compare what they give with what is committed.

    Parameters
    ----------
    names : list of str, default=None
        Studies; None or an empty list means all with committed results.
    minutes : float, default=10
        How long to compute. Tables take turns, so that each has a part of the sample.
    jobs : int, default=None
        Processes; None means one per core.
    seed : int, default=0
        Seed of the sample.

    Returns
    -------
    Reproduction
        Text, whole numbers and yes or no must be equal; the difference of two other numbers, relative to the committed
        one (or absolute, if that is below 1), must not exceed ``TOLERANCE``. If this is another kind of processor than
        the one that the results come from, or they come from several, a unit may differ as :func:`agree_on_average`
        allows.
    """
    if not 0 < minutes <= 60 * 24 * 7:
        raise InputError(f"--minutes {minutes:g}: give more than 0, at most a week")
    known = {name: study for name, study in engine.studies().items() if engine.has_results(name)}
    for name in names or []:
        check_known("study with results", name, known)
    chosen = [(known[name], engine.results_folder(name)) for name in names or known]
    return recompute(chosen, minutes=minutes, jobs=jobs, seed=seed)


def recompute(
    chosen: Iterable[tuple[Study[Any], Path]], *, minutes: float, jobs: int | None = None, seed: int = 0
) -> Reproduction:
    """Compute a sample of the units of some folders of results anew; see :func:`reproduce`."""
    rng, left_out = random.Random(seed), []
    samples: list[Sample] = []
    for study, folder in chosen:
        try:
            samples += [_sample(part, rng) for part in engine.finished_units(study, folder)]
        except CvstratError as error:
            left_out.append(f"{study.name}: {error}")
    with engine.processes(jobs) as team:
        end = monotonic() + 60 * minutes
        limit = 60 * minutes * team.count / max(sum(bool(sample.waiting) for sample in samples), 1)
        for sample in samples:
            _leave_out_long(sample, limit)
        while any(sample.waiting for sample in samples) and monotonic() < end:
            turn = [(sample, sample.waiting.pop()) for sample in samples if sample.waiting]
            turn.sort(key=lambda one: one[0].finished.seconds(one[1]))  # so that many tables have theirs
            _compute(turn, team, end)
    left_out += _lacking(samples)
    table = pd.DataFrame([sample.row() for sample in samples])
    wrong, rounded = ([line for sample in samples for line in getattr(sample, one)] for one in ("wrong", "rounded"))
    return Reproduction(table, wrong, left_out, rounded)


def _sample(finished: Finished, rng: random.Random) -> Sample:
    here = [unit for unit in finished.units if _has_data(unit)]
    rng.shuffle(here)
    return Sample(finished, here, without_data=len(finished.units) - len(here))


def _has_data(unit: Unit) -> bool:
    """Whether the data set of a unit is on this machine; nothing is downloaded."""
    return "dataset" not in unit or _is_here(unit["dataset"])


@functools.cache
def _is_here(name: str) -> bool:
    return datasets.where(datasets.catalogue().find(name)) not in ("download", "nowhere")


def _leave_out_long(sample: Sample, limit: float) -> None:
    short = [unit for unit in sample.waiting if sample.finished.seconds(unit) <= limit]
    sample.too_long = len(sample.waiting) - len(short)
    sample.waiting = short


def _lacking(samples: list[Sample]) -> Iterator[str]:
    for name in dict.fromkeys(sample.finished.study.name for sample in samples):
        parts = [sample for sample in samples if sample.finished.study.name == name]
        units, without = sum(len(part.finished.units) for part in parts), sum(part.without_data for part in parts)
        if without:
            yield (
                f"{name}: {without} of {units} units are on data sets that are not on this machine; "
                f"'compendium data list --study {name.partition('-')[0]}' says where each comes from"
            )


def _compute(turn: list[tuple[Sample, Unit]], team: engine.Workers, end: float) -> None:
    """Compute a unit of each table and compare; stop when the time is over."""
    tasks = [sample.finished.task(number, unit) for number, (sample, unit) in enumerate(turn)]
    with closing(team.outcomes(tasks, print)) as outcomes:
        for outcome in outcomes:
            sample, unit = turn[outcome.number]
            name = engine.unit_id(sample.finished.table, unit)
            sample.recomputed += 1
            if outcome.failed or outcome.skipped:
                sample.differing += sample.finished.rows(unit).size
                sample.wrong.append(f"{sample.finished.study.name}, {name}: {outcome.failed or outcome.skipped}")
            else:
                _count(sample, unit, name, sample.finished.as_stored(unit, outcome.rows))
            if monotonic() > end:
                break


def _count(sample: Sample, unit: Unit, name: str, now: pd.DataFrame) -> None:
    before = sample.finished.rows(unit)
    differences = cell_differences(before, now)
    sample.cells += differences.size
    sample.largest = max(sample.largest, float(differences.max(initial=0.0)))
    beyond = int((differences > TOLERANCE).sum())
    sample.differing += beyond
    if beyond:
        apart = f"{beyond} of {differences.size} cells differ, by up to {differences.max():g}"
        may_round = sample.finished.kernels != {engine.kernels()} and agree_on_average(before, now)
        (sample.rounded if may_round else sample.wrong).append(f"{sample.finished.study.name}, {name}: {apart}")


def agree_on_average(before: pd.DataFrame, now: pd.DataFrame) -> bool:
    """Tell whether two tables say the same, although near ties and fits that end early came out differently.

    The means of each column of numbers must agree to ``MARGIN``, relative to the first (or absolute, if that is below
    1); of the cells with text, whole numbers, or yes or no, at most a share of ``SHARE`` may differ.
    """
    if len(before) != len(now) or set(now.columns) != set(before.columns):
        return False
    numbers = [name for name in before.columns if pd.api.types.is_float_dtype(before[name])]
    means = (pd.DataFrame([one[numbers].mean()]) for one in (before, now))
    rest = [name for name in before.columns if name not in numbers]
    apart = cell_differences(before[rest], now[rest])
    return bool((cell_differences(*means) <= MARGIN).all() and (apart > 0).sum() <= SHARE * apart.size)


def cell_differences(before: pd.DataFrame, now: pd.DataFrame) -> np.ndarray:
    """Return the difference of each cell of two tables; infinite where cells are not of one kind, or not there."""
    if len(before) != len(now) or set(now.columns) - set(before.columns):
        return np.full(before.shape, np.inf)
    columns = [_differences(before[name], now.get(name)) for name in before.columns]
    return np.column_stack(columns) if columns else np.zeros((len(before), 0))


def _differences(before: pd.Series, now: pd.Series | None) -> np.ndarray:
    if now is None:  # a column that other units have and this one has not
        return np.where(before.isna(), 0.0, np.inf)
    if pd.api.types.is_float_dtype(before) and pd.api.types.is_numeric_dtype(now):
        old, new = before.to_numpy(float), now.to_numpy(float)
        with np.errstate(invalid="ignore"):
            apart = np.abs(new - old) / np.maximum(1.0, np.abs(old))
        same = (old == new) | (np.isnan(old) & np.isnan(new))
        return np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))
    same = [_equal(one, other) for one, other in zip(before, now, strict=True)]
    return np.where(same, 0.0, np.inf)


def _equal(one: Any, other: Any) -> bool:
    return np.array_equal(one, other) or (pd.isna(one) is True and pd.isna(other) is True)
