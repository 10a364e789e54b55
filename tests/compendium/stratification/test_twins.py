"""Twins of tested rows: the formula against every cut and against random folds, and what a page says of a file."""

import itertools

import numpy as np
import pytest
from sklearn.model_selection import KFold

from compendium.stratification import theory, twins


def share_with_twin(row, fold):
    """Return the share of rows with an equal row in another fold."""
    return np.mean([np.any((row == one) & (fold != here)) for one, here in zip(row, fold, strict=True)])


@pytest.mark.parametrize(("copies", "n_splits"), [([3, 1, 2], 2), ([2, 2, 1], 2), ([4, 1], 3), ([1, 1, 1, 1], 2)])
def test_the_probability_is_the_mean_over_all_cuts(copies, n_splits):
    row = np.repeat(np.arange(len(copies)), copies)
    fold = np.arange(len(row)) % n_splits
    every = [share_with_twin(row, np.array(cut)) for cut in set(itertools.permutations(fold.tolist()))]
    assert theory.twin_probability(copies, n_splits) == pytest.approx(np.mean(every))


def test_uneven_copies_leave_more_rows_alone_than_their_mean_says():
    copies = [1] * 60 + [10] * 20
    row = np.repeat(np.arange(len(copies)), copies)
    found = []
    for seed in range(60):
        fold = np.empty(len(row), int)
        for number, (_, test) in enumerate(KFold(10, shuffle=True, random_state=seed).split(row)):
            fold[test] = number
        found.append(share_with_twin(row, fold))
    exact = theory.twin_probability(copies, 10)
    assert exact == pytest.approx(np.mean(found), abs=0.002)
    assert 1 - exact == pytest.approx(60 / 260, abs=1e-3)  # those that occur once, and hardly any other


def test_the_text_counts_rows_with_their_targets():
    assert twins.copies("iris").sum() == 150
    assert twins.copies("iris").max() == 2
    assert twins.twins_text("iris", 10).startswith("The probability is 1 %.")
    assert twins.twins_text("wine", 10) == "No row occurs twice, so no tested row has a twin in training."


def test_without_the_file_the_text_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("CVSTRAT_CACHE", str(tmp_path))
    monkeypatch.delenv("CVSTRAT_DATA", raising=False)
    assert "CVSTRAT_DATA" in twins.twins_text("efold/heart_failure", 10)
