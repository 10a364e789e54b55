"""Intervals around a cross-validated score: how often they hold the truth, and how wide they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import norm, t

from compendium.balance.study import POOLED
from compendium.balance.tables import CELL, moments, numbered, score

PARTITION = [*CELL, "technique", "n_splits"]
LEVEL = 0.95


def intervals(folds: pd.DataFrame) -> pd.DataFrame:
    """Return three intervals around the accuracy of every partition.

    ``naive``: Student's, as if the scores of folds were independent. ``corrected``: the same with the variance times
    1 + k/(k - 1) (:cite:t:`nadeau2003`). ``within``: normal, from the variance of single rows inside folds
    (:cite:t:`bayle2020`).

    Returns
    -------
    DataFrame
        Columns of the partition, ``interval``, ``estimate`` and ``half``, half of its width.
    """
    single = (folds["fold"] != POOLED) & (folds["repeat"] == 0) & ~folds["technique"].isin(["bootstrap", "apparent"])
    counts = folds[single]
    accuracy, tested = score(counts).to_numpy(), counts["tested"].to_numpy(float)
    spread = accuracy * (1 - accuracy) * tested / (tested - 1).clip(min=1)
    partition, table = numbered(counts, PARTITION)
    found = moments(partition, accuracy, len(table))
    k, n = found["n_scores"], np.bincount(partition, tested)
    student = t.ppf((1 + LEVEL) / 2, np.arange(k.max()))[k - 1] * found["std"]
    halves = {
        "naive": student / np.sqrt(k),
        "corrected": student * np.sqrt(1 / k + 1 / (k - 1)),
        "within": norm.ppf((1 + LEVEL) / 2) * np.sqrt(np.bincount(partition, spread) / k / n),
    }
    kept = table.assign(estimate=found["estimate"])
    return pd.concat([kept.assign(interval=name, half=half) for name, half in halves.items()], ignore_index=True)


def coverage(found: pd.DataFrame, truths: pd.DataFrame) -> pd.DataFrame:
    """Return how often intervals hold the accuracy of the model fitted to all rows, and their width, in points.

    Parameters
    ----------
    found : DataFrame
        From :func:`intervals`.
    truths : DataFrame
        The table of that name; data sets that are not in it play no part.

    Returns
    -------
    DataFrame
        A line per number of rows, learner, technique, number of folds and interval: ``coverage`` in per cent with
        ``coverage_se``, mean ``width``, and ``n`` data sets. Each problem and share of the rarer class counts alike.
    """
    known = truths.assign(truth=score(truths))[[*CELL, "truth"]]
    both = found.merge(known, on=CELL)
    held = (both["estimate"] - both["truth"]).abs() <= both["half"] + 1e-12
    keys = ["n_rows", "learner", "technique", "n_splits", "interval"]
    grouped = both.assign(held=100.0 * held, width=200 * both["half"]).groupby(
        [*keys, "problem", "minority"], observed=True, sort=False
    )
    cells = grouped.agg(coverage=("held", "mean"), se=("held", "sem"), width=("width", "mean"), n=("held", "size"))
    means = cells.assign(variance=cells["se"] ** 2).groupby(keys, observed=True, sort=False)
    table = means.agg({"coverage": "mean", "variance": "sum", "width": "mean", "n": "sum"})
    table["coverage_se"] = np.sqrt(table.pop("variance")) / means.size()
    return table.reset_index()
