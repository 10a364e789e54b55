"""Rows with continuous and discrete attributes and missing values, and how far apart they are."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import check_array

from cvstrat.clustering._columns import NUMBERS, as_frame, is_time
from cvstrat.errors import InputError

_BLOCK = 65_536
_INFINITE = "column {column} holds infinite values; replace them, or mark them missing (NaN)"


class MixedRows:
    r"""Rows of mixed attributes, ready for distances.

    The distance of two rows is :math:`\sqrt{\sum_t f_t}`, the negative of the similarity of :cite:t:`diamantidis2000`.
    For a continuous attribute, scaled to [0, 1], :math:`f_t` is the squared difference; for a discrete one it is 0 if
    the values are equal and 1 if not; where a value is missing, it is 1, the largest possible.

    Parameters
    ----------
    continuous : ndarray of shape (n_rows, n_continuous)
        Scaled to [0, 1]; NaN is missing.
    discrete : ndarray of int, shape (n_rows, n_discrete)
        Codes from 0 on; -1 is missing.
    """

    def __init__(self, continuous: np.ndarray, discrete: np.ndarray) -> None:
        self.continuous = continuous
        self.discrete = discrete
        self._complete = not np.isnan(continuous).any()

    def __len__(self) -> int:
        return len(self.continuous)

    def __getitem__(self, rows: Any) -> MixedRows:
        if isinstance(rows, slice):
            return MixedRows(self.continuous[rows], self.discrete[rows])
        return MixedRows(np.take(self.continuous, rows, axis=0), np.take(self.discrete, rows, axis=0))

    def values(self) -> np.ndarray:
        """Return all attributes in one float array (codes as numbers), to tell rows by their content."""
        return np.hstack([self.continuous, self.discrete]) if self.discrete.shape[1] else self.continuous

    def center(self) -> MixedRows:
        """Return the centre as one row: mean of the known values, or the most frequent one (lowest code first)."""
        if self._complete:
            means = self.continuous.mean(axis=0)
        else:
            with np.errstate(invalid="ignore"):  # where nothing is known
                means = np.nansum(self.continuous, axis=0) / (~np.isnan(self.continuous)).sum(axis=0)
        known = (column[column >= 0] for column in self.discrete.T)
        modes = [np.bincount(codes).argmax() if codes.size else -1 for codes in known]
        return MixedRows(means[None], np.array(modes, dtype=np.intp)[None])

    def centers(self, order: np.ndarray, starts: np.ndarray) -> MixedRows:
        """Return the centre of each group as a row: ``order[starts[i]:starts[i + 1]]`` are the rows of the i-th."""
        known = ~np.isnan(self.continuous[order])
        n_known = np.add.reduceat(known, starts[:-1], axis=0, dtype=np.intp)
        sums = np.add.reduceat(np.where(known, self.continuous[order], 0.0), starts[:-1], axis=0)
        means = np.where(n_known > 0, sums / np.maximum(n_known, 1), np.nan)
        modes = np.full((len(starts) - 1, self.discrete.shape[1]), -1, dtype=np.intp)
        group = np.repeat(np.arange(len(modes)), np.diff(starts))
        for number, column in enumerate(self.discrete[order].T):
            pairs, counts = np.unique(np.column_stack([group, column])[column >= 0], axis=0, return_counts=True)
            best_last = np.lexsort((-pairs[:, 1], counts, pairs[:, 0]))  # of equally frequent ones the lowest code
            modes[pairs[best_last, 0], number] = pairs[best_last, 1]
        return MixedRows(means, modes)

    def squared_distance(self, other: MixedRows) -> np.ndarray:
        """Return the squared distance of each row here to each row of `other`, of shape (len(self), len(other))."""
        result = np.empty((len(self), len(other)))
        for start in range(0, len(self), _BLOCK):
            continuous, discrete = self.continuous[start : start + _BLOCK], self.discrete[start : start + _BLOCK]
            for number in range(len(other)):
                difference = continuous - other.continuous[number]
                if not (self._complete and other._complete):
                    difference = np.where(np.isnan(difference), 1.0, difference)
                squared = np.einsum("ij,ij->i", difference, difference)
                if discrete.shape[1]:
                    there = other.discrete[number]
                    squared += ((discrete != there) | (discrete < 0) | (there < 0)).sum(axis=1)
                result[start : start + _BLOCK, number] = squared
        return result


def mixed_rows(X: Any, categorical: Any = None) -> MixedRows:
    """Read `X` into :class:`MixedRows`, continuous attributes scaled to [0, 1].

    Parameters
    ----------
    X : array-like, data frame (of pandas or polars) or sparse matrix
        NaN, None and pandas' NA are missing.
    categorical : None, bool mask, or list of column indices or names
        The discrete columns. None means those of a data frame that are neither numbers nor dates or durations, and no
        column of anything else. Dates and durations are continuous, as seconds.
    """
    if sparse.issparse(X):
        X = X.toarray()
    if categorical is None and isinstance(X, np.ndarray) and X.dtype.kind in "biuf":  # the short way
        numbers = check_array(X, dtype=np.float64, ensure_all_finite=False)
        infinite = np.isinf(numbers).any(axis=0)
        if infinite.any():
            raise InputError(_INFINITE.format(column=int(infinite.argmax())))
        return MixedRows(_scaled(numbers), np.empty((len(numbers), 0), dtype=np.intp))
    frame = as_frame(X)
    by_type = categorical is None and frame is not None
    if frame is None:
        table = np.asarray(X, dtype=object) if isinstance(X, list | tuple) else X  # keeps numbers and text apart
        frame = pd.DataFrame(check_array(table, dtype=None, ensure_all_finite=False))
    if frame.shape[1] == 0:
        raise InputError("X has no column to tell its rows by")
    coded = np.array([_is_discrete(column) for _, column in frame.items()]) if by_type else _mask(frame, categorical)
    columns = [column for _, column in frame.items()]
    values = [_float_column(columns[number]) for number in np.flatnonzero(~coded)]
    codes = [_code_column(columns[number]) for number in np.flatnonzero(coded)]
    continuous = np.array(values).reshape(len(values), len(frame)).T
    discrete = np.array(codes, dtype=np.intp).reshape(len(codes), len(frame)).T
    return MixedRows(_scaled(continuous) if continuous.size else continuous, discrete)


def _is_discrete(column: pd.Series) -> bool:
    if column.dtype == object:  # numbers with None among them, decimals
        return pd.api.types.infer_dtype(column, skipna=True) not in NUMBERS
    kinds = pd.api.types
    return kinds.is_bool_dtype(column.dtype) or not (kinds.is_numeric_dtype(column.dtype) or is_time(column))


def _mask(frame: pd.DataFrame, categorical: Any) -> np.ndarray:
    """Return which columns are named, by a mask, by numbers or by names; none by None."""
    width = frame.shape[1]
    given = np.atleast_1d(np.asarray([] if categorical is None else categorical, dtype=object))
    if given.size and all(isinstance(one, bool | np.bool_) for one in given.ravel()):
        given = given.astype(bool)
        if given.shape != (width,):
            raise InputError(f"categorical is a mask of {given.size} columns; X has {width}")
        return given
    mask = np.zeros(width, dtype=bool)
    for column in given.tolist():
        place = frame.columns.get_loc(column) if isinstance(column, str) and column in frame.columns else column
        if isinstance(place, bool) or not isinstance(place, Integral) or not -width <= int(place) < width:
            raise InputError(f"categorical names column {column!r}; X has {width} columns: {list(frame.columns)[:10]}")
        mask[int(place)] = True
    return mask


def _code_column(column: pd.Series) -> np.ndarray:
    try:
        return pd.factorize(column, sort=True)[0]
    except TypeError as error:
        raise InputError(
            f"column {column.name!r} holds values that cannot be told apart ({error}): turn each into text, or leave "
            "the column out"
        ) from error


def _float_column(column: pd.Series) -> np.ndarray:
    if is_time(column):
        column = (column - column.min()) / pd.Timedelta(seconds=1)
    try:
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise InputError(f"column {column.name!r} is not numeric ({error}): name it in categorical") from error
    if np.isinf(values).any():
        raise InputError(_INFINITE.format(column=repr(column.name)))
    return values


def _scaled(values: np.ndarray) -> np.ndarray:
    """Scale columns to [0, 1]; a column with one value becomes 0."""
    # scikit-learn's MinMaxScaler computes values * scale + shift, which differs in the last bit from this quotient for
    # four values in ten, and takes a column as constant whose values differ by a few roundings. Ties between distances,
    # and with them folds, would change.
    with np.errstate(invalid="ignore"):
        low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    with np.errstate(over="ignore"):
        width = high - low
    if np.isinf(width).any():  # the largest numbers there are: their halves fit
        return _scaled(values / 2)
    width[~(width > 0)] = 1.0
    scaled: np.ndarray = (values - low) / width
    scaled[np.isnan(scaled)] = np.nan  # one bit pattern for all that is missing, to tell rows by their content
    return scaled
