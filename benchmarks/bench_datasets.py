"""Loading a bundled set, verified, against scikit-learn's own loader."""

import pandas as pd
from sklearn import datasets as bundled

from benchmarks._timing import best_times
from compendium.datasets import load


def run() -> pd.DataFrame:
    """Return a row per set: both times in milliseconds, and their ratio."""
    lines = []
    for name in ("iris", "breast_cancer", "digits"):
        ours, theirs = best_times(lambda name=name: load(name), getattr(bundled, f"load_{name}"), rounds=20)
        lines.append((name, 1e3 * ours, 1e3 * theirs, ours / theirs))
    return pd.DataFrame(lines, columns=["set", "cvstrat ms", "scikit-learn ms", "ratio"])
