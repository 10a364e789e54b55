"""A table on disk: whole in memory, or a Parquet file of which only columns, samples or batches are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cvstrat.errors import DataError
from cvstrat.inputs import find_column, is_parquet, read_as_written, read_frame, without_decimals

_BATCH_VALUES = 2_000_000
_MAX_BATCH = 200_000


class Source:
    """A table: the names of its columns, those of text or of the index among them, and its rows, in memory here."""

    def __init__(self, path: str | Path, table: pd.DataFrame, notes: tuple[str, ...] = ()) -> None:
        self._path, self._table, self.notes = path, table, notes
        self.columns = [str(name) for name in table.columns]
        self.text = [name for name in self.columns if not pd.api.types.is_numeric_dtype(table[name])]
        self.index: list[str] = []
        self.n_rows = len(table)

    def column(self, name: str) -> pd.Series:
        """Return one column; text as categories where that saves memory."""
        return self._table[name]

    def frame(self, names: list[str], rows: np.ndarray | None = None) -> pd.DataFrame:
        """Return columns of all rows, or of the rows with these numbers, which are sorted."""
        return self._table[names] if rows is None else self._table[names].iloc[rows]

    def batches(self, names: list[str]) -> Iterator[pd.DataFrame]:
        """Return columns of all rows, in order: some rows at a time, or here all at once."""
        yield self._table[names]

    def as_written(self, name: str) -> Iterator[pd.DataFrame]:
        """Return a column as it stands in the file, some rows at a time, or here all at once."""
        yield read_as_written(self._path, name)


class _Parquet(Source):
    """A Parquet file, never whole in memory."""

    def __init__(self, path: str | Path) -> None:
        try:
            from pyarrow import parquet, types
        except ImportError as error:
            raise DataError(f"{path} needs pyarrow to be read: pip install 'cvstrat[parquet]'") from error
        try:
            self._file = parquet.ParquetFile(path, pre_buffer=False)
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise DataError(f"{path} is not a Parquet file: {error}") from error
        schema = self._file.schema_arrow
        numbers = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
        self.columns, self.notes = list(schema.names), ()
        twice = [name for name in self.columns if self.columns.count(name) > 1]
        if twice:
            raise DataError(f"{path} has more than one column {twice[0]!r}: give each a name of its own")
        self._nested = [field.name for field in schema if types.is_nested(field.type)]
        self.text = [field.name for field in schema if not any(check(field.type) for check in numbers)]
        # A range is told otherwise, and is no column.
        self.index = [name for name in (schema.pandas_metadata or {}).get("index_columns", []) if name in self.columns]
        self.n_rows = self._file.metadata.num_rows

    def column(self, name: str) -> pd.Series:
        if name in self._nested:
            raise DataError(f"{name} holds lists or the like: a cell must be a number or a text")
        values = self._file.read(columns=[name], use_threads=False)
        encoded = values.column(0).dictionary_encode() if name in self.text else None
        series: pd.Series = self._frame(values)[name] if encoded is None else encoded.to_pandas()
        return series

    def frame(self, names: list[str], rows: np.ndarray | None = None) -> pd.DataFrame:
        if rows is None:
            return self._frame(self._file.read(columns=names))
        parts, start = [], 0
        for batch in self.batches(names):
            here = rows[(rows >= start) & (rows < start + len(batch))] - start
            parts.append(batch.iloc[here])
            start += len(batch)
        return pd.concat(parts, ignore_index=True)

    def batches(self, names: list[str]) -> Iterator[pd.DataFrame]:
        yield from map(self._frame, self._batches(names))

    def as_written(self, name: str) -> Iterator[pd.DataFrame]:
        for batch in self._batches([name]):
            yield batch.to_pandas(ignore_metadata=True, types_mapper=pd.ArrowDtype)

    def _batches(self, names: list[str]) -> Any:
        size = int(np.clip(_BATCH_VALUES // max(1, len(names)), 1000, _MAX_BATCH))
        return self._file.iter_batches(size, columns=names, use_threads=False)

    @staticmethod
    def _frame(table: Any) -> pd.DataFrame:
        return without_decimals(table.to_pandas(ignore_metadata=True))


def open_source(path: str | Path, target: str) -> tuple[Source, str]:
    """Open a CSV or Parquet file; return it with the name of its target, which is the last column if none is given."""
    if not is_parquet(path):
        table = read_frame(path, target)
        return Source(path, table.frame, table.notes), table.target
    source = _Parquet(path)
    columns = [name for name in source.columns if name not in source.index]
    if len(columns) < 2 or source.n_rows < 2:
        raise DataError(f"{path} has {source.n_rows} rows and {len(columns)} columns: there is nothing to cut")
    return source, find_column(path, source.columns, target or columns[-1])


def numbers_of(batch: pd.DataFrame) -> np.ndarray:
    """Return a batch of numbers as an array; what is missing is not a number."""
    return batch.to_numpy(dtype=np.float64, na_value=np.nan)
