"""Dealing: quotas against dealing row by row, and against the splitters."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from cvstrat import StratifiedClusterKFold, metrics

COUNTS = st.lists(st.integers(0, 60), min_size=1, max_size=5).filter(lambda counts: sum(counts) > 0)


@given(COUNTS, st.integers(2, 12))
def test_dealt_counts_are_those_of_dealing_row_by_row(counts, n_splits):
    classes = np.repeat(np.arange(len(counts)), counts)
    literal = np.zeros((n_splits, len(counts)), dtype=int)
    for row, label in enumerate(classes):
        literal[row % n_splits, label] += 1
    dealt = metrics.dealt_counts(counts, n_splits)
    assert (dealt == literal).all()
    assert np.ptp(dealt.sum(axis=1)) <= 1
    assert (np.ptp(dealt, axis=0) <= 1).all()


@given(COUNTS, st.integers(2, 12))
def test_starting_each_class_anew_keeps_counts_even_but_not_sizes(counts, n_splits):
    restarted = metrics.dealt_counts(counts, n_splits, restart=True)
    assert (restarted.sum(axis=0) == counts).all()
    assert (np.ptp(restarted, axis=0) <= 1).all()
    assert np.ptp(restarted.sum(axis=1)) <= len(counts)


def test_the_splitters_of_both_packages_deal_these_counts():
    y = np.repeat([0, 1, 2], [23, 7, 3])
    X = np.random.default_rng(0).normal(size=(33, 2))
    wanted = sorted(map(tuple, metrics.dealt_counts([23, 7, 3], 3)))
    for cv in (StratifiedKFold(3), StratifiedClusterKFold(3, n_clusters=2)):
        found = [tuple(np.bincount(y[test], minlength=3)) for _, test in cv.split(X, y)]
        assert sorted(len(y[test]) for _, test in cv.split(X, y)) == [11, 11, 11]
        assert np.ptp(found, axis=0).max() <= 1
    assert sorted(tuple(np.bincount(y[test], minlength=3)) for _, test in StratifiedKFold(3).split(X, y)) == wanted


def test_the_example_of_the_text_has_three_folds_and_needs_dealing_on():
    assert metrics.dealt_counts([23, 7, 3], 3).tolist() == [[8, 2, 1], [8, 2, 1], [7, 3, 1]]
    assert metrics.dealt_counts([23, 7, 3], 3, restart=True).tolist() == [[8, 3, 1], [8, 2, 1], [7, 2, 1]]
    assert sorted(set(metrics.dealt_counts([23, 7, 3], 10).sum(axis=1))) == [3, 4]
    assert sorted(set(metrics.dealt_counts([23, 7, 3], 10, restart=True).sum(axis=1))) == [2, 3, 5]


@given(st.lists(st.integers(1, 40), min_size=2, max_size=4))
def test_up_to_the_rarest_class_every_fold_has_every_class(counts):
    largest = metrics.largest_n_splits(counts)
    if largest >= 2:
        assert (metrics.dealt_counts(counts, largest) > 0).all()
    assert (metrics.dealt_counts(counts, largest + 1) == 0).any()
