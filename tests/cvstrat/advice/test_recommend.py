"""Which technique is recommended, on results whose answer is known and on the committed ones."""

import numpy as np
import pandas as pd
import pytest

from compendium import engine
from compendium.spezia2025 import study
from cvstrat import advice
from cvstrat.advice import _recommend

SETS = [f"set{number}" for number in range(8)]


def results(errors, *, noise=0.0, balance="balanced"):
    """A bias table in which the error of each technique is SCV's plus a given amount."""
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": name, "balance": balance, "model": model, "n_splits": k, "technique": technique}
        | {"version": study.CORRECT, "error": 0.1 + error + noise * rng.normal()}
        for name in SETS
        for model in ("LR", "DT")
        for k in (2, 10)
        for technique, error in {"SCV": 0.0, **errors}.items()
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def study(monkeypatch):
    def use(*arguments, **options):
        monkeypatch.setattr(_recommend, "_bias", lambda _: results(*arguments, **options))

    return use


def test_a_technique_that_is_always_better_is_recommended(study):
    study({"SCBCV": -0.02, "KCBCV": -0.01, "KFold": 0.03}, noise=0.001)
    found = advice.recommend("balanced", 10)
    assert (found.technique, found.clear, found.n_datasets, found.n_pairs) == ("SCBCV", True, 8, 16)
    assert found.effects["better"].to_dict() == {"SCBCV": True, "KCBCV": True, "KFold": False}
    assert found.effects.loc["KFold", "worse"]
    assert found.effects.loc["SCBCV", "low"] < -0.02 < found.effects.loc["SCBCV", "high"] < 0


def test_without_a_clear_difference_it_is_stratified_cross_validation(study):
    study({"SCBCV": -0.001, "KCBCV": 0.0}, noise=0.05)
    found = advice.recommend("balanced", 10)
    assert (found.technique, found.clear) == ("SCV", False)


def test_the_nearest_number_of_folds_that_was_studied_counts(study):
    study({"SCBCV": -0.02}, noise=0.001)
    assert [advice.recommend("balanced", k).n_splits for k in (2, 3, 4, 5, 10, 50)] == [2, 2, 2, 10, 10, 10]


def test_where_classes_may_be_missing_only_stratified_techniques_count(study):
    study({"KCBCV": -0.03, "SCBCV": -0.02}, noise=0.001)
    assert advice.recommend("balanced", 10).technique == "KCBCV"
    assert advice.recommend("balanced", 10, stratified=True).technique == "SCBCV"


def test_many_rows_leave_out_what_needs_their_square(study):
    study({"SpectralBCV": -0.03, "KCBCV": -0.02}, noise=0.001)
    assert advice.recommend("balanced", 10).technique == "SpectralBCV"
    assert advice.recommend("balanced", 10, n_rows=10**6).technique == "KCBCV"


def test_kinds_of_data_that_no_result_is_there_for_are_said_so(study):
    study({"KCBCV": 0.0})
    with pytest.raises(engine.StudyError, match="no imbalanced data sets"):
        advice.recommend("imbalanced", 10)


def test_the_committed_results_give_intervals_over_data_sets():
    for balance in ("balanced", "imbalanced"):
        found = advice.recommend(balance, 10)
        assert found.n_datasets >= 5
        assert {"SCBCV", "KFold", "DOB-SCV"} <= set(found.effects.index)
        assert (found.effects["low"] <= found.effects["difference"]).all()
        assert (found.effects["difference"] <= found.effects["high"]).all()
        sure = found.effects["better"] | found.effects["worse"]
        outside = (found.effects["high"] < 0) | (found.effects["low"] > 0)
        assert (outside | ~sure).all()


def test_results_that_cannot_be_read_are_a_warning_not_the_end(monkeypatch):
    def gone(_):
        raise engine.ResultError("no such folder")

    monkeypatch.setattr(_recommend, "_bias", gone)
    found = advice.advise(None, ["a", "b"] * 20)
    assert found.recommendation is None
    assert "no such folder" in str(found)
