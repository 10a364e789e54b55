"""The table of effects that the library's advice reads: right on results whose answer is known, and current."""

import numpy as np
import pandas as pd
import pytest

from compendium.cli import main
from compendium.spezia2025 import study
from compendium.spezia2025.tables import _advice, advice_table

SETS = [f"set{number}" for number in range(8)]


@pytest.fixture
def effects(monkeypatch):
    """Return a function that makes the table from errors that are SCV's plus a given amount, of ten-fold accuracy."""

    def make(errors, *, noise):
        rng = np.random.default_rng(0)
        rows = [
            {"dataset": name, "balance": "balanced", "model": model, "n_splits": k, "technique": technique}
            | {"version": study.CORRECT, "rmse": 0.1 + error + noise * rng.normal()}
            for name in SETS
            for model in ("LR", "DT")
            for k in (2, 10)
            for technique, error in {"SCV": 0.0, **errors}.items()
        ]
        monkeypatch.setattr(_advice, "read_tables", lambda name: {})
        monkeypatch.setattr(_advice, "bias_table", lambda tables, metric: pd.DataFrame(rows))
        table = advice_table().query("metric == 'accuracy' and n_splits == 10")
        return {name: part.set_index("technique") for name, part in table.groupby("candidates")}

    return make


def test_differences_are_those_of_the_errors(effects):
    found = effects({"SCBCV": -0.02, "KCBCV": -0.01, "KFold": 0.03}, noise=0.001)["any"]
    assert list(found.index) == ["SCBCV", "KCBCV", "KFold"]
    assert found["better"].to_dict() == {"SCBCV": True, "KCBCV": True, "KFold": False}
    assert found["worse"].to_dict() == {"SCBCV": False, "KCBCV": False, "KFold": True}
    assert found.loc["SCBCV", "low"] < -0.02 < found.loc["SCBCV", "high"] < 0
    assert (found[["n_datasets", "n_pairs"]] == [8, 16]).all(axis=None)


def test_noise_is_no_difference(effects):
    found = effects({"SCBCV": -0.001, "KCBCV": 0.0}, noise=0.05)["any"]
    assert not found["better"].any()  # so that SCV is recommended, as the old test asked


def test_candidates_are_those_that_come_into_question(effects):
    names = {"KFold": 0, "KCBCV": 0, "ACBCV": 0, "SpectralBCV": 0, "SCBCV": 0, "SCBCV3": 0, "DBSCV": 0, "ROCBCV": 0}
    found = {name: set(part.index) for name, part in effects(names, noise=0.01).items()}
    assert found["any"] == {"KFold", "KCBCV", "ACBCV", "SpectralBCV", "SCBCV", "DBSCV"}
    assert found["any, many rows"] == {"KFold", "KCBCV", "SCBCV", "DBSCV"}
    assert found["stratified"] == {"SCBCV", "DBSCV"}


def test_the_committed_table_is_what_the_results_give(capsys):
    assert main(["advice", "--check"]) == 0
    assert "current" in capsys.readouterr().out
