"""Cluster-based splitters at 100 000 x 20 against the time of the clusterer's own fits in the same call."""

import statistics
import time

import pandas as pd
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.datasets import make_classification

from cvstrat import ClusterKFold, StratifiedClusterKFold

SPENT: list[float] = []


class _Timed:
    """Notes the time of fits."""

    def fit_predict(self, X, y=None):
        start = time.perf_counter()
        labels = super().fit_predict(X)
        SPENT.append(time.perf_counter() - start)
        return labels


class TimedKMeans(_Timed, KMeans):
    """K-means that notes the time of its fits."""


class TimedMiniBatchKMeans(_Timed, MiniBatchKMeans):
    """Mini-Batch K-means that notes the time of its fits."""


def run() -> pd.DataFrame:
    """Return a row per splitter: its time, the clusterer's part of it, and the ratio; the median of fifteen runs."""
    X, y = make_classification(100_000, 20, n_informative=10, n_classes=3, n_clusters_per_class=2, random_state=0)
    lines = []
    for splitter in (ClusterKFold, StratifiedClusterKFold):
        for clusterer in (TimedKMeans, TimedMiniBatchKMeans):
            runs = [_once(splitter, clusterer, X, y) for _ in range(15)]
            total, own = (statistics.median(column) for column in zip(*runs, strict=True))
            ratio = statistics.median(one / other for one, other in runs)
            lines.append((splitter.__name__, clusterer.__name__.removeprefix("Timed"), total, own, ratio))
    return pd.DataFrame(lines, columns=["splitter", "clusterer", "seconds", "fits alone", "ratio"])


def _once(splitter, clusterer, X, y) -> tuple[float, float]:
    SPENT.clear()
    start = time.perf_counter()
    next(splitter(10, clusterer=clusterer(5, random_state=0)).split(X, y))
    return time.perf_counter() - start, sum(SPENT)
