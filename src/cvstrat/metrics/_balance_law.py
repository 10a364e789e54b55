r"""The law of balance: what the balance ratio of folds does to the expectation of a cross-validated estimate.

Cross-validate the mean of n numbers by squared error, with k folds of n/k rows. Let the mean of fold j be :math:`d_j`
above the mean of all. The mean of the other folds is then :math:`c\,d_j` below it, :math:`c = 1/(k-1)`, and the error
of fold j is its variance around its own mean plus :math:`(1 + c)^2 d_j^2`. The variance of all rows, :math:`S^2`
(divisor n), is the mean of the folds' variances plus B, the mean of :math:`d_j^2`. So

.. math:: CV = S^2 + (2c + c^2)\, B ,

an identity. Random folds have :math:`E[B] = (k-1)\sigma^2/n`; others have :math:`\rho` times as much. A linear model
with p coefficients, fitted by least squares, follows the same steps in p directions, each of which acts like a mean: an
approximation, up to terms of order :math:`1/n^2`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.checks import check_count
from cvstrat.errors import InputError


def unbiased_balance(n_splits: int) -> float:
    r"""Return the balance ratio at which cross-validation is unbiased: :math:`\rho^* = 2(k-1)/(2k-1)`.

    With `n_splits` folds, k, it is 2/3 for two, 8/9 for five, 18/19 for ten; towards 1, random folds, for many.

    Examples
    --------
    >>> from cvstrat.metrics import unbiased_balance
    >>> round(unbiased_balance(5), 3)
    0.889
    """
    check_count("n_splits", n_splits, 2)
    return 2 * (n_splits - 1) / (2 * n_splits - 1)


def expected_estimate(balance: Any, n: int, n_splits: int, *, n_parameters: int = 1, noise: float = 1.0) -> Any:
    r"""Return the expected squared error that cross-validation finds for a model fitted by least squares.

    .. math:: E[CV] = \sigma^2 \left[ 1 - \frac{p}{n} + \rho\, \frac{p}{n} \left(2 + \frac{1}{k-1}\right) \right]

    At a ratio of 0, which is folds with the same statistics, it is the error on the rows trained on.

    Parameters
    ----------
    balance : float or array of floats
        The balance ratio of the folds, in the features that the model uses; at least 0.
    n, n_splits : int
        Numbers of rows and of folds.
    n_parameters : int, default=1
        Number of coefficients p, with the intercept. Exact for 1, the mean; for more an approximation that is the
        better the more rows there are for each.
    noise : float, default=1.0
        Variance of the target that no model can explain.
    """
    rho = np.asarray(balance, dtype=np.float64)
    if not (rho >= 0).all():
        raise InputError(f"balance must be at least 0; it is {balance!r}")
    check_count("n_splits", n_splits, 2)
    check_count("n", n, n_splits)
    check_count("n_parameters", n_parameters, 1)
    found = noise * (1 + n_parameters / n * (rho * (2 + 1 / (n_splits - 1)) - 1))
    return found if found.ndim else float(found)


def expected_bias(balance: Any, n: int, n_splits: int, *, n_parameters: int = 1, noise: float = 1.0) -> Any:
    r"""Return the expected estimate less the truth, :math:`\sigma^2 (1 + p/n)`, of the model fitted to all rows.

    Positive is pessimistic: an error that is too large. Random folds have :math:`\sigma^2 p / (n (k-1))`, perfectly
    alike ones :math:`-2 \sigma^2 p / n`, and :func:`cvstrat.metrics.unbiased_balance` gives 0. Parameters are those of
    :func:`cvstrat.metrics.expected_estimate`.
    """
    estimate = expected_estimate(balance, n, n_splits, n_parameters=n_parameters, noise=noise)
    return estimate - noise * (1 + n_parameters / n)
