"""OneCenterKFold against sorting every column of the data once."""

import numpy as np
import pandas as pd

from benchmarks._timing import best_times
from cvstrat import OneCenterKFold


def run() -> pd.DataFrame:
    """Return a row per size: both times in seconds, and their ratio."""
    lines = []
    for rows in (10_000, 100_000, 1_000_000):
        X = np.random.default_rng(0).normal(size=(rows, 20))
        ours, sort = best_times(lambda X=X: next(OneCenterKFold(10).split(X)), lambda X=X: np.sort(X, axis=0), rounds=5)
        lines.append((rows, 20, ours, sort, ours / sort))
    return pd.DataFrame(lines, columns=["rows", "features", "seconds", "column sort", "ratio"])
