"""The imbalance index."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvstrat import imbalance_index

labels = st.lists(st.integers(0, 6), min_size=1, max_size=60)


def literal(y):
    """The formula, term by term and without rounding."""
    counts = Counter(y)
    K, N = len(counts), len(y)
    return float(Fraction(K, K - 1) * sum((Fraction(n, N) - Fraction(1, K)) ** 2 for n in counts.values()))


@pytest.mark.parametrize(
    ("counts", "index"),
    [
        ([1], 0),
        ([7], 0),
        ([5, 5, 5], 0),
        ([9, 1], 0.64),
        ([3, 1], 0.25),
        ([2, 1, 1], 0.0625),
        ([150, 35, 30], 0.29908058409951327),  # PMLB's figure for new_thyroid
    ],
)
def test_known_values(counts, index):
    assert imbalance_index(np.repeat(np.arange(len(counts)), counts)) == pytest.approx(index, abs=1e-15)


@given(labels)
def test_lies_between_0_and_1_and_is_0_only_for_equal_classes(y):
    index = imbalance_index(y)
    assert 0 <= index < 1
    assert (index == 0) == (len(set(Counter(y).values())) == 1)


@given(labels.filter(lambda y: len(set(y)) > 1))
def test_equals_the_formula(y):
    assert imbalance_index(y) == pytest.approx(literal(y), rel=1e-12)


@given(labels, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(y, random):
    assert imbalance_index(random.sample(y, len(y))) == imbalance_index(y)


@given(
    labels, st.permutations(["a", "b", "Z", "", "é", "10", "9"]), st.permutations([-3.5, 0.0, 1e9, 2.0, 7.0, 8.0, 9.0])
)
def test_names_of_classes_do_not_matter(y, words, numbers):
    assert imbalance_index([words[label] for label in y]) == pytest.approx(imbalance_index(y), abs=1e-14)
    assert imbalance_index([numbers[label] for label in y]) == pytest.approx(imbalance_index(y), abs=1e-14)


@pytest.mark.parametrize("y", [[], [[0, 1], [1, 0]], [[0], [1]], 3], ids=["empty", "2-D", "column", "scalar"])
def test_anything_but_one_column_of_labels_is_refused(y):
    with pytest.raises(ValueError, match="one column"):
        imbalance_index(y)
