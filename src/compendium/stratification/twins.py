"""What repeated rows of a data set do to a test: how many occur once, and how many tested rows have a twin."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.datasets import catalogue, load, where
from compendium.stratification import theory

__all__ = ["copies", "twins_text"]


def copies(name: str) -> np.ndarray:
    """Return how often each distinct row of a data set occurs, attributes and target taken together."""
    data = load(name)
    rows = pd.DataFrame(data.X).assign(target=data.y)
    counts: np.ndarray = rows.groupby(list(rows.columns), dropna=False).size().to_numpy()
    return counts


def twins_text(name: str, n_splits: int) -> str:
    """Return, in sentences, how likely a row tested in random folds has a twin in training.

    Parameters
    ----------
    name : str
        Data set of the catalogue. If its file is not on this machine, the text says so instead.
    n_splits : int
        Number of random folds.
    """
    if where(catalogue().find(name)) == "nowhere":
        return f"{name} is not on this machine: put its file below the folder named by CVSTRAT_DATA to see the number."
    times = copies(name)
    n = int(times.sum())
    found = theory.twin_probability(times, n_splits)
    if len(times) == n:
        return "No row occurs twice, so no tested row has a twin in training."
    once, size = 100 * (times == 1).sum() / n, (times**2).sum() / n
    return (
        f"The probability is {100 * found:.0f} %. A distinct row occurs {times.mean():.1f} times on average, but the "
        f"copies are uneven: {once:.1f} % of the rows occur once and have no twin, while a row drawn at random occurs "
        f"{size:.1f} times on average."
    )
