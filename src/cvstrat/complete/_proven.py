"""An upper bound of the mean risk of many models that are tested on overlapping parts of one data set."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from cvstrat.complete._bounds import check_delta
from cvstrat.errors import InputError

_N_TILTS = 10
_MAX_TILT = 6.0
_HALVINGS = 60


def mean_risk_upper(error_rate: Any, n: Any, delta: float = 0.05, *, kept: Any = 1.0) -> Any:
    r"""Return an upper bound of the mean risk of models, from their mean error rate on test parts that may overlap.

    The bound holds with probability ``1 - delta`` for any number of models, however much their training and test parts
    overlap, if the rows are independent draws and parts are cut without regard to what the rows hold. For a choice
    among `g` candidates, give ``delta / g``.

    Parameters
    ----------
    error_rate : float or array-like of float
        Mean error rate of the models, each on rows that it did not learn from; from 0 to 1.
    n : int
        Rows of a test part, the same number for all.
    delta : float, default=0.05
        Probability with which the mean risk may be higher; between 0 and 1.
    kept : float or array-like of float, default=1.0
        If only some ways to cut the data are allowed, since others leave one class for training: the share of those
        that are, above 0 and at most 1.

    Returns
    -------
    float or ndarray
        The bound; at most 1.

    Notes
    -----
    For :math:`\lambda > 0` let :math:`D_\lambda(q, p) = -\ln(1 - p(1 - e^{-\lambda})) - \lambda q`, which is convex in
    :math:`(q, p)` together. A model with risk :math:`R` makes a binomial number of errors, a share :math:`q` of
    :math:`n` rows, so that :math:`\operatorname{E} e^{n D_\lambda(q, R)} = 1`. By Jensen's inequality,
    :math:`\operatorname{E} e^{n D_\lambda(\bar q, \bar R)} \le 1` for the means over any number of models, dependent or
    not, and so for a mixture over several :math:`\lambda` that are fixed beforehand. If only a share :math:`a` of all
    cuts is kept, the mean over them is at most :math:`1/a` times that over all, so that :math:`a` times the mixture has
    an expectation of at most 1, even if :math:`a` depends on the data. By Markov's inequality that product is below
    :math:`1/\delta` with probability :math:`1 - \delta`; it grows with :math:`\bar R`, and the bound is where it
    reaches :math:`1/\delta`. This is how PAC-Bayesian bounds are proven :cite:`maurer2004`.

    Examples
    --------
    >>> from cvstrat.complete import mean_risk_upper
    >>> bounds = mean_risk_upper(0.1, 100), mean_risk_upper(0.1, 100, 0.05 / 20)
    >>> [round(bound, 3) for bound in bounds]
    [0.207, 0.249]
    """
    check_delta(delta)
    rates, kept = np.broadcast_arrays(np.asarray(error_rate, dtype=float), np.asarray(kept, dtype=float))
    if not ((rates >= 0) & (rates <= 1)).all():
        raise InputError(f"error_rate must lie between 0 and 1; it is {error_rate!r}")
    if not n >= 1 or not np.isfinite(n):
        raise InputError(f"n must be at least 1; it is {n!r}")
    if not ((kept > 0) & (kept <= 1)).all():
        raise InputError(f"kept must be above 0 and at most 1; it is {kept}")
    limit = -np.log(delta) - np.log(kept)
    low, high = rates.copy(), np.ones_like(rates)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        reached = log_mixture(rates, middle, n, delta) >= limit
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return float(high) if high.ndim == 0 else high


def log_mixture(rates: np.ndarray, risks: np.ndarray, n: int, delta: float) -> np.ndarray:
    """Return the logarithm of the mixture whose expectation is at most 1, at some error rates and risks."""
    least = min(np.sqrt(8 * np.log(1 / delta) / n), _MAX_TILT / 2)  # the best tilt for an error rate of one half
    tilts = np.geomspace(least, _MAX_TILT, _N_TILTS)
    each = -np.log1p(risks[..., None] * np.expm1(-tilts)) - tilts * rates[..., None]
    return np.asarray(np.logaddexp.reduce(n * each, axis=-1) - np.log(_N_TILTS))


def share_of_cuts_kept(counts: np.ndarray, n_training: int) -> float:
    """Return the share of all ways to choose training rows that leave two classes or more, from the size of each."""
    large = counts[counts >= n_training]
    return float(1 - np.exp(_log_choose(large, n_training) - _log_choose(counts.sum(), n_training)).sum())


def _log_choose(n: Any, k: int) -> Any:
    return gammaln(np.add(n, 1)) - gammaln(k + 1) - gammaln(np.subtract(n, k) + 1)
