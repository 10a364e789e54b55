"""Clusterers by name: what they leave behind, and how much memory distances to centres take."""

import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from cvstrat.clustering import cluster


class Given:
    """A clusterer that knows the labels."""

    def __init__(self, labels):
        self.labels = labels

    def fit_predict(self, rows):
        return self.labels


OVERLAPPING = """
import threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from threadpoolctl import threadpool_info
from cvstrat.clustering import cluster

first, second, end = threading.Event(), threading.Event(), threading.Event()
rows = np.random.RandomState(0).rand(20, 2)

class Meeting:
    def __init__(self, begun, wait_for):
        self.begun, self.wait_for = begun, wait_for

    def fit_predict(self, rows):
        self.begun.set()
        self.wait_for.wait(timeout=0.3)
        return np.arange(len(rows)) % 2

def limits():
    return sorted((one["filepath"], one["num_threads"]) for one in threadpool_info())

before = limits()
with ThreadPoolExecutor(2) as pool:
    earlier = pool.submit(cluster, Meeting(first, second), rows)
    first.wait(timeout=5)
    later = pool.submit(cluster, Meeting(second, end), rows)  # begins inside the other, and ends after it
    earlier.result()
    end.set()
    later.result()
assert limits() == before, limits()
"""


def test_threads_that_cluster_at_once_leave_the_limits_as_they_were():
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", OVERLAPPING], check=False, env=free, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_distances_in_a_wide_sparse_table_take_little_memory():
    rows = sparse.csr_array(sparse.random(1000, 50_000, density=1e-4, random_state=0))
    labels = np.arange(1000) % 2
    tracemalloc.start()
    found = cluster(Given(labels), rows)[1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6  # all rows dense are 400 MB, and their differences as much again
    some = rows[[3]].toarray() - rows[labels == 1].mean(axis=0)
    assert found[3] == pytest.approx(np.sqrt((some**2).sum()))
