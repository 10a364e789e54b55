"""What a study is: a frozen spec, and tables whose rows a pure function computes, unit of work by unit of work."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import pandas as pd

from compendium.engine._values import axis_fields, check_values, parse_value
from cvstrat.checks import check_known
from cvstrat.errors import CvstratError, InputError

MAX_UNITS = 10_000_000

S = TypeVar("S")
Unit: TypeAlias = dict[str, Any]
Tables: TypeAlias = dict[str, pd.DataFrame]


class StudyError(CvstratError):
    """A study that cannot be run or go on: another spec, a folder that cannot be written, workers that are gone."""


class Skip(Exception):
    """Raised by a unit that does not apply; the reason is recorded, and the unit counts as done."""


@dataclass(frozen=True)
class Table(Generic[S]):
    """One table of a study's results.

    Attributes
    ----------
    name : str
        Name of the file.
    axes : tuple of str
        Columns that tell the units of work apart; every unit fills some rows.
    units : callable
        From the spec and the tables so far to the units, in the order in which they are worked on and stored.
    work : callable
        From the spec, a unit and the tables it needs (only the rows that agree with the unit) to rows, in which the
        columns of `axes` need not be given.
    needs : tuple of str
        Earlier tables.
    keys : tuple of str
        Further columns that, with `axes`, tell the rows apart.
    measured : tuple of str
        Columns with times: kept in a file of their own, since they are never the same twice.
    costs : callable or None
        From the spec, units and all tables so far to expected durations in any measure, for the remaining time.
    extent : callable or None
        From the spec and a unit to how much of the spec's axes the unit's rows go over. A study that grows computes
        those units again that go over more than before. None: all values of the axes that are in `keys`.
    """

    name: str
    axes: tuple[str, ...]
    units: Callable[[S, Tables], Iterable[Unit]]
    work: Callable[[S, Unit, Tables], pd.DataFrame]
    needs: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    measured: tuple[str, ...] = ()
    costs: Callable[[S, list[Unit], Tables], list[float]] | None = None
    extent: Callable[[S, Unit], Any] | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The table itself and, if there are measured columns, that of the times."""
        return (self.name, f"{self.name}_times") if self.measured else (self.name,)


@dataclass(frozen=True)
class Study(Generic[S]):
    """A study: its spec in several profiles, its tables in the order in which they are computed, and its summary.

    Attributes
    ----------
    name : str
        The citation key of its text, with a suffix where a text has several studies: as on the command line, and the
        name of the folder of its results.
    summary : str
        One line.
    spec_type : type
        A frozen dataclass with JSON-like fields; those made by :func:`axis` choose rows of the results.
    profiles : mapping of str to callable
        Each makes the spec of a profile: ``paper`` is the paper's own protocol, ``smoke`` takes seconds.
    tables : tuple of Table
        What is computed.
    validate : callable
        Takes a spec and raises if a value in it cannot be used.
    checksums : callable
        From the spec, and the data sets that are wanted now (None: all), to names and checksums of its data; raises if
        one that is wanted cannot be loaded or used.
    report : callable
        From the tables to the frames of the summary, by their titles.
    errors : callable or None
        From the tables to how far estimates are from the truth, for the page on which results are explored: a row per
        ``dataset``, ``model``, ``metric``, ``technique`` and ``n_splits`` (0 where there are no folds) with ``bias``,
        ``bias_se``, ``std`` and ``rmse``, in percentage points, and ``n``, the number of repetitions. None where no
        truth is known.
    """

    name: str
    summary: str
    spec_type: type[S]
    profiles: Mapping[str, Callable[[], S]]
    tables: tuple[Table[S], ...]
    validate: Callable[[S], None]
    checksums: Callable[[S, Collection[str] | None], dict[str, str]]
    report: Callable[[Tables], dict[str, pd.DataFrame]]
    errors: Callable[[Tables], pd.DataFrame] | None = None

    def spec(self, profile: str = "paper", **fields: Any) -> S:
        """Return the spec of a profile, with other values for some fields; one that cannot be used is refused."""
        check_known("profile", profile, self.profiles)
        for name in fields:
            check_known("field", name, self._fields())
        changed: S = dataclasses.replace(self.profiles[profile](), **fields)  # type: ignore[type-var]
        check_values(changed)
        self._refuse_absurd(changed)
        return changed

    def parse(self, profile: str, name: str, text: str) -> Any:
        """Turn an option of the command line into a value of the type that the field of the spec has."""
        check_known("field", name, self._fields())
        return parse_value(self.spec_type, name, text, getattr(self.spec(profile), name))

    def _refuse_absurd(self, spec: S) -> None:
        """Raise if there is more to do than can be listed: each value of an axis goes with each of the others."""
        sizes, shown = {}, {}
        for field in axis_fields(self.spec_type):
            value = getattr(spec, field.name)
            sizes[field.metadata["column"]] = size = value if isinstance(value, int) else len(value)
            shown[size] = f"{field.name}={value}" if isinstance(value, int) else f"{size} {field.name}"
        units = sum(math.prod(sizes.get(axis, 1) for axis in table.axes) for table in self.tables)
        if max([units, *sizes.values()]) > MAX_UNITS:
            many = f" makes {units:,} units of work" if units > MAX_UNITS else ""
            raise InputError(f"{shown[max(sizes.values())]}{many}: at most {MAX_UNITS:,} can be done, give less")

    def chosen_rows(self, frame: pd.DataFrame, given: Mapping[str, Any]) -> pd.DataFrame:
        """Return the rows of a table that values of the spec's fields stand for; fields of other tables are ignored."""
        for field in axis_fields(self.spec_type):
            column = field.metadata["column"]
            if field.name in given and column in frame.columns:
                value = given[field.name]
                if isinstance(value, int):
                    frame = frame[frame[column] < field.metadata["first"] + value]
                else:
                    frame = frame[frame[column].isin(_stored(value, frame[column]))]
        return frame.reset_index(drop=True)

    def extents(self, table: Table[S], spec: S) -> Callable[[Unit], Any]:
        """Return a function from a unit to how much of the spec's axes its rows go over; see :class:`Table`."""
        if table.extent is not None:
            return functools.partial(table.extent, spec)
        inner = self._inner_columns(table)
        whole = [
            getattr(spec, field.name) for field in axis_fields(self.spec_type) if field.metadata["column"] in inner
        ]
        return lambda unit: whole

    def _inner_columns(self, table: Table[S]) -> set[str]:
        """Return the columns that tell rows of a unit apart, or rows of the tables that it needs."""
        found = set(table.keys)
        for needed in self.tables:
            if needed.name in table.needs:
                found |= {*needed.axes, *self._inner_columns(needed)}
        return found - set(table.axes)

    def _fields(self) -> list[str]:
        return [field.name for field in dataclasses.fields(self.spec_type)]  # type: ignore[arg-type]


def _stored(values: Iterable[Any], column: pd.Series) -> set[Any]:
    """Return the values of a column that are meant: a bare name such as ``iris`` means the set that the study has."""
    known = {str(value): value for value in column.unique()}
    bare = {text.rpartition("/")[2]: value for text, value in known.items()}
    for value in values:
        if str(value) not in known and str(value) not in bare:
            check_known(str(column.name), str(value), known)
    return {known.get(str(value), bare.get(str(value))) for value in values}


def unit_id(table: Table[Any], unit: Unit) -> str:
    """Return the name of a unit, such as ``folds: pmlb/iris, SCBCV, 3``."""
    return f"{table.name}: {', '.join(str(unit[axis]) for axis in table.axes)}"
