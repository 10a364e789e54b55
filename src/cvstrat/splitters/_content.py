"""An order of rows that depends on what they contain, not on where they stand.

Every method works on rows brought into this order first. Permuting the rows of a data set therefore cannot change what
its folds look like, and a random seed shuffles contents, not positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

_BLOCK = 4096


def row_keys(X: Any, rng: np.random.RandomState) -> np.ndarray:
    """Return a 64-bit key per row, a random function (drawn from `rng`) of the row's values.

    Equal rows have equal keys; two different rows have the same one with a probability of about 1 in 2^64. A zero
    adds nothing to a key, so a sparse matrix has the keys of its dense twin.
    """
    factors = rng.randint(0, 2**32, size=(2, X.shape[1]), dtype=np.uint64)
    factors = (factors[0] << np.uint64(32)) | factors[1] | np.uint64(1)
    start_value = np.uint64(rng.randint(0, 2**32, dtype=np.uint64)) << np.uint64(32)
    if sparse.issparse(X):
        terms = np.cumsum(_bits(X.data) * factors[X.indices], dtype=np.uint64)
        sums = np.concatenate([np.zeros(1, dtype=np.uint64), terms])
        return finalize_hash(sums[X.indptr[1:]] - sums[X.indptr[:-1]] + start_value)
    total = np.empty(X.shape[0], dtype=np.uint64)
    for start in range(0, len(total), _BLOCK):
        np.einsum("ij,j->i", _bits(X[start : start + _BLOCK]), factors, out=total[start : start + _BLOCK])
    return finalize_hash(total + start_value)


def _bits(values: np.ndarray) -> np.ndarray:
    """Return 64 bits for each float, spread so that sums of round numbers keep them apart; zero, of any sign, has 0."""
    bits = (values + 0.0).astype(np.float64, order="C", copy=False).view(np.uint64)
    bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= bits >> np.uint64(29)
    return bits


def finalize_hash(keys: np.ndarray) -> np.ndarray:
    """Spread the entropy of a sum over all 64 bits (the finalizer of SplitMix64)."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(keys ^ (keys >> np.uint64(31)))


def rounded(distance: np.ndarray) -> np.ndarray:
    """Return distances to ten digits (34 bits), so that those which differ by rounding only are equal."""
    spare = np.uint64(18)
    bits = np.asarray(distance, dtype=np.float64).view(np.uint64) + (np.uint64(1) << (spare - np.uint64(1)))
    return np.asarray(((bits >> spare) << spare).view(np.float64))


def first_of_equals(rows: Any) -> np.ndarray:
    """Return the number of the first row of each run of equal rows, among rows that come by content."""
    if sparse.issparse(rows):
        keys = row_keys(rows, np.random.RandomState(0))
        differs = keys[1:] != keys[:-1]
    else:
        differs = rows[1:, 0] != rows[:-1, 0]
        alike = np.flatnonzero(~differs)
        differs[alike] = np.any(rows[alike + 1] != rows[alike], axis=1)
    return np.asarray(np.flatnonzero(np.concatenate([[True], differs])))


def stable_order(values: np.ndarray) -> np.ndarray:
    """Return the order that sorts `values`, equal ones as they come; faster than a stable sort where few are equal."""
    order = np.argsort(values)
    ordered = values[order]
    same = ordered[1:] == ordered[:-1]
    n_same = np.count_nonzero(same)
    if n_same > len(values) // 8:
        return np.argsort(values, kind="stable")
    if n_same:
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        order[tied] = order[tied][np.lexsort((order[tied], ordered[tied]))]
    return order


def pick(rows: Any, indices: np.ndarray) -> Any:
    """Return the rows at these indices; for dense rows several times faster than by indexing."""
    return rows[indices] if sparse.issparse(rows) else np.take(rows, indices, axis=0)
