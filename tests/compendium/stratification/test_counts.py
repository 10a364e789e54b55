"""Counts of a class in random folds: the tables of the figures, formulas against simulation."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from compendium.stratification import theory
from cvstrat import metrics


def test_simulated_probabilities_lie_on_the_curves():
    table = theory.empty_table(300, [3, 12, 30], [3, 10], n_cuts=4000)
    wide = table.pivot(index=["panel", "curve", "x"], columns="kind", values="value")
    assert (wide["formula"] - wide["simulation"]).abs().max() < 0.03
    counts = theory.count_table(300, [12, 60], 10, n_cuts=4000)
    assert (counts["formula"] - counts["simulation"]).abs().max() < 0.01
    assert counts.groupby("n_class")["stratified"].sum().to_list() == pytest.approx([1, 1])


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0, "zero"),
        (6.6e-10, "one in 1 500 000 000"),
        (0.00123, "one in 810"),
        (0.0099, "one in 100"),
        (0.01, "0.01"),
        (0.763, "0.76"),
        (0.994, "0.99"),
        (0.9999, "more than 0.99"),
        (1, "one"),
    ],
)
def test_a_chance_is_told_in_words_where_two_digits_would_hide_it(probability, words):
    assert theory.chance_text(probability).replace("\N{NO-BREAK SPACE}", " ") == words


def test_drawn_counts_are_those_of_shuffled_folds():
    y = np.repeat([0, 1, 2], [30, 12, 5])
    cut = [
        [np.bincount(y[test], minlength=3) for _, test in KFold(4, shuffle=True, random_state=seed).split(y)]
        for seed in range(600)
    ]
    drawn = theory.random_counts([30, 12, 5], 4, 4000, 0)
    assert (drawn.sum(axis=2) == metrics.fold_sizes(47, 4)).all()
    assert (drawn.sum(axis=1) == [30, 12, 5]).all()
    assert drawn.mean(axis=0) == pytest.approx(np.mean(cut, axis=0), abs=0.3)
    assert drawn.std(axis=0) == pytest.approx(np.std(cut, axis=0), abs=0.15)
