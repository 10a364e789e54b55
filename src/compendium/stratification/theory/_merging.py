"""Too many folds for a rare class: are folds that are merged the same as fewer folds?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.stratification.theory._gaussian import draw_line, stratified_folds, wrong_rows
from cvstrat.checks import check_count

MERGING_LABELS = {
    "fits": "fits",
    "min_training_rows": "smallest training part",
    "max_training_rows": "largest training part",
    "mean": "mean",
    "std": "standard deviation",
    "same_training_parts": "same training parts",
    "same_estimate": "same estimate",
    "mean_abs_gap": "mean absolute difference",
}


def merged(folds: Any, n_blocks: int) -> np.ndarray:
    """Return blocks of folds: fold 0 with fold `n_blocks` and so on, in step with dealing.

    Parameters
    ----------
    folds : array-like of int
        Fold of each row, from 0 on.
    n_blocks : int
        Number of blocks, at least 2.

    Examples
    --------
    >>> from compendium.stratification.theory import merged
    >>> merged([0, 1, 2, 3, 4, 5], 3).tolist()
    [0, 1, 2, 0, 1, 2]
    """
    check_count("n_blocks", n_blocks, 2)
    blocks: np.ndarray = np.asarray(folds) % n_blocks
    return blocks


def merging_table(
    n: int, n_rare: int, n_splits: int, *, distance: float = 2.0, n_sets: int = 2000, random_state: Any = 0
) -> pd.DataFrame:
    """Compare three answers to a class with fewer rows than folds, on the same orders of the same drawn data sets.

    ``fewer folds`` deals each order to `n_rare` folds. ``merged`` deals it to `n_splits` folds, joins these to `n_rare`
    blocks and fits once per block. ``merged for scoring`` fits once per fold and joins only the predictions. Each block
    is scored by the balanced error rate of a linear discriminant, and blocks are averaged.

    Parameters
    ----------
    n, n_rare, n_splits : int
        Rows, rows of the rare class, folds.
    distance : float, default=2.0
        Distance between the means of the two classes, in standard deviations of either class.
    n_sets : int, default=2000
        Number of data sets to draw.
    random_state : int, Generator or None, default=0
        Seed or generator of the draws.

    Returns
    -------
    DataFrame
        Indexed by strategy: ``fits``, ``min_training_rows`` and ``max_training_rows``, ``mean`` and ``std`` of the
        estimate over data sets, ``same_training_parts`` (share of those of fewer folds that occur here too),
        ``same_estimate`` (share of data sets) and ``mean_abs_gap`` (mean absolute difference to the estimate of fewer
        folds). `MERGING_LABELS` names them in words.
    """
    check_count("n_rare", n_rare, 2)
    rng = np.random.default_rng(random_state)
    x, labels = draw_line([n - n_rare, n_rare], distance, rng, n_sets)
    y = np.broadcast_to(labels, x.shape)
    order = stratified_folds(y, n, rng)  # the place of each row in the order that is dealt
    many, few = order % n_splits, order % n_rare
    blocks = merged(many, n_rare)
    wrong_blocks = wrong_rows(x, y, blocks, n_rare)
    ways = {
        "fewer folds": (few, few, wrong_rows(x, y, few, n_rare)),
        "merged": (blocks, blocks, wrong_blocks),
        "merged for scoring": (many, blocks, wrong_rows(x, y, many, n_splits)),
    }
    reference = _estimates(ways["fewer folds"][2], y, few, n_rare)
    lines = {}
    for name, (fitted, scored, wrong) in ways.items():
        estimates = _estimates(wrong, y, scored, n_rare)
        parts = n - np.bincount(fitted[0])
        gap = np.abs(estimates - reference)
        lines[name] = {
            "fits": len(parts),
            "min_training_rows": parts.min(),
            "max_training_rows": parts.max(),
            "mean": estimates.mean(),
            "std": estimates.std(ddof=1),
            "same_training_parts": _shared(few[0], fitted[0]),
            "same_estimate": (gap < 1e-12).mean(),
            "mean_abs_gap": gap.mean(),
        }
    return pd.DataFrame(lines).T.astype({"fits": int, "min_training_rows": int, "max_training_rows": int})


def _estimates(wrong: np.ndarray, y: np.ndarray, blocks: np.ndarray, n_blocks: int) -> np.ndarray:
    rates = []
    for block in range(n_blocks):
        there = [(blocks == block) & (y == label) for label in (0, 1)]
        rows = np.stack([part.sum(axis=1) for part in there])
        errors = np.stack([(wrong & part).sum(axis=1) for part in there]) / np.maximum(rows, 1)
        rates.append(errors.sum(axis=0) / (rows > 0).sum(axis=0))
    means: np.ndarray = np.mean(rates, axis=0)
    return means


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    parts = {frozenset(np.flatnonzero(other == fold)) for fold in np.unique(other)}
    return float(np.mean([frozenset(np.flatnonzero(one == fold)) in parts for fold in np.unique(one)]))
