"""Columns of data frames, of pandas and of polars alike: which are numbers, which are times, which are neither."""

from __future__ import annotations

from typing import Any

import pandas as pd

NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "empty")


def as_frame(X: Any) -> pd.DataFrame | None:
    """Return `X` as a pandas data frame if it is a data frame of pandas or of polars, else None."""
    if isinstance(X, pd.DataFrame):
        return X
    if not (hasattr(X, "get_columns") and hasattr(X, "schema")):
        return None
    columns = [_from_polars(column) for column in X.get_columns()]
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(len(X)))
    frame.columns = list(X.columns)
    return frame


def _from_polars(column: Any) -> pd.Series:
    kind = str(column.dtype)
    if kind == "Boolean":
        return pd.Series(column.to_list(), dtype="boolean")
    if kind.startswith("Enum"):
        return pd.Series(pd.Categorical(column.to_list(), categories=column.dtype.categories.to_list()))
    if kind.startswith("Decimal"):
        return pd.Series(column.to_list(), dtype="float64")
    if column.dtype.is_numeric() or kind.startswith(("Date", "Duration")):
        return pd.Series(column.to_numpy())
    return pd.Series(column.to_list(), dtype=object)


def is_time(column: pd.Series) -> bool:
    """Return whether a column holds points in time or durations."""
    return column.dtype.kind in "mM"


def no_numbers(frame: pd.DataFrame) -> list[str]:
    """Return the names of columns that are neither numbers nor yes and no, each with what it holds."""
    found = []
    for name, column in frame.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            found.append(f"{name!r} (categories)")
        elif is_time(column):
            found.append(f"{name!r} (dates or durations)")
        elif column.dtype == object or not pd.api.types.is_numeric_dtype(column.dtype):  # yes and no count as numbers
            kind = pd.api.types.infer_dtype(column, skipna=True)
            if kind not in (*NUMBERS, "boolean"):
                found.append(f"{name!r} ({'text' if kind == 'string' else kind})")
    return found
