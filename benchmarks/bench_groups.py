"""Groups: how even our folds are beside StratifiedGroupKFold's, on a thousand random structures, and how fast.

`class_std` is the mean over classes of the standard deviation over folds of a fold's share of the class, `size_std` the
standard deviation of fold sizes as shares of all rows, `imbalance` the root mean square of what all these shares lack.
"""

import time
import warnings

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedGroupKFold

from cvstrat import NeighborWalkKFold
from cvstrat.splitters import imbalance

N_STRUCTURES = 1000
MEASURES = ("imbalance", "class_std", "size_std")
SHAPES = ("equal", "geometric", "heavy tail")
_SAME = 1e-9


def draw_structure(seed: int) -> tuple[int, str, np.ndarray, np.ndarray]:
    """Draw a number of folds, a shape of group sizes, and a class and a group for each row."""
    rng = np.random.default_rng(seed)
    n_splits = int(rng.choice([2, 3, 5, 10]))
    n_groups = int(n_splits * rng.choice([1, 1.5, 2, 3, 5, 10, 20]))
    shape = str(rng.choice(SHAPES))
    if shape == "equal":
        sizes = np.full(n_groups, rng.integers(1, 8))
    elif shape == "geometric":
        sizes = rng.geometric(rng.choice([0.1, 0.3, 0.6]), n_groups)
    else:
        sizes = np.ceil(2 * rng.pareto(1.0, n_groups)).clip(1, 200).astype(int)
    groups = np.repeat(np.arange(n_groups), sizes)
    share = rng.dirichlet(np.full(rng.choice([2, 3, 5]), rng.choice([0.5, 2.0])))
    pure = rng.random(n_groups) < rng.random()
    of_group = rng.choice(len(share), n_groups, p=share)
    y = np.where(pure[groups], of_group[groups], rng.choice(len(share), len(groups), p=share))
    if np.bincount(y).max() < n_splits:
        return draw_structure(seed + N_STRUCTURES)
    return n_splits, shape, y, groups


def measure(folds: np.ndarray, y: np.ndarray, n_splits: int) -> dict[str, float]:
    """Return how uneven folds are, by each measure."""
    classes = np.unique(y)
    counts = np.column_stack([y[:, None] == classes, np.ones(len(y), dtype=bool)]).astype(int)
    totals = np.array([counts[folds == fold].sum(axis=0) for fold in range(n_splits)])
    deviation = (totals / totals.sum(axis=0)).std(axis=0)
    return dict(zip(MEASURES, (imbalance(folds, counts, n_splits), deviation[:-1].mean(), deviation[-1]), strict=True))


def compare(seed: int) -> dict[str, object]:
    """Return both splitters' measures and seconds on one structure."""
    n_splits, shape, y, groups = draw_structure(seed)
    X = np.random.default_rng(seed).normal(size=(len(y), 2))
    line: dict[str, object] = {"sizes": shape, "folds": n_splits}
    for name, splitter in (("ours", NeighborWalkKFold(n_splits)), ("theirs", StratifiedGroupKFold(n_splits))):
        folds = np.empty(len(y), dtype=int)
        start = time.perf_counter()
        for number, (_, test) in enumerate(splitter.split(X, y, groups)):
            folds[test] = number
        line[f"seconds {name}"] = time.perf_counter() - start
        line |= {f"{key} {name}": value for key, value in measure(folds, y, n_splits).items()}
    return line


def run() -> pd.DataFrame:
    """Return a row per measure and shape of sizes: both means, and the shares of structures on which ours is better."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        drawn = pd.DataFrame([compare(seed) for seed in range(N_STRUCTURES)])
    lines = []
    for shape, part in [("all", drawn), *drawn.groupby("sizes")]:
        for key in MEASURES:
            difference = part[f"{key} ours"] - part[f"{key} theirs"]
            shares = ((difference < -_SAME).mean(), (difference.abs() <= _SAME).mean(), (difference > _SAME).mean())
            lines.append((shape, len(part), key, part[f"{key} ours"].mean(), part[f"{key} theirs"].mean(), *shares))
    names = ["sizes", "structures", "measure", "ours", "StratifiedGroupKFold", "better", "equal", "worse"]
    ratio = float(drawn["seconds ours"].sum() / drawn["seconds theirs"].sum())
    return pd.DataFrame(lines, columns=names).assign(time_ratio=ratio)
