"""The engine: expand a spec into units, leave out what is on disk, compute the rest, keep each unit when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd

from compendium.engine._folder import sole_writer
from compendium.engine._progress import Progress, duration
from compendium.engine._results import Results
from compendium.engine._study import S, Study, Table, Tables, Unit, unit_id
from compendium.engine._workers import Task, Workers, processes
from compendium.lifetime import check_told_to_end
from cvstrat.checks import check_known
from cvstrat.errors import InputError

_BUSY = ("fit_seconds", "predict_seconds")


@dataclass
class Run:
    """What a run did.

    Attributes
    ----------
    folder : Path
        Where the results are.
    computed, known, missing : int
        Units computed by this run, units that were there before, and units of the spec that are still to do.
    skipped, failed : dict of str to str
        Units and the reasons.
    busy, wall : float
        Seconds of fits and predictions, summed over the workers, and seconds that went by, times workers.
    """

    folder: Path
    computed: int = 0
    known: int = 0
    missing: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    busy: float = 0.0
    wall: float = 0.0

    @property
    def efficiency(self) -> float:
        """Share of the workers' time that went into fits and predictions."""
        return self.busy / self.wall if self.wall else float("nan")


def run_study(
    study: Study[S],
    spec: S,
    folder: Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    only: Mapping[str, Iterable[Any]] | None = None,
    again: Mapping[str, Iterable[Any]] | None = None,
    quiet: bool = False,
) -> Run:
    """Compute what is missing of a study in a folder; see :func:`compendium.engine.run`."""
    asked, repeated = (
        {axis: {str(value) for value in values} for axis, values in (chosen or {}).items()} for chosen in (only, again)
    )
    study.validate(spec)
    _check_axes(study, spec, asked, repeated)
    checksums = partial(study.checksums, spec, asked.get("dataset"))
    data = checksums()
    say = Progress("workers", [], 0, quiet=quiet).say
    with _workers(jobs, scheduler, data, checksums, say) as team, sole_writer(folder):
        return _run(Results(study, spec, folder, data, mend=True), asked, repeated, team, quiet=quiet)


def _workers(
    jobs: int | None,
    scheduler: str | None,
    data: dict[str, str],
    checksums: Callable[[], dict[str, str]],
    say: Callable[[str], None],
) -> AbstractContextManager[Workers]:
    if scheduler is None:
        return processes(jobs)
    if jobs is not None:
        raise InputError("give --jobs or --scheduler, not both: a scheduler has its own workers")
    from compendium.engine._cluster import cluster  # takes a second to import

    return cluster(scheduler, data, checksums, say)


def _run(results: Results, only: dict[str, set[str]], again: dict[str, set[str]], team: Workers, *, quiet: bool) -> Run:
    study = results.study
    run = Run(results.folder)
    results.open(team.environments)
    if again:
        results.compute_again(_repeated(results, again), {axis: sorted(values) for axis, values in again.items()})
    for table in study.tables:
        _run_table(results, table, only, team, run, quiet=quiet)
    run.skipped = results.skipped
    run.missing = sum(not results.has(table, unit) for table in study.tables for unit in results.units(table))
    return run


def _check_axes(study: Study[S], spec: S, only: dict[str, set[str]], again: dict[str, set[str]]) -> None:
    """Raise if something is asked for that no unit of work has; before anything is written."""
    axes: dict[str, set[str]] = {}
    for table in study.tables if only or again else ():
        for unit in table.units(spec, {}):
            for axis, value in unit.items():
                axes.setdefault(axis, set()).add(str(value))
    for axis, values in [*only.items(), *again.items()]:
        check_known("axis", axis, axes)
        for value in values:
            check_known(axis, value, sorted(axes[axis]))
    if again and not any(set(again) <= set(table.axes) for table in study.tables):
        raise InputError(f"no table of {study.name} has units told apart by {' and '.join(again)}: name fewer axes")


def _repeated(results: Results, again: dict[str, set[str]]) -> dict[str, list[Unit]]:
    """Return the units that are to be computed again: those named, and those that need their rows."""
    found: dict[str, list[Unit]] = {}
    for table in results.study.tables:
        affected = _Agreement(
            table, [(one, found[one.name]) for one in results.study.tables if one.name in table.needs]
        )
        chosen = {unit_id(table, unit): unit for unit in results.all_units(table) if affected.with_any(unit)}
        if set(again) <= set(table.axes):
            for unit in results.units(table):
                if all(str(unit[axis]) in values for axis, values in again.items()):
                    chosen[unit_id(table, unit)] = unit
        found[table.name] = list(chosen.values())
    return found


def _run_table(
    results: Results, table: Table[Any], only: dict[str, set[str]], team: Workers, run: Run, *, quiet: bool
) -> None:
    wanted = [
        unit
        for unit in results.units(table)
        if all(str(unit[axis]) in values for axis, values in only.items() if axis in unit)
    ]
    lacking = _left_out(results, table, run)
    wanted = [unit for unit in wanted if not lacking.with_any(unit)]
    todo = [unit for unit in wanted if not results.has(table, unit)]
    run.known += len(wanted) - len(todo)
    costs = table.costs(results.spec, todo, results.tables) if table.costs else [1.0] * len(todo)
    progress = Progress(table.name, costs, len(wanted) - len(todo), quiet=quiet)
    while results.damaged:
        progress.say(f"{results.damaged.pop()}: computed again")
    inputs = Inputs(table, results.tables)
    tasks = [Task(number, table.work, results.spec, unit, inputs.of(unit)) for number, unit in enumerate(todo)]
    failed: dict[str, str] = {}
    start = monotonic()
    try:
        with closing(team.outcomes(tasks, progress.say)) as outcomes:
            for outcome in outcomes:
                unit = todo[outcome.number]
                name = unit_id(table, unit)
                if outcome.failed:
                    failed[name] = outcome.failed
                    progress.say(f"{name} failed: {outcome.failed}")
                else:
                    results.keep(table, unit, outcome.rows, outcome.skipped)
                    run.computed += 1
                    run.busy += sum(outcome.rows[column].sum() for column in _BUSY if column in outcome.rows)
                progress.finished(name, costs[outcome.number])
                check_told_to_end()
                if results.collecting_is_due:
                    results.collect(table, failed)
    finally:
        run.wall += (monotonic() - start) * team.count
        run.failed |= failed
        results.collect(table, failed)
        progress.close()


def _left_out(results: Results, table: Table[Any], run: Run) -> _Agreement:
    """Return units that a table needs and that this run was not asked for: what needs them is left for later, too."""
    needed = [one for one in results.study.tables if one.name in table.needs]
    return _Agreement(
        table,
        [
            (
                one,
                [
                    unit
                    for unit in results.all_units(one)
                    if not results.has(one, unit) and unit_id(one, unit) not in run.failed
                ],
            )
            for one in needed
        ],
    )


class _Agreement:
    """Which units of a table agree, in the axes they share, with any of some units of tables that it needs."""

    def __init__(self, table: Table[Any], others: list[tuple[Table[Any], list[Unit]]]) -> None:
        self._parts = []
        for other, units in others:
            shared = [axis for axis in table.axes if axis in other.axes]
            self._parts.append((shared, {tuple(unit[axis] for axis in shared) for unit in units}))

    def with_any(self, unit: Unit) -> bool:
        return any(tuple(unit[axis] for axis in shared) in known for shared, known in self._parts)


class Inputs:
    """For each unit, the rows of the tables it needs that agree with it."""

    def __init__(self, table: Table[Any], tables: Tables) -> None:
        self._tables = tables
        self._known: dict[tuple[str, tuple[Any, ...]], pd.DataFrame] = {}
        self._parts: dict[str, tuple[list[str], dict[tuple[Any, ...], list[int]]]] = {}
        for name in table.needs:
            if name in tables:
                shared = [axis for axis in table.axes if axis in tables[name].columns]
                places: dict[tuple[Any, ...], list[int]] = {}
                columns = [tables[name][axis] for axis in shared]
                for place, key in enumerate(zip(*columns, strict=True) if shared else [()] * len(tables[name])):
                    places.setdefault(key, []).append(place)
                self._parts[name] = (shared, places)

    def of(self, unit: Unit) -> Tables:
        found = {}
        for name, (shared, places) in self._parts.items():
            key = tuple(unit[axis] for axis in shared)
            if key in places:
                found[name] = self._rows(name, key)
        return found

    def _rows(self, name: str, key: tuple[Any, ...]) -> pd.DataFrame:
        """Return the rows of a table that have a key; the same ones for all units that share it."""
        if (name, key) not in self._known:
            self._known[name, key] = self._tables[name].iloc[self._parts[name][1][key]]
        return self._known[name, key]


def describe_run(run: Run) -> str:
    """Return the last lines of a run."""
    lines = [
        f"{run.computed} units computed, {run.known} were there, {run.missing} are missing; results in {run.folder}"
    ]
    if run.busy:
        lines.append(
            f"efficiency {run.efficiency:.2f}: {duration(run.busy)} of fits and predictions in "
            f"{duration(run.wall)} of workers' time"
        )
    for word, units in (("skipped", run.skipped), ("failed", run.failed)):
        lines += [f"{word}: {name}: {reason}" for name, reason in units.items()]
    return "\n".join(lines)
