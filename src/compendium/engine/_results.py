"""The state of a folder of results while a study runs: what is there, what is missing, what was just finished."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from filelock import FileLock, Timeout

from compendium.engine import _store as store
from compendium.engine._shards import Shards
from compendium.engine._study import Study, StudyError, Table, Tables, Unit, as_json, differences, digest, unit_id


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold a folder of results, so that no second run writes to it; the system lets go when the process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as error:
        raise StudyError(f"another run is writing to {folder}: wait for it, or choose another folder") from error
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(folder: Path, error: OSError) -> StudyError:
    """Return what to tell of a folder that cannot be written."""
    why = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
    return StudyError(f"{folder} cannot be written ({why}); what was finished before is kept: mend this and run again")


class Results:
    """What a folder holds of a study; a folder with results of another spec is refused.

    Parameters
    ----------
    study : Study
        The study whose results they are.
    spec : spec of the study
        What its results must have been computed with.
    folder : Path
        The folder; need not exist yet.
    data : dict of str to str, default=None
        Names and checksums of the data; None takes what the folder says.
    """

    def __init__(self, study: Study[Any], spec: Any, folder: Path, data: dict[str, str] | None = None) -> None:
        self.study, self.spec, self.folder = study, spec, folder
        self.data = data or {}
        self.tables: Tables = {}
        self.skipped: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self.damaged: list[str] = []
        self._environments: list[dict[str, Any]] = []
        self._made_with: Callable[[], list[dict[str, Any]]] = list
        self._shards = Shards(folder, digest(spec))
        self._fresh: dict[str, list[pd.DataFrame]] = {}
        self._loose: list[str] = []
        if (folder / "manifest.json").exists():
            self._read(data)
        self._done = {table.name: self._reconciled(table) for table in study.tables}
        for table in study.tables:
            self._gather(table)

    def _read(self, data: dict[str, str] | None) -> None:
        manifest = store.read_manifest(self.folder)
        self.data = manifest["data"] if data is None else data
        changed = differences(manifest["spec"], as_json(self.spec)) + differences(manifest["data"], self.data)
        if manifest["study"] != self.study.name:
            changed.insert(0, f"study: {manifest['study']} there, {self.study.name} here")
        if changed:
            raise StudyError(
                f"{self.folder} holds results of another spec; choose another folder (--output), or remove it:\n  "
                + "\n  ".join(changed)
            )
        self.skipped, self.failed = dict(manifest["skipped"]), dict(manifest["failed"])
        self._environments = manifest["environments"]
        for name in manifest["tables"]:
            self.tables[name] = store.load_result(self.study.name, name, folder=self.folder)

    def _reconciled(self, table: Table[Any]) -> set[tuple[Any, ...]]:
        """Return the units whose rows are in all files of a table; drop what a run killed while writing left in one."""
        found = {name: self._keys(table, self.tables[name]) if name in self.tables else [] for name in table.files}
        whole = set.intersection(*(set(keys) for keys in found.values()))
        for name, keys in found.items():
            if whole != set(keys):
                self.tables[name] = self.tables[name][[key in whole for key in keys]]
        return whole

    def _gather(self, table: Table[Any]) -> None:
        """Take up shards that an earlier run left; remember what is wrong with those that cannot be used."""
        for unit in self.units(table):
            if self.has(table, unit):
                if self._shards.path(unit_id(table, unit)).exists():
                    self._loose.append(unit_id(table, unit))
            else:
                try:
                    found = self._shards.read(unit_id(table, unit))
                except store.ResultError as error:
                    self.damaged.append(str(error))
                else:
                    if found is not None:
                        self._add(table, unit, *found)
        self._bring_in(table)

    def open(self, environments: Callable[[], list[dict[str, Any]]]) -> None:
        """Make the folder and say whose results it holds, before anything is computed; workers may join later."""
        self._made_with = environments
        self.save()

    def units(self, table: Table[Any]) -> list[Unit]:
        """Return the units of a table, as far as they are known."""
        return list(table.units(self.spec, self.tables))

    def has(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a unit is finished, or known not to apply."""
        return self._key(table, unit) in self._done[table.name] or unit_id(table, unit) in self.skipped

    def state(self, table: Table[Any], unit: Unit) -> str:
        """Return ``done``, ``skipped``, ``failed`` or ``missing``."""
        name = unit_id(table, unit)
        if name in self.skipped:
            return "skipped"
        if self.has(table, unit):
            return "done"
        return "failed" if name in self.failed else "missing"

    def keep(self, table: Table[Any], unit: Unit, rows: pd.DataFrame, skipped: str = "") -> None:
        """Put a finished unit on disk."""
        if not skipped:
            rows = rows.drop(columns=list(table.axes), errors="ignore")
            for place, axis in enumerate(table.axes):
                rows.insert(place, axis, unit[axis])
        try:
            self._shards.write(unit_id(table, unit), rows, skipped)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        self._add(table, unit, rows, skipped)

    def collect(self, table: Table[Any], failed: dict[str, str]) -> None:
        """Bring finished units into the tables, in the order of the spec, and save them."""
        done = {unit_id(table, unit) for unit in self.units(table) if self.has(table, unit)}
        self.failed = {name: why for name, why in self.failed.items() if name not in done} | failed
        self._bring_in(table)
        self.save()

    def save(self) -> None:
        """Write tables and manifest, then delete the shards whose rows they hold."""
        new = [made_with for made_with in self._made_with() if made_with not in self._environments]
        manifest = {
            "spec": as_json(self.spec),
            "data": self.data,
            "environments": self._environments + new,
            "skipped": dict(sorted(self.skipped.items())),
            "failed": dict(sorted(self.failed.items())),
        }
        try:
            store.save_result(self.study.name, self.tables, manifest, self.folder)
            self._shards.remove(self._loose)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        self._loose.clear()

    def _bring_in(self, table: Table[Any]) -> None:
        fresh = self._fresh.pop(table.name, [])
        if fresh:
            rows = pd.concat(fresh, ignore_index=True)
            self._merge(table, table.name, rows.drop(columns=list(table.measured)))
            if table.measured:
                self._merge(table, table.files[1], rows[[*table.axes, *table.keys, *table.measured]])

    def _merge(self, table: Table[Any], name: str, rows: pd.DataFrame) -> None:
        if name in self.tables:
            rows = pd.concat([self.tables[name], rows], ignore_index=True)
        place = {self._key(table, unit): number for number, unit in enumerate(self.units(table))}
        order = np.argsort([place[key] for key in self._keys(table, rows)], kind="stable")
        self.tables[name] = rows.iloc[order].reset_index(drop=True)

    def _add(self, table: Table[Any], unit: Unit, rows: pd.DataFrame, skipped: str) -> None:
        self._loose.append(unit_id(table, unit))
        if skipped:
            self.skipped[unit_id(table, unit)] = skipped
        else:
            self._fresh.setdefault(table.name, []).append(rows)
            self._done[table.name].add(self._key(table, unit))

    @staticmethod
    def _key(table: Table[Any], unit: Unit) -> tuple[Any, ...]:
        return tuple(unit[axis] for axis in table.axes)

    @staticmethod
    def _keys(table: Table[Any], rows: pd.DataFrame) -> list[tuple[Any, ...]]:
        return list(zip(*(rows[axis] for axis in table.axes), strict=True))
