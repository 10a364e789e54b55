"""Which technique is recommended, on a table whose answer is known and on the one that comes with the library."""

import pandas as pd
import pytest

from cvstrat import CvstratError, advice
from cvstrat.advice import _recommend


@pytest.fixture
def table(monkeypatch):
    """Return a function that puts a table of effects in place: for each set of candidates, differences by technique."""

    def use(**candidates):
        rows = [
            {"balance": "balanced", "metric": "accuracy", "n_splits": k, "candidates": name.replace("_", ", ", 1)}
            | {"technique": technique, "difference": value, "low": value - 0.01, "high": value + 0.01}
            | {"better": value < -0.015, "worse": value > 0.015, "n_datasets": 8, "n_pairs": 16}
            for name, values in candidates.items()
            for k in (2, 10)
            for technique, value in sorted(values.items(), key=lambda item: item[1])
        ]
        monkeypatch.setattr(
            _recommend, "effects", lambda: pd.DataFrame(rows).replace("any, many_rows", "any, many rows")
        )

    return use


def test_a_technique_that_is_surely_better_is_recommended(table):
    table(any={"SCBCV": -0.03, "KCBCV": -0.02, "KFold": 0.03})
    found = advice.recommend("balanced", 10, metric="accuracy")
    assert (found.technique, found.clear, found.n_datasets, found.n_pairs) == ("SCBCV", True, 8, 16)
    assert found.effects["better"].to_dict() == {"SCBCV": True, "KCBCV": True, "KFold": False}
    assert found.effects.loc["KFold", "worse"]


def test_without_a_clear_difference_it_is_stratified_cross_validation(table):
    table(any={"SCBCV": -0.001, "KCBCV": 0.0})
    found = advice.recommend("balanced", 10, metric="accuracy")
    assert (found.technique, found.clear) == ("SCV", False)


def test_the_nearest_number_of_folds_that_was_studied_counts(table):
    table(any={"SCBCV": -0.02})
    found = [advice.recommend("balanced", k, metric="accuracy").n_splits for k in (2, 3, 4, 5, 10, 50)]
    assert found == [2, 2, 2, 10, 10, 10]


def test_where_classes_may_be_missing_only_stratified_techniques_count(table):
    table(any={"KCBCV": -0.03, "SCBCV": -0.02}, stratified={"SCBCV": -0.02})
    assert advice.recommend("balanced", 10, metric="accuracy").technique == "KCBCV"
    assert advice.recommend("balanced", 10, metric="accuracy", stratified=True).technique == "SCBCV"


def test_many_rows_leave_out_what_needs_their_square(table):
    table(any={"SpectralBCV": -0.03, "KCBCV": -0.02}, any_many_rows={"KCBCV": -0.02})
    assert advice.recommend("balanced", 10, metric="accuracy").technique == "SpectralBCV"
    assert advice.recommend("balanced", 10, metric="accuracy", n_rows=10**6).technique == "KCBCV"


def test_kinds_of_data_that_no_result_is_there_for_are_said_so(table):
    table(any={"KCBCV": 0.0})
    with pytest.raises(CvstratError, match="no kind of data 'imbalanced'"):
        advice.recommend("imbalanced", 10, metric="accuracy")


@pytest.mark.parametrize("balance", ["balanced", "imbalanced"])
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1_macro"])
@pytest.mark.parametrize("n_splits", [2, 10])
@pytest.mark.parametrize(("stratified", "n_rows"), [(False, 100), (False, 10**6), (True, 100), (True, 10**6)])
def test_the_table_of_the_library_has_every_case(balance, metric, n_splits, stratified, n_rows):
    found = advice.recommend(balance, n_splits, metric=metric, stratified=stratified, n_rows=n_rows)
    assert found.n_datasets >= 5
    assert {"SCBCV", "DOB-SCV"} <= set(found.effects.index)
    assert ("KFold" in found.effects.index) != stratified
    assert ("ACBCV" in found.effects.index) == (not stratified and n_rows == 100)
    assert (found.effects["low"] <= found.effects["difference"]).all()
    assert (found.effects["difference"] <= found.effects["high"]).all()
    sure = found.effects["better"] | found.effects["worse"]
    outside = (found.effects["high"] < 0) | (found.effects["low"] > 0)
    assert (outside | ~sure).all()
