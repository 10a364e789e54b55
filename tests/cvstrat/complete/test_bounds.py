"""Upper bounds of an error rate: exact where they claim to be, and never below the truth more often than they may."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cvstrat import clopper_pearson_upper
from cvstrat.complete import BOUNDS, empirical_bernstein_upper, hoeffding_upper, wilson_upper

DELTAS = st.floats(1e-4, 0.5)
every_bound = pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS)


def literal_clopper_pearson(errors, n, delta):
    """The largest p at which `errors` or fewer have a chance of at least `delta`, by halving the interval."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        tail = sum(math.comb(n, j) * middle**j * (1 - middle) ** (n - j) for j in range(errors + 1))
        low, high = (middle, high) if tail >= delta else (low, middle)
    return low


@st.composite
def counts(draw, most=300):
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n


class TestClopperPearson:
    """The exact bound."""

    @given(counts(80), DELTAS)
    def test_is_the_largest_rate_at_which_so_few_errors_are_likely(self, counted, delta):
        assert clopper_pearson_upper(*counted, delta) == pytest.approx(
            literal_clopper_pearson(*counted, delta), abs=1e-9
        )

    @given(st.integers(1, 100_000), DELTAS)
    def test_is_exact_at_the_edges(self, n, delta):
        assert clopper_pearson_upper(n, n, delta) == 1.0
        assert clopper_pearson_upper(0, n, delta) == pytest.approx(-math.expm1(math.log(delta) / n), rel=1e-9)

    @given(st.integers(1, 60), st.sampled_from([0.01, 0.05, 0.3]))
    def test_is_too_low_with_a_chance_of_at_most_delta(self, n, delta):
        bounds = clopper_pearson_upper(np.arange(n + 1), n, delta)
        # The chance has its peaks where the true rate passes a bound.
        for rate in np.concatenate([np.linspace(0.001, 0.999, 50), np.clip(bounds[:-1] * (1 + 1e-9), 0, 1)]):
            chances = stats.binom.pmf(np.arange(n + 1), n, rate)
            assert chances[bounds < rate].sum() <= delta * (1 + 1e-5)

    def test_agrees_with_scipys_interval(self):
        interval = stats.binomtest(7, 40).proportion_ci(confidence_level=0.9, method="exact")
        assert clopper_pearson_upper(7, 40, 0.05) == pytest.approx(interval.high)


def test_wilson_is_scipys_and_the_others_are_their_formulas():
    interval = stats.binomtest(7, 40).proportion_ci(confidence_level=0.9, method="wilson")
    assert wilson_upper(7, 40, 0.05) == pytest.approx(interval.high)
    assert hoeffding_upper(7, 40, 0.05) == pytest.approx(7 / 40 + math.sqrt(math.log(20) / 80))
    losses = np.repeat([1.0, 0.0], [7, 33])
    spread = math.sqrt(2 * losses.var(ddof=1) * math.log(40) / 40)
    assert empirical_bernstein_upper(7, 40, 0.05) == pytest.approx(7 / 40 + spread + 7 * math.log(40) / (3 * 39))
    assert empirical_bernstein_upper(0, 1) == 1.0


@pytest.mark.parametrize("bound", [hoeffding_upper, empirical_bernstein_upper])
@pytest.mark.parametrize("n", [5, 40, 200])
def test_the_bounds_without_assumptions_are_too_low_with_a_chance_of_at_most_delta(bound, n):
    errors = np.arange(n + 1)
    bounds = bound(errors, n, 0.05)
    for rate in np.linspace(0.001, 0.999, 300):
        assert stats.binom.pmf(errors, n, rate)[bounds < rate].sum() <= 0.05


def test_wilson_is_right_only_about_so_often():
    errors = np.arange(51)
    bounds = wilson_upper(errors, 50, 0.05)
    missed = [stats.binom.pmf(errors, 50, rate)[bounds < rate].sum() for rate in np.linspace(0.02, 0.98, 500)]
    assert np.mean(missed) == pytest.approx(0.05, abs=0.02)
    assert max(missed) > 0.06


@every_bound
@given(counts(), DELTAS)
def test_a_bound_lies_between_rate_and_one_and_more_is_higher(bound, counted, delta):
    errors, n = counted
    found = bound(errors, n, delta)
    assert errors / n <= found * (1 + 1e-12) <= 1 + 1e-12
    assert bound(errors, n, delta / 2) >= found - 1e-12
    if errors < n:
        assert bound(errors + 1, n, delta) >= found - 1e-12
    assert bound(2 * errors, 2 * n, delta) <= found + 1e-12


@every_bound
def test_arrays_are_scalars_one_by_one(bound):
    errors, n = np.array([[0, 3], [5, 20]]), np.array([20, 40])
    found = bound(errors, n, 0.1)
    assert found.shape == (2, 2)
    for place in np.ndindex(2, 2):
        one = bound(int(errors[place]), int(n[place[1]]), 0.1)
        assert isinstance(one, float)
        assert found[place] == one
    assert bound([2, 3], 10).tolist() == [bound(2, 10), bound(3, 10)]
    assert bound(2.0, np.int16(10)) == bound(2, 10)
    assert bound([], 10).shape == (0,)


@every_bound
@pytest.mark.parametrize(
    ("errors", "n", "delta", "message"),
    [
        (1, 10, 0, "delta must lie between 0 and 1.*it is 0"),
        (1, 10, 1.0, "delta"),
        (1, 10, float("nan"), "delta"),
        (1, 10, "0.05", "delta"),
        (1, 10, True, "delta"),
        (11, 10, 0.05, "errors must lie between 0 and n; they are 11"),
        (-1, 10, 0.05, "between 0 and n"),
        ([1, 5], [10, 4], 0.05, "between 0 and n"),
        (0, 0, 0.05, "n must be at least 1; the least is 0"),
        (0, [5, -2], 0.05, "least is -2"),
        (0.5, 10, 0.05, "errors must be whole numbers"),
        (1, 10.5, 0.05, "n must be whole numbers"),
        (float("nan"), 10, 0.05, "whole numbers"),
        (1, float("nan"), 0.05, "n must be whole numbers"),
        (1, float("inf"), 0.05, "n must be whole numbers; they are inf"),
        ([0, math.inf], [3, math.inf], 0.05, "errors must be whole numbers"),
        ("1", 10, 0.05, "whole numbers"),
        (None, 10, 0.05, "whole numbers"),
    ],
)
def test_bad_input(bound, errors, n, delta, message):
    with pytest.raises(ValueError, match=message):
        bound(errors, n, delta)
