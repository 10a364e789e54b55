"""Frames of the audit: what folds look like when positions in a shuffled copy are taken for row indices."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium import datasets
from compendium.spezia2025.study._displaced import displaced_folds
from cvstrat.metrics import fold_numbers
from cvstrat.splitters import make_splitter


def class_counts(y: np.ndarray, folds: np.ndarray) -> pd.DataFrame:
    """Return how many rows of each class each fold holds, a row per fold."""
    counts = pd.crosstab(pd.Series(folds, name="fold"), pd.Series(y))
    return counts.rename(columns="class {}".format).rename_axis(columns=None).reset_index()


def class_shares(name: str, *, technique: str, n_splits: int, n_seeds: int) -> pd.DataFrame:
    """Return how far the shares of classes in folds are from those in the data set, for four kinds of folds.

    Parameters
    ----------
    name : str
        A data set of the catalogue, or a CSV file.
    technique : str
        A stratified technique, such as ``SCBCV``.
    n_splits : int
        Number of folds.
    n_seeds : int
        Number of times the data set is cut, each time with another seed.

    Returns
    -------
    DataFrame
        A row per kind of folds (``folds``), ``seed``, ``fold`` and ``class``, with ``difference``: the share of the
        class in the fold minus its share in the data set.
    """
    data = datasets.load(name)
    n_classes = int(data.y.max()) + 1
    found: dict[str, list[np.ndarray]] = {}
    for seed in range(n_seeds):
        # scikit-learn's sets come sorted by class, the study's subsamples in random order: here too.
        order = np.random.default_rng(seed).permutation(len(data.y))
        X, y = data.X[order], data.y[order]
        right = fold_numbers(make_splitter(technique, n_splits=n_splits, n_clusters=4, random_state=seed), X, y)
        kinds = {
            technique: right,
            f"{technique} as published": displaced_folds(right, y, sorts_by_class=True, random_state=seed),
            "random (KFold)": fold_numbers(make_splitter("KFold", n_splits=n_splits, random_state=seed), X, y),
            "stratified (SCV)": fold_numbers(make_splitter("SCV", n_splits=n_splits, random_state=seed), X, y),
        }
        for kind, folds in kinds.items():
            counts = np.bincount(folds * n_classes + y, minlength=n_splits * n_classes).reshape(n_splits, n_classes)
            found.setdefault(kind, []).append(counts / counts.sum(axis=1, keepdims=True) - np.bincount(y) / len(y))
    axes = {"folds": list(found), "seed": range(n_seeds), "fold": range(n_splits), "class": range(n_classes)}
    index = pd.MultiIndex.from_product(list(axes.values()), names=list(axes))
    return pd.DataFrame({"difference": np.array(list(found.values())).ravel()}, index=index).reset_index()


def class_share_std(shares: pd.DataFrame, y: np.ndarray, n_splits: int) -> pd.DataFrame:
    """Return the standard deviation of the share of each class around its share in the data set, over folds and seeds.

    Parameters
    ----------
    shares : DataFrame
        From :func:`compendium.spezia2025.study.class_shares`.
    y : ndarray
        Classes of the data set, numbered from 0.
    n_splits : int
        Number of folds.

    Returns
    -------
    DataFrame
        A row per kind of folds and a column per class. The last row is the standard deviation for rows drawn without
        replacement (the hypergeometric distribution).
    """
    found = shares.groupby(["folds", "class"], sort=False)["difference"].apply(lambda part: np.sqrt((part**2).mean()))
    table = found.unstack()
    n, m = len(y), len(y) / n_splits
    share = np.bincount(y) / n
    table.loc["drawn without replacement"] = np.sqrt(share * (1 - share) / m * (n - m) / (n - 1))
    return table
