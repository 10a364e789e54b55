"""Random folds, plain and stratified: scikit-learn's own where it has them, ours where groups or strata come in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils.multiclass import type_of_target

from cvstrat._compat import num_samples
from cvstrat.splitters._base import DealtKFold


class _AtRandom(DealtKFold):
    """Rows in an order drawn by chance; what they contain does not matter."""

    def __init__(self, pattern: Any, *, stratified: bool) -> None:
        self.n_splits, self.shuffle, self.random_state = pattern.n_splits, pattern.shuffle, pattern.random_state
        self.strata, self.n_bins = getattr(pattern, "strata", None), getattr(pattern, "n_bins", None)
        self.stratified = stratified
        self._check_parameters()

    def _rows(self, X: Any, y: Any) -> np.ndarray:
        return np.arange(num_samples(X), dtype=float)[:, None]

    def _order(self, rows: Any, settings: Any, rng: np.random.RandomState) -> np.ndarray:
        return np.arange(rows.shape[0])


class PlainKFold(KFold):  # type: ignore[misc]
    """Scikit-learn's ``KFold`` that does not tear groups apart: with `groups`, whole ones are dealt at random.

    Parameters
    ----------
    n_splits, shuffle, random_state
        As in scikit-learn.
    """

    __metadata_request__split = {"groups": True}  # noqa: RUF012 (a declaration of scikit-learn's)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Generate training and test indices; as scikit-learn's without `groups`."""
        if groups is None:
            yield from super().split(X, y)
        else:
            yield from _AtRandom(self, stratified=False).split(X, y, groups)


def _is_left_to_sklearn(y: Any, n_splits: int) -> bool:
    """Return whether the target is classes, not all of them rare; others are cut here, or refused."""
    values = y if sparse.issparse(y) else np.asarray(y)
    several = sparse.issparse(y) or (values.ndim == 2 and values.shape[1] > 1)
    if y is None or several or values.dtype.kind in "mM" or np.any(pd.isna(values)):
        return y is None
    is_classes = type_of_target(values) in ("binary", "multiclass")
    return is_classes and bool(np.unique(values, return_counts=True)[1].max(initial=0) >= n_splits)


class PlainStratifiedKFold(StratifiedKFold):  # type: ignore[misc]
    """Scikit-learn's ``StratifiedKFold`` that takes groups, strata, several labels and quantities as the others here.

    Parameters
    ----------
    n_splits, shuffle, random_state
        As in scikit-learn.
    strata, n_bins
        As in :class:`cvstrat.StratifiedClusterKFold`.
    """

    __metadata_request__split = {"groups": True}  # noqa: RUF012 (a declaration of scikit-learn's)

    def __init__(
        self,
        n_splits: int = 5,
        *,
        strata: Any = None,
        n_bins: int | None = None,
        shuffle: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state)
        self.strata = strata
        self.n_bins = n_bins

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Generate training and test indices; as scikit-learn's where it can."""
        if groups is None and self.strata is None and self.n_bins is None and _is_left_to_sklearn(y, self.n_splits):
            yield from super().split(X, y)
        else:
            yield from _AtRandom(self, stratified=True).split(X, y, groups)
