"""Energy distance between folds and the whole set (:cite:t:`szekely2013`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import gammaln
from sklearn.utils import check_random_state

from cvstrat.checks import check_count
from cvstrat.fourier import MAX_VALUES
from cvstrat.metrics._parts import rows_tested, standard_rows

_N_DIRECTIONS = 256


def energy_distance(
    cv: Any, X: Any, y: Any = None, groups: Any = None, *, max_rows: int = 5000, random_state: Any = 0
) -> float:
    """Return the energy distance between a fold and the whole set, mean over folds; columns are standardised.

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
    return mean_energy(standard_rows(X), rows_tested(cv, X, y, groups), max_rows, check_random_state(random_state))


def mean_energy(rows: np.ndarray, tests: list[np.ndarray], max_rows: int, rng: np.random.RandomState) -> float:
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
