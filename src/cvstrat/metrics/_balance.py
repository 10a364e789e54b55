"""How alike are folds, on a scale on which random folds have 1 and perfectly alike ones 0, and by energy distance?"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from scipy.special import gammaln
from sklearn.utils import check_random_state

from cvstrat.checks import check_count
from cvstrat.errors import InputError
from cvstrat.fourier import MAX_VALUES, Features, StandardRows
from cvstrat.metrics._parts import PartsByClass, rows_and_classes, rows_tested, standard_rows

_N_DIRECTIONS = 256


class Balance(NamedTuple):
    """How alike folds are.

    Attributes
    ----------
    ratio : float
        `distance` over `expected`: 1 on average for random folds, 0 for folds with the same means.
    distance, expected : float
        Mean over rows of the squared distance between the mean of the row's class in its fold and in all rows; and
        what it is on average over all random folds with as many rows of each class, exactly.
    p_value : float
        Share of random folds that differ at least as much: near 1 if the folds are more alike. Missing without any.
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
    y, groups : array-like, default=None
        Passed to the splitter. Folds are compared inside the classes of `y`; a continuous one is one more column.

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
    """
    rows, codes = rows_and_classes(X, y)
    return PartsByClass(rows_tested(cv, X, y, groups), codes).compare(rows).ratio()


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
    max_rows, random_state
        As in :func:`cvstrat.metrics.energy_distance`; the seed is that of the random folds, too.
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
        _mean_energy(rows, tests, max_rows, rng),
    )


def _shuffled(codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Return the rows in an order in which they have changed places inside their classes."""
    shuffled = np.empty(len(codes), dtype=np.intp)
    drawn = rng.permutation(len(codes))
    shuffled[np.argsort(codes, kind="stable")] = drawn[np.argsort(codes[drawn], kind="stable")]
    return shuffled


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
        How many bandwidths, from the median distance of one of the first 200 rows to its nearest neighbour, to the root
        mean square of the distance of any two rows; or the bandwidths, in units of that median.
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
        ratios.append(folds.compare(features).ratio())
    return pd.DataFrame({"bandwidth": relative * nearest, "relative": relative, "ratio": ratios})


def energy_distance(
    cv: Any, X: Any, y: Any = None, groups: Any = None, *, max_rows: int = 5000, random_state: Any = 0
) -> float:
    """Return the energy distance :cite:p:`szekely2013` between a fold and the whole set, mean over folds.

    Parameters
    ----------
    cv, X, y, groups
        As in :func:`cvstrat.balance_ratio`; the target only goes to the splitter.
    max_rows : int, default=5000
        Up to that many rows all pairs are compared, block by block. Beyond, the distance is estimated, without bias,
        from the rows' shadows on 256 random directions: it is a multiple of their mean energy distance.
    random_state : int, RandomState instance or None, default=0
        Seed of the directions.

    Returns
    -------
    float
        Mean of 2 E|x - z| - E|x - x'| - E|z - z'| with x from the fold and z from all rows.
    """
    check_count("max_rows", max_rows, 0)
    return _mean_energy(standard_rows(X), rows_tested(cv, X, y, groups), max_rows, check_random_state(random_state))


def _mean_energy(rows: np.ndarray, tests: list[np.ndarray], max_rows: int, rng: np.random.RandomState) -> float:
    """Return the mean energy distance of the parts to all rows, which are standardised."""
    shares = np.zeros((len(rows), len(tests)))
    for number, test in enumerate(tests):
        np.add.at(shares[:, number], test, 1 / len(test))
    shares -= 1 / len(rows)
    if len(rows) <= max_rows:
        return float(np.mean(_by_pairs(rows, shares)))
    n_columns = rows.shape[1]
    directions = rng.normal(size=(n_columns, _N_DIRECTIONS))
    directions /= np.linalg.norm(directions, axis=0)
    # The mean length of the shadow of a vector of length one.
    shadow = np.exp(gammaln(n_columns / 2) - gammaln((n_columns + 1) / 2)) / np.sqrt(np.pi)
    return float(np.mean([_on_a_line(rows @ one, shares).mean() for one in directions.T]) / shadow)


def _by_pairs(rows: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return -sum of w_i w_l |x_i - x_l| for each column of weights w, which add up to zero."""
    found = np.zeros(shares.shape[1])
    size = max(1, MAX_VALUES // len(rows))
    for start in range(0, len(rows), size):
        part = slice(start, start + size)
        found -= np.einsum("ij,ij->j", shares[part], cdist(rows[part], rows) @ shares)
    return found


def _on_a_line(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the same for numbers: twice the integral of the squared difference of two distribution functions."""
    order = np.argsort(values)
    difference = np.cumsum(shares[order], axis=0)[:-1]
    return np.asarray(2 * np.diff(values[order]) @ difference**2)
