"""Sentences on e-fold read well, and say what was found, whatever it was."""

import numpy as np
import pandas as pd
import pytest

from compendium.mahlich2024 import tables


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (
            -0.01,
            0.026,
            "looking gains at most about 0.03 percent of the score, by the interval for all four comparisons at once.",
        ),
        (
            -0.01,
            0.004,
            "looking gains less than 0.01 percent of the score, by the interval for all four comparisons at once.",
        ),
        (0.01, 0.02, "Random stops and e-fold's differ clearly: the rule does use what it sees."),
        (-0.02, -0.01, "Random stops are clearly nearer than e-fold's: looking does harm."),
        (np.nan, np.nan, "One data set does not tell whether looking at the scores gains anything over random stops."),
    ],
)
def test_what_looking_gains_follows_from_the_joint_interval(low, high, words):
    own = "from the run's own ten folds"
    effects = pd.DataFrame({"technique": ["fixed", "random"], "panel": own, "joint_low": [-9, low]})
    assert tables.looking_text(effects.assign(joint_high=[-8, high])).endswith(words)


def test_means_that_are_far_are_named_beside_what_chance_would_give():
    chance = "Over 75 independent means chance alone would give three or four, but these runs share their seeds."
    assert tables.far_text(["a", "b"], 75) == f"Two differ by more than two standard errors: a and b. {chance}"
    assert tables.far_text(["a"], 4) == "One differs by more than two standard errors: a."
    assert tables.far_text([], 40).startswith("None differs by more than two standard errors. Over 40 ")
    assert "would give two, but" in tables.far_text([], 40)


def runs(percent, inside=True, task="binary"):
    return pd.DataFrame(
        {"dataset": "a", "model": "b", "stop": 4, "n_folds": 10, "task": task}, index=range(len(percent))
    ).assign(percent=percent, inside=inside)


def test_printed_limits_hold_or_not():
    assert tables.limits_text(runs([0.5, 5.7, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])) == (
        "The means hold. The largest differences are within a point of the printed ones."
    )
    found = tables.limits_text(runs([2.0, 8.0]))
    assert found.startswith("Not all means are below the printed limits. The largest differences are up to 3.0 points ")


def test_shares_inside_are_told_for_both_deviations():
    sample, population = runs([0.1, 0.2]), runs([0.1, 0.2], inside=[True, False])
    assert tables.inside_text(sample, population) == (
        "With the deviation of a population 1 of 2 runs (50.0 %) are inside, the paper prints 7230 of 7500. With that "
        "of a sample it is 100.0 %."
    )
    assert tables.peak_text(sample, population) == (
        "The peak is at 50 % (in 100 % of the pairs) and at 100 % (in 100 %) (printed: at 98 %, in 28 %)."
    )
    assert "at 100 % either way, in 100 % and 100 % of the pairs (printed: at 98 %" in tables.peak_text(sample, sample)


@pytest.mark.parametrize(
    ("percent", "stop", "words"),
    [
        (0.9, 5.7, "come a little nearer than e-fold, for slightly more fits"),
        (0.9, 4.2, "come a little nearer than e-fold, for more fits"),
        (0.3, 8.7, "do not come nearer than e-fold, for fewer fits"),
    ],
)
def test_six_folds_are_compared_in_distance_and_cost(percent, stop, words):
    fixed = pd.DataFrame({"folds": [6], "percent": [0.8]})
    assert tables.six_text(runs([percent]).assign(stop=stop), fixed) == words


def test_stops_of_techniques_are_told_beside_noise_and_data_sets():
    table = pd.DataFrame({"technique": ["SCV", "SCV", "KFold", "KFold"], "dataset": ["x/a", "x/b"] * 2})
    found = tables.stops_text(table.assign(folds=[5.0, 5.6, 5.2, 5.6]), 5.75)
    assert found.startswith("The means of the techniques lie between 5.30 and 5.40 folds, below the 5.75 of noise. ")
    assert "from 5.10 (a) to 5.60 (b)" in found
    one = tables.stops_text(table.head(2).assign(folds=[5.0, 6.0]), 5.0)
    assert one == "The mean is 5.50 folds, above the 5.00 of noise."


def test_directions_that_all_sets_share_are_counted_with_those_of_chance():
    ranges = pd.DataFrame({"panel": ["folds used", "distance to all runs"], "technique": "KFold"})
    found = tables.distances_text(ranges.assign(low=[-1, 1], high=[1, 2]), 4)
    assert "the distance to all runs is larger with KFold on all 4 sets" in found
    assert found.endswith("by chance this happens in one of eight comparisons of 4 sets, and here in 1 of the 2.")
    assert "all distances are larger on some sets" in tables.distances_text(ranges.assign(low=-1, high=1), 2)
    assert tables.distances_text(ranges.assign(low=1, high=1), 1) == "One data set shows no direction."
