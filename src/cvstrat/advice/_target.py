"""What there is to predict: classes and their sizes, or a numeric target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cvstrat.errors import InputError

TASKS = ("auto", "classification", "regression")
_MAX_CLASSES, _FEW_VALUES, _ROWS_PER_VALUE = 50, 20, 10  # as the docstring of read_target says


@dataclass(frozen=True, eq=False)
class Target:
    """A target as it was read.

    Attributes
    ----------
    task : str
        ``classification`` or ``regression``.
    counts : Series
        Rows of each class, largest first; of a numeric target, empty.
    targets : ndarray
        The values of a numeric target; of classes, empty.
    codes : ndarray of int
        Class of each row that has a value, as a place in `counts`; of a numeric target, empty.
    has_value : ndarray of bool
        Which rows have a value; the others are left out.
    guessed : bool
        Whether whole numbers were taken for a numeric target because many different ones occur.
    """

    task: str
    counts: pd.Series
    targets: np.ndarray
    codes: np.ndarray
    has_value: np.ndarray
    guessed: bool

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int((~self.has_value).sum())

    @property
    def n_rows(self) -> int:
        """Rows that have a value."""
        return int(self.counts.sum()) or len(self.targets)


def read_target(y: Any, task: str = "auto") -> Target:
    """Look at a target: which classes it has, or whether it is a number to predict.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of any type, or numbers; some may be missing.
    task : {"auto", "classification", "regression"}, default="auto"
        Kind of the target. ``auto`` takes fractions for a numeric target, and whole numbers too if there are more than
        50 different ones, or more than 20 with fewer than 10 rows each.

    Returns
    -------
    Target
        The classes and their sizes, or the numbers.
    """
    if task not in TASKS:
        raise InputError(f"task must be one of {', '.join(TASKS)}; it is {task!r}")
    values = y if isinstance(y, pd.Series) else pd.Series(_one_column(y))
    has_value = values.notna().to_numpy()
    known = values.dropna()
    if known.empty:
        raise InputError("the target has no value in any row: there is nothing to predict")
    if not known.map(pd.api.types.is_hashable).all():
        raise InputError("the target holds lists or the like: a cell must be a number or a text")
    numeric = pd.api.types.is_numeric_dtype(known) and not pd.api.types.is_bool_dtype(known)
    if task == "regression" and not numeric:
        raise InputError(f"a target such as {known.iloc[0]!r} is not a number: leave out task='regression'")
    numbers = known.to_numpy(dtype=float) if numeric else np.empty(0)
    if not np.isfinite(numbers).all():
        raise InputError("the target has infinite values: leave these rows out")
    counts = known.value_counts()
    counts = counts[counts > 0]
    if len(counts) == 1:
        raise InputError(f"every row has the same target, {counts.index[0]!s}: there is nothing to tell apart")
    fractions = bool((numbers % 1 != 0).any())
    many = len(counts) > _MAX_CLASSES or (len(counts) > _FEW_VALUES and len(counts) * _ROWS_PER_VALUE > len(known))
    if task == "regression" or (task == "auto" and numeric and (fractions or many)):
        guessed = task == "auto" and not fractions
        return Target("regression", counts.iloc[:0], numbers, np.empty(0, dtype=np.intp), has_value, guessed)
    if counts.iloc[0] == 1:
        names = f"each of the {len(counts)} values of the target occurs once"
        raise InputError(f"{names}: they name rows, they are no classes")
    codes = counts.index.get_indexer(pd.Index(known))
    whole = numeric and not fractions
    labels = [f"{label:.15g}" if whole and isinstance(label, float) else str(label) for label in counts.index]
    counts.index = pd.Index(labels, name="class")
    return Target("classification", counts.rename("rows"), np.empty(0), codes, has_value, False)


def _one_column(y: Any) -> np.ndarray:
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(f"y must be one column; its shape is {values.shape}")
    return values
