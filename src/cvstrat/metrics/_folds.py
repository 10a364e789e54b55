"""How good are these folds: do they look like the whole, and is the test part near the training part?"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array, check_random_state

from cvstrat._compat import num_samples
from cvstrat.clustering import estimate_n_clusters
from cvstrat.errors import InputError
from cvstrat.metrics._parts import PartsByClass, rows_and_classes, standard_rows
from cvstrat.targets import as_target, number_classes

# The measures of how alike folds are, and how figures and tables name them and the other columns of a report.
MEASURES = ("balance", "class_gap", "shift", "feature_shift", "max_feature_shift", "nearest")
MEASURE_LABELS = {
    "balance": "balance ratio",
    "class_gap": "class gap",
    "shift": "shift",
    "feature_shift": "feature shift",
    "max_feature_shift": "largest feature shift",
    "nearest": "nearest distance",
    "size_gap": "size difference",
}
_CLUSTERED = 2000  # rows that are clustered for the silhouette


def fold_report(
    cv: Any, X: Any, y: Any = None, groups: Any = None, *, max_rows: int = 1000, random_state: Any = 0
) -> pd.DataFrame:
    """Measure how representative the folds of a splitter are.

    Parameters
    ----------
    cv : splitter
        Any object with a method ``split(X, y, groups)``.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows: numbers, none missing (encode and fill in where a splitter takes more). Columns are standardised.
    y, groups : array-like, default=None
        Passed to the splitter; classes (or, of a continuous target, quarters) of `y` are compared between folds.
    max_rows : int, default=1000
        Largest number of rows of a part for which all pairs are compared; a larger part is sampled down to it.
    random_state : int, RandomState instance or None, default=0
        Seed or generator of these samples; None draws anew each time.

    Returns
    -------
    DataFrame
        A line per fold and a last one, ``all``, with the means. Columns:

        - ``rows``: of the test part (in ``all``, of all test parts);
        - ``balance``: squared distance between the means of test part and all rows, inside classes, relative to what
          random folds have on average: :func:`cvstrat.balance_ratio`, in ``all`` that of all folds together;
        - ``class_gap``: largest difference between a class's share in the test part and in all rows;
        - ``shift``: energy distance between training and test part, from 0 (same distribution) to 1;
        - ``feature_shift``, ``max_feature_shift``: mean and largest Kolmogorov-Smirnov distance over the columns;
        - ``nearest``: mean distance from a test row to the nearest training row;
        - ``silhouette`` (only in ``all``): of the clusters that K-means finds in the data, 1 if they are far apart;
        - ``seconds`` (only in ``all``): what the splitting took.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import StratifiedClusterKFold, fold_report
    >>> report = fold_report(StratifiedClusterKFold(5, n_clusters=3), *load_iris(return_X_y=True))
    >>> report["rows"].tolist()
    [30, 30, 30, 30, 30, 150]
    """
    rows = standard_rows(X)
    rng = check_random_state(random_state)
    start = time.perf_counter()
    splits = list(cv.split(X, y, groups))
    seconds = time.perf_counter() - start
    if not splits:
        raise InputError(f"{cv!r} made no fold at all")
    columns = _SortedColumns(rows)
    codes = None if y is None else _class_codes(y)
    lines = []
    for train, test in splits:
        some_train, some_test = (_sample(part, max_rows, rng) for part in (train, test))
        nearest = NearestNeighbors(n_neighbors=1).fit(rows[train]).kneighbors(rows[some_test])[0]
        distances = columns.distances(train, test)
        lines.append(
            {
                "rows": len(test),
                "class_gap": np.nan if codes is None else _class_gap(codes, test),
                "shift": energy_coefficient(rows[some_train], rows[some_test]),
                "feature_shift": distances.mean(),
                "max_feature_shift": distances.max(),
                "nearest": nearest.mean(),
            }
        )
    report = pd.DataFrame(lines)
    rows_with_target, classes = rows_and_classes(X, y)
    balance = PartsByClass([test for _, test in splits], classes).compare(rows_with_target)
    report.insert(1, "balance", balance.ratios())
    whole = {
        "rows": report["rows"].sum(),
        "balance": balance.ratio(),
        "silhouette": _silhouette(rows, rng),
        "seconds": seconds,
    }
    overall = pd.DataFrame([report.mean().to_dict() | whole], index=["all"])
    return pd.concat([report, overall]).rename_axis("fold")


def compare_folds(splitters: Mapping[str, Any], X: Any, y: Any = None, **options: Any) -> pd.DataFrame:
    """Compare the folds of several splitters, one line for each.

    Parameters
    ----------
    splitters : mapping of str to splitter
        The splitters by name.
    X, y, **options
        As in :func:`cvstrat.fold_report`.

    Returns
    -------
    DataFrame
        Indexed by ``technique``: ``size_gap`` (rows of the largest test part minus those of the smallest), and the
        means over the folds of the other columns of :func:`cvstrat.fold_report`.
    """
    lines = {}
    for name, cv in splitters.items():
        report = fold_report(cv, X, y, **options)
        sizes = report["rows"].drop("all")
        lines[name] = {"size_gap": int(sizes.max() - sizes.min())} | report.loc["all"].drop("rows").to_dict()
    return pd.DataFrame(lines).T.rename_axis("technique")


def fold_numbers(splitter: Any, X: Any, y: Any = None, groups: Any = None) -> np.ndarray:
    """Return the index of the fold in which each row is tested, for any scikit-learn splitter; -1 if in none."""
    folds = np.full(num_samples(X), -1)
    for number, (_, test) in enumerate(splitter.split(X, y, groups)):
        folds[test] = number
    return folds


def assignment_table(splitters: Mapping[str, Any], X: Any, y: Any = None, groups: Any = None) -> pd.DataFrame:
    """Return, for each splitter and row, the test fold of the row: what figures of folds are drawn from.

    Columns: ``technique``, ``row``, ``fold``, ``class`` (empty without `y`), and the first two attributes, ``x1``
    and ``x2``.
    """
    values = check_array(X)
    frames = []
    for name, cv in splitters.items():
        folds = fold_numbers(cv, X, y, groups)
        frame = pd.DataFrame({"technique": name, "row": np.arange(len(values)), "fold": folds})
        frame["class"] = "" if y is None else np.asarray(y)
        frames.append(frame.assign(x1=values[:, 0], x2=values[:, min(1, values.shape[1] - 1)]))
    return pd.concat(frames, ignore_index=True)


def energy_coefficient(a: np.ndarray, b: np.ndarray) -> float:
    """Return the energy distance of two samples relative to their mean distance: 0 if they are alike, at most 1."""
    between = cdist(a, b).mean()
    if between == 0:
        return 0.0
    return float(max(0.0, 1 - (cdist(a, a).mean() + cdist(b, b).mean()) / (2 * between)))


class _SortedColumns:
    """Columns sorted once, so that the distance of any two parts is a matter of counting."""

    def __init__(self, rows: np.ndarray) -> None:
        self._order = np.argsort(rows, axis=0)
        ordered = np.take_along_axis(rows, self._order, axis=0)
        self._last_of_equals = np.vstack([ordered[1:] != ordered[:-1], np.ones((1, rows.shape[1]), dtype=bool)])

    def distances(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the Kolmogorov-Smirnov distance between two parts of the rows, per column."""
        weight = np.zeros(len(self._order))
        np.add.at(weight, one, 1 / len(one))
        np.add.at(weight, other, -1 / len(other))
        return np.asarray(np.abs(np.cumsum(weight[self._order], axis=0) * self._last_of_equals).max(axis=0))


def _class_codes(y: Any) -> np.ndarray:
    target, kind = as_target(y)
    if kind == "continuous":
        target = np.searchsorted(np.quantile(target, [0.25, 0.5, 0.75]), target)
    return number_classes(target)


def _class_gap(codes: np.ndarray, test: np.ndarray) -> float:
    counts = np.bincount(codes)
    shares = np.bincount(codes[test], minlength=len(counts)) / len(test)
    return float(np.abs(shares - counts / len(codes)).max())


def _silhouette(rows: np.ndarray, rng: np.random.RandomState) -> float:
    some = rows[_sample(np.arange(len(rows)), _CLUSTERED, rng)]
    n_clusters = min(max(2, estimate_n_clusters(some)), len(np.unique(some, axis=0)))
    if not 2 <= n_clusters < len(some):
        return float("nan")
    return float(silhouette_score(some, KMeans(n_clusters, random_state=0).fit_predict(some)))


def _sample(indices: np.ndarray, max_rows: int, rng: np.random.RandomState) -> np.ndarray:
    return indices if len(indices) <= max_rows else rng.choice(indices, max_rows, replace=False)
