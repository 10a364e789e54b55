"""How alike are folds, on a scale on which random folds have 1 and perfectly alike ones 0?"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state

from cvstrat.checks import check_count
from cvstrat.errors import InputError
from cvstrat.fourier import Features, StandardRows
from cvstrat.metrics._energy import mean_energy
from cvstrat.metrics._parts import PartsByClass, compare_with_all, rows_and_classes, rows_tested


class Balance(NamedTuple):
    """How alike folds are.

    Attributes
    ----------
    ratio : float
        `distance` over `expected`: 1 on average for random folds, 0 for folds with the same means.
    distance : float
        Mean over rows of the squared distance between the mean of the row's class in its fold and in all rows.
    expected : float
        What `distance` is on average over all random folds with as many rows of each class; exact.
    p_value : float
        Share of random folds that differ at least as much; near 1 if the folds are more alike than random ones. Missing
        if none were drawn.
    energy : float
        Energy distance between a fold and the whole set, mean over folds.
    """

    ratio: float
    distance: float
    expected: float
    p_value: float
    energy: float


def balance_ratio(cv: Any, X: Any, y: Any = None, groups: Any = None) -> float:
    r"""Return how far folds are from the whole set, relative to random folds: the balance ratio.

    With :math:`\bar x_{cj}` the mean of the :math:`m_{cj}` rows of class c in fold j and :math:`\bar x_c` that of all
    :math:`n_c`,

    .. math:: \rho = \frac{\sum_{c,j} m_{cj} \lVert \bar x_{cj} - \bar x_c \rVert^2}
                          {\sum_{c,j} (1 - m_{cj}/n_c)\, S_c^2} ,

    where :math:`S_c^2` is the variance inside the class (divisor :math:`n_c - 1`) summed over the columns, and folds
    without rows of a class are left out. The denominator is the exact mean of the numerator over random folds with the
    same counts.

    Parameters
    ----------
    cv : splitter, array-like of int, or iterable of (train, test)
        What makes the folds; or the number of the fold of each row, negative for none; or the splits themselves.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows: numbers, none missing. Columns are standardised.
    y : array-like of shape (n_samples,), default=None
        Classes inside which folds are compared. A continuous target is one more column instead.
    groups : array-like, default=None
        Passed to the splitter.

    Returns
    -------
    float
        0 if all folds have the same means, 1 on average for random (stratified) folds, more for folds that are blocks.
        Not a number if rows of a class are all equal, for every class.

    Examples
    --------
    >>> from cvstrat import balance_ratio
    >>> balance_ratio([0, 1, 0, 1], [[0.0], [0.0], [1.0], [1.0]])
    0.0
    >>> round(balance_ratio([0, 0, 1, 1], [[0.0], [0.0], [1.0], [1.0]]), 3)
    3.0
    """
    return compare_with_all(*rows_and_classes(X, y), rows_tested(cv, X, y, groups)).ratio()


def balance_test(
    cv: Any,
    X: Any,
    y: Any = None,
    groups: Any = None,
    *,
    n_permutations: int = 0,
    max_rows: int = 5000,
    random_state: Any = 0,
) -> Balance:
    """Return the balance ratio with what it is made of, its p-value and the energy distance.

    Parameters
    ----------
    cv, X, y, groups
        As in :func:`cvstrat.balance_ratio`.
    n_permutations : int, default=0
        How many random folds are drawn for the p-value: rows of a class change places, so that all counts stay.
    max_rows : int, default=5000
        As in :func:`cvstrat.metrics.energy_distance`.
    random_state : int, RandomState instance or None, default=0
        Seed of the random folds, and of directions in :func:`cvstrat.metrics.energy_distance`.

    Returns
    -------
    Balance
        Ratio, distance, expected distance, p-value and energy distance.
    """
    check_count("n_permutations", n_permutations, 0)
    rng = check_random_state(random_state)
    rows, codes = rows_and_classes(X, y)
    tests = rows_tested(cv, X, y, groups)
    folds = PartsByClass(tests, codes)
    found = folds.compare(rows)
    distance, n_tested = found.distances.sum(), sum(map(len, tests))
    as_far = sum(
        folds.compare(rows[_shuffled(codes, rng)]).distances.sum() >= distance * (1 - 1e-9)
        for _ in range(n_permutations)
    )
    return Balance(
        found.ratio(),
        float(distance / n_tested),
        float(found.expected.sum() / n_tested),
        (1 + as_far) / (1 + n_permutations) if n_permutations else float("nan"),
        mean_energy(rows, tests, max_rows, rng),
    )


def balance_spectrum(
    cv: Any,
    X: Any,
    y: Any = None,
    groups: Any = None,
    *,
    bandwidths: Any = 12,
    n_features: int = 1024,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Return the balance ratio at each scale, from nearest neighbours to the whole set.

    At a bandwidth h the columns are replaced by features whose products are the Gaussian kernel exp(-r^2 / 2h^2): folds
    are alike at this scale if they have equally many rows wherever one looks through a window of that width. Towards
    large bandwidths the ratio is that of the columns.

    Parameters
    ----------
    cv, X, y, groups
        As in :func:`cvstrat.balance_ratio`.
    bandwidths : int or array-like of float, default=12
        How many bandwidths, from the median distance to the nearest neighbour to the mean distance of any two rows; or
        the bandwidths, in units of that median.
    n_features : int, default=1024
        Number of random features at each bandwidth.
    random_state : int, RandomState instance or None, default=0
        Seed of the features.

    Returns
    -------
    DataFrame
        A line per bandwidth: ``bandwidth``, in units of the standardised columns; ``relative``, in units of the median
        distance to the nearest neighbour; and ``ratio``.
    """
    check_count("n_features", n_features, 2)
    rows, codes = rows_and_classes(X, y)
    standard = StandardRows(rows)
    nearest = standard.nearest()
    if isinstance(bandwidths, int | np.integer):
        check_count("bandwidths", bandwidths, 1)
        relative = np.geomspace(1, max(standard.whole() / nearest, 1), bandwidths)
    else:
        relative = np.atleast_1d(np.asarray(bandwidths, dtype=np.float64))
        if not (relative > 0).all() or not np.isfinite(relative).all():
            raise InputError(f"bandwidths must be a number of them, or positive numbers; they are {bandwidths!r}")
    folds = PartsByClass(rows_tested(cv, X, y, groups), codes)
    ratios = []
    for width in relative * nearest:
        features = Features(standard, (width, width), n_features, check_random_state(random_state))
        ratios.append(folds.compare(features, features.size).ratio())
    return pd.DataFrame({"bandwidth": relative * nearest, "relative": relative, "ratio": ratios})


def _shuffled(codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Return the rows in an order in which they have changed places inside their classes."""
    shuffled = np.empty(len(codes), dtype=np.intp)
    drawn = rng.permutation(len(codes))
    shuffled[np.argsort(codes, kind="stable")] = drawn[np.argsort(codes[drawn], kind="stable")]
    return shuffled
