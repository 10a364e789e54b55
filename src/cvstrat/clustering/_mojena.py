"""How many clusters: Mojena's rule on the heights of a dendrogram, averaged over samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.utils import check_array, check_random_state

from cvstrat._compat import num_samples
from cvstrat.checks import check_count
from cvstrat.clustering._mixed import MixedRows, mixed_rows
from cvstrat.errors import InputError


def mojena_threshold(heights: np.ndarray) -> float:
    """Return the height above which a merge counts as one too many: mean plus two standard deviations."""
    return float(np.mean(heights) + 2 * np.std(heights))


def mojena_count(heights: np.ndarray) -> int:
    """Return the number of clusters that are left when all merges above the threshold are undone."""
    return int((np.asarray(heights) > mojena_threshold(heights)).sum()) + 1


def average_linkage(rows: np.ndarray | MixedRows) -> np.ndarray:
    """Return SciPy's linkage matrix of the rows, average linkage between groups."""
    if isinstance(rows, MixedRows):
        distances = squareform(np.sqrt(rows.squared_distance(rows)), checks=False)
    else:
        distances = pdist(rows)
    if not np.isfinite(distances).all():
        raise InputError("distances between rows are beyond what a computer can hold: scale the columns")
    return np.asarray(linkage(distances, method="average"))


def mojena_counts(
    X: Any, *, n_subsamples: int = 50, sample_size: int = 100, categorical: Any = None, random_state: Any = 0
) -> np.ndarray:
    """Return the number of clusters in each of many random samples of the rows.

    Parameters are those of :func:`cvstrat.estimate_n_clusters`.
    """
    check_count("n_subsamples", n_subsamples, 1)
    check_count("sample_size", sample_size, 1)
    rows = X
    if not isinstance(X, MixedRows):
        as_it_is = categorical is None
        rows = check_array(X, accept_sparse="csr", dtype=np.float64) if as_it_is else mixed_rows(X, categorical)
    size = min(sample_size, num_samples(rows) - 1)
    counts = np.ones(n_subsamples, dtype=int)
    if size < 3:
        return counts
    rng = check_random_state(random_state)
    for number in range(n_subsamples):
        sample = rows[rng.choice(num_samples(rows), size, replace=False)]
        tree = average_linkage(sample.toarray() if sparse.issparse(sample) else sample)
        counts[number] = mojena_count(tree[:, 2])
    return counts


def estimate_n_clusters(
    X: Any, *, n_subsamples: int = 50, sample_size: int = 100, categorical: Any = None, random_state: Any = 0
) -> int:
    """Estimate how many clusters the rows of `X` form, at least one, by Mojena's rule on samples.

    Each sample is clustered hierarchically (average linkage). Merges higher than the mean plus two standard deviations
    of all merge heights are held to join what does not belong together; their number plus one is the sample's number of
    clusters. The mean over samples, rounded, is the estimate. This is how :cite:t:`diamantidis2000` choose it, and
    after them :cite:t:`spezia2025`; the rule is that of :cite:t:`mojena1977`.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_rows, n_features)
        The rows, as they are; or, with `categorical`, as mixed attributes.
    n_subsamples, sample_size : int, default=50, 100
        Number of samples, and rows in each, at least 1; at most one less than there are rows is used.
    categorical : optional
        If given (a mask, column indices or names; an empty list for none), distances are those of
        :cite:t:`diamantidis2000` on scaled attributes, else Euclidean ones on `X` as it is.
    random_state : int, RandomState instance or None, default=0
        Seed or generator of the samples; None draws anew each time.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import estimate_n_clusters
    >>> estimate_n_clusters(load_iris().data)
    4
    """
    counts = mojena_counts(
        X, n_subsamples=n_subsamples, sample_size=sample_size, categorical=categorical, random_state=random_state
    )
    return int(np.floor(counts.mean() + 0.5))
