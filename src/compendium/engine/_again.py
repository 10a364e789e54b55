"""Finished units of a folder of results, computed again apart from it: nothing in the folder is touched."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from compendium.engine import _store as store
from compendium.engine._engine import Inputs
from compendium.engine._results import Results
from compendium.engine._specs import from_json
from compendium.engine._study import Study, Table, Unit
from compendium.engine._workers import Task


class Finished:
    """The finished units of one table of a study, and what they gave.

    Parameters
    ----------
    results : Results
        A folder of results, with the spec it was made with.
    table : Table
        One of the study's tables.
    kernels : set of str
        For which kinds of processors linear algebra worked when they were made.

    Attributes
    ----------
    units : list of dict
        The units, in the order of the table.
    """

    def __init__(self, results: Results, table: Table[Any], kernels: set[str]) -> None:
        self.study, self.table, self.kernels = results.study, table, kernels
        self._spec, self._tables = results.spec, results.tables
        self.units = [unit for unit in results.all_units(table) if results.state(table, unit) == "done"]
        self._inputs = cache(lambda: Inputs(table, results.tables))
        self._places = cache(self._places_of_units)
        self._seconds = cache(self._seconds_of_units)

    def task(self, number: int, unit: Unit) -> Task:
        """Return what a worker needs to compute a unit."""
        return Task(number, self.table.work, self._spec, unit, self._inputs().of(unit))

    def rows(self, unit: Unit) -> pd.DataFrame:
        """Return the rows that a unit gave, without times."""
        return self._tables[self.table.name].iloc[self._places()[self._key(unit)]].reset_index(drop=True)

    def seconds(self, unit: Unit) -> float:
        """Return how long the unit took; 0 where that was not measured."""
        return self._seconds().get(self._key(unit), 0.0)

    def as_stored(self, unit: Unit, rows: pd.DataFrame) -> pd.DataFrame:
        """Return rows that a unit has just given in the form in which they would be stored, without times."""
        lacking = [axis for axis in self.table.axes if axis not in rows]
        whole = rows.assign(**{axis: unit[axis] for axis in lacking}).drop(columns=list(self.table.measured))
        return pd.read_parquet(io.BytesIO(store.to_parquet(whole)))

    def _key(self, unit: Unit) -> tuple[Any, ...]:
        return tuple(unit[axis] for axis in self.table.axes)

    def _places_of_units(self) -> dict[tuple[Any, ...], list[int]]:
        found: dict[tuple[Any, ...], list[int]] = {}
        for place, key in enumerate(self._keys(self._tables[self.table.name])):
            found.setdefault(key, []).append(place)
        return found

    def _seconds_of_units(self) -> dict[tuple[Any, ...], float]:
        found: dict[tuple[Any, ...], float] = {}
        times = self._tables.get(f"{self.table.name}_times")
        if times is not None:
            for key, seconds in zip(self._keys(times), times[list(self.table.measured)].sum(axis=1), strict=True):
                found[key] = found.get(key, 0.0) + float(seconds)
        return found

    def _keys(self, rows: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
        return zip(*(rows[axis] for axis in self.table.axes), strict=True)


def finished_units(study: Study[Any], folder: Path) -> list[Finished]:
    """Return the finished units of a folder of results, a part per table; the study must be able to run here."""
    manifest = store.read_manifest(folder)
    spec = from_json(study.spec_type, manifest["spec"])
    study.validate(spec)
    results = Results(study, spec, folder)
    made_with = {one["machine"].get("kernels", "unknown") for one in manifest["environments"]}
    return [Finished(results, table, made_with) for table in study.tables]
