"""Candidates side by side, on scores that are given."""

import numpy as np
import pytest

from cvstrat.efold import FixedFolds, StableDeviation, race, stable_stops


def table_of(scores):
    asked = []

    def evaluate(active, fold):
        asked.append((fold, list(active)))
        return [scores[number][fold] for number in active]

    return evaluate, asked


@pytest.mark.parametrize("seed", range(5))
def test_each_candidate_gets_the_folds_its_rule_asks_for_and_no_more(seed):
    scores = np.random.default_rng(seed).random((12, 10))
    evaluate, asked = table_of(scores)
    found, dropped = race(12, 10, StableDeviation(), evaluate)
    assert [len(one) for one in found] == stable_stops(scores, StableDeviation()).tolist()
    assert all(one == row[: len(one)].tolist() for one, row in zip(found, scores, strict=True))
    assert sum(len(active) for _, active in asked) == sum(len(one) for one in found)
    assert not dropped.any()


def test_who_cannot_reach_the_best_of_those_that_are_done_is_dropped():
    class Good:
        def should_stop(self, scores):
            return len(scores) == 4 and np.mean(scores) > 0.8

    evaluate, _ = table_of([[0.9] * 10, [0.1] * 10, [0.75] * 10])
    found, dropped = race(3, 10, Good(), evaluate, highest=1.0)
    assert dropped.tolist() == [False, True, True]
    # 0.1 n + (10 - n) <= 9 from n = 2 on, but nothing is known to beat before the fourth fold
    assert [len(one) for one in found] == [4, 4, 4]
    assert not race(3, 10, FixedFolds(10), evaluate, highest=1.0)[1].any()
