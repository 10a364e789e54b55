"""Neighbour-based splitters against a distance matrix (up to 10 000 rows) and a graph of neighbours (100 000 rows).

Seconds are those of one processor, not of the clock; both sides take turns.
"""

import heapq
import time
import tracemalloc

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from cvstrat import NeighborhoodKFold, NeighborWalkKFold

SPLITTERS = {"NeighborWalkKFold": (NeighborWalkKFold, 1), "NeighborhoodKFold": (NeighborhoodKFold, 9)}


SIZES = (600, 1000, 2000, 10_000)


@threadpool_limits.wrap(limits=1)
def run() -> pd.DataFrame:
    """Return a row per splitter and size: seconds, what it is compared with, the ratio, and memory beyond the data."""
    lines = []
    for rows in SIZES:
        X, y = _data(rows)
        for name, (splitter, wanted) in SPLITTERS.items():
            jobs = [
                lambda splitter=splitter, X=X, y=y: next(splitter(10).split(X, y)),
                lambda wanted=wanted, X=X, y=y: _with_matrix(X, y, wanted, _nearest_literal),
                lambda wanted=wanted, X=X, y=y: _with_matrix(X, y, wanted, _nearest_masked),
            ]
            turns = [[_seconds(job) for job in jobs] for _ in range(15 if rows <= 2000 else 2)]
            ours, *others = np.min(turns, axis=0)
            for label, other in zip(("literal, Python", "literal, NumPy"), others, strict=True):
                lines.append((name, rows, ours, label, other, ours / other, np.nan))
    X, y = _data(100_000)
    graph = _seconds(lambda: NearestNeighbors(n_neighbors=10).fit(X).kneighbors())
    for name, (splitter, _) in SPLITTERS.items():
        ours = _seconds(lambda splitter=splitter: next(splitter(10).split(X, y)))
        tracemalloc.start()
        next(splitter(10).split(X, y))
        memory = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        lines.append((name, len(X), ours, "graph of 10 neighbours", graph, ours / graph, memory))
    columns = ["splitter", "rows", "seconds", "compared with", "its seconds", "ratio", "memory MB"]
    return pd.DataFrame(lines, columns=columns)


def _data(rows):
    return make_classification(rows, 20, n_informative=10, n_classes=3, n_clusters_per_class=2, random_state=0)


def _seconds(job) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def _with_matrix(X, y, wanted, nearest) -> list[int]:
    """Walk (one neighbour at a time) or take neighbourhoods (several), class by class, looking distances up."""
    distances = pairwise_distances(X)
    order = []
    for label in np.unique(y):
        unused = set(np.flatnonzero(y == label).tolist())
        here = min(unused)
        while unused:
            if here not in unused:
                here = min(unused)
            unused.discard(here)
            order.append(here)
            taken = nearest(distances[here], unused, wanted)
            if wanted == 1:
                here = taken[0] if taken else here
            else:
                order += taken
                unused -= set(taken)
    return order


def _nearest_literal(row, unused, wanted) -> list[int]:
    return heapq.nsmallest(wanted, unused, key=row.__getitem__)


def _nearest_masked(row, unused, wanted) -> list[int]:
    left = np.fromiter(unused, dtype=np.intp, count=len(unused))
    return left[np.argsort(row[left])[:wanted]].tolist() if len(left) else []
