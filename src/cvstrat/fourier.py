"""Features whose sums tell how alike two sets of rows are: the columns, and random waves of many lengths over them.

The squared distance between the mean features of two sets is a squared maximum mean discrepancy. The mean product of
two rows' waves of bandwidth h is the Gaussian kernel exp(-r^2 / 2h^2) of their distance r (:cite:t:`rahimi2007`). These
kernels, added up over all bandwidths, are -r but for a constant: the kernel of the energy distance
(:cite:t:`szekely2013`). What lies beyond the largest bandwidth adds up to -r^2, the kernel of the columns themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.sparsefuncs import mean_variance_axis

MAX_VALUES = 2**22  # of a block of features: 32 MB
_UNIT = 2.0**18  # features are whole numbers: their sums and products are exact, in whatever order they are added


class StandardRows:
    """Rows whose columns have variance one and, where they are dense, mean zero; columns of one value are all zero.

    Parameters
    ----------
    rows : ndarray or CSR matrix of shape (n_rows, n_columns)
        Finite numbers. Sparse rows stay sparse: `offset` is the mean that they keep.
    """

    def __init__(self, rows: Any) -> None:
        n_rows, n_columns = rows.shape
        self.offset = np.zeros(n_columns)
        if sparse.issparse(rows):
            mean, variance = mean_variance_axis(rows, axis=0)
            scale = self._scale(mean, variance)
            self.rows, self.offset = sparse.csr_array(rows @ sparse.diags_array(1 / scale)), mean / scale
        else:
            centered = rows - rows[0]  # which keeps the digits of columns that are far from zero
            centered -= centered.mean(axis=0)
            with np.errstate(over="ignore"):
                scale = self._scale(rows[0], np.einsum("ij,ij->j", centered, centered) / n_rows)
            self.rows = np.divide(centered, scale, out=centered)
        self.n_varied = int(np.isfinite(scale).sum())

    @staticmethod
    def _scale(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        std = np.sqrt(variance)
        return np.where(std > 1e-13 * np.abs(mean), std, np.inf)

    def project(self, indices: np.ndarray | slice, directions: np.ndarray) -> np.ndarray:
        """Return the products of some of the rows with the columns of `directions`."""
        return np.asarray(np.asarray(self.rows[indices] @ directions) - self.offset @ directions)

    def whole(self) -> float:
        """Return the root mean square of the distance between two rows; 1 where all are equal."""
        return float(np.sqrt(2 * self.n_varied)) or 1.0

    def nearest(self, max_rows: int = 200) -> float:
        """Return the median distance from a row to the nearest that differs, of the first `max_rows` rows."""
        search = NearestNeighbors(n_neighbors=min(3, self.rows.shape[0]), algorithm="brute").fit(self.rows)
        distances = search.kneighbors(self.rows[:max_rows])[0]
        nearest = np.where(distances > 1e-6 * self.whole(), distances, np.inf).min(axis=1)
        known = nearest[np.isfinite(nearest)]
        return float(np.median(known)) if known.size else self.whole()


class Features:
    """Columns and random waves of standardised rows, worked out for the rows that are asked for.

    Parameters
    ----------
    rows : StandardRows
        The rows.
    bandwidths : tuple of two floats
        The smallest and the largest bandwidth of the waves. An infinite one stands for the columns; waves then go up to
        the distance between any two rows.
    n_features : int
        Number of waves. A table with more columns than that is projected onto as many random directions.
    rng : RandomState
        Where directions come from.
    """

    def __init__(
        self, rows: StandardRows, bandwidths: tuple[float, float], n_features: int, rng: np.random.RandomState
    ) -> None:
        low, high = bandwidths
        top = high if np.isfinite(high) else rows.whole()
        n_columns = rows.offset.size
        n_waves = n_features // 2 if low <= top else 0
        lengths = np.geomspace(low, top, n_waves) if n_waves else np.empty(0)
        # The integral of the kernels over all bandwidths: what the waves have of it, and what lies beyond them.
        of_waves, of_columns = (1.0, 0.0) if np.isfinite(high) else (max(top - low, 0.0), top / 2)
        total = of_waves + of_columns
        columns = np.zeros((n_columns, 0))
        if of_columns:
            wide = n_columns > n_features
            columns = rng.normal(size=(n_columns, n_features)) / np.sqrt(n_features) if wide else np.eye(n_columns)
        self._rows = rows
        self._columns = columns * _UNIT * np.sqrt(of_columns / total / max(rows.n_varied, 1))
        self._waves = rng.normal(size=(n_columns, n_waves)) / lengths
        self._heights = (_UNIT * np.sqrt(of_waves / total * lengths / (lengths.sum() or 1))).astype(np.float32)
        self.size = columns.shape[1] + 2 * n_waves

    def __getitem__(self, indices: np.ndarray | slice) -> np.ndarray:
        n_columns, n_waves = self._columns.shape[1], self._heights.size
        phase = self._rows.project(indices, self._waves).astype(np.float32)
        values = np.empty((phase.shape[0], self.size))
        if n_columns:
            values[:, :n_columns] = self._rows.project(indices, self._columns)
        values[:, n_columns : n_columns + n_waves] = np.cos(phase) * self._heights
        values[:, n_columns + n_waves :] = np.sin(phase, out=phase) * self._heights
        return np.rint(values, out=values)
