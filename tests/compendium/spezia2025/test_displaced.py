"""The index defect: folds of the right sizes, with the wrong rows in them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from compendium.spezia2025.study import PUBLISHED, displaced_folds, folds_in_row_order, published_folds, study_splitter
from cvstrat.metrics import fold_numbers

both = pytest.mark.parametrize("sorts_by_class", [False, True])


def stratified(n, n_splits, n_classes, seed):
    """Classes in random order, and stratified folds of them."""
    y = np.random.default_rng(seed).permutation(np.arange(n) % n_classes)
    return fold_numbers(StratifiedKFold(n_splits, shuffle=True, random_state=seed), y[:, None], y), y


@settings(max_examples=60)
@given(
    folds=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=60),
    sorts_by_class=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_sizes_of_folds_stay(folds, sorts_by_class, seed):
    right, y = np.array(folds).T
    given_folds, given_y = right.copy(), y.copy()
    displaced = displaced_folds(right, y, sorts_by_class=sorts_by_class, random_state=seed)
    assert sorted(displaced) == sorted(right)
    assert np.array_equal(right, given_folds)
    assert np.array_equal(y, given_y)
    again = displaced_folds(right, y, sorts_by_class=sorts_by_class, random_state=seed)
    assert np.array_equal(displaced, again)


@both
def test_a_copy_that_is_written_out_gives_the_same(sorts_by_class):
    folds, y = stratified(40, 4, 3, seed=1)
    copy = [{"row": row, "class": y[row]} for row in np.random.default_rng(5).permutation(40)]
    if sorts_by_class:
        copy.sort(key=lambda one: one["class"])
    by_hand = [folds[one["row"]] for one in copy]
    assert displaced_folds(folds, y, sorts_by_class=sorts_by_class, random_state=5).tolist() == by_hand


def wine_subsample():
    X, y = load_wine(return_X_y=True)  # no row occurs twice, so that the copy has the very same folds
    sample = next(StratifiedShuffleSplit(1, test_size=0.1, random_state=456).split(X, y))[0]
    return X[sample], y[sample]


CLUSTERS = {"n_clusters": 4, "eps": 40.0, "min_samples": 4}
ROW_ORDER = {"ACBCV": AgglomerativeClustering(4), "DBSCANBCV": DBSCAN(eps=40.0, min_samples=4)}


@pytest.mark.parametrize("technique", [name for name in PUBLISHED if name not in ROW_ORDER])
def test_splitting_a_shuffled_copy_and_taking_positions_for_row_indices_gives_the_same(technique):
    X, y = wine_subsample()
    splitter = study_splitter(technique, 5, clusters=CLUSTERS, random_state=123)
    copy = np.random.default_rng(123).permutation(len(y))
    if technique.startswith("SCBCV"):
        copy = copy[np.argsort(y[copy], kind="stable")]
    right = fold_numbers(splitter, X, y)
    literal = fold_numbers(splitter, X[copy], y[copy])
    found = published_folds(technique, splitter, right, X, y)
    assert np.array_equal(found, literal)
    assert (found != right).mean() > 0.5


def positions_by_hand(labels, n_splits):
    """Go through the labels once per cluster; append each position to the next fold; begin again with the first."""
    folds = [[] for _ in range(n_splits)]
    for label in sorted(set(labels)):
        following = 0
        for position, other in enumerate(labels):
            if other == label:
                folds[following].append(position)
                following = (following + 1) % n_splits
    return [sorted(fold) for fold in folds]


@pytest.mark.parametrize("technique", ROW_ORDER)
@pytest.mark.parametrize("n_splits", [2, 10])
def test_clusters_are_dealt_in_the_order_of_the_shuffled_rows_and_each_from_the_first_fold(technique, n_splits):
    X, y = wine_subsample()
    splitter = study_splitter(technique, n_splits, clusters=CLUSTERS, random_state=123)
    shuffled = np.array([X[row] for row in np.random.default_rng(123).permutation(len(y))])
    labels = ROW_ORDER[technique].fit_predict(shuffled).tolist()
    found = published_folds(technique, splitter, fold_numbers(splitter, X, y), X, y)
    by_hand = positions_by_hand(labels, n_splits)
    assert [np.flatnonzero(found == fold).tolist() for fold in range(n_splits)] == by_hand
    sizes = [sum((labels.count(label) - fold - 1) // n_splits + 1 for label in set(labels)) for fold in range(n_splits)]
    assert np.bincount(found).tolist() == sizes  # the first folds have more rows: every cluster begins with them
    assert min(sizes) < max(sizes) - 1 or n_splits == 2


@given(labels=st.lists(st.integers(0, 4), min_size=1, max_size=40), n_splits=st.integers(2, 6))
def test_dealing_in_row_order_is_what_a_loop_over_clusters_does(labels, n_splits):
    codes = np.unique(labels, return_inverse=True)[1]
    found = folds_in_row_order(codes, n_splits)
    assert [np.flatnonzero(found == fold).tolist() for fold in range(n_splits)] == positions_by_hand(labels, n_splits)


@both
@pytest.mark.parametrize("n_splits", [2, 10])
def test_folds_are_as_unstratified_as_folds_at_random(sorts_by_class, n_splits):
    """Counts of a class in a fold vary as they do when a fold is drawn without regard to the class."""
    n, n_classes, n_seeds = 120, 3, 400
    counts = []
    for seed in range(n_seeds):
        folds, y = stratified(n, n_splits, n_classes, seed)
        displaced = displaced_folds(folds, y, sorts_by_class=sorts_by_class, random_state=seed + 10_000)
        assert set(np.bincount(folds[y == 0])) == {n // n_classes // n_splits}
        counts.append(np.sum((displaced == 0) & (y == 0)))
    size, share = n / n_splits, 1 / n_classes
    hypergeometric = size * share * (1 - share) * (n - size) / (n - 1)
    assert np.mean(counts) == pytest.approx(size * share, abs=5 * np.sqrt(hypergeometric / n_seeds))
    # The variance of 400 counts has a standard error of 7 %; right folds have none at all.
    assert np.var(counts, ddof=1) == pytest.approx(hypergeometric, rel=0.35)


@both
def test_rows_change_their_folds_as_often_as_in_random_folds(sorts_by_class):
    shares = []
    for seed in range(100):
        folds, y = stratified(100, 5, 2, seed)
        displaced = displaced_folds(folds, y, sorts_by_class=sorts_by_class, random_state=seed)
        shares.append((displaced != folds).mean())
    assert np.mean(shares) == pytest.approx(0.8, abs=0.02)


def test_rows_that_were_sorted_by_class_keep_their_stratification_when_the_copy_is_sorted_too():
    y = np.repeat([0, 1, 2], 20)
    folds = fold_numbers(StratifiedKFold(4, shuffle=True, random_state=0), y[:, None], y)
    displaced = displaced_folds(folds, y, sorts_by_class=True, random_state=3)
    assert not np.array_equal(displaced, folds)
    for one in range(3):
        assert np.bincount(displaced[y == one]).tolist() == [5, 5, 5, 5]
