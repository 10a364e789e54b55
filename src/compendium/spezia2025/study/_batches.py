"""What the batch size of Mini-Batch K-Means saves and costs, from a few hundred rows to a million."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score

from compendium.engine import Tables, Unit, seed_of
from cvstrat.metrics import balance_ratio, fold_numbers
from cvstrat.splitters import StratifiedClusterKFold

if TYPE_CHECKING:
    from compendium.spezia2025.study._future import FutureSpec

SHAPES = {"groups": 2.0, "cloud": 0.0}  # how far apart the centres of the groups of a class are, in standard deviations
FULL = 0  # the batch size under which K-Means itself is stored
N_CLUSTERS = 5
_N_COLUMNS = 10
_TIMED_ROWS = 5_000  # a clustering of fewer rows is timed as often as it takes to see that many


def made_rows(shape: str, n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return made rows and their two classes: classes of five groups each, or clouds without groups."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    centers = SHAPES[shape] * rng.normal(size=(2, N_CLUSTERS, _N_COLUMNS)) + rng.normal(size=(2, 1, _N_COLUMNS))
    X = rng.normal(size=(n_rows, _N_COLUMNS)) + centers[y, rng.integers(N_CLUSTERS, size=n_rows)]
    return X, y


def make_kmeans(batch_size: int, seed: int) -> Any:
    """Return Mini-Batch K-Means or, with a batch size of 0, K-Means; all other options are scikit-learn's defaults."""
    if batch_size == FULL:
        return KMeans(N_CLUSTERS, random_state=seed)
    return MiniBatchKMeans(N_CLUSTERS, batch_size=batch_size, random_state=seed)


def batch_unit(spec: FutureSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Cluster the classes of one made set, and cut it into folds, with K-Means and with every batch size.

    Times are seconds of the processor, which do not depend on what else the machine does.
    """
    seed = seed_of(spec.made_seed, unit["shape"], unit["rows"], unit["made"])
    X, y = made_rows(unit["shape"], unit["rows"], seed)
    seed %= 2**31
    found: list[dict[str, Any]] = []
    reference: list[np.ndarray] = []
    for batch_size in (FULL, *spec.batch_sizes):
        clusterer = make_kmeans(batch_size, seed)
        splitter = StratifiedClusterKFold(10, clusterer=clusterer, shuffle=True, random_state=seed)
        clusterings, fit_seconds = _timed(partial(_by_class, clusterer, X, y), len(y))
        folds, cut_seconds = _timed(partial(fold_numbers, splitter, X, y), len(y))
        labels, inertias = zip(*clusterings, strict=True)
        reference = reference or list(labels)
        agreement = [adjusted_rand_score(ours, theirs) for ours, theirs in zip(labels, reference, strict=True)]
        found.append(
            {
                "batch_size": batch_size,
                "inertia": sum(inertias),
                "agreement": np.mean(agreement),
                "ratio": balance_ratio(folds, X, y),
                "fit_seconds": fit_seconds,
                "cut_seconds": cut_seconds,
            }
        )
    return pd.DataFrame(found).astype({"inertia": np.float32, "agreement": np.float32, "ratio": np.float32})


def _by_class(clusterer: Any, X: np.ndarray, y: np.ndarray) -> list[tuple[np.ndarray, float]]:
    """Cluster the rows of each class, as SCBCV does; return labels, and squared distances to the nearest centre."""
    clusterings = []
    for number in np.unique(y):
        rows = X[y == number]
        labels = clusterer.fit(rows).labels_
        clusterings.append((labels, float(((rows - clusterer.cluster_centers_[labels]) ** 2).sum())))
    return clusterings


def _timed(work: Callable[[], Any], n_rows: int) -> tuple[Any, float]:
    times = max(1, _TIMED_ROWS // n_rows)
    start = process_time()
    for _ in range(times):
        result = work()
    return result, (process_time() - start) / times
