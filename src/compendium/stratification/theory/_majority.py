"""The majority rule near one half: how often a training part flips it, and what that does to the estimate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.stratification.theory._counts import random_counts
from cvstrat.metrics import check_class, dealt_counts, fold_sizes


def majority_errors(ones: Any, sizes: Any, n: int, n_ones: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the error of the majority rule in test folds, and whether it predicted the other class.

    Parameters
    ----------
    ones, sizes : array-like
        Rows of class 1, and all rows, in each test fold.
    n, n_ones : int
        Rows, and rows of class 1, in the data. The rule predicts class 1 if at least half of the training rows are.

    Returns
    -------
    errors, flipped : ndarray
        Share of wrong predictions in each fold, and whether the training part had class 0 in the majority.
    """
    ones, sizes = np.asarray(ones), np.asarray(sizes)
    flipped = 2 * (n_ones - ones) < n - sizes
    return np.where(flipped, ones, sizes - ones) / sizes, flipped


def flip_probability(n: int, n_ones: int, n_splits: int) -> float:
    """Return the probability that the training part of a random fold has fewer rows of class 1 than of class 0.

    Parameters
    ----------
    n : int
        Number of rows.
    n_ones : int
        Number of these rows that are of class 1, from 0 to `n`.
    n_splits : int
        Number of folds.

    Examples
    --------
    >>> from compendium.stratification.theory import flip_probability
    >>> round(flip_probability(200, 102, 10), 4), flip_probability(200, 120, 10)
    (0.139, 0.0)
    """
    check_class(n, n_ones, n_splits)
    sizes, folds = np.unique(fold_sizes(n, n_splits), return_counts=True)
    max_ones = (2 * n_ones - n + sizes) // 2  # with more than these in the test part, the training part flips
    return float(np.average(stats.hypergeom.sf(max_ones, n, n_ones, sizes), weights=folds))


def strict_lead(n: int, n_ones: int, n_splits: int) -> int:
    r"""Return by how many rows the majority class leads in the training part of stratified folds where it leads least.

    Let the classes differ by :math:`d \ge 1` rows. A test fold takes :math:`\lfloor \cdot \rfloor` or
    :math:`\lceil \cdot \rceil` of the :math:`k`-th part of each class, so it takes at most
    :math:`1 + \lceil (d - 1) / k \rceil \le d` rows more of the larger one. The lead is never negative, and it is
    0, a tie, only if :math:`d` is 1 or 2.

    Parameters
    ----------
    n, n_ones, n_splits
        As in :func:`flip_probability`. The classes must not be equally large.

    Examples
    --------
    >>> from compendium.stratification.theory import strict_lead
    >>> strict_lead(200, 101, 10), strict_lead(200, 102, 10)
    (0, 2)
    """
    check_class(n, n_ones, n_splits)
    if 2 * n_ones == n:
        raise ValueError(f"neither class has a majority: {n_ones} of {n} rows are of each")
    counts = np.array(sorted([n_ones, n - n_ones], reverse=True))
    left = counts - dealt_counts(counts, n_splits)
    return int((left[:, 0] - left[:, 1]).min())


def majority_estimate(n: int, n_ones: int, n_splits: int) -> pd.DataFrame:
    """Return mean and standard deviation, over cuts of one data set, of the cross-validated error of the majority rule.

    Parameters
    ----------
    n, n_ones, n_splits
        As in :func:`flip_probability`.

    Returns
    -------
    DataFrame
        Rows ``random`` and ``stratified``, columns ``mean`` and ``std``. Exact. In stratified folds the counts, hence
        the estimate, are always the same.
    """
    check_class(n, n_ones, n_splits)
    dealt = dealt_counts([n_ones, n - n_ones], n_splits)
    fixed = majority_errors(dealt[:, 0], dealt.sum(axis=1), n, n_ones)[0].mean()
    sizes, folds = np.unique(fold_sizes(n, n_splits), return_counts=True)
    errors = [majority_errors(np.arange(size + 1), size, n, n_ones)[0] for size in sizes]
    probabilities = [stats.hypergeom.pmf(np.arange(size + 1), n, n_ones, size) for size in sizes]
    means = np.array([probability @ error for probability, error in zip(probabilities, errors, strict=True)])
    away = [error - mean for error, mean in zip(errors, means, strict=True)]
    variance = 0.0
    for a, size in enumerate(sizes):
        variance += folds[a] * (probabilities[a] @ away[a] ** 2)
        for b, other in enumerate(sizes):
            pairs = folds[a] * (folds[b] - (a == b))
            variance += pairs * (away[a] @ _joint(n, n_ones, int(size), int(other)) @ away[b]) if pairs else 0.0
    mean = float(np.average(means, weights=folds))
    std = float(np.sqrt(np.maximum(variance, 0.0))) / n_splits  # rounding may leave less than 0; NaN would stay NaN
    return pd.DataFrame({"mean": [mean, fixed], "std": [std, 0.0]}, index=["random", "stratified"])


def _joint(n: int, n_ones: int, size: int, other: int) -> np.ndarray:
    """Return how probable each pair of counts of class 1 in two folds is."""
    x, y = np.ogrid[: size + 1, : other + 1]
    left = np.clip(n_ones - x, 0, n - size)  # what is cut off are counts that the first fold cannot have
    joint: np.ndarray = stats.hypergeom.pmf(x, n, n_ones, size) * stats.hypergeom.pmf(y, n - size, left, other)
    return joint


def majority_over_data(n: int, share: float, n_splits: int) -> pd.DataFrame:
    """Return mean and standard deviation of the estimate when the data set, too, is drawn anew each time.

    Parameters
    ----------
    n : int
        Number of rows.
    share : float
        Probability of class 1, from 0 to 1.
    n_splits : int
        Number of folds.

    Returns
    -------
    DataFrame
        Rows ``random`` and ``stratified``; columns ``mean``, ``std``, ``cuts_std`` (what would be left if the data set
        stayed the same) and ``data_std`` (what would be left if all its cuts were averaged).
    """
    ones = np.arange(n + 1)
    probability = stats.binom.pmf(ones, n, share)
    likely = ones[probability > 1e-9]
    weight = probability[likely] / probability[likely].sum()
    parts = [majority_estimate(n, int(count), n_splits) for count in likely]
    means = np.array([part["mean"].to_numpy() for part in parts])
    inside = weight @ np.array([part["std"].to_numpy() for part in parts]) ** 2
    mean = weight @ means
    between = weight @ (means - mean) ** 2
    columns = {"mean": mean, "std": np.sqrt(inside + between), "cuts_std": np.sqrt(inside), "data_std": between**0.5}
    return pd.DataFrame(columns, index=["random", "stratified"])


def majority_truth(n: int, share: float) -> float:
    """Return the error of the majority rule on new rows, the mean over the data sets that it is fitted to.

    Parameters
    ----------
    n : int
        Number of rows of a data set. The rule predicts class 1 if at least half of them are.
    share : float
        Probability of class 1, from 0 to 1.

    Examples
    --------
    >>> from compendium.stratification.theory import majority_truth
    >>> round(majority_truth(200, 0.51), 4), round(majority_truth(200, 0.7), 4)
    (0.4972, 0.3)
    """
    predicts_one = stats.binom.sf((n - 1) // 2, n, share)
    return float(predicts_one * (1 - share) + (1 - predicts_one) * share)


def majority_table(n: int, shares: Any, n_splits: int, *, n_cuts: int = 2000, random_state: Any = 0) -> pd.DataFrame:
    """Return how often the rule flips, and mean and standard deviation of the estimate over cuts of the data.

    Parameters
    ----------
    n, n_splits
        As in :func:`flip_probability`.
    shares : sequence of float
        Shares of class 1; the number of rows of class 1 is the nearest integer.
    n_cuts, random_state
        Number of random cuts to simulate, and the seed or generator of them.

    Returns
    -------
    DataFrame
        Columns ``panel``, ``curve``, ``x`` (share), ``kind`` (formula or simulation), ``value``.
    """
    rng = np.random.default_rng(random_state)
    rows: list[dict[str, Any]] = []
    for n_ones in dict.fromkeys(round(share * n) for share in shares):
        exact = majority_estimate(n, n_ones, n_splits)
        drawn = random_counts([n_ones, n - n_ones], n_splits, n_cuts, rng)
        errors, flipped = majority_errors(drawn[..., 0], drawn.sum(axis=2), n, n_ones)
        estimates = errors.mean(axis=1)
        flip, mean, std = "probability of a flip", "mean estimate", "standard deviation over cuts"
        found = [
            (flip, "random", "formula", flip_probability(n, n_ones, n_splits)),
            (flip, "random", "simulation", flipped.mean()),
            (mean, "random", "formula", exact.loc["random", "mean"]),
            (mean, "random", "simulation", estimates.mean()),
            (mean, "stratified", "formula", exact.loc["stratified", "mean"]),
            (std, "random", "formula", exact.loc["random", "std"]),
            (std, "random", "simulation", estimates.std()),
            (std, "stratified", "formula", exact.loc["stratified", "std"]),
        ]
        names = ("panel", "curve", "kind", "value")
        rows += [{"x": n_ones / n, **dict(zip(names, line, strict=True))} for line in found]
    return pd.DataFrame(rows)
