"""Counts of a class in random folds: the tables of the figures, formulas against simulation."""

import pytest

from compendium.stratification import theory


def test_simulated_probabilities_lie_on_the_curves():
    table = theory.empty_table(300, [3, 12, 30], [3, 10], n_cuts=4000)
    wide = table.pivot(index=["panel", "curve", "x"], columns="kind", values="value")
    assert (wide["formula"] - wide["simulation"]).abs().max() < 0.03
    counts = theory.count_table(300, [12, 60], 10, n_cuts=4000)
    assert (counts["formula"] - counts["simulation"]).abs().max() < 0.01
    assert counts.groupby("n_class")["stratified"].sum().to_list() == pytest.approx([1, 1])
