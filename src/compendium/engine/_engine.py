"""The engine: expand a spec into units, leave out what is on disk, compute the rest, keep each unit when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from compendium.engine._results import Results, sole_writer
from compendium.engine._study import S, Study, Table, Tables, Unit, unit_id
from compendium.engine._workers import Task, Workers, processes
from cvstrat.checks import check_known
from cvstrat.errors import InputError
from cvstrat.progress import Progress, duration

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
    quiet: bool = False,
) -> Run:
    """Compute what is missing of a study in a folder; see :func:`compendium.engine.run`."""
    asked = {axis: {str(value) for value in values} for axis, values in (only or {}).items()}
    study.validate(spec)
    _check_axes(study, spec, asked)
    checksums = partial(study.checksums, spec, asked.get("dataset"))
    data = checksums()
    say = Progress("workers", [], 0, quiet=quiet).say
    with _workers(jobs, scheduler, data, checksums, say) as team, sole_writer(folder):
        return _run(Results(study, spec, folder, data), asked, team, quiet=quiet)


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


def _run(results: Results, only: dict[str, set[str]], team: Workers, *, quiet: bool) -> Run:
    study = results.study
    run = Run(results.folder)
    results.open(team.environments)
    for table in study.tables:
        _run_table(results, table, only, team, run, quiet=quiet)
    run.skipped = results.skipped
    run.missing = sum(not results.has(table, unit) for table in study.tables for unit in results.units(table))
    return run


def _check_axes(study: Study[S], spec: S, only: dict[str, set[str]]) -> None:
    """Raise if something is asked for that no unit of work has; before anything is written."""
    axes: dict[str, set[str]] = {}
    for table in study.tables if only else ():
        for unit in table.units(spec, {}):
            for axis, value in unit.items():
                axes.setdefault(axis, set()).add(str(value))
    for axis, values in only.items():
        check_known("axis", axis, axes)
        for value in values:
            check_known(axis, value, sorted(axes[axis]))


def _run_table(
    results: Results, table: Table[Any], only: dict[str, set[str]], team: Workers, run: Run, *, quiet: bool
) -> None:
    wanted = [
        unit
        for unit in results.units(table)
        if all(str(unit[axis]) in values for axis, values in only.items() if axis in unit)
    ]
    lacking = _left_out(results, table, run)
    wanted = [unit for unit in wanted if not any(_agree(unit, other) for other in lacking)]
    todo = [unit for unit in wanted if not results.has(table, unit)]
    run.known += len(wanted) - len(todo)
    costs = table.costs(results.spec, todo, results.tables) if table.costs else [1.0] * len(todo)
    progress = Progress(table.name, costs, len(wanted) - len(todo), quiet=quiet)
    while results.damaged:
        progress.say(f"{results.damaged.pop()}: computed again")
    inputs = _Inputs(table, results.tables)
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
    finally:
        run.wall += (monotonic() - start) * team.count
        run.failed |= failed
        results.collect(table, failed)
        progress.close()


def _left_out(results: Results, table: Table[Any], run: Run) -> list[Unit]:
    """Return units that a table needs and that this run was not asked for: what needs them is left for later, too."""
    return [
        unit
        for needed in results.study.tables
        if needed.name in table.needs
        for unit in results.units(needed)
        if not results.has(needed, unit) and unit_id(needed, unit) not in run.failed
    ]


def _agree(unit: Unit, other: Unit) -> bool:
    return all(unit[axis] == value for axis, value in other.items() if axis in unit)


class _Inputs:
    """For each unit, the rows of the tables it needs that agree with it."""

    def __init__(self, table: Table[Any], tables: Tables) -> None:
        self._parts = {}
        for name in table.needs:
            if name in tables:
                shared = [axis for axis in table.axes if axis in tables[name].columns]
                self._parts[name] = (shared, dict(iter(tables[name].groupby(shared, sort=False))))

    def of(self, unit: Unit) -> Tables:
        found = {name: parts.get(tuple(unit[axis] for axis in shared)) for name, (shared, parts) in self._parts.items()}
        return {name: rows for name, rows in found.items() if rows is not None}


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
