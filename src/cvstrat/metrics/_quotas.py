"""Dealing classes out to folds: quotas, and the largest number of folds that all hold every class."""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.checks import check_count
from cvstrat.metrics._counts import fold_sizes


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
    >>> from cvstrat.metrics import quotas
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
    >>> from cvstrat.metrics import dealt_counts
    >>> dealt_counts([23, 7, 3], 3).tolist()
    [[8, 2, 1], [8, 2, 1], [7, 3, 1]]
    >>> dealt_counts([23, 7, 3], 3, restart=True).sum(axis=1).tolist()
    [12, 11, 10]
    """
    sizes = [int(count) for count in counts]
    starts = np.cumsum([0, *sizes[:-1]]) % n_splits
    return np.stack(
        [np.roll(quotas(count, n_splits), 0 if restart else start) for count, start in zip(sizes, starts, strict=True)],
        axis=1,
    )


def largest_n_splits(counts: Any) -> int:
    """Return the largest number of folds for which stratified folds hold every class: the rows of the rarest.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class.

    Examples
    --------
    >>> from cvstrat.metrics import largest_n_splits
    >>> largest_n_splits([23, 7, 3])
    3
    """
    return int(min(counts))
