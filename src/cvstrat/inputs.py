"""A reader's own table: a CSV file with a header, or a Parquet file, read as it is."""

from __future__ import annotations

import collections
import csv
import hashlib
import io
import stat
import warnings
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from cvstrat.checks import did_you_mean
from cvstrat.errors import DataError

PARQUET = (".parquet", ".pq")
MAX_BYTES = 2**30
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


class Table(NamedTuple):
    """A table as it was read: its columns, the name of the target, the checksum of the file, and surprises in words."""

    frame: pd.DataFrame
    target: str
    sha256: str
    notes: tuple[str, ...] = ()


def is_there(path: str | Path) -> bool:
    """Whether there is anything of that name; a name that cannot be one is not there."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def read_file(path: str | Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Read a file whole; a folder, a pipe or a device, or more than `max_bytes`, is refused before anything is read."""
    if not str(path).isprintable():
        raise DataError(f"{str(path)!r} has characters that cannot be shown: give the file another name")
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            raise DataError(f"{path} is {_KINDS.get(stat.S_IFMT(found.st_mode), 'a device')}: give a file")
        if found.st_size > max_bytes:
            size = f"{found.st_size:,} bytes; at most {max_bytes:,}"
            raise DataError(f"{path} has {size} are read: take a sample of its rows")
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def is_parquet(path: str | Path) -> bool:
    """Whether a file is a Parquet file, by its name."""
    return Path(path).suffix.lower() in PARQUET


def read_frame(path: str | Path, target: str = "") -> Table:
    """Read a CSV file with a header, or a Parquet file, as it is: any kind of columns, values missing or not.

    Parameters
    ----------
    path : str or Path
        The file. Text is UTF-8 with or without a byte order mark, UTF-16 with one, or else taken for Windows-1252
        (Latin-1), with a note.
    target : str, default=""
        Name of the target; none means the last column.

    Returns
    -------
    Table
        The columns (``frame``), the name of the target (``target``), the checksum of the file (``sha256``), and
        ``notes``: what a reader would not expect of how the file was read, a sentence each.
    """
    content = read_file(path)
    text, notes = ("", []) if is_parquet(path) else _decode(content, path)
    frame = _read_parquet(path, content) if is_parquet(path) else _read_csv(path, text)
    frame.columns = columns = [str(column) for column in frame.columns]
    if len(columns) < 2 or frame.empty:
        apart = next((mark for mark in (";", "\t", "|") if len(columns) == 1 and mark in columns[0]), "")
        hint = f"; its columns seem to be set apart by {apart!r}: use commas" if apart else ""
        size = f"{len(frame)} rows and {len(columns)} columns"
        raise DataError(f"{path} has {size}; a data set needs attributes and a target{hint}")
    if len(frame) == 1:
        raise DataError(f"{path} has a single row: there is nothing to cut into folds")
    target = find_column(path, columns, target or columns[-1])
    if text and frame[target].isna().any():
        notes += _words_for_missing(text, target, frame[target].isna())
    return Table(frame, target, hashlib.sha256(content).hexdigest(), tuple(notes))


def find_column(path: str | Path, columns: list[str], name: str) -> str:
    """Return `name` if it is one of the columns of a file; raise with near names if it is not."""
    if name not in columns:
        alike = [column for column in columns if column.strip().lower() == name.strip().lower()]
        hint = did_you_mean(name, alike or columns, cutoff=0.6, max_names=8)
        raise DataError(f"{path} has no column {name!r}: {hint}")
    return name


def _decode(content: bytes, path: str | Path) -> tuple[str, list[str]]:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            text = content.decode("utf-16")
        except UnicodeDecodeError as error:
            raise DataError(f"{path} is not a CSV file with a header: {error}") from error
        if "\n" in text:
            return text, []
    if b"\0" in content:
        raise DataError(f"{path} is not a CSV file with a header: it holds bytes that are no text")
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        note = "the file is not UTF-8 and was read as Windows-1252 (Latin-1): look whether accents came out right"
        return content.decode("cp1252", errors="replace"), [note]


def _read_csv(path: str | Path, text: str) -> pd.DataFrame:
    try:
        header = next(csv.reader(io.StringIO(text)), [])
        twice = [name for name, count in collections.Counter(header).items() if count > 1]
        if twice:
            raise DataError(f"{path} has more than one column {twice[0]!r}: give each a name of its own")
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows longer than the header would be cut off
            return pd.read_csv(io.StringIO(text), index_col=False, low_memory=False)
    except (ValueError, csv.Error, pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise DataError(f"{path} is not a CSV file with a header: {error}") from error


def read_as_written(path: str | Path, name: str) -> pd.DataFrame:
    """Return a column of a CSV file as text, as it is written: ``007`` keeps its zeros, and ``NA`` is a word."""
    return _written(_decode(read_file(path), path)[0], name)


def _written(text: str, name: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), usecols=[name], dtype=str, keep_default_na=False, index_col=False)


def without_decimals(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with decimal numbers as floating-point numbers."""
    infer = pd.api.types.infer_dtype
    kinds = {name: infer(column, skipna=True) for name, column in frame.items() if column.dtype == object}
    return frame.astype({name: float for name, kind in kinds.items() if kind == "decimal"})


def _words_for_missing(text: str, target: str, missing: pd.Series) -> list[str]:
    """Say which words of a target, such as n/a, were read as missing: one of them might be a class."""
    words = _written(text, target)[target].to_numpy()[missing.to_numpy()]
    counts = collections.Counter(str(word) for word in words if str(word).strip())
    return [
        f"{word!r} in {target} is read as missing ({count} row{'s' * (count > 1)}): if it is a class, rename it"
        for word, count in counts.most_common(3)
    ]


def _read_parquet(path: str | Path, content: bytes) -> pd.DataFrame:
    try:
        return without_decimals(pd.read_parquet(io.BytesIO(content), engine="pyarrow"))
    except ImportError as error:
        raise DataError(f"{path} needs pyarrow to be read: pip install 'cvstrat[parquet]'") from error
    except (ValueError, OSError) as error:
        raise DataError(f"{path} is not a Parquet file: {error}") from error
