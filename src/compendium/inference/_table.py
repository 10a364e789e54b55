"""The table that the tests take: a block per row, a technique per column, a number in each cell."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

# Values are compared after rounding, so that the noise of floating-point sums neither makes nor breaks a tie.
DECIMALS = 12


def checked(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table as numbers rounded to `DECIMALS`, or raise if it is not complete and finite."""
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"the table must be a DataFrame with a column per technique; it is a {type(table).__name__}")
    n_blocks, n_techniques = table.shape
    if n_blocks < 1 or n_techniques < 2:
        raise ValueError(
            f"the table must have at least 1 block (row) and 2 techniques (columns); its shape is {table.shape}"
        )
    if not table.columns.is_unique:
        raise ValueError(
            f"rename the techniques that occur twice: {_quoted(table.columns[table.columns.duplicated()])}"
        )
    text = [name for name, kind in table.dtypes.items() if not pd.api.types.is_numeric_dtype(kind)]
    if text:
        raise ValueError(f"these techniques are not numbers, convert or drop them: {_quoted(text)}")
    _check_complete(table)
    values = table.astype(float)
    infinite = int(np.isinf(values.to_numpy()).any(axis=1).sum())
    if infinite:
        raise ValueError(f"{infinite} of {n_blocks} blocks have an infinite value; drop those blocks")
    return values.round(DECIMALS)


def _check_complete(table: pd.DataFrame) -> None:
    missing = table.isna().sum()
    if missing.any():
        lacks = ", ".join(
            f"{count} {'block lacks' if count == 1 else 'blocks lack'} {name!r}"
            for name, count in missing[missing > 0].items()
        )
        raise ValueError(f"the table is not complete: {lacks}; drop those blocks, for example with table.dropna()")


def _quoted(names: Iterable[object]) -> str:
    return ", ".join(repr(name) for name in names)
