"""How uneven class shares remain when classes are dealt out to folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.stratification.theory._counts import random_counts
from cvstrat.metrics import dealt_counts


def max_share_gaps(table: Any) -> np.ndarray:
    """Return the largest difference, over folds and classes, between a class's share in a fold and in all rows.

    Parameters
    ----------
    table : array-like of shape (..., n_splits, n_classes)
        Counts; leading axes are separate cuts. A fold without rows has no share and is passed over.
    """
    counts = np.asarray(table)
    sizes = counts.sum(axis=-1, keepdims=True)
    whole = counts.sum(axis=-2, keepdims=True)
    gaps = np.abs(counts / np.maximum(sizes, 1) - whole / whole.sum(axis=-1, keepdims=True))
    largest: np.ndarray = np.where(sizes > 0, gaps, 0.0).max(axis=(-2, -1))
    return largest


def share_gap_table(counts: Any, n_splits: Any, *, n_cuts: int = 500, random_state: Any = 0) -> pd.DataFrame:
    """Return the largest gap between a class's share in a fold and in all rows, for several numbers of folds.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class.
    n_splits : sequence of int
        Numbers of folds.
    n_cuts : int, default=500
        Number of random cuts whose mean is given for comparison.
    random_state : int, Generator or None, default=0
        Seed or generator of these cuts.

    Returns
    -------
    DataFrame
        Columns ``curve`` (continuing, restarting, random), ``x`` (folds), ``kind``, ``value``.
    """
    rng = np.random.default_rng(random_state)
    rows: list[dict[str, Any]] = []
    for folds in n_splits:
        random = max_share_gaps(random_counts(counts, folds, n_cuts, rng)).mean()
        for restart, curve in ((False, "continuing"), (True, "restarting")):
            value = float(max_share_gaps(dealt_counts(counts, folds, restart=restart)))
            rows.append({"curve": curve, "x": folds, "kind": "formula", "value": value})
        rows.append({"curve": "random (mean)", "x": folds, "kind": "simulation", "value": random})
    return pd.DataFrame(rows).assign(panel="")
