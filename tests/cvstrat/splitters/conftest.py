"""Shared by the splitters' tests: every technique as a case, a table to cut, and the folds as lists."""

import inspect
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import Birch
from threadpoolctl import threadpool_limits

from cvstrat import (
    TECHNIQUES,
    BalancedKFold,
    CenteredClusterKFold,
    ClusterBlockKFold,
    ClusterKFold,
    StratifiedClusterKFold,
)


@dataclass(frozen=True)
class Case:
    """A splitter to test: its class, the options that are fixed, and what it promises."""

    name: str
    kind: Any
    fixed: dict = field(default_factory=dict)
    stratified: bool = False

    @property
    def own(self):
        return self.name not in ("KFold", "SCV")  # scikit-learn's own, but for groups and strata

    @property
    def even(self):
        return self.kind is not ClusterBlockKFold

    @property
    def options(self):
        return set(inspect.signature(self.kind).parameters) - set(self.fixed)

    @property
    def chance(self):
        return "shuffle" in self.options

    @property
    def clusterer(self):
        return self.fixed.get("clusterer")

    def make(self, n_splits=3, *, seed=None, **options):
        """Make the splitter, without shuffling if there is no seed; options that it does not have are left out."""
        given = {"n_clusters": 3, "shuffle": seed is not None, "random_state": seed} | options
        return self.kind(n_splits, **self.fixed, **{key: given[key] for key in self.options & set(given)})


CASES = [
    Case(name, technique.splitter, technique.fixed, technique.stratified) for name, technique in TECHNIQUES.items()
]
CASES += [
    Case(f"class-{name}", StratifiedClusterKFold, {"clusterer": name}, stratified=True)
    for name in ("agglomerative", "dbscan", "spectral")
]
CASES += [
    Case("balanced-order", BalancedKFold, {"balance": 0, "order": "DBSCV", "n_features": 32}, stratified=True),
    Case("balanced-energy", BalancedKFold, {"balance": 0, "criterion": "energy"}, stratified=True),
    Case("balanced-features", BalancedKFold, {"criterion": "features", "n_features": 64}, stratified=True),
    Case("balanced-whole", BalancedKFold, {"stratified": False, "scale": 2.0, "n_features": 32}),
    Case("sklearn-clusterer", ClusterKFold, {"clusterer": Birch(n_clusters=3)}),
    Case("class-sklearn-clusterer", StratifiedClusterKFold, {"clusterer": Birch(n_clusters=None)}, stratified=True),
    Case("CL-CV-hierarchical", CenteredClusterKFold, {"method": "hierarchical"}),
    Case("ROCBCV-agglomerative", ClusterBlockKFold, {"clusterer": "agglomerative"}),
]


def cases(*properties):
    """Return a fixture of the cases that have all these properties."""
    chosen = [case for case in CASES if all(getattr(case, one) for one in properties)]
    return pytest.fixture(scope="session", params=chosen, ids=lambda case: case.name)(lambda request: request.param)


case = cases()
own_case = cases("own")
even_case = cases("even")
own_even_case = cases("own", "even")
chance_case = cases("chance")
stratified_case = cases("stratified")
own_stratified_case = cases("own", "stratified")


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Tables here are tiny: threads that wait for each other would take most of the time."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def table():
    """Ninety-one different rows in three heaps, with classes of 50, 30 and 11 that cut across them."""
    rng = np.random.RandomState(7)
    X = rng.normal(size=(91, 3)) + 6.0 * (np.arange(91) % 3)[:, None]
    return X, rng.permutation(np.repeat([0, 1, 2], [50, 30, 11]))


@pytest.fixture(scope="session")
def ties():
    """Ninety-two rows of whole numbers in three heaps: many are equal, and many distances are."""
    rng = np.random.RandomState(8)
    X = rng.randint(0, 4, size=(92, 3)) + 20.0 * (np.arange(92) % 3)[:, None]
    return X, rng.permutation(np.repeat([0, 1, 2], [50, 31, 11]))


@pytest.fixture(scope="session")
def folds():
    """Return a function that gives the test folds of a splitter as lists of row numbers."""

    def lists(splitter, X, y=None):
        return [test.tolist() for _, test in splitter.split(X, y)]

    return lists
