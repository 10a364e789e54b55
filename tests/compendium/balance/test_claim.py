"""The claim of density-preserving folds is tried on the data sets of the study of balance, and on its folds."""

import numpy as np
import pandas as pd
import pytest

from compendium import engine
from compendium.balance import frontier, plan, tables
from compendium.balance.study import BALANCE_DPS
from compendium.engine import StudyError

LIKE = {"problems": ("clusters near",), "sizes": (60,), "minorities": (0.5,), "learners": ("LDA", "tree")}


@pytest.fixture(scope="module")
def tried(smoke_run):
    return engine.read_tables("balance-dps", smoke_run("balance-dps"))


@pytest.fixture(scope="module")
def known(smoke_run):
    fields = LIKE | {"n_primary": 3, "n_splits": (2, 10), "few_splits": (2,), "n_fresh": 500}
    return engine.read_tables("balance", smoke_run("balance", "balance beside dps", **fields))


def test_rows_and_folds_are_those_of_the_study_of_balance(tried, known):
    keys = [*tables.CELL, "technique", "n_splits", "repeat", "fold"]
    both = [found[(found["repeat"] == 0)].set_index(keys).sort_index() for found in (tried["folds"], known["folds"])]
    both = [found.loc[found.index.isin(other.index)] for found, other in zip(both, both[::-1], strict=True)]
    for technique, numbers in {"SCV": [2, 10], "DBSCV": [2], "balanced unbiased": [2]}.items():
        assert both[0].xs(technique, level="technique").index.unique("n_splits").tolist() == numbers
    pd.testing.assert_frame_equal(*both)


def test_ten_repeats_are_averaged_and_cost_ten_times_as_much(tried):
    found = tables.estimates(tried["folds"]).set_index("procedure")
    assert found.loc["SCV 10 x 8", "cost"].unique() == [70]
    assert found.loc["DPS 8", "cost"].unique() == [7]
    one = tried["folds"].query(
        "technique == 'SCV' and n_splits == 8 and learner == 'LDA' and replicate == 1 and fold >= 0"
    )
    assert one["repeat"].nunique() == 10
    mean = np.mean((one["true_positives"] + one["true_negatives"]) / one["tested"])
    lines = found.loc["SCV 10 x 8"]
    assert lines[(lines["learner"] == "LDA") & (lines["replicate"] == 1)]["estimate"].item() == pytest.approx(mean)


def test_every_comparison_of_the_claim_is_made(tried, known):
    table = plan.compare(tables.estimates(tried["folds"]), known["truths"], comparisons=plan.CLAIM)
    assert list(zip(table["first"], table["second"], strict=True)) == [*plan.CLAIM, *plan.CLAIM]


def test_halves_are_the_most_alike(tried):
    ratios = tried["ratios"].groupby(["n_splits", "technique"])["ratio"].mean()
    assert ratios[2, "DPS"] < 0.2 < ratios[2, "SCV"]


def test_only_powers_of_two_are_halved():
    with pytest.raises(StudyError, match="2, 4, 8"):
        engine.run(BALANCE_DPS, profile="smoke", few_splits=(2, 5))


def test_the_table_has_means_over_problems_and_rows(tried, known):
    errors = tables.errors(tables.estimates(tried["folds"]), known["truths"])
    table = frontier.claim_table(errors, tried["ratios"]).set_index("procedure")
    assert "e-fold" not in table.index
    assert table["cost"].is_monotonic_increasing
    lines = errors[(errors["procedure"] == "DPS 8") & (errors["learner"] == "tree")]
    assert table.loc["DPS 8", "bias, tree"] == pytest.approx(lines["bias"].mean())
    assert table.loc["DPS 8", "error, tree"] == pytest.approx(lines["rmse"].mean())
    halves = tried["ratios"].query("technique == 'DPS' and n_splits == 8")["ratio"]
    assert table.loc["DPS 8", "ratio"] == pytest.approx(halves.mean())
    assert np.isnan(table.loc["SCV 10 x 8", "ratio"])
