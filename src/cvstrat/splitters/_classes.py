"""Classes of a target: numbered without regard to their names; quantile bins where the target is continuous."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from cvstrat.errors import InputError
from cvstrat.splitters._content import finalize_hash


def classes_of(y: Any, n_splits: int, splitter: object) -> np.ndarray:
    """Return a class number per row; warn of rare classes and refuse too many folds as scikit-learn does."""
    if y is None:
        raise InputError(f"{type(splitter).__name__} cuts class by class and needs y; ClusterKFold does without")
    target = column_or_1d(y)
    if pd.isna(target).any():
        raise InputError(f"y has missing values, {int(pd.isna(target).sum())} of {len(target)}: leave these rows out")
    kind = "multiclass" if target.dtype.kind in "biu" else type_of_target(target)  # which looks at every value
    if kind == "continuous":
        return quantile_bins(target, n_splits)
    if kind not in ("binary", "multiclass"):
        raise InputError(f"y must hold one class or number per row; it is of the kind {kind!r}")
    codes: np.ndarray = pd.factorize(target)[0]
    counts = np.bincount(codes)
    if counts.max() < n_splits:
        raise InputError(
            f"n_splits={n_splits} is more than the members of any class; the largest has {counts.max()}. "
            "If y is a continuous target rather than classes, cut it into bins first"
        )
    if counts.min() < n_splits:
        warnings.warn(
            f"The least populated class in y has only {counts.min()} members, which is less than n_splits={n_splits}.",
            UserWarning,
            stacklevel=2,
        )
    return codes


def quantile_bins(target: np.ndarray, n_splits: int, max_bins: int = 10) -> np.ndarray:
    """Cut a continuous target into classes of about equal size, each with at least `n_splits` rows if there are enough.

    There are at most `max_bins` bins; equal values share a bin.
    """
    n_bins = int(np.clip(len(target) // n_splits, 1, max_bins))
    edges = np.quantile(target, np.arange(1, n_bins) / n_bins)
    codes: np.ndarray = np.unique(np.searchsorted(edges, target, side="right"), return_inverse=True)[1]
    return codes


def rank_classes(codes: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Renumber classes by what their rows contain, so that the names of classes do not matter."""
    members = np.zeros(codes.max() + 1, dtype=np.uint64)
    np.add.at(members, codes, keys)
    rank = np.empty(members.size, dtype=np.intp)
    rank[np.argsort(finalize_hash(members), kind="stable")] = np.arange(members.size)
    ranks: np.ndarray = rank[codes]
    return ranks


def by_class(order: np.ndarray, codes: np.ndarray) -> list[np.ndarray]:
    """Return the rows of each class, in the order of the classes' numbers and, inside, in the order given."""
    counts = np.bincount(codes)
    small = codes[order].astype(np.uint16 if counts.size <= 2**16 else np.int64)  # 16 bits are sorted in linear time
    return np.split(order[np.argsort(small, kind="stable")], np.cumsum(counts)[:-1])
