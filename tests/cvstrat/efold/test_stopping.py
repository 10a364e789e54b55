"""Stopping rules, against Algorithm 1 written down line by line."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cvstrat import StableDeviation
from cvstrat.efold import AnyOf, CannotWin, FixedFolds, NarrowInterval, running_means, running_stds, stable_stops

score_lists = st.lists(st.floats(0, 1).map(lambda value: round(value, 3)), min_size=1, max_size=12)


def literal_stop(scores, count_needed=2, share=0.05, ddof=1):
    """Algorithm 1 of Mahlich et al.: the fold after which it terminates, or None."""
    S, count, previous = [], 0, None
    for e in range(1, len(scores) + 1):
        S.append(scores[e - 1])
        mean = sum(S) / e
        if e > 1:
            sigma = math.sqrt(sum((s - mean) ** 2 for s in S) / (e - ddof))
            if e > 2:
                if sigma < previous:
                    count += 1
                elif abs(sigma - previous) > share * previous:
                    count = 0
                else:
                    count += 1
                if count == count_needed:
                    return e
            previous = sigma
    return None


def first_stop(rule, scores):
    return next((n for n in range(1, len(scores) + 1) if rule.should_stop(scores[:n])), None)


settings_of_the_rule = {
    "patience": st.integers(1, 4),
    "tolerance": st.sampled_from([0, 0.05, 0.3]),
    "ddof": st.sampled_from([0, 1]),
}


@given(scores=score_lists, **settings_of_the_rule)
def test_the_rule_of_e_fold_stops_where_the_algorithm_does(scores, patience, tolerance, ddof):
    found = first_stop(StableDeviation(patience, tolerance, ddof), scores)
    wanted = literal_stop(scores, patience, tolerance, ddof)
    if found != wanted:  # rounding may decide at the very edge
        deviations = running_stds(scores, ddof)
        steps = np.abs(np.diff(deviations[1:]) - tolerance * deviations[1:-1])
        level = np.abs(np.diff(deviations[1:]))
        assert min(np.min(steps, initial=1), np.min(level, initial=1)) < 1e-9


def test_the_earliest_stop_is_the_fourth_fold():
    falling = [0.5, 0.9, 0.7, 0.7, 0.7]
    assert first_stop(StableDeviation(), falling) == 4
    assert first_stop(StableDeviation(patience=1), falling) == 3
    assert first_stop(StableDeviation(patience=3), falling) == 5


def test_a_rise_above_the_tolerance_starts_the_count_again():
    scores = [0.70, 0.72, 0.71, 0.95, 0.80, 0.81]
    deviations = running_stds(scores)
    assert deviations[2] < deviations[1]
    assert deviations[3] > 1.05 * deviations[2]
    assert first_stop(StableDeviation(), scores) == 6


@given(score=st.floats(allow_nan=False, allow_infinity=False, width=32), **settings_of_the_rule)
def test_equal_scores_are_stable_whatever_rounding_does(score, patience, tolerance, ddof):
    rule = StableDeviation(patience, tolerance, ddof)
    nearly = [score, math.nextafter(score, math.inf), math.nextafter(score, -math.inf)] * 4
    for scores in ([score] * 30, nearly):
        assert first_stop(rule, scores) == patience + 2
        assert stable_stops(np.array([scores]), rule).tolist() == [patience + 2]
        assert set(running_stds(scores, ddof)[1:]) == {0.0}


def test_equal_scores_that_are_left_behind_count_as_a_rise():
    assert first_stop(StableDeviation(), [0.8] * 3) is None
    assert first_stop(StableDeviation(), [0.8] * 4) == 4  # numpy: a standard deviation of 0, then of 1e-16
    assert first_stop(StableDeviation(), [0.8, 0.8, 0.8, 0.8001, 0.8, 0.8]) == 6


def test_missing_scores_are_never_stable():
    assert first_stop(StableDeviation(), [0.5, 0.6, math.nan, *[0.55] * 7]) is None


def test_the_two_deviations_can_stop_at_different_folds():
    rng = np.random.default_rng(0)
    stops = [[first_stop(StableDeviation(ddof=ddof), run) for ddof in (0, 1)] for run in rng.random((200, 10)).tolist()]
    assert any(one != other for one, other in stops)


def test_a_rule_keeps_no_state():
    rule, scores = StableDeviation(), [0.5, 0.9, 0.7, 0.7]
    assert [rule.should_stop(scores), rule.should_stop(scores[:2]), rule.should_stop(scores)] == [True, False, True]


@given(scores=st.lists(st.integers(0, 1000), min_size=10, max_size=10), scale=st.sampled_from([-4, 0.25, 2, 1024]))
def test_only_ratios_of_deviations_count(scores, scale):
    assert first_stop(StableDeviation(), [scale * s for s in scores]) == first_stop(StableDeviation(), scores)


def test_a_fixed_number_of_folds():
    assert first_stop(FixedFolds(3), [0.1] * 5) == 3
    assert first_stop(FixedFolds(8), [0.1] * 5) is None


@given(scores=st.lists(st.floats(0, 1), min_size=3, max_size=10), level=st.sampled_from([0.8, 0.95]))
def test_a_narrow_interval_is_students(scores, level):
    half = stats.t.interval(level, len(scores) - 1)[1] * np.std(scores, ddof=1) / math.sqrt(len(scores))
    assert NarrowInterval(half + 1e-6, level).should_stop(scores)
    if half > 1e-5:
        assert not NarrowInterval(half - 1e-6, level).should_stop(scores)
    assert not NarrowInterval(1e9).should_stop(scores[:2])


@given(scores=st.lists(st.floats(0, 1), min_size=1, max_size=9), best=st.floats(0, 1))
def test_who_cannot_win_is_stopped_and_nobody_else(scores, best):
    possible = (sum(scores) + 1.0 * (10 - len(scores))) / 10
    if abs(possible - best) > 1e-9:
        assert CannotWin(best, 10).should_stop(scores) == (possible < best)


def test_errors_are_negated_scores_whose_highest_is_zero():
    rule = CannotWin(best=-1.0, n_folds=4, highest=0.0)
    assert not rule.should_stop([-3.0])
    assert rule.should_stop([-3.0, -1.0])


def test_any_of_several_rules():
    rule = AnyOf((FixedFolds(6), StableDeviation()))
    assert first_stop(rule, [0.5] * 10) == 4
    assert first_stop(rule, [0.1, 0.2, 0.9, 0.1, 0.99, 0.0, 1.0]) == 6


def test_running_means_and_deviations_are_those_of_the_first_scores():
    scores = [0.2, 0.4, 0.9]
    assert running_means(scores) == pytest.approx([0.2, 0.3, 0.5])
    assert running_stds(scores)[1:] == pytest.approx([np.std(scores[:2], ddof=1), np.std(scores, ddof=1)])
    assert math.isnan(running_stds(scores)[0])
    assert running_stds([]).size == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StableDeviation(patience=0), "patience"),
        (lambda: StableDeviation(tolerance=-0.1), "tolerance must be at least 0; it is -0.1"),
        (lambda: StableDeviation(tolerance=math.nan), "tolerance"),
        (lambda: StableDeviation(ddof=2), "ddof must be 0"),
        (lambda: FixedFolds(0), "n_folds"),
        (lambda: NarrowInterval(0), "half_width must be above 0; it is 0"),
        (lambda: NarrowInterval(0.1, level=1), "level"),
        (lambda: NarrowInterval(0.1, min_folds=1), "least"),
        (lambda: CannotWin(0.5, 0), "n_folds"),
    ],
)
def test_bad_settings_are_refused_by_name(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@given(seed=st.integers(0, 99), digits=st.sampled_from([1, 3]), **settings_of_the_rule)
def test_many_runs_at_once_stop_where_each_does(seed, digits, patience, tolerance, ddof):
    scores = np.random.default_rng(seed).random((20, 10)).round(digits)
    rule = StableDeviation(patience, tolerance, ddof)
    assert stable_stops(scores, rule).tolist() == [first_stop(rule, run) or 10 for run in scores.tolist()]
