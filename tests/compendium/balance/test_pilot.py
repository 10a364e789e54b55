"""What the pilot led to expect is held against what is found."""

import itertools

import pandas as pd
import pytest

from compendium.balance import pilot
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN

PROCEDURES = ("SCV 2", "balanced unbiased 2", "balanced 0 2", "DBSCV 2", "SCBCV 5", "KFold 10")


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
    return pilot.outcomes(ranks, errors, planned, changes.get("spread", 0.5), changes.get("followed", followed()))


def followed(**strongest):
    """Correlations at four scales, by default strongest (-0.9, not -0.5) at small ones for trees, at large for LR."""
    sides = {"DT": "small", "RF": "small", "LR": "large"} | strongest
    values = {"small": [-0.9, -0.9, -0.5, -0.5], "large": [-0.5, -0.5, -0.9, -0.9], "neither": [-0.6, -0.6, -0.5, -0.5]}
    rows = [(model, 2, scale, values[side][scale - 1]) for model, side in sides.items() for scale in (1, 2, 3, 4)]
    return pd.DataFrame(rows, columns=["model", "n_splits", "scale", "correlation"])


def test_all_that_was_expected_can_come_true():
    assert [held for *_, held in found()] == [HOLDS] * 8
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
        (7, {"followed": None}, UNKNOWN),
        (7, {"followed": followed(DT="large", RF="large")}, NOT),
        (7, {"followed": followed(RF="large")}, NOT),
        (7, {"followed": followed(DT="neither")}, HOLDS),
        (7, {"followed": followed(LR="small")}, IN_PART),
        (7, {"followed": followed(LR="neither")}, IN_PART),
        (7, {"followed": followed(DT="neither", RF="neither")}, UNKNOWN),
    ],
)
def test_what_does_not_come_true_is_said(line, changes, held):
    assert found(**changes)[line][2] == held


def test_the_distances_that_models_follow_are_named():
    said = found(followed=followed(DT="large", RF="neither"))[7][1]
    assert said.endswith("they are strongest at large distances for the tree and logistic regression.")
    assert found()[7][1].endswith(
        "Where they differ by 0.2 or more, they are strongest at small distances for the tree and the forest and at "
        "large distances for logistic regression."
    )
