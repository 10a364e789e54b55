"""Counts of a class in random folds: formulas against every possible cut, and against real splitters."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvstrat import metrics


@pytest.mark.parametrize(("n", "n_class", "n_splits"), [(8, 3, 2), (9, 4, 3), (10, 3, 4), (11, 5, 4), (7, 7, 3)])
def test_the_formulas_agree_with_every_possible_cut(every_cut, n, n_class, n_splits):
    counts = every_cut(n, n_class, n_splits)
    distribution = metrics.count_distribution(n, n_class, n_splits)
    found = np.bincount(counts.ravel(), minlength=len(distribution)) / counts.size
    assert distribution.to_numpy() == pytest.approx(found)
    assert metrics.empty_probability(n, n_class, n_splits) == pytest.approx((counts == 0).mean())
    assert metrics.any_empty_probability(n, n_class, n_splits) == pytest.approx((counts == 0).any(axis=1).mean())


def exact_any_empty(n, n_class, n_splits):
    """Inclusion and exclusion in whole numbers."""
    large, size = n % n_splits, n // n_splits
    ways = sum(
        (-1) ** (a + b + 1) * comb(large, a) * comb(n_splits - large, b) * comb(n - a * (size + 1) - b * size, n_class)
        for a in range(large + 1)
        for b in range(n_splits - large + 1)
        if a + b and n - a * (size + 1) - b * size >= 0
    )
    return ways / comb(n, n_class)


@given(st.integers(2, 25), st.integers(1, 120), st.integers(0, 400))
def test_any_empty_fold_agrees_with_whole_number_arithmetic(n_splits, n_class, others):
    n = max(n_class + others, n_splits)
    exact = exact_any_empty(n, n_class, n_splits)
    assert metrics.any_empty_probability(n, n_class, n_splits) == pytest.approx(exact, rel=1e-8, abs=1e-300)


def test_the_example_of_the_text_is_rarer_than_it_sounds():
    one, some = metrics.empty_probability(20000, 200, 10), metrics.any_empty_probability(20000, 200, 10)
    assert one == pytest.approx(comb(19800, 2000) / comb(20000, 2000), rel=1e-10)
    assert one < 1e-9
    assert one <= some <= 10 * one


def test_a_class_smaller_than_the_number_of_folds_leaves_one_empty_for_sure():
    assert metrics.any_empty_probability(100, 9, 10) == 1.0
    assert metrics.any_empty_probability(100, 10, 10) < 1.0


def test_a_million_rows_are_no_problem():
    assert metrics.any_empty_probability(10**6, 30, 10) == pytest.approx(exact_any_empty(10**6, 30, 10), rel=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, 3, 1), "at least 2"),
        ((10, 11, 2), "more rows than there are"),
        ((10, 3, 11), "more than the number of rows"),
    ],
)
def test_what_cannot_be_cut_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        metrics.empty_probability(*arguments)
