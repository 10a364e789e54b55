"""Discrete and continuous attributes with missing values, and codings for methods that need numeric columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from compendium.datasets import Dataset
from cvstrat.clustering import MixedRows


@dataclass(frozen=True, eq=False)
class Attributes:
    """A data set whose discrete and continuous columns are told apart.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_columns)
        The values as loaded, with NaN in place of the codes that stand for a missing value.
    categorical : ndarray of bool, shape (n_columns,)
        True for each discrete column.
    continuous : ndarray of shape (n_rows, n_continuous)
        The other columns, NaN where a value is missing.
    discrete : ndarray of int, shape (n_rows, n_discrete)
        Codes from 0 on; a missing value is a value of its own.
    n_values : tuple of int
        How many values each discrete column has in the whole set.
    y : ndarray of int, shape (n_rows,)
        Class of each row, from 0 on.
    """

    X: np.ndarray
    categorical: np.ndarray
    continuous: np.ndarray
    discrete: np.ndarray
    n_values: tuple[int, ...]
    y: np.ndarray

    @property
    def n_classes(self) -> int:
        """How many classes the whole set has."""
        return int(self.y.max()) + 1

    def indicators(self) -> np.ndarray:
        """Return a column of zeros and ones for each value of each discrete column."""
        return one_hot(self.discrete, self.n_values)


def attributes_of(data: Dataset) -> Attributes:
    """Tell the columns of a data set apart; where the catalogue does not know them, all are continuous."""
    categorical = np.zeros(data.X.shape[1], dtype=bool) if data.categorical is None else data.categorical
    X = data.X.copy()
    for column, code in data.missing.items():
        place = data.feature_names.index(column)
        X[X[:, place] == code, place] = np.nan
    codes = [np.unique(column, return_inverse=True)[1] for column in data.X[:, categorical].T]
    discrete = np.array(codes, dtype=np.intp).reshape(-1, len(X)).T
    return Attributes(
        X,
        categorical,
        X[:, ~categorical],
        discrete,
        tuple(int(column.max()) + 1 for column in codes),
        pd.factorize(data.y, sort=True)[0],
    )


def one_hot(codes: np.ndarray, n_values: tuple[int, ...]) -> np.ndarray:
    """Return a column of zeros and ones for each value of each column of codes."""
    starts = np.cumsum([0, *n_values])
    table = np.zeros((len(codes), starts[-1]), dtype=np.float32)
    rows = np.arange(len(codes))
    for start, column in zip(starts, codes.T, strict=False):
        table[rows, start + column] = 1
    return table


def as_points(rows: MixedRows) -> np.ndarray:
    r"""Return mixed rows as points whose Euclidean distances are those of the rows, for methods that need them.

    A discrete attribute becomes a column per value, with :math:`1/\sqrt 2` where a row has it: two rows then differ by
    0 or 1. A missing value is a value of its own. In a continuous attribute, which is scaled to [0, 1], it is the mean
    of the known ones, and a column more says that it was missing. (Two missing values, which the study of 2000 holds to
    be as different as can be, are the same here.)
    """
    missing = np.isnan(rows.continuous)
    filled = np.where(missing, np.nan_to_num(rows.center().continuous), rows.continuous)
    codes = rows.discrete - rows.discrete.min(axis=0, initial=0)
    codes = np.hstack([codes, missing[:, missing.any(axis=0)].astype(np.intp)])
    n_values = tuple(int(column.max()) + 1 for column in codes.T)
    return np.hstack([filled, one_hot(codes, n_values) / np.sqrt(2)])
