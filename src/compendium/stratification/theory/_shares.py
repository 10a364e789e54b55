"""How much the share of a class varies from fold to fold, in random and in stratified folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.stratification.theory._counts import random_counts
from cvstrat.metrics import check_class, dealt_counts, fold_sizes


def share_variance(n: int, n_class: int, n_splits: int) -> pd.Series:
    r"""Return the variance of the share of a class in a fold.

    With :math:`p = n_c/n`, folds of :math:`m = n/k` rows and :math:`r = n_c \bmod k`: drawn with replacement
    (``binomial``), without (``random``, which is what random folds are), and dealt out (``stratified``):

    .. math:: \frac{p(1-p)}{m}, \qquad \frac{p(1-p)}{m} \, \frac{n-m}{n-1}, \qquad \frac{r(k-r)}{n^2} .

    Parameters
    ----------
    n : int
        Number of rows.
    n_class : int
        Number of these rows that belong to the class, from 0 to `n`.
    n_splits : int
        Number of folds. If it does not divide `n`, the variances are those of a fold chosen at random.

    Returns
    -------
    Series
        ``binomial``, ``random``, ``stratified``.

    Examples
    --------
    >>> from compendium.stratification.theory import share_variance
    >>> share_variance(1200, 324, 8).round(6).to_dict()
    {'binomial': 0.001314, 'random': 0.001151, 'stratified': 1.1e-05}
    """
    check_class(n, n_class, n_splits)
    sizes = fold_sizes(n, n_splits)
    share = n_class / n
    binomial = share * (1 - share) / sizes
    dealt = dealt_counts([n_class, n - n_class], n_splits)
    return pd.Series(
        {
            "binomial": binomial.mean(),
            "random": (binomial * (n - sizes) / (n - 1)).mean(),
            "stratified": ((dealt[:, 0] / dealt.sum(axis=1) - share) ** 2).mean(),
        }
    )


def share_table(n: int, n_class: int, n_splits: Any, *, n_cuts: int = 500, random_state: Any = 0) -> pd.DataFrame:
    """Return the standard deviation over folds of a class's share, by formula and by simulation.

    Parameters
    ----------
    n, n_class
        As in :func:`share_variance`.
    n_splits : sequence of int
        Numbers of folds.
    n_cuts : int, default=500
        Number of random cuts to simulate, for each number of folds.
    random_state : int, Generator or None, default=0
        Seed or generator of these cuts.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``x`` (folds), ``kind``, ``value``.
    """
    rng = np.random.default_rng(random_state)
    rows: list[dict[str, Any]] = []
    for folds in n_splits:
        formula = np.sqrt(share_variance(n, n_class, folds))
        rows += [{"curve": name, "x": folds, "kind": "formula", "value": value} for name, value in formula.items()]
        drawn = random_counts([n_class, n - n_class], folds, n_cuts, rng)
        shares = drawn[..., 0] / drawn.sum(axis=2)
        std = np.sqrt(((shares - n_class / n) ** 2).mean())
        rows.append({"curve": "random", "x": folds, "kind": "simulation", "value": std})
    return pd.DataFrame(rows).assign(panel="")
