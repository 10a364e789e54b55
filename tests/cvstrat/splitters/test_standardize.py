"""Columns of equal spread on request: their units then do not matter; without it the papers' folds stay as they are."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_wine

from cvstrat import (
    ClusterBlockKFold,
    ClusterKFold,
    NeighborhoodKFold,
    NeighborWalkKFold,
    StratifiedClusterKFold,
    balance_ratio,
)

SPLITTERS = {
    "clusters": lambda **options: ClusterKFold(3, n_clusters=3, **options),
    "class, clusters": lambda **options: StratifiedClusterKFold(3, n_clusters=3, **options),
    "blocks": lambda **options: ClusterBlockKFold(3, **options),
    "walk": lambda **options: NeighborWalkKFold(3, **options),
    "neighborhood": lambda **options: NeighborhoodKFold(3, **options),
}
every = pytest.mark.parametrize("make", SPLITTERS.values(), ids=SPLITTERS)


@every
def test_units_of_columns_do_not_matter(make, table, folds):
    X, y = table
    assert folds(make(standardize=True), X * [1.0, 2.0**20, 2.0**-9], y) == folds(make(standardize=True), X, y)


@every
def test_it_is_the_same_as_dividing_by_standard_deviations(make, table, folds):
    X, y = table
    X = X / X.std(axis=0)
    wide = X * [1.0, 8.0, 64.0]
    scaled = folds(make(standardize=True), wide, y)
    assert scaled == folds(make(standardize=True), X, y)
    assert scaled != folds(make(), wide, y)


@every
def test_rows_may_be_permuted_or_sparse(make, folds):
    rng = np.random.RandomState(9)
    X = rng.rand(91, 4) * (rng.rand(91, 4) < 0.5) * [1, 100, 1, 1]
    X[:, 0], y = rng.rand(91), rng.randint(0, 3, 91)
    first = folds(make(standardize=True), X, y)
    assert folds(make(standardize=True), sparse.csr_array(X), y) == first
    order = rng.permutation(91)
    assert [sorted(order[fold].tolist()) for fold in folds(make(standardize=True), X[order], y[order])] == first


@every
def test_a_column_of_one_value_is_no_error(make, table):
    X, y = table
    rows = np.column_stack([X, np.full(91, 0.1)])
    assert sorted(np.concatenate([test for _, test in make(standardize=True).split(rows, y)])) == list(range(91))
    held = sparse.csr_array(rows)
    assert sorted(np.concatenate([test for _, test in make(standardize=True).split(held, y)])) == list(range(91))


@pytest.mark.parametrize("kind", [NeighborWalkKFold, NeighborhoodKFold])
def test_a_wide_column_no_longer_rules_the_neighbours(kind):
    X, y = load_wine(return_X_y=True)  # one of its columns has values in the hundreds, the others below a few tens
    seeds = [{"shuffle": True, "random_state": seed} for seed in range(5)]
    off, on = (
        np.mean([balance_ratio(kind(5, standardize=standardize, **seed), X, y) for seed in seeds])
        for standardize in (False, True)
    )
    assert on < 0.85 * off


@every
@pytest.mark.parametrize("wrong", [1, "yes", None])
def test_it_is_true_or_false(make, wrong):
    with pytest.raises(TypeError, match=f"standardize must be True or False; it is {wrong!r}"):
        make(standardize=wrong)
