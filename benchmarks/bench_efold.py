"""A fold of efold_cross_validate against one of scikit-learn's cross_validate, for fits of a given length."""

import statistics
import time

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, cross_validate

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
    """Return a row per length of a fit: time per fold of both, and the ratio; medians of rounds, taken in turn."""
    X, y = np.random.default_rng(0).normal(size=(1000, 10)), np.arange(1000) % 2
    lines = []
    for milliseconds, rounds in ((1, 60), (10, 30), (50, 20)):
        model, cv = Waiting(milliseconds / 1e3), KFold(FOLDS)
        times = []
        for _ in range(rounds):
            theirs = _per_fold(lambda model=model, cv=cv: cross_validate(model, X, y, cv=cv))
            ours = _per_fold(lambda model=model, cv=cv: efold_cross_validate(model, X, y, cv=cv))
            times.append((1e3 * theirs, 1e3 * ours))
        theirs, ours = (statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(one / other for other, one in times)
        lines.append((milliseconds, theirs, ours, ratio))
    return pd.DataFrame(lines, columns=["fit ms", "cross_validate ms", "e-fold ms", "ratio"])


def _per_fold(job) -> float:
    Waiting.folds = 0
    start = time.perf_counter()
    job()
    seconds = time.perf_counter() - start
    assert Waiting.folds == FOLDS
    return seconds / FOLDS
