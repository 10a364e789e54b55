"""Folds are correlated: what that does to the variance of their mean, and what stratification does to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.stratification.theory._gaussian import random_folds, stratified_folds, wrong_rows
from cvstrat.checks import check_count
from cvstrat.errors import InputError

MOMENT_LABELS = {
    "mean": "mean",
    "variance": "variance",
    "covariance": "covariance",
    "correlation": "correlation",
    "variance_of_mean": "variance of the mean",
}


def variance_of_mean(variance: float, correlation: float, n_splits: int) -> float:
    r"""Return the variance of the mean of exchangeable scores: :math:`\frac{\sigma^2}{k} [1 + (k-1)\rho]`.

    Parameters
    ----------
    variance : float
        Variance of the score of one fold, not negative.
    correlation : float
        Correlation of the scores of two folds, from -1 / (n_splits - 1) to 1.
    n_splits : int
        Number of folds, at least 2.

    Examples
    --------
    >>> from compendium.stratification.theory import variance_of_mean
    >>> variance_of_mean(1.0, 0.0, 10), variance_of_mean(1.0, 1.0, 10)
    (0.1, 1.0)
    """
    check_count("n_splits", n_splits, 2)
    if not -1 / (n_splits - 1) - 1e-12 <= correlation <= 1 + 1e-12:
        raise InputError(f"{n_splits} scores cannot all have the correlation {correlation} with each other")
    return variance / n_splits * (1 + (n_splits - 1) * correlation)


def brier_moments(n: int, share: float, n_splits: int) -> pd.DataFrame:
    """Return variance, covariance and correlation of the folds' Brier scores when the training share is predicted.

    The model predicts for every row the share of class 1 in its training part. A data set of `n` independent rows is
    drawn anew for each cross-validation. Exact.

    Parameters
    ----------
    n : int
        Number of rows, a multiple of `n_splits`.
    share : float
        Probability of class 1, from 0 to 1.
    n_splits : int
        Number of folds, at least 2.

    Returns
    -------
    DataFrame
        Rows ``random`` and ``stratified``; columns ``mean``, ``variance`` (of a fold's score), ``covariance`` and
        ``correlation`` (of the scores of two folds) and ``variance_of_mean``. `MOMENT_LABELS` names them in words.

    Examples
    --------
    >>> from compendium.stratification.theory import brier_moments
    >>> brier_moments(100, 0.2, 10)["correlation"].round(2).to_dict()
    {'random': 0.0, 'stratified': 0.43}
    """
    check_count("n_splits", n_splits, 2)
    if n % n_splits:
        raise InputError(f"n={n} must be a multiple of n_splits={n_splits}: the scores must be exchangeable")
    lines = {"random": _random_moments(n, share, n_splits), "stratified": _dealt_moments(n, share, n_splits)}
    return _with_correlation(pd.DataFrame(lines, index=["mean", "variance", "covariance"]).T, n_splits)


def _brier(ones: Any, total: Any, n: int, size: Any) -> Any:
    """Return the Brier score of a test fold with `ones` rows of class 1 out of `total` in the data."""
    tested, predicted = ones / size, (total - ones) / (n - size)
    return tested * (1 - predicted) ** 2 + (1 - tested) * predicted**2


def _random_moments(n: int, share: float, n_splits: int) -> list[float]:
    size = n // n_splits
    fold = stats.binom.pmf(np.arange(size + 1), size, share)
    rest = stats.binom.pmf(np.arange(n - 2 * size + 1), n - 2 * size, share)
    one, other, left = np.ogrid[: size + 1, : size + 1, : n - 2 * size + 1]
    score = _brier(one, one + other + left, n, size)
    probability = fold[:, None, None] * fold[None, :, None] * rest
    mean = (probability * score).sum()
    gap = score - mean
    return [mean, (probability * gap**2).sum(), (probability * gap * gap.swapaxes(0, 1)).sum()]


def _dealt_moments(n: int, share: float, n_splits: int) -> list[float]:
    total = np.arange(n + 1)
    probability = stats.binom.pmf(total, n, share)
    quota, extra = total // n_splits, total % n_splits
    low, high = (_brier(quota + more, total, n, n // n_splits) for more in (0, 1))
    high = np.where(extra > 0, high, low)  # where nothing is left over no fold holds one more
    lows = n_splits - extra
    mean = probability @ ((lows * low + extra * high) / n_splits)
    low, high = low - mean, high - mean
    variance = probability @ ((lows * low**2 + extra * high**2) / n_splits)
    pairs = lows * (lows - 1) * low**2 + extra * (extra - 1) * high**2 + 2 * lows * extra * low * high
    return [mean, variance, probability @ (pairs / (n_splits * (n_splits - 1)))]


def _with_correlation(table: pd.DataFrame, n_splits: int) -> pd.DataFrame:
    table["correlation"] = table["covariance"] / table["variance"]
    pairs = table[["variance", "correlation"]].to_numpy()
    table["variance_of_mean"] = [variance_of_mean(float(one), float(two), n_splits) for one, two in pairs]
    return table


def score_moments(scores: Any) -> pd.Series:
    """Return the moments of fold scores of many cross-validations.

    Parameters
    ----------
    scores : array-like of shape (n_runs, n_splits)
        Scores, a cross-validation per row and a fold per column.

    Returns
    -------
    Series
        ``mean``, ``variance``, ``covariance``, ``correlation``, ``variance_of_mean``, as in :func:`brier_moments`.
    """
    values = np.asarray(scores, dtype=float)
    matrix = np.cov(values, rowvar=False)
    k = len(matrix)
    variance = matrix.trace() / k
    covariance = (matrix.sum() - matrix.trace()) / (k * (k - 1))
    return pd.Series(
        {
            "mean": values.mean(),
            "variance": variance,
            "covariance": covariance,
            "correlation": covariance / variance,
            "variance_of_mean": values.mean(axis=1).var(ddof=1),
        }
    )


def simulate_moments(
    n: int, share: float, n_splits: int, *, distance: float = 1.5, n_sets: int = 4000, random_state: Any = 0
) -> pd.DataFrame:
    """Return the moments of fold scores for two models, in random and in stratified folds of the same drawn data sets.

    Parameters
    ----------
    n, share, n_splits
        As in :func:`brier_moments`.
    distance : float, default=1.5
        Distance between the means of the two classes, in standard deviations of either class, for the model that
        learns: a linear discriminant on a line.
    n_sets : int, default=4000
        Number of data sets to draw.
    random_state : int, Generator or None, default=0
        Seed or generator of the draws.

    Returns
    -------
    DataFrame
        Indexed by ``model`` (``Brier score (simulated)``, ``linear discriminant, error rate``) and ``folds``
        (random, stratified): :func:`score_moments`.
    """
    check_count("n_splits", n_splits, 2)
    rng = np.random.default_rng(random_state)
    y = (rng.random((n_sets, n)) < share).astype(int)
    x = rng.normal(distance * y, 1.0)
    lines = {}
    for name, folds in (
        ("random", random_folds(n_sets, n, n_splits, rng)),
        ("stratified", stratified_folds(y, n_splits, rng)),
    ):
        size = _per_fold(np.ones(y.shape), folds, n_splits)
        ones = _per_fold(y, folds, n_splits)
        brier = _brier(ones, y.sum(axis=1, keepdims=True), n, size)
        wrong = _per_fold(wrong_rows(x, y, folds, n_splits), folds, n_splits) / size
        # The order of the folds is shuffled, since dealing gives the extra rows to certain folds.
        lines["Brier score (simulated)", name] = score_moments(rng.permuted(brier, axis=1))
        lines["linear discriminant, error rate", name] = score_moments(rng.permuted(wrong, axis=1))
    found = pd.DataFrame(lines).T.rename_axis(["model", "folds"])
    return found.loc[list(dict.fromkeys(found.index.get_level_values("model")))]


def _per_fold(values: np.ndarray, folds: np.ndarray, n_splits: int) -> np.ndarray:
    return np.stack([np.where(folds == fold, values, 0).sum(axis=1) for fold in range(n_splits)], axis=1)
