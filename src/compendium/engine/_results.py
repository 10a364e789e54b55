"""The state of a folder of results while a study runs: what is there, what is missing, what was just finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pandas as pd

from compendium.engine import _store as store
from compendium.engine._folder import read_folder, refused, unwritable
from compendium.engine._rows import Key, Rows
from compendium.engine._shards import ForeignShard, Shards, join
from compendium.engine._specs import as_json, digest, relate
from compendium.engine._study import Study, Table, Unit, unit_id
from compendium.versions import commit

if TYPE_CHECKING:
    import pyarrow as pa

# While a run goes on, finished units are brought into the tables: not more often than this, and so that it takes no
# more than this share of the time, however large the tables are.
_PAUSE_SECONDS, _SHARE_OF_TIME = 30.0, 0.05


class Results:
    """What a folder holds of a study.

    A spec that only adds values to axes is taken up by :meth:`grow`; one that asks for a part of what the folder is for
    sees that part; any other is refused.

    Parameters
    ----------
    study : Study
        The study whose results they are.
    spec : spec of the study
        What is asked for.
    folder : Path
        The folder; need not exist yet.
    data : dict of str to str, default=None
        Names and checksums of the data; None takes what the folder says.
    mend : bool, default=False
        Whether to set aside files that are damaged; only the folder's sole writer may. Otherwise they are an error.
    """

    def __init__(
        self, study: Study[Any], spec: Any, folder: Path, data: dict[str, str] | None = None, *, mend: bool = False
    ) -> None:
        found = read_folder(study, spec, folder, data, mend=mend)
        self.study, self.folder, self.asked = study, folder, spec
        self.spec = found.spec
        self.tables, self.damaged = found.tables, found.damaged
        self.skipped, self.failed = found.skipped, found.failed
        self._found = found
        self._files = dict(found.listed)  # what the manifest says of tables whose files stand as they are
        self._shards = Shards(folder, digest(self.spec))
        self._made_with: Callable[[], list[dict[str, Any]]] = list
        self._loose: list[str] = []  # files of shards whose rows are in `tables`
        self._units: dict[str, dict[Key, Unit]] = {}
        self._rows: dict[str, Rows] = {}
        for table in study.tables:
            outdated = {name for file in table.files for name in self._files.get(file, {}).get("outdated", ())}
            rows = self._rows[table.name] = Rows(table, self.tables, outdated)
            self._check_units(table, self._all(table))
            if not rows.is_sorted(self._all(table)):
                rows.sort(self._all(table))
                self._changed(table)
        for table in study.tables:
            self._gather(table, mend=mend)
        self._collected, self._took = monotonic(), 0.0

    def _check_units(self, table: Table[Any], known: Mapping[Key, Any]) -> None:
        """Raise if the folder has units that a spec has not."""
        rows = self._rows[table.name]
        strange = sorted(rows.name(key) for key in (rows.done | rows.old) - set(known))
        if strange:
            raise refused(self.folder, [f"{name} only there" for name in strange[:10]])

    def _gather(self, table: Table[Any], *, mend: bool) -> None:
        """Take up shards that an earlier run left; set aside those that are damaged."""
        present = self._shards.names()
        taken: list[pa.Table] = []
        for key, unit in self._all(table).items() if present else ():
            name = unit_id(table, unit)
            file = self._shards.name(name)
            if file not in present:
                continue
            try:
                if not self.has(table, unit):
                    rows, skipped = self._shards.read(name)
                    taken += [] if skipped else [rows]
                    self._add(table, key, name, None, skipped)
                self._loose.append(file)
            except FileNotFoundError:  # a run that goes on has just brought it into its table
                continue
            except ForeignShard as error:
                self.damaged.append(str(error))
            except store.ResultError as error:
                if mend:
                    self._found.set_aside(self._shards.path(name), self.folder, str(error))
        if taken:
            self._rows[table.name].add((), join(taken))
        self._bring_in(table)

    def open(self, environments: Callable[[], list[dict[str, Any]]]) -> None:
        """Make the folder and say whose results it holds, before anything is computed; workers may join later."""
        self._made_with = environments
        self.grow(self.save)
        self.save()

    def grow(self, save: Callable[[], None] = lambda: None) -> None:
        """Go over to the spec that was asked for, if it adds to the folder's.

        Parameters
        ----------
        save : callable, optional
            Puts a step on disk, so that a kill between any two loses nothing: what was computed with the old spec, then
            which units get more rows, then the new spec.
        """
        added = relate(self.study.spec_type, as_json(self.spec), as_json(self.asked)).added
        if not added:
            return
        for table in self.study.tables:
            key = self._rows[table.name].key
            self._check_units(table, {key(unit): unit for unit in table.units(self.asked, self.tables)})
        save()
        for table in self.study.tables:
            old, new = (self.study.extents(table, spec) for spec in (self.spec, self.asked))
            self._outdate(table, [unit for unit in self.all_units(table) if old(unit) != new(unit)])
        save()
        self.spec = self.asked
        self._found.data |= self._found.more_data
        self._note({"grown": added})
        self._shards = Shards(self.folder, digest(self.spec))
        self._units.clear()
        for table in self.study.tables:
            self._rows[table.name].sort(self._all(table))
            self._changed(table)
        save()

    def compute_again(self, chosen: Mapping[str, list[Unit]], why: Mapping[str, list[str]]) -> None:
        """Let units of some tables count as missing; a kill finds all of them so, or none."""
        self.save()
        for table in self.study.tables:
            self._outdate(table, chosen.get(table.name, []))
        self._note({"again": dict(why), "units": sum(map(len, chosen.values()))})
        self.save()

    def _outdate(self, table: Table[Any], units: list[Unit]) -> None:
        self._rows[table.name].outdate(map(self._rows[table.name].key, units))
        for unit in units if self.skipped else ():
            self.skipped.pop(unit_id(table, unit), None)

    def _note(self, event: dict[str, Any]) -> None:
        self._found.history.append(event | {"commit": commit()})

    def units(self, table: Table[Any]) -> list[Unit]:
        """Return the units of a table that are asked for, as far as they are known."""
        every = self._all(table)
        if self.asked == self.spec:
            return list(every.values())
        asked = map(self._rows[table.name].key, table.units(self.asked, self.tables))
        return [every[key] for key in asked if key in every]

    def all_units(self, table: Table[Any]) -> list[Unit]:
        """Return the units of a table that the folder is for, asked for or not."""
        return list(self._all(table).values())

    def _all(self, table: Table[Any]) -> dict[Key, Unit]:
        if table.name not in self._units:
            key = self._rows[table.name].key
            self._units[table.name] = {key(unit): unit for unit in table.units(self.spec, self.tables)}
        return self._units[table.name]

    def has(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a unit is finished, or known not to apply."""
        rows = self._rows[table.name]
        return rows.key(unit) in rows.done or (bool(self.skipped) and unit_id(table, unit) in self.skipped)

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
        name = unit_id(table, unit)
        try:
            self._shards.write(name, rows, skipped)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        self._add(table, self._rows[table.name].key(unit), name, None if skipped else rows, skipped)
        self._loose.append(self._shards.name(name))

    def _add(self, table: Table[Any], key: Key, name: str, rows: pd.DataFrame | None, skipped: str) -> None:
        self._rows[table.name].add(key, rows)
        if skipped:
            self.skipped[name] = skipped
        else:
            self._rows[table.name].done.add(key)

    @property
    def collecting_is_due(self) -> bool:
        """Whether enough time has gone by since finished units were last brought into the tables."""
        return monotonic() - self._collected >= max(_PAUSE_SECONDS, self._took / _SHARE_OF_TIME)

    def collect(self, table: Table[Any], failed: dict[str, str]) -> None:
        """Bring finished units into the tables, in the order of the spec, and save them."""
        start = monotonic()
        if self.failed:
            done = {unit_id(table, unit) for unit in self.all_units(table) if self.has(table, unit)}
            self.failed = {name: why for name, why in self.failed.items() if name not in done}
        self.failed |= failed
        self._bring_in(table)
        self.save()
        self._collected = monotonic()
        self._took = self._collected - start

    def _bring_in(self, table: Table[Any]) -> None:
        if self._rows[table.name].bring_in(self._all(table)):
            self._changed(table)

    def _changed(self, table: Table[Any]) -> None:
        """Remember that a table is not what is on disk, and that the units of others may follow from it."""
        for name in table.files:
            self._files.pop(name, None)
        self._units = {known: units for known, units in self._units.items() if known == table.name}

    def save(self) -> None:
        """Write tables and manifest, then delete the shards whose rows they hold."""
        known = self._found.environments
        new = [made_with for made_with in self._made_with() if made_with not in known]
        manifest = {
            "spec": as_json(self.spec),
            "data": self._found.data,
            "environments": known + new,
            "history": self._found.history,
            "skipped": dict(sorted(self.skipped.items())),
            "failed": dict(sorted(self.failed.items())),
        }
        outdated = {file: sorted(map(rows.name, rows.old)) for rows in self._rows.values() for file in rows.table.files}
        try:
            self._files = store.save_result(
                self.study.name, self.tables, manifest, self.folder, unchanged=self._files, outdated=outdated
            )
            self._shards.remove(self._loose)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        self._loose.clear()
