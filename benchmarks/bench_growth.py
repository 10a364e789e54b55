"""How the time of every technique grows with rows and with columns."""

import warnings

import pandas as pd
from sklearn.datasets import make_classification

from benchmarks._timing import best_times
from cvstrat import TECHNIQUES, make_splitter

ROWS = (500, 1000, 2000, 4000, 8000, 16_000, 32_000)
FEATURES = (5, 10, 20, 40, 80)
MOST_ROWS = {"ACBCV": 8000, "DBSCANBCV": 8000, "SpectralBCV": 2000}


def run() -> pd.DataFrame:
    """Return a row per technique and size; the techniques take turns on the same data."""
    lines = []
    for varied, sizes in (
        ("rows", [(rows, 10) for rows in ROWS]),
        ("features", [(2000, features) for features in FEATURES]),
    ):
        for rows, features in sizes:
            X, y = make_classification(rows, features, n_informative=4, n_redundant=0, random_state=0)
            names = [name for name in TECHNIQUES if rows <= MOST_ROWS.get(name, rows)]
            jobs = [lambda name=name, X=X, y=y: _cut(name, X, y) for name in names]
            times = best_times(*jobs, rounds=2)
            base = times[names.index("SCV")]
            lines += [
                (varied, rows, features, name, seconds, seconds / base)
                for name, seconds in zip(names, times, strict=True)
            ]
    return pd.DataFrame(lines, columns=["varied", "rows", "features", "technique", "seconds", "ratio to SCV"])


def _cut(name, X, y) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        next(make_splitter(name, n_splits=10, n_clusters=4, random_state=0).split(X, y))
