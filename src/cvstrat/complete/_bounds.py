"""Upper bounds of an error rate, from the number of errors on examples that played no part in learning.

All take errors, examples and the probability `delta` with which the bound may be too low, and all are vectorised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from cvstrat.errors import InputError


def clopper_pearson_upper(errors: Any, n: Any, delta: float = 0.05) -> Any:
    r"""Return the largest error rate under which so few errors still have probability `delta`.

    Parameters
    ----------
    errors, n : int or array-like of int
        Errors, from 0 to `n`, and examples, at least 1.
    delta : float, default=0.05
        Probability with which the true rate may be higher; between 0 and 1.

    Returns
    -------
    float or ndarray
        The bound: ``1 - delta ** (1 / n)`` without errors, 1 if all are errors.

    Notes
    -----
    It solves :math:`\sum_{j=0}^{e} \binom{n}{j} p^j (1 - p)^{n - j} = \delta` exactly, by a quantile of a beta
    distribution :cite:`clopper1934`. (Equation 3 of :cite:`anguita2012` prints the power :math:`j` as :math:`s`.)

    Examples
    --------
    >>> from cvstrat import clopper_pearson_upper
    >>> clopper_pearson_upper([0, 5, 50], 50).round(3).tolist()
    [0.058, 0.199, 1.0]
    """
    errors, n = _checked(errors, n, delta)
    found = stats.beta.ppf(1 - delta, errors + 1, np.maximum(n - errors, 1))
    return _plain(np.where(errors == n, 1.0, found))


def wilson_upper(errors: Any, n: Any, delta: float = 0.05) -> Any:
    """Return Wilson's score bound: right on average, not guaranteed for small samples; see `clopper_pearson_upper`."""
    errors, n = _checked(errors, n, delta)
    z = stats.norm.ppf(1 - delta)
    rate = errors / n
    middle = rate + z**2 / (2 * n)
    width = z * np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2))
    return _plain(np.clip((middle + width) / (1 + z**2 / n), 0, 1))


def hoeffding_upper(errors: Any, n: Any, delta: float = 0.05) -> Any:
    """Return Hoeffding's bound, which knows nothing of the variance; see `clopper_pearson_upper`."""
    errors, n = _checked(errors, n, delta)
    return _plain(np.minimum(errors / n + np.sqrt(np.log(1 / delta) / (2 * n)), 1.0))


def empirical_bernstein_upper(errors: Any, n: Any, delta: float = 0.05) -> Any:
    """Return the empirical Bernstein bound :cite:`maurer2009`: it uses the variance; see `clopper_pearson_upper`."""
    errors, n = _checked(errors, n, delta)
    rate, others, log = errors / n, np.maximum(n - 1, 1), np.log(2 / delta)
    variance = rate * (1 - rate) * n / others
    bound = rate + np.sqrt(2 * variance * log / n) + 7 * log / (3 * others)
    return _plain(np.where(n > 1, np.minimum(bound, 1.0), 1.0))


BOUNDS: dict[str, Callable[..., Any]] = {
    "Clopper-Pearson": clopper_pearson_upper,
    "Wilson": wilson_upper,
    "Hoeffding": hoeffding_upper,
    "empirical Bernstein": empirical_bernstein_upper,
}


def check_delta(delta: Any) -> None:
    """Raise unless `delta` lies between 0 and 1."""
    if isinstance(delta, bool) or not isinstance(delta, int | float | np.number) or not 0 < delta < 1:
        raise InputError(f"delta must lie between 0 and 1, such as 0.05; it is {delta!r}")


def _checked(errors: Any, n: Any, delta: float) -> tuple[np.ndarray, np.ndarray]:
    check_delta(delta)
    counts = []
    for name, values in (("errors", errors), ("n", n)):
        array = np.asarray(values)
        if array.dtype.kind not in "iuf" or not (np.isfinite(array) & (array == np.floor(array))).all():
            raise InputError(f"{name} must be whole numbers; they are {values!r}")
        counts.append(array.astype(float))
    if (counts[1] < 1).any():
        raise InputError(f"n must be at least 1; the least is {counts[1].min():.0f}")
    if ((counts[0] < 0) | (counts[0] > counts[1])).any():
        raise InputError(f"errors must lie between 0 and n; they are {errors!r}, n is {n!r}")
    return counts[0], counts[1]


def _plain(values: np.ndarray) -> Any:
    return float(values) if np.ndim(values) == 0 else values
