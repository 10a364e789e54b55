"""The rows of one table while a study runs: of which units they are, which of these count, and what is new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from compendium.engine._study import Table, Tables, Unit, unit_id

Key = tuple[Any, ...]


class Rows:
    """The rows of a table, in its one or two files.

    Parameters
    ----------
    table : Table
        The table.
    tables : dict of str to DataFrame
        All tables of the folder; those of this table's files are changed in place.
    outdated : set of str
        Units whose rows are to be computed again.

    Attributes
    ----------
    done : set of tuple
        Units, by their values of the table's axes, whose rows are in all files and count.
    old : set of tuple
        Units that do not count; what there is of their rows stays until they are computed again. A run killed while
        writing left rows in one file only, the other file is damaged, or the manifest calls them outdated.
    """

    def __init__(self, table: Table[Any], tables: Tables, outdated: set[str]) -> None:
        self.table, self._tables = table, tables
        keys = [self._units_in(tables[name]) if name in tables else set() for name in table.files]
        whole = set.intersection(*keys)
        self.done = {key for key in whole if self.name(key) not in outdated} if outdated else whole
        self.old = set.union(*keys) - self.done
        self._replaced: set[Key] = set()
        self._fresh: list[pd.DataFrame] = []

    def key(self, unit: Unit) -> Key:
        """Return a unit's values of the axes."""
        return tuple(unit[axis] for axis in self.table.axes)

    def name(self, key: Key) -> str:
        """Return the name of a unit."""
        return unit_id(self.table, dict(zip(self.table.axes, key, strict=True)))

    def add(self, key: Key, rows: pd.DataFrame | None) -> None:
        """Take up a finished unit; without rows if it does not apply, or if they come with others."""
        if rows is not None:
            self._fresh.append(rows)
        if key in self.old:
            self.old.remove(key)
            self._replaced.add(key)

    def outdate(self, keys: Iterable[Key]) -> None:
        """Let finished units count as missing."""
        left = self.done & set(keys)
        self.done -= left
        self.old |= left

    def bring_in(self, order: Mapping[Key, Any]) -> bool:
        """Put rows of finished units into the files' frames, in place of older ones; return whether there were any."""
        fresh, replaced, table = self._fresh, self._replaced, self.table
        self._fresh, self._replaced = [], set()
        if not fresh and not replaced:
            return False
        rows = pd.concat(fresh, ignore_index=True) if fresh else pd.DataFrame()
        measured, keys = list(table.measured), [*table.axes, *table.keys]
        for name in table.files:
            parts = [rows.drop(columns=measured) if name == table.name else rows[keys + measured]] if fresh else []
            if name in self._tables:
                there = self._tables[name]
                kept = (
                    there[self._for_each_row(there, lambda key: key not in replaced).astype(bool)]
                    if replaced
                    else there
                )
                parts = [kept, *parts] if len(kept) else parts
            if parts:
                self._tables[name] = pd.concat(parts, ignore_index=True)
            else:
                self._tables.pop(name, None)
        self.sort(order)
        return True

    def sort(self, order: Mapping[Key, Any]) -> None:
        """Bring rows into the order of the units."""
        place = {key: number for number, key in enumerate(order)}
        for name in self.table.files:
            if name in self._tables:
                rows = self._tables[name]
                places = self._for_each_row(rows, place.__getitem__)
                self._tables[name] = rows.iloc[np.argsort(places, kind="stable")].reset_index(drop=True)

    def is_sorted(self, order: Mapping[Key, Any]) -> bool:
        """Whether rows are in the order of the units."""
        place = {key: number for number, key in enumerate(order)}
        frames = [self._tables[name] for name in self.table.files if name in self._tables]
        return all((np.diff([place[key] for key in self._runs(rows)[0]]) >= 0).all() for rows in frames)

    def _units_in(self, rows: pd.DataFrame) -> set[Key]:
        return set(self._runs(rows)[0])

    def _for_each_row(self, rows: pd.DataFrame, value: Callable[[Key], Any]) -> np.ndarray:
        """Return the value of each row's unit."""
        keys, lengths = self._runs(rows)
        return np.repeat(np.array([value(key) for key in keys]), lengths)

    def _runs(self, rows: pd.DataFrame) -> tuple[list[Key], np.ndarray]:
        """Return the unit of each run of rows that are of one unit, and how long the runs are: units are few."""
        begins = np.zeros(len(rows), dtype=bool)
        begins[:1] = True
        for axis in self.table.axes:
            begins[1:] |= np.diff(pd.factorize(rows[axis])[0]) != 0
        starts = np.flatnonzero(begins)
        keys = list(zip(*(rows[axis].iloc[starts] for axis in self.table.axes), strict=True))
        return keys, np.diff(starts, append=len(rows))
