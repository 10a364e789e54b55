"""Classes of a target: numbered without regard to their names; quantile bins where the target is continuous."""

from __future__ import annotations

import numpy as np

from cvstrat.splitters._content import finalize_hash


def quantile_bins(target: np.ndarray, n_splits: int, max_bins: int = 10) -> np.ndarray:
    """Cut a continuous target into classes of about equal size, with at least `n_splits` rows each where values differ.

    There are at most `max_bins` bins; equal values share a bin.
    """
    n_bins = int(np.clip(len(target) // n_splits, 1, max_bins))
    edges = np.quantile(target, np.arange(1, n_bins) / n_bins)
    return np.asarray(np.unique(np.searchsorted(edges, target, side="right"), return_inverse=True)[1])


def rank_classes(codes: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Renumber classes by what their rows contain, so that names do not matter; by number where they hold the same."""
    members = np.zeros(codes.max() + 1, dtype=np.uint64)
    np.add.at(members, codes, keys)
    rank = np.empty(members.size, dtype=np.intp)
    rank[np.argsort(finalize_hash(members), kind="stable")] = np.arange(members.size)
    return np.asarray(rank[codes])


def by_class(order: np.ndarray, codes: np.ndarray) -> list[np.ndarray]:
    """Return the rows of each class, in the order of the classes' numbers and, inside, in the order given."""
    counts = np.bincount(codes)
    small = codes[order].astype(np.uint16 if counts.size <= 2**16 else np.int64)  # 16 bits are sorted in linear time
    return np.split(order[np.argsort(small, kind="stable")], np.cumsum(counts)[:-1])
