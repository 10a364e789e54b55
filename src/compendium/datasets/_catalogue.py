"""The catalogue: what is known of each data set without opening its file."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

import pandas as pd

from compendium.datasets._errors import UnknownDataset
from compendium.files import data_file, data_root
from cvstrat.checks import did_you_mean
from cvstrat.errors import InputError

# A bare name that several collections have means the first of these, on every machine.
COLLECTIONS = ("sklearn", "pmlb", "raetsch", "efold")


@dataclass(frozen=True)
class Column:
    """One attribute of a data set whose attribute kinds a study needs."""

    name: str
    kind: str
    missing: int | None = None


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue.

    Attributes
    ----------
    name, collection : str
        Together they are the full name, such as ``pmlb/iris``.
    task : str
        ``classification`` or ``regression``.
    rows, features : int
        Shape of ``X`` as :func:`compendium.datasets.load` returns it.
    classes : int or None
        Number of classes; None for regression.
    imbalance : float or None
        :func:`cvstrat.imbalance_index` of the target; None for regression.
    sha256, bytes : str, int
        Checksum and size of the file; of several files, one after another.
    path : str
        The file, relative to a data folder (or to scikit-learn's own).
    remote : str
        The set's folder in the PMLB repository, if it can be downloaded from there unchanged.
    source, licence : str
        Where it comes from, and under which terms as far as known.
    studies : tuple of str
        The studies that use it.
    note : str
        What to mind.
    columns : tuple of Column
        Kind of each attribute (continuous or discrete) and the code that stands for a missing value, where known.
    """

    name: str
    collection: str
    task: str
    rows: int
    features: int
    classes: int | None
    imbalance: float | None
    sha256: str
    bytes: int
    path: str
    remote: str
    source: str
    licence: str
    studies: tuple[str, ...]
    note: str
    columns: tuple[Column, ...] = field(default=(), repr=False)

    @property
    def id(self) -> str:
        """The full name."""
        return f"{self.collection}/{self.name}"


class Catalogue:
    """All entries, found by name.

    Parameters
    ----------
    entries : iterable of Entry
        The lines of the catalogue; full names must differ.
    """

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._by_id = {entry.id: entry for entry in entries}
        if len(self._by_id) != len(entries):
            raise ValueError("two entries of the catalogue have the same collection and name")

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def find(self, name: str) -> Entry:
        """Return the entry of `name`, full (``pmlb/iris``) or bare (``iris``).

        A bare name that several collections have means the first in the order sklearn, pmlb, raetsch, efold.
        """
        for candidate in (name, *(f"{collection}/{name}" for collection in COLLECTIONS)):
            if candidate in self._by_id:
                return self._by_id[candidate]
        hint = did_you_mean(name, self._spellings(), cutoff=0.5, max_names=0)
        raise UnknownDataset(f"no data set {name!r} in the catalogue: {hint} 'compendium data list' shows all.")

    def select(self, *, study: str | None = None, collection: str | None = None) -> tuple[Entry, ...]:
        """Return the entries of one study, one collection, or both."""
        known = {study for entry in self for study in entry.studies}
        for value, allowed in ((study, known), (collection, COLLECTIONS)):
            if value is not None and value not in allowed:
                raise InputError(f"{value!r} is not one of {', '.join(sorted(allowed))}")
        return tuple(
            entry
            for entry in self
            if (study is None or study in entry.studies) and (collection is None or collection == entry.collection)
        )

    def frame(self) -> pd.DataFrame:
        """Return the catalogue as a data frame, a row per data set."""
        names = [f.name for f in fields(Entry) if f.name != "columns"]
        frame = pd.DataFrame([{name: getattr(entry, name) for name in names} for entry in self])
        return frame.assign(studies=frame["studies"].map(", ".join), classes=frame["classes"].astype("Int64"))

    def _spellings(self) -> list[str]:
        return sorted({entry.name for entry in self} | set(self._by_id))

    @classmethod
    def read(cls, path: Path, columns: Path | None = None) -> Catalogue:
        """Read a catalogue, and the file that describes columns, from CSV."""
        described: dict[str, list[Column]] = {}
        for line in _rows(columns) if columns else ():
            missing = int(line["missing"]) if line["missing"] else None
            described.setdefault(line["dataset"], []).append(Column(line["column"], line["kind"], missing))
        return cls(tuple(_entry(line, described) for line in _rows(path)))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines)


def _entry(line: dict[str, str], described: dict[str, list[Column]]) -> Entry:
    return Entry(
        name=line["name"],
        collection=line["collection"],
        task=line["task"],
        rows=int(line["rows"]),
        features=int(line["features"]),
        classes=int(line["classes"]) if line["classes"] else None,
        imbalance=float(line["imbalance"]) if line["imbalance"] else None,
        sha256=line["sha256"],
        bytes=int(line["bytes"]),
        path=line["path"],
        remote=line["remote"],
        source=line["source"],
        licence=line["licence"],
        studies=tuple(line["studies"].split()),
        note=line["note"],
        columns=tuple(described.get(f"{line['collection']}/{line['name']}", ())),
    )


@functools.cache
def catalogue() -> Catalogue:
    """Return the catalogue of the project.

    Examples
    --------
    >>> from compendium.datasets import catalogue
    >>> catalogue().find("sonar").rows
    208
    >>> len(catalogue().select(study="spezia2025"))
    20
    """
    return Catalogue.read(data_file("catalogue.csv"), data_file("columns.csv"))


def published(table: str) -> pd.DataFrame:
    """Return a table as one of the papers prints it, such as ``spezia2025_table1``."""
    known = sorted(file.stem for file in (data_root() / "published").glob("*.csv"))
    if table not in known:
        raise UnknownDataset(f"no published table {table!r}; there are {', '.join(known)}")
    return pd.read_csv(data_file(f"published/{table}.csv"))
