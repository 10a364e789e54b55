"""Sentences on complete k-fold read well, and say what was found, whatever it was."""

import numpy as np
import pandas as pd
import pytest

from compendium.anguita2012 import tables


@pytest.mark.parametrize(
    ("z", "names", "words"),
    [
        ([0.1, 1, 2.5, 4, 5], ["a", "a", "a", "b", "b"], "3 differ from ours"),
        ([4, 5], ["b", "b"], "and two, all on b, by more than three."),
        ([-4, 2.5], ["b", "a"], "and one, on b, by more than three."),
        ([2.5, 1], ["b", "a"], "1 differs from ours by more than two standard errors of the difference, and none by"),
        ([0.5, 1], ["b", "a"], "none differ from ours by more than two standard errors of the difference."),
        ([], [], "No printed mean can be compared with these."),
    ],
)
def test_means_apart_are_counted_and_placed(z, names, words):
    apart = pd.DataFrame({"z": z, "dataset": [f"raetsch/{name}" for name in names]})
    assert words in tables.apart_text(apart)


def edges(*lines):
    columns = ["at_edge_percent", "inside_cost_points", "untold"]
    return pd.DataFrame(lines, columns=columns, index=[f"raetsch/{number}" for number in range(len(lines))])


def test_what_it_costs_to_stay_inside_is_told_with_what_cannot_be():
    told = "On average over the choices of each problem, the bound of the best candidate inside is at most 0.05 points"
    assert tables.edges_text(edges((10, 0.05, 0), (5, 0.01, 0))) == f"{told} higher."
    assert tables.edges_text(edges((10, 0.05, 1), (5, 0.01, 0))).endswith(
        " For one choice it cannot be told: no finalist lies inside."
    )
    assert " For 13 choices it cannot" in tables.edges_text(edges((10, 0.05, 13)))
    assert tables.edges_text(edges((0, 0.0, 0))) == "No choice lies at an edge."
    assert tables.edges_text(edges((100, np.nan, 3))).startswith("No candidate inside was tried on all draws")


def test_a_printed_spread_that_is_too_small_is_told():
    rows = pd.DataFrame({"name": ["a", "b", "c"], "k": [3.3, 3.2, 3.1], "k_spread": [0.3, 0.3, 0.2], "least": 0.458})
    text = tables.printed_text(rows)
    assert "with a mean of 3.3 have one of at least 0.46, and 0.3 is printed (k on a, and likewise on b and c)." in text
    assert "(k on a). Half" in tables.printed_text(rows.head(1))
    assert tables.printed_text(rows.head(0)) == "The paper does not say what its ± is."


def row(low, high, joint_low, joint_high):
    return pd.Series({"low": low, "high": high, "joint_low": joint_low, "joint_high": joint_high})


def test_what_is_clear_alone_only_is_named():
    lost, kept, open_ = row(0.1, 1, -0.1, 1.5), row(0.1, 1, 0.05, 1.5), row(-1, 1, -2, 2)
    assert tables.joint_text({"a": kept, "b": open_}) == ""
    assert (
        tables.joint_text({"a": lost}) == " For all at once, a (\N{MINUS SIGN}0.10 to +1.50) does not differ clearly."
    )
    assert " neither a (" in tables.joint_text({"a": lost, "b": lost})
    assert " none of a (" in tables.joint_text({"a": lost, "b": lost, "c": lost})


def kinds(ends):
    panels = ["bound, k = 4", "deviation over draws, k = 4"]
    frame = pd.DataFrame(ends, columns=["difference", "low", "high", "joint_low", "joint_high"])
    return frame.assign(panel=panels[: len(ends)], technique="SCBCV")


def test_clear_differences_between_draws_are_told_and_the_others_counted():
    both = kinds([(-0.4, -0.6, -0.2, -0.7, -0.1), (-0.8, -1, -0.1, -3, 0.3)])
    assert "1 is clear (in points): with k = 4 the bound (SCBCV \N{MINUS SIGN}0.40)." in tables.kinds_text(both)
    assert tables.kinds_text(both).endswith(" One more would be clear if looked at alone.")
    assert tables.spread_text(both).startswith("On average, though not clearly, the error varies less")
    neither = kinds([(-0.4, -0.6, 0.2, -0.7, 0.1), (0.8, -1, 1, -3, 3)])
    assert tables.kinds_text(neither) == "None of the 2 differences is clear once all of them are allowed for."
    assert tables.spread_text(neither).endswith("does not show here.")
    clear = kinds([(-0.4, -0.6, 0.2, -0.7, 0.1), (-0.8, -1, -0.5, -3, -0.3)])
    assert "So the binomial law overstates the spread" in tables.spread_text(clear)


def test_problems_that_cannot_exceed_the_bound_are_no_test():
    rows = pd.DataFrame({"problem": ["easy", "hard"], "replicate": 0, "k": 3, "true_error": [0.01, 0.2], "tested": 66})
    one = " Only hard is a real test: on easy the error is mostly below the least value the bound can take."
    assert tables.tested_text(rows, 0.05) == one
    assert tables.tested_text(rows.tail(1), 0.05) == ""
    assert tables.tested_text(rows.head(1), 0.05).startswith(" It is not much of a test: on easy ")


def test_problems_that_are_not_drawn_are_named():
    shares = pd.DataFrame({"problem": ["a", "b", "c"], "share": [0.0, 2.0, 0.0]})
    assert tables.drawn_text(shares) == " Only b is drawn; on a and c the error is never above the bound."
    assert tables.drawn_text(shares.iloc[1:2]) == ""
    assert tables.drawn_text(shares.iloc[:1]) == ""
