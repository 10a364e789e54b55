"""BalancedKFold against its peers: how alike folds are (energy distance of a fold to the whole set), and in what time.

The peers are `twinning` (multiplets, strategy 1) and `rebalancedcv`: install them beside this package, in an
environment of their own. All methods get standardised columns. Seconds are those of one processor, not of the clock.
"Balanced" is dealt as by default, which is by the energy distance up to 4096 rows; "Balanced, features" by features.
"""

import time
import warnings

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from threadpoolctl import threadpool_limits

from compendium import datasets
from cvstrat import BalancedKFold, make_splitter, metrics
from cvstrat.fourier import StandardRows

SETS = (
    *("iris", "wine", "breast_cancer", "digits", "sonar", "vehicle", "vowel", "ionosphere"),
    *("new_thyroid", "contraceptive", "segmentation", "glass"),
)
FOLDS = (2, 5, 10)
SEEDS = 3
SIZES = (250, 500, 1000, 2000, 4000, 5000, 20_000, 100_000, 1_000_000)
OURS = ("Balanced", "Balanced, features", "SCV", "SCBCV", "DBSCV", "DOB-SCV")
MAX_COMPARED = 100_000
MAX_ROWS = {"Balanced, features": 4096, "twinning": 20_000}  # beyond the first, the default goes by features, too
MAX_ROWS |= dict.fromkeys(("rebalancedcv", "SCBCV", "DBSCV", "DOB-SCV"), 100_000)


def run() -> pd.DataFrame:
    """Return a row per data set, number of folds and method: mean energy distance, seconds, and both to twinning's."""
    frames = []
    for name in SETS:
        data = datasets.load(name)
        for n_splits in FOLDS:
            frames.append(_compare(name, np.asarray(data.X, dtype=float), data.y, n_splits, SEEDS))
    for rows in SIZES:
        X, y = make_classification(rows, 20, n_informative=10, n_classes=3, n_clusters_per_class=2, random_state=0)
        frames.append(_compare(f"made, {rows} rows", X, y, 5, SEEDS if rows <= 5000 else 1))
    return pd.concat(frames, ignore_index=True)


def _compare(name, X, y, n_splits, n_seeds) -> pd.DataFrame:
    X = StandardRows(X).rows
    methods = [one for one in ("twinning", "rebalancedcv", *OURS) if len(X) <= MAX_ROWS.get(one, len(X))]
    energy, seconds = {one: [] for one in methods}, {one: [] for one in methods}
    n_turns = 7 if len(X) <= 5000 else 2 if len(X) <= MAX_COMPARED else 1
    for seed in range(max(n_seeds, n_turns)):
        for method in methods:  # they take turns, so that all see the same machine
            with warnings.catch_warnings(), threadpool_limits(1):
                warnings.simplefilter("ignore")
                start = time.process_time()
                folds = _folds(method, X, y, n_splits, seed)
                seconds[method].append(time.process_time() - start)
            if seed < n_seeds:
                energy[method].append(metrics.energy_distance(folds, X) if len(X) <= MAX_COMPARED else np.nan)
    lines = [(name, *X.shape, n_splits, one, np.mean(energy[one]), min(seconds[one])) for one in methods]
    columns = ["set", "rows", "features", "folds", "method", "energy distance", "seconds"]
    table = pd.DataFrame(lines, columns=columns)
    if "twinning" in set(table["method"]):
        base = table.iloc[0]
        for part in ("energy distance", "seconds"):
            table[f"{part}, ratio"] = table[part] / base[part]
    return table


def _folds(method, X, y, n_splits, seed):
    if method == "twinning":
        from twinning import multiplet

        order = np.random.RandomState(seed).permutation(len(X))  # its start is the first row
        folds = np.empty(len(X), dtype=int)
        folds[order] = np.asarray(multiplet(np.ascontiguousarray(X[order]), n_splits, strategy=1), dtype=int)
        return folds
    if method == "rebalancedcv":
        from rebalancedcv import RebalancedKFold

        return list(RebalancedKFold(n_splits, shuffle=True, random_state=seed).split(X, y))
    if method.startswith("Balanced"):
        criterion = "auto" if method == "Balanced" else "features"
        cv = BalancedKFold(n_splits, balance=0, criterion=criterion, shuffle=True, random_state=seed)
        return cv.fold_of_each_row(X, y)
    splitter = make_splitter(method, n_splits=n_splits, n_clusters=4, random_state=seed)
    return metrics.fold_numbers(splitter, X, y)
