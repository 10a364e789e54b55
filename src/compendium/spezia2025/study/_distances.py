"""How clear the clusters of each technique are, and how far the training part of its folds is from the test part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist
from sklearn.metrics import silhouette_samples
from sklearn.preprocessing import StandardScaler

from compendium.engine import Skip, StudyError, Tables, Unit
from compendium.spezia2025.study._units import prepared, quiet, resamples, study_splitter
from cvstrat.clustering import cluster, make_clusterer
from cvstrat.metrics import energy_distance, fold_numbers

if TYPE_CHECKING:
    from compendium.spezia2025.study._future import FutureSpec

_MAX_ROWS = 1000  # of a set of clusters, for its silhouette
_EVERY_PAIR = 10_000  # rows up to which all pairs are compared


def energy_ratio(folds: np.ndarray, X: np.ndarray) -> float:
    r"""Return how far training and test parts are apart, relative to random folds of the same sizes.

    The energy distance between the `m` rows of a fold and all `n` is, on average over random folds,
    :math:`(1/m - 1/n)\,\bar d`, with the mean distance of two rows. The distance between training and test part is
    :math:`(n / (n - m))^2` times that between test part and all rows, so that the ratio is the same.

    Parameters
    ----------
    folds : ndarray of int, shape (n,)
        Index of the fold of each row.
    X : ndarray of shape (n, n_features)
        The rows; columns are standardised.
    """
    sizes = np.unique(folds, return_counts=True)[1]
    expected = np.mean(1 / sizes - 1 / len(X)) * pdist(StandardScaler().fit_transform(X)).mean()
    return energy_distance(folds, X, max_rows=_EVERY_PAIR) / float(expected)


def silhouettes(X: np.ndarray, labels: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the silhouettes of some rows of a clustering; none where it has one cluster, or each row is one."""
    some = np.random.default_rng(seed).permutation(len(X))[:_MAX_ROWS]
    found = len(np.unique(labels[some]))
    return np.asarray(silhouette_samples(X[some], labels[some])) if 1 < found < len(some) else np.empty(0)


def silhouette_unit(spec: FutureSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Cluster a data set as a technique does, class by class if it does, and take the mean silhouette of the rows."""
    data, splitter = prepared(unit["dataset"]), _splitter(spec, unit, 2, inputs)
    if not hasattr(splitter, "clusterer"):
        raise Skip(f"{unit['technique']} has no clusters")
    options: dict[str, Any] = {name: getattr(splitter, name) for name in ("n_clusters", "eps", "min_samples")}
    parts = [data.y == number for number in range(data.n_classes)]
    if not unit["technique"].startswith("SCBCV"):
        parts = [np.ones(len(data.y), dtype=bool)]
    values, counts, weights = [], [], []
    for rows in (data.X[part] for part in parts):
        if splitter.n_clusters is not None and len(np.unique(rows, axis=0)) <= splitter.n_clusters:
            continue  # every row is a cluster
        clusterer = make_clusterer(
            splitter.clusterer, n_rows=len(rows), rng=np.random.RandomState(spec.splitter_seed), **options
        )
        labels = cluster(clusterer, rows)[0]
        some = silhouettes(rows, labels)
        values.append(some.mean() if some.size else np.nan)
        counts.append(labels.max() + 1)
        weights.append(len(rows))
    if not values:
        raise Skip("no class has more rows than clusters")
    known = ~np.isnan(values)
    mean = np.average(np.array(values)[known], weights=np.array(weights)[known]) if known.any() else np.nan
    return pd.DataFrame({"silhouette": [np.float32(mean)], "n_clusters": [np.average(counts, weights=weights)]})


@quiet
def distance_unit(spec: FutureSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Measure the folds of a technique on one subsample, for every number of folds."""
    data = prepared(unit["dataset"])
    sample = resamples(unit["dataset"], spec.n_subsamples, spec.test_size, spec.subsample_seed)[unit["repeat"]][0]
    X, y = data.X[sample], data.y[sample]
    ratios = [
        energy_ratio(fold_numbers(_splitter(spec, unit, n_splits, inputs), X, y), X) for n_splits in spec.n_splits
    ]
    return pd.DataFrame({"n_splits": spec.n_splits, "ratio": np.array(ratios, dtype=np.float32)})


def _splitter(spec: FutureSpec, unit: Unit, n_splits: int, inputs: Tables) -> Any:
    if "clusters" not in inputs:
        raise StudyError("the parameters of the clusterings could not be estimated")
    clusters = inputs["clusters"].iloc[0]
    return study_splitter(unit["technique"], n_splits, clusters=clusters, random_state=spec.splitter_seed)
