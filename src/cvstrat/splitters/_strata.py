"""Strata: the classes of a target, its labels, or the values of columns, crossed; bins where values are continuous."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from cvstrat._compat import num_samples
from cvstrat.checks import did_you_mean
from cvstrat.errors import InputError
from cvstrat.splitters._cards import Cards
from cvstrat.splitters._classes import quantile_bins
from cvstrat.targets import as_target

_MAX_BINS = 10
_MANY = 20  # whole numbers beyond which one thinks of a quantity rather than of classes


def cards_of(X: Any, y: Any, splitter: Any) -> Cards:
    """Return a card per row in the strata that `splitter` asks for; warn of rare ones, refuse where all are rare."""
    if splitter.strata is not None:
        levels = _cross(_columns(splitter.strata, X, splitter), splitter.n_splits)
        _check_sizes(levels[0], "strata", splitter.n_splits)
        first_row = np.unique(levels[-1], return_index=True)[1]
        return Cards(levels[-1], tuple(level[first_row] for level in levels[:-1]))
    if y is None:
        raise InputError(
            f"{type(splitter).__name__} cuts class by class and needs y or strata; ClusterKFold does without"
        )
    target, kind = as_target(y)
    if target.ndim > 1:
        return _label_cards(target, kind, splitter.n_splits)
    codes = _codes(target, kind, "y", splitter)
    _check_sizes(codes, "y", splitter.n_splits)
    return Cards(codes)


def _label_cards(labels: np.ndarray, kind: str, n_splits: int) -> Cards:
    if kind != "multilabel-indicator":
        raise InputError(
            f"y has {labels.shape[1]} columns that are not labels of 0 and 1 (it is of the kind {kind!r}): choose one "
            "of them, or give strata=y to spread the combinations of their values"
        )
    table = labels != 0
    cards = Cards.of_labels(table)
    _warn_of_rare(int(table.sum(axis=0).min()), "label in y", n_splits)
    return cards


def _check_sizes(codes: np.ndarray, what: str, n_splits: int) -> None:
    counts = np.bincount(codes)
    if counts.max() < n_splits:
        raise InputError(
            f"n_splits={n_splits} is more than the members of any class; the largest has {counts.max()}. "
            f"If {what} holds quantities rather than classes, give n_bins to cut them into bins"
        )
    _warn_of_rare(int(counts.min()), f"class in {what}", n_splits)


def _warn_of_rare(n_rows: int, what: str, n_splits: int) -> None:
    if n_rows < n_splits:
        warnings.warn(
            f"The least populated {what} has only {n_rows} members, which is less than n_splits={n_splits}.",
            stacklevel=2,
        )


def _codes(values: np.ndarray, kind: str, what: str, splitter: Any) -> np.ndarray:
    """Return a class number per value, in the order of the values; those of a quantity are cut into bins."""
    if kind not in ("binary", "multiclass", "continuous"):
        raise InputError(f"{what} must hold one class or number per row; it is of the kind {kind!r}")
    if kind != "continuous":
        codes, found = pd.factorize(values, sort=True)  # numbered by name: the order of rows must not matter
        is_number = found.dtype.kind in "iuf"
        if not (is_number and splitter.n_bins is not None and len(found) > splitter.n_bins):
            if is_number and len(found) > _MANY and np.bincount(codes).min() < splitter.n_splits:
                warnings.warn(
                    f"each of the {len(found)} whole numbers in {what} is a class of its own; "
                    "if they are quantities, give n_bins to cut them into bins",
                    stacklevel=2,
                )
            return codes
    bins = quantile_bins(values, splitter.n_splits, splitter.n_bins or _MAX_BINS)
    if splitter.n_bins is None:
        warnings.warn(
            f"{what} is continuous and cut into {bins.max() + 1} bins of about equal size, between quantiles; "
            "n_bins says how many it shall be",
            stacklevel=2,
        )
    return bins


def _columns(strata: Any, X: Any, splitter: Any) -> list[np.ndarray]:
    """Return the codes of each column of `strata`; what is missing has a code of its own."""
    codes = []
    for what, column in _named_columns(strata, X).items():
        if num_samples(column) != num_samples(X):
            raise InputError(
                f"strata has {num_samples(column)} rows and X has {num_samples(X)}; where rows are cut more than once, "
                "as in a search inside a cross-validation, name columns of X instead"
            )
        values = pd.Series(np.asarray(column)).infer_objects()
        known = values.notna().to_numpy()
        coded = np.zeros(len(values), dtype=np.intp)
        if known.any():
            coded[known] = 1 + _codes(*as_target(values[known], what), what, splitter)
        codes.append(np.unique(coded, return_inverse=True)[1])
    return codes


def _named_columns(strata: Any, X: Any) -> dict[str, Any]:
    """Return the columns of `strata`, each with what it is called in messages."""
    names = [strata] if isinstance(strata, str) else strata
    if isinstance(names, list | tuple) and names and all(isinstance(name, str) for name in names):
        known = {str(name): name for name in getattr(X, "columns", ())}
        absent = [name for name in names if name not in known]
        if absent:
            near = did_you_mean(absent[0], known, max_names=8)
            hint = near if known else "X is no data frame. Give an array of values."
            raise InputError(f"strata names the column {absent[0]!r} of X: {hint}")
        return {f"strata {name!r}": X[known[name]] for name in names}
    if hasattr(strata, "columns"):
        return {f"strata {name!r}": strata[name] for name in strata.columns}
    table = np.asarray(strata, dtype=object if isinstance(strata, list | tuple) else None)
    if table.ndim not in (1, 2) or 0 in table.shape:
        raise InputError(f"strata must be one or more columns of values; its shape is {table.shape}")
    return {f"strata {number}": column for number, column in enumerate(table.reshape(len(table), -1).T)}


def _cross(columns: list[np.ndarray], n_splits: int) -> list[np.ndarray]:
    """Return the strata by the first column, by the first two, and so on.

    Each column splits the strata of those before it. Inside a stratum, values with fewer rows than folds are taken
    together; if all these are still fewer, they join the most frequent value.
    """
    levels = [columns[0]]
    for column in columns[1:]:
        width = int(column.max()) + 2
        pairs, place, counts = np.unique(levels[-1] * width + column, return_inverse=True, return_counts=True)
        together = np.where(counts < n_splits, pairs // width * width + width - 1, pairs)
        pooled, place, counts = np.unique(together[place], return_inverse=True, return_counts=True)
        most_frequent_last = np.lexsort((-pooled, counts, pooled // width))
        best = dict(zip(pooled[most_frequent_last] // width, pooled[most_frequent_last], strict=True))
        joined = [best[one // width] if count < n_splits else one for one, count in zip(pooled, counts, strict=True)]
        levels.append(np.unique(np.array(joined)[place], return_inverse=True)[1])
    return levels
