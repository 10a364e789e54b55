"""Test parts of any kind of splits, and how far the means inside them are from those of all rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_consistent_length

from cvstrat._compat import num_samples
from cvstrat.errors import InputError
from cvstrat.fourier import MAX_VALUES, StandardRows
from cvstrat.targets import as_target, number_classes


def rows_tested(cv: Any, X: Any, y: Any = None, groups: Any = None) -> list[np.ndarray]:
    """Return the test part of each split as row numbers: of a splitter, of a fold number per row, or of splits."""
    splits = cv.split(X, y, groups) if hasattr(cv, "split") else list(cv)
    if isinstance(splits, list) and splits and np.isscalar(splits[0]):
        numbers, n_rows = np.asarray(splits), num_samples(X)
        if numbers.dtype.kind not in "iu" or len(numbers) != n_rows:
            given = f"{len(numbers)} of type {numbers.dtype}"
            raise InputError(f"folds must be one whole number for each of the {n_rows} rows; these are {given}")
        tests = [np.flatnonzero(numbers == number) for number in np.unique(numbers[numbers >= 0])]
    else:
        tests = [np.asarray(test) for _, test in splits]
    if not tests or not all(map(len, tests)):
        raise InputError(f"{cv!r} made {'an empty fold' if tests else 'no fold at all'}")
    return tests


def standard_rows(X: Any) -> np.ndarray:
    """Return the rows as a dense array with standardised columns; missing values are refused."""
    dense = X.toarray() if sparse.issparse(X) else X
    return np.asarray(StandardRows(check_array(dense, dtype=np.float64)).rows)


def rows_and_classes(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return standardised rows and a class number per row; a continuous target is one more column, of one class."""
    check_consistent_length(X, y)
    rows = standard_rows(X)
    one_class = np.zeros(len(rows), dtype=np.intp)
    if y is None:
        return rows, one_class
    target, kind = as_target(y)
    if kind == "continuous":
        return np.column_stack([rows, standard_rows(target[:, None])]), one_class
    return rows, number_classes(target)


class Compared(NamedTuple):
    """For each fold, its squared distance from all rows (times its rows), and what is expected of random ones."""

    distances: np.ndarray
    expected: np.ndarray

    def ratio(self) -> float:
        """Return the balance ratio of all folds together; not a number where nothing is expected."""
        expected = self.expected.sum()
        return float(self.distances.sum() / expected) if expected > 0 else float("nan")

    def ratios(self) -> np.ndarray:
        """Return the ratio of each fold."""
        return np.asarray(self.distances / np.where(self.expected > 0, self.expected, np.nan))


class PartsByClass:
    """The rows of each class (by `codes`) in each test part (parts may overlap): compares their means."""

    def __init__(self, tests: list[np.ndarray], codes: np.ndarray) -> None:
        self._n_of_class = np.bincount(codes)
        n_rows, n_classes = len(codes), len(self._n_of_class)
        rows = np.concatenate(tests)
        cells = np.repeat(np.arange(len(tests)), [len(test) for test in tests]) * n_classes + codes[rows]
        shape = (len(tests) * n_classes, n_rows)
        self._of_cell = sparse.csc_array((np.ones(len(rows)), (cells, rows)), shape=shape)
        self._of_class = sparse.csc_array((np.ones(n_rows), (codes, np.arange(n_rows))))
        self._counts = np.bincount(cells, minlength=shape[0]).reshape(-1, n_classes)

    def compare(self, features: Any) -> Compared:
        """Compare the folds by their mean features: an array, or what gives the features of a slice of rows."""
        width = features[:0].shape[1]
        n_classes = len(self._n_of_class)
        mean, squares = np.zeros((n_classes, width)), np.zeros(n_classes)
        for part in self._parts(width):
            mean += self._of_class[:, part] @ features[part]
        mean /= self._n_of_class[:, None]
        sums = np.zeros((self._of_cell.shape[0], width))
        for part in self._parts(width):
            centered = features[part] - self._of_class[:, part].T @ mean
            squares += self._of_class[:, part] @ np.einsum("ij,ij->i", centered, centered)
            sums += self._of_cell[:, part] @ centered
        lost = 1e-24 * n_classes * np.einsum("ij,ij->", mean, mean)  # what rounding leaves of equal rows
        variance = np.where(squares > lost, squares, 0) / np.maximum(self._n_of_class - 1, 1)
        lengths = np.einsum("ij,ij->i", sums, sums).reshape(self._counts.shape)
        distances = np.where(variance > 0, lengths / np.maximum(self._counts, 1), 0)
        expected = np.where(self._counts > 0, 1 - self._counts / self._n_of_class, 0) * variance
        return Compared(distances.sum(axis=1), expected.sum(axis=1))

    def _parts(self, width: int) -> Iterator[slice]:
        size, n_rows = max(1, MAX_VALUES // max(width, 1)), self._of_class.shape[1]
        return (slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size))
