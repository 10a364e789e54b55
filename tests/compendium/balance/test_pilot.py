"""What the pilot led to expect is held against what is found."""

import itertools

import pandas as pd
import pytest

from compendium.balance import pilot
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN

PROCEDURES = ("SCV 2", "balanced unbiased 2", "balanced 0 2", "DBSCV 2", "SCBCV 5", "SCV 10")


def found(**changes):
    """Outcomes where all that was expected came true, but for changes: (learner, procedure, column) by its value."""
    cells = itertools.product((60, 200), ("LDA", "1-NN", "15-NN", "tree"), PROCEDURES)
    errors = pd.DataFrame(cells, columns=["n_rows", "learner", "procedure"]).assign(bias=0.0, bias_se=0.1, rmse=5.0)
    true = {("LDA", "SCV 2", "bias"): -2.0, ("1-NN", "DBSCV 2", "bias"): 3.0, ("tree", "DBSCV 2", "bias"): 3.0}
    for (learner, procedure, column), value in (true | changes.get("errors", {})).items():
        errors.loc[(errors["learner"] == learner) & (errors["procedure"] == procedure), column] = value
    verdicts = changes.get("verdicts", {2: ["smaller"] * 4, 10: ["equal", "equal", "equal", "not told"]})
    planned = pd.concat(
        pd.DataFrame({"first": f"balanced unbiased {k}", "second": f"SCV {k}", "verdict": values})
        for k, values in verdicts.items()
    )
    ranks = changes.get("ranks", {2: -0.9, 10: -0.8})
    return pilot.outcomes(ranks, errors, planned, changes.get("spread", 0.5))


def test_all_that_was_expected_can_come_true():
    assert [held for *_, held in found()] == [HOLDS] * 7 + [IN_PART]
    assert "\N{MINUS SIGN}0.90 with 2 folds" in found()[0][1]
    assert "is 0.0 points, against \N{MINUS SIGN}2.0 with" in found()[1][1]


@pytest.mark.parametrize(
    ("line", "changes", "held"),
    [
        (0, {"ranks": {2: -0.9, 10: -0.3}}, NOT),
        (1, {"errors": {("LDA", "balanced unbiased 2", "bias"): 1.5}}, NOT),
        (2, {"verdicts": {2: ["smaller", "equal"], 10: ["equal"]}}, IN_PART),
        (2, {"verdicts": {2: ["equal", "larger"], 10: ["equal"]}}, NOT),
        (3, {"verdicts": {2: ["smaller"], 10: ["equal", "smaller"]}}, NOT),
        (4, {"errors": {("1-NN", "balanced 0 2", "bias"): 2.9}}, NOT),
        (5, {"errors": {("tree", "balanced 0 2", "bias"): 2.0}}, NOT),
        (6, {"errors": {("tree", "SCBCV 5", "rmse"): 6.0, ("1-NN", "SCBCV 5", "rmse"): 4.5}}, IN_PART),
        (6, {"errors": {("tree", "SCBCV 5", "rmse"): 6.0}}, NOT),
        (7, {"spread": 0.1}, UNKNOWN),
    ],
)
def test_what_does_not_come_true_is_said(line, changes, held):
    assert found(**changes)[line][2] == held
