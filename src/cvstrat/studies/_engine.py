"""The engine: expand a spec into units, leave out what is on disk, compute the rest, keep each unit when it is done."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd

from cvstrat.studies import _store as store
from cvstrat.studies._progress import Progress, duration
from cvstrat.studies._study import (
    Study,
    StudyError,
    Table,
    Tables,
    Unit,
    as_json,
    choose,
    differences,
    digest,
    unit_id,
)
from cvstrat.studies._workers import Outcome, Task, Workers, workers


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
        Seconds spent in fits and predictions, summed over the workers, and seconds that went by times workers.
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
        """Share of the workers' time that was spent in fits and predictions."""
        return self.busy / self.wall if self.wall else float("nan")


def run_study(
    study: Study,
    spec: Any,
    folder: Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    only: Mapping[str, Iterable[Any]] | None = None,
    quiet: bool = False,
) -> Run:
    """Compute what is missing of a study.

    Parameters
    ----------
    study : Study
        Which one.
    spec : spec of the study
        What to run; a folder that holds results of another spec is refused.
    folder : Path
        Folder of the results.
    jobs : int, default=None
        Processes on this machine; None means one per core.
    scheduler : str, default=None
        Address of a dask scheduler whose workers do the work instead.
    only : mapping, default=None
        Values of axes, such as ``{"dataset": ["pmlb/iris"]}``: units with others are left for another time.
    quiet : bool, default=False
        Whether to keep silent about progress.

    Returns
    -------
    Run
        Counts, reasons, efficiency.
    """
    data = study.data(spec)
    only = _checked(study, spec, only or {})
    results = _Results(study, spec, folder, data)
    run = Run(folder)
    with workers(jobs, scheduler) as team:
        results.open(team.name)
        for table in study.tables:
            _run_table(results, table, only, team, run, quiet=quiet)
    run.skipped = results.skipped
    run.missing = sum(len(units) for units in results.missing().values())
    return run


def _checked(study: Study, spec: Any, only: Mapping[str, Iterable[Any]]) -> dict[str, set[str]]:
    axes: dict[str, set[str]] = {}
    for table in study.tables:
        for unit in table.units(spec):
            for axis, value in unit.items():
                axes.setdefault(axis, set()).add(str(value))
    for axis, values in only.items():
        choose("axis", axis, axes)
        for value in values:
            choose(axis, str(value), sorted(axes[axis]))
    return {axis: {str(value) for value in values} for axis, values in only.items()}


def _run_table(
    results: _Results, table: Table, only: dict[str, set[str]], team: Workers, run: Run, *, quiet: bool
) -> None:
    wanted = [
        unit
        for unit in table.units(results.spec)
        if all(str(unit[axis]) in values for axis, values in only.items() if axis in unit)
    ]
    damaged = results.gather(table)
    todo = [unit for unit in wanted if not results.has(table, unit)]
    run.known += len(wanted) - len(todo)
    costs = table.costs(results.spec, todo, results.tables) if table.costs and todo else [1.0] * len(todo)
    progress = None if quiet or not todo else Progress(table.name, costs, len(wanted) - len(todo))
    say = progress.say if progress else lambda _: None
    for reason in damaged:
        say(f"{reason}: computed again")
    inputs = _Inputs(table, results.tables)
    tasks = [Task(number, table.work, results.spec, unit, inputs.of(unit)) for number, unit in enumerate(todo)]
    start = monotonic()
    outcomes = team.outcomes(tasks, say)
    try:
        for outcome in outcomes:
            unit = todo[outcome.number]
            name = unit_id(table, unit)
            if outcome.kind == "failed":
                run.failed[name] = outcome.reason
                say(f"{name} failed: {outcome.reason}")
            else:
                results.keep(table, unit, outcome)
                run.computed += 1
                run.busy += sum(
                    outcome.rows[column].sum()
                    for column in ("fit_seconds", "predict_seconds")
                    if column in outcome.rows.columns
                )
            if progress:
                progress.finished(name, costs[outcome.number])
    finally:
        outcomes.close()
        run.wall += (monotonic() - start) * team.count
        results.collect(table, {name: why for name, why in run.failed.items() if name.startswith(f"{table.name}: ")})
        if progress:
            progress.close()


class _Inputs:
    """For each unit, the rows of the tables it needs that agree with it."""

    def __init__(self, table: Table, tables: Tables) -> None:
        self._parts = {}
        for name in table.needs:
            frame = tables[name]
            shared = [axis for axis in table.axes if axis in frame.columns]
            parts = {key: part for key, part in frame.groupby(shared, sort=False)} if len(frame) else {}
            self._parts[name] = (shared, parts, frame.iloc[:0])

    def of(self, unit: Unit) -> Tables:
        return {
            name: parts.get(tuple(unit[axis] for axis in shared), empty)
            for name, (shared, parts, empty) in self._parts.items()
        }


class _Results:
    """The state of a folder of results while a study runs."""

    def __init__(self, study: Study, spec: Any, folder: Path, data: dict[str, str]) -> None:
        self.study, self.spec, self.folder, self.data = study, spec, folder, data
        self.shards = store.Shards(folder, digest(spec))
        self.tables: Tables = {}
        self.skipped: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self.environments: list[dict[str, Any]] = []
        self._fresh: dict[str, list[pd.DataFrame]] = {}
        self._loose: list[str] = []
        self._done: dict[str, set[tuple[Any, ...]]] = {}
        self._read()

    def _read(self) -> None:
        if (self.folder / "manifest.json").exists():
            manifest = store.read_manifest(self.folder)
            changed = differences(manifest["spec"], as_json(self.spec)) + differences(manifest["data"], self.data)
            if manifest["study"] != self.study.name:
                changed.insert(0, f"study: {manifest['study']} there, {self.study.name} here")
            if changed:
                raise StudyError(
                    f"{self.folder} holds results of another spec; choose another folder with --output, or remove it:\n  "
                    + "\n  ".join(changed)
                )
            self.skipped = dict(manifest["skipped"])
            self.failed = dict(manifest["failed"])
            self.environments = manifest["environments"]
            for name in manifest["tables"]:
                self.tables[name] = store.load_result(self.study.name, name, folder=self.folder)
        for table in self.study.tables:
            rows = self.tables.get(table.name)
            keys = set() if rows is None else set(zip(*(rows[axis] for axis in table.axes), strict=True))
            self._done[table.name] = keys

    def open(self, team: str) -> None:
        """Make the folder and say whose results it holds, before anything is computed."""
        made_with = store.environment(team)
        if made_with not in self.environments:
            self.environments.append(made_with)
        self._save()

    def has(self, table: Table, unit: Unit) -> bool:
        return self._key(table, unit) in self._done[table.name] or unit_id(table, unit) in self.skipped

    def missing(self) -> dict[str, list[Unit]]:
        """Return the units of each table that are still to do."""
        return {
            table.name: [unit for unit in table.units(self.spec) if not self.has(table, unit)]
            for table in self.study.tables
        }

    def keep(self, table: Table, unit: Unit, outcome: Outcome) -> None:
        """Put a finished unit on disk."""
        rows = outcome.rows
        if outcome.kind == "rows":
            rows = rows.drop(columns=[axis for axis in table.axes if axis in rows.columns])
            for place, axis in enumerate(table.axes):
                rows.insert(place, axis, unit[axis])
        try:
            self.shards.write(unit_id(table, unit), rows, outcome.reason)
        except OSError as error:
            why = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
            raise StudyError(
                f"{self.folder} cannot be written ({why}); all that was finished before is kept: make room and run again"
            ) from error
        self._add(table, unit, rows, outcome.reason)

    def gather(self, table: Table) -> list[str]:
        """Take up shards that an earlier run left; return what is wrong with those that cannot be used."""
        damaged = []
        for unit in table.units(self.spec):
            if self.has(table, unit):
                continue
            name = unit_id(table, unit)
            try:
                found = self.shards.read(name)
            except store.ResultError as error:
                damaged.append(str(error))
                continue
            if found is not None:
                self._add(table, unit, *found)
        if self._loose:
            self.collect(table, {})
        return damaged

    def collect(self, table: Table, failed: dict[str, str]) -> None:
        """Bring finished units into the tables, in the order of the spec, and save them."""
        self.failed = {
            name: why for name, why in self.failed.items() if not name.startswith(f"{table.name}: ")
        } | failed
        fresh = self._fresh.pop(table.name, [])
        if fresh or table.name not in self.tables:
            rows = pd.concat(fresh, ignore_index=True) if fresh else pd.DataFrame(columns=list(table.axes))
            times = [*table.axes, *table.keys, *table.measured]
            self._merge(table, table.name, rows.drop(columns=list(table.measured), errors="ignore"))
            if table.measured:
                self._merge(table, f"{table.name}_times", rows[[name for name in times if name in rows.columns]])
        self._save()
        self.shards.remove(self._loose)
        self._loose.clear()

    def _merge(self, table: Table, name: str, rows: pd.DataFrame) -> None:
        old = self.tables.get(name)
        both = rows if old is None or old.empty else pd.concat([old, rows], ignore_index=True) if len(rows) else old
        place = {self._key(table, unit): number for number, unit in enumerate(table.units(self.spec))}
        order = pd.Series([place[key] for key in zip(*(both[axis] for axis in table.axes), strict=True)], dtype="int64")
        self.tables[name] = both.iloc[order.argsort(kind="stable")].reset_index(drop=True)

    def _add(self, table: Table, unit: Unit, rows: pd.DataFrame, skipped: str) -> None:
        self._loose.append(unit_id(table, unit))
        if skipped:
            self.skipped[unit_id(table, unit)] = skipped
        else:
            self._fresh.setdefault(table.name, []).append(rows)
            self._done[table.name].add(self._key(table, unit))

    def _save(self) -> None:
        manifest = {
            "spec": as_json(self.spec),
            "data": self.data,
            "environments": self.environments,
            "skipped": dict(sorted(self.skipped.items())),
            "failed": dict(sorted(self.failed.items())),
        }
        try:
            store.save_result(self.study.name, self.tables, manifest, self.folder)
        except OSError as error:
            raise StudyError(f"{self.folder} cannot be written: {error.strerror or error}") from error

    @staticmethod
    def _key(table: Table, unit: Unit) -> tuple[Any, ...]:
        return tuple(unit[axis] for axis in table.axes)


def describe_run(run: Run) -> str:
    """Return the last lines of a run."""
    lines = [
        f"{run.computed} units computed, {run.known} were there, {run.missing} are missing; results in {run.folder}"
    ]
    if run.computed:
        lines.append(
            f"efficiency {run.efficiency:.2f}: {duration(run.busy)} of fits and predictions in "
            f"{duration(run.wall)} of workers' time"
        )
    for word, units in (("skipped", run.skipped), ("failed", run.failed)):
        lines += [f"{word}: {name}: {reason}" for name, reason in units.items()]
    return "\n".join(lines)
