"""Dealing classes out to folds: quotas, what they leave uneven, and the largest number of folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cvstrat._checks import check_count
from cvstrat.theory._counts import fold_sizes, random_counts


def quotas(n_class: int, n_splits: int) -> np.ndarray:
    r"""Return how many rows of a class each fold gets: :math:`\lfloor n_c/k \rfloor`, and one more in the first folds.

    Parameters
    ----------
    n_class : int
        Rows of the class.
    n_splits : int
        Number of folds.

    Examples
    --------
    >>> from cvstrat.theory import quotas
    >>> quotas(23, 3).tolist()
    [8, 8, 7]
    """
    check_count("n_class", n_class, 0)
    check_count("n_splits", n_splits, 2)
    return fold_sizes(n_class, n_splits)


def dealt_counts(counts: Any, n_splits: int, *, restart: bool = False) -> np.ndarray:
    """Return how many rows of each class each fold gets when classes are dealt out one after the other.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class.
    n_splits : int
        Number of folds.
    restart : bool, default=False
        Whether each class is dealt from the first fold on. If not, it goes on where the class before it ended, as the
        splitters of this package do: then not only counts but also fold sizes differ by at most one.

    Returns
    -------
    ndarray of shape (n_splits, n_classes)
        The counts.

    Examples
    --------
    >>> from cvstrat.theory import dealt_counts
    >>> dealt_counts([23, 7, 3], 3).tolist()
    [[8, 2, 1], [8, 2, 1], [7, 3, 1]]
    >>> dealt_counts([23, 7, 3], 3, restart=True).sum(axis=1).tolist()
    [12, 11, 10]
    """
    numbers = [int(count) for count in counts]
    starts = np.cumsum([0, *numbers[:-1]]) % n_splits
    return np.stack(
        [
            np.roll(quotas(count, n_splits), 0 if restart else start)
            for count, start in zip(numbers, starts, strict=True)
        ],
        axis=1,
    )


def share_deviations(table: Any) -> np.ndarray:
    """Return the largest difference, over folds and classes, between a class's share in a fold and in all rows.

    Parameters
    ----------
    table : array-like of shape (..., n_splits, n_classes)
        Counts; leading axes are separate cuts. A fold without rows has no share and is passed over.
    """
    counts = np.asarray(table)
    sizes = counts.sum(axis=-1, keepdims=True)
    whole = counts.sum(axis=-2, keepdims=True)
    gaps = np.abs(counts / np.maximum(sizes, 1) - whole / whole.sum(axis=-1, keepdims=True))
    largest: np.ndarray = np.where(sizes > 0, gaps, 0.0).max(axis=(-2, -1))
    return largest


def largest_n_splits(counts: Any) -> int:
    """Return the largest number of folds for which stratified folds hold every class: the rows of the rarest.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class.

    Examples
    --------
    >>> from cvstrat.theory import largest_n_splits
    >>> largest_n_splits([23, 7, 3])
    3
    """
    return int(min(counts))


def deviation_table(counts: Any, n_splits: Any, *, n_cuts: int = 500, random_state: Any = 0) -> pd.DataFrame:
    """Return the largest deviation of class shares for several numbers of folds.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class.
    n_splits : sequence of int
        Numbers of folds.
    n_cuts, random_state
        Random cuts whose mean is shown beside.

    Returns
    -------
    DataFrame
        Columns ``curve`` (dealt on, dealt from the first fold, random), ``x`` (folds), ``kind``, ``value``.
    """
    rng = np.random.default_rng(random_state)
    rows: list[dict[str, Any]] = []
    for folds in n_splits:
        random = share_deviations(random_counts(counts, folds, n_cuts, rng)).mean()
        for restart, curve in ((False, "dealt on and on"), (True, "each class from the first fold")):
            value = float(share_deviations(dealt_counts(counts, folds, restart=restart)))
            rows.append({"curve": curve, "x": folds, "kind": "formula", "value": value})
        rows.append({"curve": "random (mean)", "x": folds, "kind": "simulation", "value": random})
    return pd.DataFrame(rows).assign(panel="")
