"""A fold of efold_cross_validate against one of scikit-learn's cross_validate, for fits of a given length."""

import time

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, cross_validate

from benchmarks._timing import best_times
from cvstrat import efold_cross_validate

FOLDS = 10


class Waiting(ClassifierMixin, BaseEstimator):
    """Takes the time it is told to; its scores spread ever more, so that e-fold looks at every fold and never stops."""

    folds = 0

    def __init__(self, seconds=0.05):
        self.seconds = seconds

    def fit(self, X, y):
        """Wait until the time is over, however busy the machine is."""
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end:
            pass
        return self

    def score(self, X, y):
        """Return the next of ten scores, each twice the one before."""
        type(self).folds += 1
        return 2.0 ** (self.folds % FOLDS)


def run() -> pd.DataFrame:
    """Return a row per length of a fit: the time of a fold in both, and their ratio."""
    X, y = np.random.default_rng(0).normal(size=(1000, 10)), np.arange(1000) % 2
    lines = []
    for milliseconds, rounds in ((1, 100), (10, 50), (50, 20)):
        model, cv = Waiting(milliseconds / 1e3), KFold(FOLDS)
        theirs, ours = best_times(
            lambda model=model, cv=cv: _ten_folds(cross_validate, model, X, y, cv),
            lambda model=model, cv=cv: _ten_folds(efold_cross_validate, model, X, y, cv),
            rounds=rounds,
        )
        lines.append((milliseconds, 1e3 * theirs / FOLDS, 1e3 * ours / FOLDS, ours / theirs))
    return pd.DataFrame(lines, columns=["fit ms", "cross_validate ms", "e-fold ms", "ratio"])


def _ten_folds(procedure, model, X, y, cv) -> None:
    Waiting.folds = 0
    procedure(model, X, y, cv=cv)
    assert Waiting.folds == FOLDS
