"""How much the score of a fold varies: accuracy, where rows count alike, and balanced accuracy, where classes do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cvstrat.metrics import accuracy_variance, count_distribution, quotas, simulate_scores


def recall_variance(n: int, n_class: int, n_splits: int, recall: float) -> pd.Series:
    r"""Return the variance of a class's recall in a fold that holds the class: :math:`s(1-s) \, E[1/X \mid X > 0]`.

    Parameters
    ----------
    n, n_class, n_splits : int
        Rows, rows of the class, folds.
    recall : float
        Probability that a row of the class is predicted right.

    Returns
    -------
    Series
        ``random`` and ``stratified``.

    Examples
    --------
    >>> from compendium.stratification.theory import recall_variance
    >>> recall_variance(1000, 50, 10, 0.8).round(4).to_dict()
    {'random': 0.04, 'stratified': 0.032}
    """
    probabilities = count_distribution(n, n_class, n_splits).drop(0)
    dealt = quotas(n_class, n_splits)
    dealt = dealt[dealt > 0]
    some = probabilities.sum()
    inverse = (probabilities / probabilities.index).sum() / some if some else np.nan
    return recall * (1 - recall) * pd.Series({"random": inverse, "stratified": (1 / dealt).mean() if some else np.nan})


def balanced_accuracy_variance(counts: Any, recalls: Any, n_splits: int) -> pd.Series:
    """Return the variance of the balanced accuracy of a fold that holds every class.

    Parameters
    ----------
    counts, recalls, n_splits
        As in :func:`cvstrat.metrics.accuracy_variance`.

    Returns
    -------
    Series
        ``random`` and ``stratified``: the sum over classes of :func:`recall_variance`, over the square of their number.
        Recalls have the same mean in every fold, so that no other term is added. For random folds this takes each class
        to be present by itself rather than all at once, which makes no difference where empty classes are rare.
    """
    n = int(np.sum(counts))
    parts = [recall_variance(n, int(count), n_splits, recall) for count, recall in zip(counts, recalls, strict=True)]
    total: pd.Series = pd.concat(parts, axis=1).sum(axis=1, skipna=False) / len(parts) ** 2
    return total


def metric_table(
    n_rows: Any, share: float, recalls: Any, n_splits: int, *, n_folds: int = 10000, random_state: Any = 0
) -> pd.DataFrame:
    """Return the variance of fold scores in stratified folds over that in random ones, for growing data sets.

    Parameters
    ----------
    n_rows : sequence of int
        Sizes of the data set.
    share : float
        Share of the rarer of two classes, from 0 to 0.5.
    recalls : (float, float)
        Recalls of the common and of the rare class, from 0 to 1.
    n_splits : int
        Number of folds.
    n_folds : int, default=10000
        Number of folds to simulate, of either kind and for each size.
    random_state : int, Generator or None, default=0
        Seed or generator of the draws.

    Returns
    -------
    DataFrame
        Columns ``curve`` (metric), ``x`` (rows of the rare class in a fold, on average), ``kind``, ``value``. Simulated
        folds in which the rare class is missing are left out of balanced accuracy, as in the formula.
    """
    rng = np.random.default_rng(random_state)
    rows: list[dict[str, Any]] = []
    for n in n_rows:
        counts = [n - round(share * n), round(share * n)]
        drawn = {
            kind: simulate_scores(
                counts, recalls, n_splits, stratified=kind == "stratified", n_folds=n_folds, random_state=rng
            ).query("missing == 0")
            for kind in ("random", "stratified")
        }
        exact = {
            "accuracy": accuracy_variance(counts, recalls, n_splits),
            "balanced_accuracy": balanced_accuracy_variance(counts, recalls, n_splits),
        }
        for metric, variance in exact.items():
            line = {"curve": metric.replace("_", " "), "x": counts[1] / n_splits}
            simulated = drawn["stratified"][metric].var() / drawn["random"][metric].var()
            rows.append(line | {"kind": "formula", "value": variance["stratified"] / variance["random"]})
            rows.append(line | {"kind": "simulation", "value": simulated})
    return pd.DataFrame(rows).assign(panel="")
