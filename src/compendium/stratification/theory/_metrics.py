"""How much the score of a fold varies: accuracy, where rows count alike, and balanced accuracy, where classes do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cvstrat.metrics import accuracy_variance, balanced_accuracy_variance, simulate_scores


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
