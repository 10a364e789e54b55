"""Clusterers by name, or any of scikit-learn's; labels and distances to centres out of all of them alike."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.cluster.hierarchy import ClusterWarning
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, MiniBatchKMeans, SpectralClustering
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import ThreadpoolController

from cvstrat.errors import InputError

NAMES = ("kmeans", "minibatch", "agglomerative", "dbscan", "spectral")
COUNTED = ("kmeans", "minibatch", "agglomerative", "spectral")  # those that are told how many clusters to find
_BLOCK, _BLOCK_VALUES = 4096, 2**22  # rows made dense at a time, and values
_SMALL = 10_000  # rows below which threads cost more than they bring
_threads = functools.cache(ThreadpoolController)
_limiting = threading.RLock()  # limits that overlap would put back each other's instead of what was there
_TOO_MANY = (
    "{clusterer!r} needs more memory for {n_rows} rows than there is: use clusterer='minibatch' (KCBCV-Mini, "
    "SCBCV-Mini), whose memory grows with the number of rows only"
)


def check_clusterer(clusterer: Any) -> None:
    """Raise if `clusterer` is neither a known name nor an estimator with ``fit_predict``."""
    if isinstance(clusterer, str) and clusterer not in NAMES:
        raise InputError(f"clusterer {clusterer!r} is not one of {', '.join(NAMES)}; a scikit-learn clusterer will do")
    if not isinstance(clusterer, str) and not (hasattr(clusterer, "fit_predict") and hasattr(clusterer, "get_params")):
        raise TypeError(f"clusterer must be a name or a scikit-learn clusterer; {clusterer!r} has no fit_predict")


def make_clusterer(
    clusterer: Any,
    *,
    n_rows: int,
    n_clusters: int | None,
    eps: float | None,
    min_samples: int | None,
    rng: np.random.RandomState,
) -> Any:
    """Return an unfitted clusterer for `n_rows` rows; one given as an object is copied, and seeded if it can be."""
    seed = int(rng.randint(np.iinfo(np.int32).max))
    if clusterer == "kmeans":
        return KMeans(n_clusters, random_state=seed)
    if clusterer == "minibatch":
        return MiniBatchKMeans(n_clusters, random_state=seed)
    if clusterer == "agglomerative":
        return AgglomerativeClustering(n_clusters)
    if clusterer == "dbscan":
        return DBSCAN(eps=eps, min_samples=min_samples)
    if clusterer == "spectral":
        return SpectralClustering(
            n_clusters, affinity="nearest_neighbors", n_neighbors=min(10, n_rows), random_state=seed
        )
    copy = clone(clusterer)
    unseeded = [name for name, value in copy.get_params().items() if name.endswith("random_state") and value is None]
    return copy.set_params(**dict.fromkeys(unseeded, seed))


def cluster(clusterer: Any, rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """Fit `clusterer` to `rows`; return the cluster index and the distance to the cluster's centre of each row.

    Clusters are numbered as they come in the rows, so that the clusterer's own numbering does not matter. The centre is
    the clusterer's own where it has one and found no noise, else the mean of the members. Noise points (label -1) are
    one more cluster.
    """
    _check_memory(clusterer, rows.shape[0])
    rows = rows.toarray() if sparse.issparse(rows) and isinstance(clusterer, AgglomerativeClustering) else rows
    few_threads = _few_threads() if rows.shape[0] < _SMALL else contextlib.nullcontext()
    try:
        with warnings.catch_warnings(), few_threads:
            warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct rows than clusters: harmless here
            warnings.filterwarnings("ignore", message="Graph is not fully connected")
            warnings.simplefilter("ignore", ClusterWarning)  # a few rows that look like distances are still rows
            warnings.filterwarnings("ignore", message="The spectral clustering API has changed")  # X is square
            labels = np.asarray(clusterer.fit_predict(rows))
    except MemoryError as error:
        raise InputError(_TOO_MANY.format(clusterer=clusterer, n_rows=rows.shape[0])) from error
    except Exception as error:
        raise InputError(f"{clusterer!r} failed on {rows.shape[0]} rows: {error}") from error
    if not np.issubdtype(labels.dtype, np.integer):
        raise InputError(f"{clusterer!r} gave labels of type {labels.dtype}; they must be integers")
    if labels.shape != (rows.shape[0],):
        raise InputError(f"{clusterer!r} gave labels of shape {labels.shape} for {rows.shape[0]} rows")
    cluster_of_row, found = _by_appearance(labels)
    centers = getattr(clusterer, "cluster_centers_", None)
    if centers is None or labels.min() < 0 or centers.shape[0] <= labels.max():
        centers = _means(rows, cluster_of_row)
    else:
        centers = (centers.toarray() if sparse.issparse(centers) else np.asarray(centers))[found]
    return cluster_of_row, _distance_to_own_center(rows, cluster_of_row, centers)


@contextlib.contextmanager
def _few_threads() -> Iterator[None]:
    with _limiting, _threads().limit(limits=1):
        yield


def _check_memory(clusterer: Any, n_rows: int) -> None:
    """Raise where all distances between rows would be kept and the machine has no room for them."""
    keeps_all = isinstance(clusterer, AgglomerativeClustering) and clusterer.connectivity is None
    if keeps_all and "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()):
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if 4 * n_rows * (n_rows - 1) > memory:
            raise InputError(_TOO_MANY.format(clusterer=clusterer, n_rows=n_rows))


def _by_appearance(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return an index for each label, in the order in which labels come, and the label of each index."""
    return pd.factorize(labels.astype(labels.dtype.newbyteorder("="), copy=False))


def _distance_to_own_center(rows: Any, cluster_of_row: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Return the Euclidean distance of each row to the centre of its cluster, in linear memory."""
    squared = np.empty(rows.shape[0])
    size = int(np.clip(_BLOCK_VALUES // max(rows.shape[1], 1), 1, _BLOCK))
    for start in range(0, len(squared), size):
        part = slice(start, start + size)
        block = rows[part].toarray() if sparse.issparse(rows) else rows[part]
        difference = block - centers[cluster_of_row[part]]
        squared[part] = np.einsum("ij,ij->i", difference, difference)
    return np.asarray(np.sqrt(squared))


def _means(rows: Any, cluster_of_row: np.ndarray) -> np.ndarray:
    n_rows = len(cluster_of_row)
    sums = sparse.csr_array((np.ones(n_rows), (cluster_of_row, np.arange(n_rows)))) @ rows
    return np.asarray((sums.toarray() if sparse.issparse(sums) else sums) / np.bincount(cluster_of_row)[:, None])
