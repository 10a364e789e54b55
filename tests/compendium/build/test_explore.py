"""The script of results that a page loads: whatever a study holds, in whole numbers."""

import pandas as pd
import pytest

from compendium.build._explore import encode, factors


def errors(**columns):
    """Two techniques on two sets, one of which lacks the second technique."""
    frame = pd.DataFrame(
        {
            "dataset": ["pmlb/iris", "pmlb/iris", "own"],
            "model": "LR",
            "metric": "f1_macro",
            "technique": ["SCV", "New-CV", "SCV"],
            "n_splits": [10, 2, 10],
            "bias": [-0.514, 0.126, 1.0],
            "bias_se": 0.25,
            "std": 2.0,
            "rmse": 2.1,
            "n": 20,
        }
    )
    return frame.assign(**columns)


def test_new_techniques_and_missing_sets_need_no_word_here():
    found = encode(errors())
    assert found["axes"] == {
        "dataset": ["iris", "own"],
        "model": ["logistic regression"],
        "metric": ["macro F1"],
        "technique": ["SCV", "New-CV"],
        "n_splits": [2, 10],
    }
    rows = found["rows"]
    assert rows["dataset"] == [0, 0, 1]
    assert rows["technique"] == [0, 1, 0]
    assert rows["n_splits"] == [1, 0, 1]
    assert rows["bias"] == [-51, 13, 100]
    assert rows["n"] == [20, 20, 20]


def test_what_could_not_be_estimated_is_left_out():
    assert encode(errors(std=[1.0, float("nan"), 1.0]))["axes"]["technique"] == ["SCV"]


def test_intervals_rest_on_student_and_chi_squared():
    assert factors(20) == pytest.approx([2.0930, 0.7605, 1.4606], abs=1e-4)
    assert factors(1) == [0.0, 0.0, 0.0]
