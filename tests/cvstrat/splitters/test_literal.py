"""The dealer, against cards dealt by hand: round and round, and class by class without starting anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvstrat.splitters import DealtKFold, deal
from cvstrat.splitters._classes import rank_classes
from cvstrat.splitters._content import row_keys

quick = settings(max_examples=60)


def deal_by_hand(order, n_splits):
    """Give the rows to the folds in turn; return the fold of each row."""
    fold_of_row = {}
    turn = 0
    for row in order:
        fold_of_row[row] = turn
        turn += 1
        if turn == n_splits:
            turn = 0
    return [fold_of_row[row] for row in range(len(fold_of_row))]


class Backwards(DealtKFold):
    """An order of its own: rows of a class from the last by content to the first."""

    def __init__(self, n_splits=5, *, stratified=False, shuffle=False, random_state=None):
        self.n_splits = n_splits
        self.stratified = stratified
        self.shuffle = shuffle
        self.random_state = random_state

    def _order(self, rows, settings, rng):
        return np.arange(len(rows))[::-1]


def backwards_by_hand(X, y, n_splits, rng):
    keys = row_keys(X, rng)
    by_content = sorted(range(len(X)), key=lambda row: int(keys[row]))
    if y is None:
        return deal_by_hand(by_content[::-1], n_splits)
    ranks = rank_classes(np.unique(y, return_inverse=True)[1], keys)
    order = []
    for rank in range(max(ranks) + 1):
        order += [row for row in by_content[::-1] if ranks[row] == rank]
    return deal_by_hand(order, n_splits)


@quick
@given(st.integers(1, 60), st.integers(2, 12), st.randoms(use_true_random=False))
def test_deal(n_rows, n_splits, random):
    order = list(range(n_rows))
    random.shuffle(order)
    assert deal(np.array(order), n_splits).tolist() == deal_by_hand(order, n_splits)


def test_deal_in_full():
    assert deal(np.array([3, 0, 4, 1, 2]), 2).tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
@pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
@pytest.mark.parametrize("stratified", [False, True])
def test_an_order_is_dealt_on_rows_by_content(n_splits, stratified, seed):
    random = np.random.RandomState(n_splits)
    X, y = random.randn(97, 3), random.choice(["b", "c", "a"], size=97, p=[0.6, 0.25, 0.15])
    splitter = Backwards(n_splits, stratified=stratified, shuffle=seed is not None, random_state=seed)
    expected = backwards_by_hand(X, y if stratified else None, n_splits, np.random.RandomState(seed or 0))
    assert splitter.fold_of_each_row(X, y).tolist() == expected


@pytest.mark.parametrize("stratified", [False, True])
def test_copies_of_a_row_come_in_the_order_given(stratified):
    X, y = np.repeat([[1.0], [2.0], [3.0]], 4, axis=0), np.array([0, 0, 1, 1] * 3)
    splitter = Backwards(3, stratified=stratified)
    expected = backwards_by_hand(X, y if stratified else None, 3, np.random.RandomState(0))
    assert splitter.fold_of_each_row(X, y).tolist() == expected


@quick
@given(st.lists(st.integers(0, 3), min_size=12, max_size=60), st.integers(2, 5))
def test_class_by_class_both_sizes_and_classes_differ_by_one_at_most(y, n_splits):
    y = np.array([*y, *[0] * n_splits, *[1] * n_splits, *[2] * n_splits, *[3] * n_splits])
    folds = Backwards(n_splits, stratified=True).fold_of_each_row(np.arange(float(len(y)))[:, None], y)
    for rows in [np.ones(len(y), dtype=bool), *(y == label for label in range(4))]:
        sizes = [int((folds[rows] == number).sum()) for number in range(n_splits)]
        assert max(sizes) - min(sizes) <= 1


def test_dealing_goes_on_from_class_to_class():
    """Ten classes of three rows in four folds: starting anew with each class would leave the last fold empty."""
    X, y = np.arange(30.0)[:, None], np.repeat(np.arange(10), 3)
    with pytest.raises(ValueError, match="n_splits=4 is more than the members of any class"):
        Backwards(4, stratified=True).fold_of_each_row(X, y)
    y[:4] = 0
    with pytest.warns(UserWarning, match="least populated class"):
        folds = Backwards(4, stratified=True).fold_of_each_row(X, y)
    assert sorted(np.bincount(folds, minlength=4).tolist()) == [7, 7, 8, 8]


@pytest.mark.parametrize("n_splits", [2, 5])
def test_a_continuous_target_is_dealt_bin_by_bin(n_splits):
    random = np.random.RandomState(0)
    X, y = random.randn(83, 2), random.randn(83)
    with pytest.warns(UserWarning, match="y is continuous and cut into 10 bins"):
        folds = Backwards(n_splits, stratified=True).fold_of_each_row(X, y)
    ranked = np.argsort(y)
    edges = [int(np.ceil((len(y) - 1) * number / 10)) for number in range(10)] + [len(y)]
    bins = np.empty(len(y), dtype=int)
    for number in range(10):
        bins[ranked[edges[number] : edges[number + 1]]] = number
    assert folds.tolist() == backwards_by_hand(X, bins, n_splits, np.random.RandomState(0))


def test_splits_are_the_rows_of_each_fold():
    X = np.random.RandomState(0).randn(23, 2)
    splitter = Backwards(4)
    folds = splitter.fold_of_each_row(X).tolist()
    for number, (train, test) in enumerate(splitter.split(X)):
        assert test.tolist() == [row for row in range(23) if folds[row] == number]
        assert train.tolist() == [row for row in range(23) if folds[row] != number]
