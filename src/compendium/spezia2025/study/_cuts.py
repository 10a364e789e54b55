"""How many clusters a dendrogram has, by several linkages and rules; and the folds that follow from the number."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import silhouette_score

from compendium.engine import StudyError, Tables, Unit
from compendium.spezia2025.study._units import prepared, resamples
from cvstrat.metrics import balance_ratio, fold_numbers
from cvstrat.splitters import ClusterKFold

if TYPE_CHECKING:
    from compendium.spezia2025.study._future import FutureSpec

LINKAGES = ("average", "complete", "ward", "single")
MOJENA = {"Mojena 1.25": 1.25, "Mojena 2": 2.0, "Mojena 3": 3.0}  # standard deviations above the mean merge
RULES = (*MOJENA, "largest gap", "silhouette")
MOST_CLUSTERS = 10  # that the rule of the silhouette tries
_N_SAMPLES, _SAMPLE_SIZE = 50, 100  # as the paper estimates the number


def count_clusters(sample: np.ndarray, method: str, rule: str) -> int:
    """Return the number of clusters that a rule leaves of the dendrogram of some rows.

    Parameters
    ----------
    sample : ndarray of shape (n, n_features)
        The rows, at least 3.
    method : str
        One of ``LINKAGES``.
    rule : str
        One of ``RULES``. Mojena's undoes all merges above the mean plus so many standard deviations; ``largest gap``
        those above the largest gap between two merges that follow each other; ``silhouette`` takes, of 2 to 10
        clusters, the number with the largest mean silhouette, and the smallest such number.
    """
    distances = pdist(sample)
    return _count(linkage(distances, method=method), distances, rule)


def _count(tree: np.ndarray, distances: np.ndarray, rule: str) -> int:
    heights = tree[:, 2]
    if rule in MOJENA:
        return int((heights > heights.mean() + MOJENA[rule] * heights.std()).sum()) + 1
    if rule == "largest gap":
        return len(heights) - int(np.argmax(np.diff(heights)))
    square = squareform(distances)
    scores = {}
    for wanted in range(2, min(MOST_CLUSTERS, len(heights)) + 1):
        labels = fcluster(tree, wanted, "maxclust")
        if labels.max() == wanted:  # where merges tie, some numbers cannot be had
            scores[wanted] = silhouette_score(square, labels, metric="precomputed")
    return max(scores, key=scores.__getitem__, default=1)


def count_unit(spec: FutureSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Count the clusters of a data set by every rule, on the samples that the paper's estimate is made of."""
    X = prepared(unit["dataset"]).X
    rng = np.random.RandomState(0)
    size = min(_SAMPLE_SIZE, len(X) - 1)
    counts: dict[str, list[int]] = {rule: [] for rule in spec.rules}
    for _sample in range(_N_SAMPLES):
        distances = pdist(X[rng.choice(len(X), size, replace=False)])
        tree = linkage(distances, method=unit["linkage"])
        for rule, found in counts.items():
            found.append(_count(tree, distances, rule))
    means = np.array([np.mean(found) for found in counts.values()])
    stds = [np.std(found, ddof=1) for found in counts.values()]
    rounded = np.floor(means + 0.5).astype(np.int16)
    return pd.DataFrame({"rule": list(counts), "n_clusters": rounded, "mean": means, "std": stds})


def linkage_unit(spec: FutureSpec, unit: Unit, inputs: Tables) -> pd.DataFrame:
    """Measure the folds of ACBCV with one linkage and every number of clusters, the study's too, on one subsample."""
    if not {"clusters", "counts"} <= set(inputs):
        raise StudyError("the clusters of this data set could not be counted")
    data = prepared(unit["dataset"])
    sample = resamples(unit["dataset"], spec.n_subsamples, spec.test_size, spec.subsample_seed)[unit["repeat"]][0]
    X, y = data.X[sample], data.y[sample]
    found = []
    with TemporaryDirectory() as folder:  # keeps the dendrogram, which is the same for every number
        for n_clusters in sorted({*inputs["counts"]["n_clusters"], *inputs["clusters"]["n_clusters"]}):
            clusterer = AgglomerativeClustering(
                int(n_clusters), linkage=unit["linkage"], memory=folder, compute_full_tree=True
            )
            largest = np.bincount(clusterer.fit_predict(X)).max() / len(X)
            for n_splits in spec.n_splits:
                splitter = ClusterKFold(n_splits, clusterer=clusterer, shuffle=True, random_state=spec.splitter_seed)
                ratio = balance_ratio(fold_numbers(splitter, X, y), X, y)
                found.append((n_clusters, n_splits, np.float32(largest), np.float32(ratio)))
    return pd.DataFrame(found, columns=["n_clusters", "n_splits", "largest", "ratio"])
