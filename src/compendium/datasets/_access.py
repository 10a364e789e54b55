"""The data sets of a study: their shapes without reading them, their checksums, and one copy of each in a worker."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable

from compendium.datasets._catalogue import catalogue
from compendium.datasets._csv import file_state, is_csv, same_file
from compendium.datasets._dataset import Dataset
from compendium.datasets._errors import UnknownDataset
from compendium.datasets._load import load
from cvstrat.errors import InputError


def load_cached(name: str) -> Dataset:
    """Load a data set once for all units of a worker, until its file (if it is a reader's own) changes."""
    return _cached(name, file_state(name))


@functools.lru_cache(maxsize=4)
def _cached(name: str, _: object) -> Dataset:
    return load(name)


def task_and_shape(name: str) -> tuple[str, int, int]:
    """Return task, rows and columns of a data set, without reading it where the catalogue knows."""
    try:
        entry = catalogue().find(name)
    except UnknownDataset:
        data = load_cached(name)
        return data.task, *data.X.shape
    return entry.task, entry.rows, entry.features


def by_size(names: Iterable[str]) -> list[str]:
    """Return data sets from the smallest (in values) to the largest."""

    def values(name: str) -> int:
        _, rows, columns = task_and_shape(name)
        return rows * columns

    return sorted(names, key=lambda name: (values(name), name))


def checksums(
    names: Iterable[str], wanted: Collection[str] | None, usable: Callable[[Dataset], None] = lambda data: None
) -> dict[str, str]:
    """Return the checksums of data sets; those that are wanted are loaded and must be usable, others are looked up."""
    found: dict[str, str] = {}
    meant: dict[str, str] = {}
    for name in names:
        one = same_file(name) if is_csv(name) else catalogue().find(name).id
        if one in meant:
            raise InputError(f"{meant[one]} and {name} are one data set: give it once")
        meant[one] = name
        if wanted is None or name in wanted or is_csv(name):
            data = load(name)
            usable(data)
            found[name] = data.sha256
        else:
            found[name] = catalogue().find(name).sha256
    return found
