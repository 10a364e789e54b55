"""Complete k-fold search against Algorithm 1 done literally, with the same grid and the same draws, on 1300 rows."""

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.svm import SVC

from benchmarks._timing import best_times
from compendium.datasets import MissingData, load
from cvstrat import CompleteKFoldSearchCV, clopper_pearson_upper

KS = (3, 5, 10)
GRID = {"C": [1.0, 10.0, 100.0, 1000.0], "gamma": [0.01, 0.1, 1.0]}
DRAWS = 5


def run() -> pd.DataFrame:
    """Return both times, fits of each, their ratio, and what both chose; it must be the same."""
    name, X, y = _problem()
    search = CompleteKFoldSearchCV(SVC(), GRID, ks=KS, n_draws=DRAWS, random_state=0).fit(X, y)
    draws = {k: search._draws(k, X, y) for k in KS}
    found: list[tuple[float, dict[str, float], int]] = []
    ours, literal = best_times(lambda: search.fit(X, y), lambda: found.append(_literal(X, y, draws)), rounds=3)
    bound, setting, k = found[-1]
    if (setting, k) != (search.best_params_, search.best_k_) or abs(bound - search.error_bound_) > 1e-9:
        raise RuntimeError(f"the search chose {search.best_params_}, k={search.best_k_}; Algorithm 1 {setting}, k={k}")
    fits = len(KS) * len(GRID["C"]) * len(GRID["gamma"]) * DRAWS
    line = (name, *X.shape, literal, 2 * fits, ours, fits + DRAWS, literal / ours)
    columns = ["set", "rows", "features", "literal seconds", "literal fits", "cvstrat seconds", "cvstrat fits", "ratio"]
    return pd.DataFrame([line], columns=columns)


def _problem() -> tuple[str, np.ndarray, np.ndarray]:
    """Return the first learning set of `image`, or a set of its size where the data folder is missing."""
    try:
        data = load("raetsch/image")
    except MissingData:
        X, y = make_classification(1300, 18, n_informative=8, flip_y=0.02, random_state=0)
        return "synthetic", X, y
    rows = data.splits[0][0]
    X, y = data.X[rows], np.unique(data.y[rows], return_inverse=True)[1]
    return "image", (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0), y


def _literal(X, y, draws) -> tuple[float, dict[str, float], int]:
    """Fit and estimate every candidate at every number of folds, draw by draw; return bound and triple of the best."""
    least, best = np.inf, None
    for C in GRID["C"]:
        for gamma in GRID["gamma"]:
            for k in KS:
                selection = estimation = 0.0
                for one in draws[k]:
                    model = SVC(C=C, gamma=gamma).fit(X[one.training], y[one.training])
                    selection += _bound(model, X[one.selection], y[one.selection])
                    model = SVC(C=C, gamma=gamma).fit(X[one.both], y[one.both])
                    estimation += _bound(model, X[one.estimation], y[one.estimation])
                if selection / DRAWS < least:
                    least, best = selection / DRAWS, (estimation / DRAWS, {"C": C, "gamma": gamma}, k)
    return best


def _bound(model, X, y) -> float:
    return clopper_pearson_upper(int(np.sum(model.predict(X) != y)), len(y))
