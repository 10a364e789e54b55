"""Search the same grid on the same folds in several ways, now."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV

from compendium.datasets import load
from compendium.mahlich2024.study._searches import search_folds
from cvstrat.efold import EFoldSearchCV, FixedFolds


def search_comparison(
    names: Iterable[str], estimator: Any, grid: Any, *, seeds: Iterable[int] = (0, 1, 2), n_splits: int = 10
) -> pd.DataFrame:
    """Search the same grid on the same folds in several ways, now.

    Parameters
    ----------
    names : iterable of str
        Data sets of the catalogue, all for classification or all for regression, as the estimator needs.
    estimator : estimator
        A classifier or regressor of scikit-learn.
    grid : dict or list of dict
        The values to try, as in ``GridSearchCV``.
    seeds : iterable of int, default=(0, 1, 2)
        Seeds of the folds, which are shuffled, and stratified for classification: a comparison for each.
    n_splits : int, default=10
        Number of folds of the whole cross-validation, at least 5.

    Returns
    -------
    DataFrame
        A row per data set, seed and search (``grid search``, ``e-fold``, ``e-fold, dropping``, and, as the control,
        ``five folds``): ``fits``, ``seconds``, and ``regret``: by how much the whole cross-validation of the best
        candidate is above that of the one chosen.
    """
    ways: dict[str, dict[str, Any]] = {
        "e-fold": {},
        "e-fold, dropping": {"drop_hopeless": True},
        "five folds": {"rule": FixedFolds(5)},
    }
    rows = []
    for name in names:
        data = load(name)
        for seed in seeds:
            cv = list(search_folds(data.task, n_splits, seed).split(data.X, data.y))
            whole, seconds = _timed(GridSearchCV(estimator, grid, cv=cv, refit=False), data.X, data.y)
            means = whole.cv_results_["mean_test_score"]
            rows.append((name, seed, "grid search", means.size * n_splits, seconds, 0.0))
            for way, options in ways.items():
                found, seconds = _timed(EFoldSearchCV(estimator, grid, cv=cv, refit=False, **options), data.X, data.y)
                rows.append((name, seed, way, found.n_fits_, seconds, means.max() - means[found.best_index_]))
    return pd.DataFrame(rows, columns=["dataset", "seed", "search", "fits", "seconds", "regret"])


def _timed(search: Any, X: np.ndarray, y: np.ndarray) -> tuple[Any, float]:
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X, y)
    return search, time.perf_counter() - start
