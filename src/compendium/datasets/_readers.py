"""One reader per collection: from verified bytes to arrays, with what each collection needs to be used rightly."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn import datasets as bundled

from compendium.datasets._catalogue import Entry
from compendium.datasets._errors import CorruptData

# What the libraries below raise on a file that is not what it should be.
_UNREADABLE = (EOFError, IndexError, LookupError, OSError, TypeError, ValueError, zipfile.BadZipFile, zlib.error)


class Parts(NamedTuple):
    """What a reader finds in a file."""

    X: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    splits: tuple[tuple[np.ndarray, np.ndarray], ...] = ()


def read(entry: Entry, contents: Sequence[bytes]) -> Parts:
    """Return the arrays in the files of `entry`; a file that does not fit is a :class:`CorruptData` error."""
    try:
        parts = _READERS[entry.collection](entry, contents)
        if not (np.isfinite(parts.X).all() and np.isfinite(parts.y).all()):
            raise ValueError("it has empty or infinite cells")
    except _UNREADABLE as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else error
        raise CorruptData(f"{entry.id}: the file cannot be used ({reason}). Nothing was loaded.") from error
    return parts


def read_sklearn(entry: Entry, contents: Sequence[bytes]) -> Parts:
    """Let scikit-learn itself read the files that were verified."""
    bunch = getattr(bundled, f"load_{entry.name}")()
    return Parts(np.asarray(bunch.data, dtype=float), np.asarray(bunch.target), tuple(map(str, bunch.feature_names)))


def read_pmlb(entry: Entry, contents: Sequence[bytes]) -> Parts:
    """Read PMLB's table; its target may stand in any column."""
    frame = _table(contents[0], "\t")
    return _parts(entry, frame.drop(columns="target"), frame["target"])


def read_efold(entry: Entry, contents: Sequence[bytes]) -> Parts:
    """Read a table whose last column is the target, and do to it what the e-fold paper did."""
    frame = _table(contents[0], ",")
    attributes, target = frame.iloc[:, :-1], frame.iloc[:, -1]
    prepare = _EFOLD_STEPS.get(entry.name)
    if prepare is not None:
        attributes, target = prepare(attributes, target)
    return _parts(entry, attributes, target)


def read_raetsch(entry: Entry, contents: Sequence[bytes]) -> Parts:
    """Read a problem of the Rätsch benchmark, with every case as a row of its own.

    The file keeps each distinct (input, label) pair once and repeats its number in the splits. Here a pair that occurs
    m times becomes m rows, so that each split is a partition of the rows.
    """
    with np.load(io.BytesIO(contents[0]), allow_pickle=False) as arrays:
        pairs, labels, train, test = (arrays[key] for key in ("X", "y", "train", "test"))
    drawn = np.hstack([train, test])
    cases = np.sort(drawn, axis=1)
    if cases.min() < 0 or cases.max() >= len(pairs) or (cases != cases[0]).any():
        raise ValueError("its splits are not all of the same cases")
    repeats = np.bincount(drawn[0], minlength=len(pairs))
    first_row = np.cumsum(repeats) - repeats
    size = train.shape[1]
    rows = [_number_of_row(pair_numbers, first_row) for pair_numbers in drawn]
    return Parts(
        X=np.repeat(pairs, repeats, axis=0).astype(float),
        y=np.repeat(labels, repeats).astype(int),
        names=tuple(f"x{i}" for i in range(pairs.shape[1])),
        splits=tuple((numbers[:size], numbers[size:]) for numbers in rows),
    )


def _number_of_row(pair_numbers: np.ndarray, first_row: np.ndarray) -> np.ndarray:
    """Give the i-th occurrence of a pair the i-th of its rows."""
    order = np.argsort(pair_numbers, kind="stable")
    ordered = pair_numbers[order]
    occurrence = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    numbers = np.empty(len(ordered), dtype=int)
    numbers[order] = first_row[ordered] + occurrence
    return numbers


def _without(column: str) -> Callable[[pd.DataFrame, pd.Series], tuple[pd.DataFrame, pd.Series]]:
    return lambda attributes, target: (attributes.drop(columns=column), target)


def _diabetes_prediction(attributes: pd.DataFrame, target: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    gender = attributes["gender"].map({"Female": 0, "Male": 1, "Other": 2})
    return attributes.drop(columns="smoking_history").assign(gender=gender), target


def _california_housing(attributes: pd.DataFrame, target: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """Derive the columns of scikit-learn's version, which the paper used, from the raw ones."""
    households = attributes["households"]
    derived = pd.DataFrame(
        {
            "MedInc": attributes["medianIncome"],
            "HouseAge": attributes["housingMedianAge"],
            "AveRooms": attributes["totalRooms"] / households,
            "AveBedrms": attributes["totalBedrooms"] / households,
            "Population": attributes["population"],
            "AveOccup": attributes["population"] / households,
            "Latitude": attributes["latitude"],
            "Longitude": attributes["longitude"],
        }
    )
    return derived, target / 100_000


_EFOLD_STEPS = {
    "air_quality": _without("RecordID"),
    "student_performance": _without("StudentID"),
    "diabetes_prediction": _diabetes_prediction,
    "california_housing": _california_housing,
}

_READERS: dict[str, Callable[[Entry, Sequence[bytes]], Parts]] = {
    "sklearn": read_sklearn,
    "pmlb": read_pmlb,
    "efold": read_efold,
    "raetsch": read_raetsch,
}


def _table(content: bytes, separator: str) -> pd.DataFrame:
    frame = pd.read_csv(io.BytesIO(gzip.decompress(content)), sep=separator)
    if not isinstance(frame.index, pd.RangeIndex):
        raise ValueError("its rows have more cells than its header has names")
    return frame


def _parts(entry: Entry, attributes: pd.DataFrame, target: pd.Series) -> Parts:
    X, y = attributes.to_numpy(dtype=float), target.to_numpy(dtype=float)
    if entry.task == "classification":
        if (y != np.floor(y)).any():
            raise ValueError("a class label is no integer")
        y = y.astype(int)
    return Parts(X, y, tuple(map(str, attributes.columns)))
