"""What a study is: a frozen spec, and tables whose rows a pure function computes, unit of work by unit of work."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd

from cvstrat._checks import near_names

Unit: TypeAlias = dict[str, Any]
Tables: TypeAlias = dict[str, pd.DataFrame]


class StudyError(ValueError):
    """A study that cannot be run as asked: an unknown name, another spec, a folder that cannot be written."""


class Skip(Exception):
    """Raised by a unit that does not apply; the reason is recorded, and the unit counts as done."""


@dataclass(frozen=True)
class Table:
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
    """

    name: str
    axes: tuple[str, ...]
    units: Callable[[Any, Tables], Iterable[Unit]]
    work: Callable[[Any, Unit, Tables], pd.DataFrame]
    needs: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    measured: tuple[str, ...] = ()
    costs: Callable[[Any, list[Unit], Tables], list[float]] | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The table itself and, if there are measured columns, that of the times."""
        return (self.name, f"{self.name}_times") if self.measured else (self.name,)


@dataclass(frozen=True)
class Study:
    """A study: its spec in several profiles, and its tables in the order in which they are computed.

    Attributes
    ----------
    name : str
        As on the command line.
    summary : str
        One line.
    profiles : mapping of str to callable
        Each makes the spec of a profile (``paper``, ``smoke``): a frozen dataclass with JSON-like fields.
    tables : tuple of Table
        What is computed.
    data : callable
        From the spec, and the data sets that are wanted now (None: all), to names and checksums of its data; raises if
        one that is wanted cannot be had or used.
    """

    name: str
    summary: str
    profiles: Mapping[str, Callable[[], Any]]
    tables: tuple[Table, ...]
    data: Callable[[Any, Collection[str] | None], dict[str, str]]

    def spec(self, profile: str = "paper", **fields: Any) -> Any:
        """Return the spec of a profile, with other values for some fields."""
        choose("profile", profile, self.profiles)
        spec = self.profiles[profile]()
        for name in fields:
            choose("field", name, [field.name for field in dataclasses.fields(spec)])
        return dataclasses.replace(spec, **fields)

    @staticmethod
    def parse(spec: Any, name: str, text: str) -> Any:
        """Turn an option of the command line into a value of the type that the field of the spec has."""
        choose("field", name, [field.name for field in dataclasses.fields(spec)])
        old = getattr(spec, name)
        try:
            if isinstance(old, tuple):
                parts = ast.literal_eval(text) if text.startswith(("[", "(")) else text.split(",")
                return tuple(type(old[0])(part) for part in parts if part != "")
            return type(old)(text)
        except (ValueError, SyntaxError) as error:
            raise StudyError(f"{name}={text!r} cannot be read: give a value such as {old!r}") from error


def choose(kind: str, name: object, known: Iterable[str]) -> None:
    """Raise an error that lists near names if `name` is not known."""
    names = list(known)
    if name not in names:
        raise StudyError(f"no {kind} {name!r}: did you mean {near_names(name, names)}?")


def as_json(spec: Any) -> dict[str, Any]:
    """Return a spec as plain JSON values."""
    plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(spec)))
    return plain


def digest(spec: Any) -> str:
    """Return a checksum of a spec: what a shard must have been computed with."""
    return hashlib.sha256(json.dumps(as_json(spec), sort_keys=True).encode()).hexdigest()


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return a line for every field in which two specs differ."""
    names = sorted(set(old) | set(new))
    return [f"{name}: {old.get(name)} there, {new.get(name)} here" for name in names if old.get(name) != new.get(name)]


def unit_id(table: Table, unit: Unit) -> str:
    """Return the name of a unit, such as ``folds: pmlb/iris, SCBCV, 3``."""
    return f"{table.name}: {', '.join(str(unit[axis]) for axis in table.axes)}"
