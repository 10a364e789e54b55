"""How much the score of a fold varies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cvstrat.metrics._counts import dealt_counts, fold_sizes


def accuracy_variance(counts: Any, recalls: Any, n_splits: int) -> pd.Series:
    r"""Return the variance of the accuracy of a fold, ``random`` and ``stratified``, for given recalls of the classes.

    With shares :math:`p_c` and recalls :math:`s_c`, in a random fold of :math:`m` of :math:`n` rows,

    .. math:: \frac{1}{m} \sum_c p_c s_c (1 - s_c)
              + \frac{1}{m} \, \frac{n-m}{n-1} \Big[ \sum_c p_c s_c^2 - \Big( \sum_c p_c s_c \Big)^2 \Big] .

    Stratification takes away the second term, but for the remainders of the quotas. If all recalls are equal there is
    none.

    Parameters
    ----------
    counts, recalls : sequence of int, sequence of float
        Rows of each class, and the probability that a row of it is predicted right; rows are independent of each other.
    n_splits : int
        Number of folds.

    Examples
    --------
    >>> from cvstrat.metrics import accuracy_variance
    >>> accuracy_variance([900, 100], [0.95, 0.6], 10).round(6).to_dict()
    {'random': 0.000767, 'stratified': 0.000668}
    """
    rows, right = np.asarray(counts, dtype=float), np.asarray(recalls, dtype=float)
    n, shares = rows.sum(), rows / rows.sum()
    sizes = fold_sizes(int(n), n_splits)
    noise = shares @ (right * (1 - right))
    mixture = shares @ right**2 - (shares @ right) ** 2
    dealt = dealt_counts(counts, n_splits)
    m = dealt.sum(axis=1)
    stratified = (dealt @ (right * (1 - right)) / m**2).mean() + (dealt @ right / m).var()
    return pd.Series({"random": ((noise + mixture * (n - sizes) / (n - 1)) / sizes).mean(), "stratified": stratified})


def simulate_scores(
    counts: Any, recalls: Any, n_splits: int, *, stratified: bool, n_folds: int = 2000, random_state: Any = 0
) -> pd.DataFrame:
    """Draw folds and score a model on them that gets a share of each class right.

    Parameters
    ----------
    counts, recalls, n_splits
        As in :func:`cvstrat.metrics.accuracy_variance`. Wrong rows are given to the other classes in proportion to
        their sizes.
    stratified : bool
        Whether the classes are dealt out, or folds random.
    n_folds : int, default=2000
        Number of folds to draw.
    random_state : int, Generator or None, default=0
        Seed or generator of the draws; None draws anew each time.

    Returns
    -------
    DataFrame
        A row per fold: ``accuracy``, ``balanced_accuracy`` (over the classes that are there), ``macro_f1`` (over the
        classes that are there or predicted) and ``missing`` (number of classes that are not there).
    """
    rng = np.random.default_rng(random_state)
    rows, right = np.asarray(counts, dtype=np.int64), np.asarray(recalls, dtype=float)
    if stratified:
        folds = dealt_counts(rows, n_splits)[rng.integers(n_splits, size=n_folds)]
    else:
        sizes = rng.choice(fold_sizes(int(rows.sum()), n_splits), n_folds)
        parts = [
            rng.multivariate_hypergeometric(rows, size, size=times, method="marginals")
            for size, times in zip(*np.unique(sizes, return_counts=True), strict=True)
        ]
        folds = np.concatenate(parts)
    hits = rng.binomial(folds, right)
    predicted = hits.copy()
    for label in range(len(rows)):
        others = np.where(np.arange(len(rows)) == label, 0, rows).astype(float)
        predicted += rng.multinomial(folds[:, label] - hits[:, label], others / others.sum())
    there, seen = folds > 0, folds + predicted > 0
    recall = np.where(there, hits / np.maximum(folds, 1), 0.0)
    f1 = np.where(seen, 2 * hits / np.maximum(folds + predicted, 1), 0.0)
    return pd.DataFrame(
        {
            "accuracy": hits.sum(axis=1) / folds.sum(axis=1),
            "balanced_accuracy": recall.sum(axis=1) / there.sum(axis=1),
            "macro_f1": f1.sum(axis=1) / seen.sum(axis=1),
            "missing": (~there).sum(axis=1),
        }
    )
