"""Folds on disk: the whole file at once, or none."""

from __future__ import annotations

import importlib.util
import itertools
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

from cvstrat.assignment._split import Assignment
from cvstrat.errors import DataError, InputError
from cvstrat.inputs import PARQUET, find_column, is_parquet


def check_output(path: Path, *, force: bool, kinds: tuple[str, ...] = (".csv", *PARQUET)) -> None:
    """Raise if `path` cannot be written, or is there and not to be replaced; better before the work than after."""
    if path.suffix.lower() not in kinds:
        raise InputError(f"{path}: the name must end in {' or '.join(kinds[:2])}, which says what is written")
    if is_parquet(path) and importlib.util.find_spec("pyarrow") is None:
        raise DataError(f"{path} needs pyarrow to be written: pip install 'cvstrat[parquet]'")
    if not str(path).isprintable():
        raise InputError(f"{str(path)!r} has characters that cannot be shown: give the file another name")
    try:
        if path.is_dir():
            raise DataError(f"{path} is there already: it is a folder")
        if path.exists() and not force:
            raise DataError(f"{path} is there already: say --force to replace it")
        if not path.parent.is_dir():
            raise DataError(f"{path} cannot be written: there is no folder {path.parent}")
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}") from error


def check_identifier(name: str) -> None:
    """Raise if a column would have the name of one that is written beside it."""
    if name in ("row", "fold"):
        raise InputError(f"the identifier {name!r} has the name of a column that is written beside it: rename it")


def write_folds(assignment: Assignment, path: Path, identifier: str = "") -> None:
    """Write a table with the columns ``row``, counted from 0, the identifier, if there is one, and ``fold``."""
    source = assignment.source
    check_identifier(identifier)
    names = [find_column("the data", source.columns, identifier)] if identifier else []

    def parts() -> Iterator[pd.DataFrame]:
        start = 0
        for batch in source.as_written(identifier) if identifier else source.batches(source.columns[:1]):
            rows = range(start, start + len(batch))
            part = batch[names].set_axis(rows).assign(row=rows, fold=assignment.folds[start : rows.stop])
            yield part[["row", *names, "fold"]]
            start = rows.stop

    _write(path, lambda part: (_write_parquet if is_parquet(path) else _write_csv)(part, parts()))


def write_report(report: pd.DataFrame, path: Path) -> None:
    """Write a report as CSV."""
    _write(path, report.to_csv)


def _write(path: Path, write: Callable[[Path], object]) -> None:
    part = path.with_name(f".{path.name[:60]}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def _write_csv(path: Path, parts: Iterator[pd.DataFrame]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        for number, part in enumerate(parts):
            part.to_csv(file, index=False, header=number == 0)


def _write_parquet(path: Path, parts: Iterator[pd.DataFrame]) -> None:
    from pyarrow import Table, parquet

    tables = (Table.from_pandas(part, preserve_index=False) for part in parts)
    first = next(tables)
    with parquet.ParquetWriter(path, first.schema) as writer:
        for table in itertools.chain([first], tables):
            writer.write_table(table)
