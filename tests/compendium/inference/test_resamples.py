"""The .632 and .632+ bootstrap against the formulas as Efron and Tibshirani print them, in errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compendium.inference import bootstrap_632, bootstrap_632_plus, bootstrap_rows, no_information_accuracy

shares = st.floats(0, 1)


def literal_632_plus(training_error, left_out_error, gamma):
    """Eq. 28 to 32 of the paper of 1997."""
    capped = min(left_out_error, gamma)
    rate = 0.0
    if left_out_error > training_error and gamma > training_error:
        rate = (capped - training_error) / (gamma - training_error)
    plain = 0.368 * training_error + 0.632 * left_out_error
    return plain + (capped - training_error) * (0.368 * 0.632 * rate) / (1 - 0.368 * rate)


@given(shares, shares, shares)
def test_plus_is_that_of_the_paper(apparent, outside, no_information):
    expected = 1 - literal_632_plus(1 - apparent, 1 - outside, 1 - no_information)
    assert bootstrap_632_plus(apparent, outside, no_information) == pytest.approx(expected, abs=1e-9)


@given(shares, shares)
def test_without_overfitting_both_are_the_same(apparent, no_information):
    assert bootstrap_632_plus(apparent, apparent, no_information) == pytest.approx(bootstrap_632(apparent, apparent))


def test_a_memoriser_of_noise_is_seen_through():
    assert bootstrap_632(1.0, 0.5) == pytest.approx(0.684)
    assert bootstrap_632_plus(1.0, 0.5, 0.5) == pytest.approx(0.5)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_no_information_is_the_mean_over_all_pairs(pairs):
    y, predicted = (np.array(side) for side in zip(*pairs, strict=True))
    by_hand = np.mean([a == b for a in y for b in predicted])
    assert no_information_accuracy(y, predicted) == pytest.approx(by_hand)


@given(st.integers(2, 40), st.integers(0, 100))
def test_resamples_are_as_large_as_the_data_and_what_they_leave_out_is_not_in_them(n_rows, seed):
    for drawn, left_out in bootstrap_rows(n_rows, 5, seed):
        assert len(drawn) == n_rows
        assert len(left_out) > 0
        assert set(drawn) | set(left_out) == set(range(n_rows))
        assert not set(drawn) & set(left_out)


def test_about_37_percent_are_left_out():
    left = [len(left_out) for _, left_out in bootstrap_rows(1000, 50, 0)]
    assert np.mean(left) == pytest.approx(1000 * np.exp(-1), rel=0.02)


def test_one_row_cannot_be_resampled():
    with pytest.raises(ValueError, match="n_rows=1"):
        bootstrap_rows(1, 5)
