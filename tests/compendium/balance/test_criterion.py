"""Balanced folds by the energy distance beside those by features, on the data sets of the study of balance."""

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score

from compendium import engine
from compendium.balance import frontier, plan
from compendium.balance.study import BALANCE, BALANCE_CRITERION
from compendium.balance.study._study import draw_unit
from compendium.engine import seed_of
from cvstrat import BalancedKFold, balance_ratio
from cvstrat.metrics import unbiased_balance

UNIT = {"problem": "clusters near", "n_rows": 60, "minority": 0.5, "replicate": 1}


@pytest.fixture(scope="module")
def tables(smoke_run):
    return engine.read_tables("balance-criterion", smoke_run("balance-criterion"))


def of_unit(table):
    return table[table["replicate"] == UNIT["replicate"]].set_index(["technique", "n_splits"])


@pytest.mark.parametrize(("balance", "label"), [(0.0, "0"), ("unbiased", "unbiased")])
@pytest.mark.parametrize("criterion", ["features", "energy"])
@pytest.mark.parametrize("k", [2, 5])
def test_an_estimate_is_the_mean_accuracy_over_the_folds_of_the_splitter(tables, k, criterion, balance, label):
    spec = BALANCE_CRITERION.profiles["smoke"]()
    sample = draw_unit(spec, UNIT, "rows")
    seed = seed_of(seed_of(spec.seed, *UNIT.values(), "procedures"), criterion, label, k)
    cv = BalancedKFold(k, balance=balance, criterion=criterion, shuffle=True, random_state=seed)
    scores = cross_val_score(LinearDiscriminantAnalysis(), sample.X, sample.y, cv=cv)
    estimates = of_unit(tables["estimates"].query("learner == 'LDA'"))["estimate"]
    assert estimates[f"{criterion} {label}", k] == pytest.approx(scores.mean(), abs=1e-6)
    ratio = balance_ratio(cv, sample.X, sample.y)
    assert of_unit(tables["ratios"])["ratio"][f"{criterion} {label}", k] == pytest.approx(ratio, rel=1e-5)


def test_rows_are_those_of_the_study_of_balance():
    ours, theirs = (draw_unit(study.profiles["paper"](), UNIT, "rows") for study in (BALANCE_CRITERION, BALANCE))
    np.testing.assert_array_equal(ours.X, theirs.X)
    np.testing.assert_array_equal(ours.y, theirs.y)


def test_differences_are_told_with_joint_intervals():
    rng = np.random.default_rng(0)
    n, apart = 400, {"LDA": 0.0, "tree": 0.02, "15-NN": 0.003}
    frames = []
    for learner, shift in apart.items():
        noise = 0.002 if learner == "LDA" else 0.03
        features = 0.7 + noise * rng.standard_normal(n)
        for criterion, values in {"features": features, "energy": features + shift}.items():
            drawn = values + (noise * rng.standard_normal(n) if criterion == "energy" else 0)
            same = {"problem": "p", "n_rows": 60, "learner": learner, "n_splits": 2, "technique": f"{criterion} 0"}
            frames.append(pd.DataFrame({**same, "replicate": range(n), "estimate": drawn}))
    table = plan.compare_criteria(pd.concat(frames)).set_index("learner")
    assert table["verdict"].to_dict() == {"LDA": "equal", "tree": "higher", "15-NN": "not told"}
    for learner, frame in pd.concat(frames).groupby("learner"):
        wide = frame.pivot_table(index="replicate", columns="technique", values="estimate")
        gaps = [100 * (wide.loc[i, "energy 0"] - wide.loc[i, "features 0"]) for i in range(n)]
        assert table.loc[learner, "difference"] == pytest.approx(np.mean(gaps))
        z = 2.394  # of the normal distribution, for three intervals at 5 % together
        assert table.loc[learner, "margin"] == pytest.approx(z * np.std(gaps, ddof=1) / np.sqrt(n), rel=1e-3)


def test_the_ratio_that_was_asked_for_stands_beside_those_reached(tables):
    table = frontier.ratios_reached(tables["ratios"]).set_index(["n_rows", "n_splits", "balance"])
    assert table.index.tolist() == [(60, k, balance) for k in (2, 5) for balance in ("0", "unbiased")]
    lines = tables["ratios"].query("technique == 'energy unbiased' and n_splits == 5")
    assert table.loc[(60, 5, "unbiased"), "energy"] == pytest.approx(lines["ratio"].mean())
    assert table.loc[(60, 5, "unbiased"), "asked"] == unbiased_balance(5)
    assert table.loc[(60, 5, "0"), "asked"] == 0


def test_the_bias_is_that_to_the_truth_of_the_study_of_balance(tables):
    truths = engine.read_tables("balance")["truths"]  # of the same data sets, and of many more
    biases = frontier.bias_by_criterion(tables["estimates"], truths).set_index(["learner", "n_splits", "criterion"])
    cell = "problem == 'clusters near' and n_rows == 60 and minority == 0.5 and learner == 'LDA'"
    known = truths.query(cell).set_index("replicate")
    right = (known["true_positives"] + known["true_negatives"]) / known["tested"]
    found = tables["estimates"].query("learner == 'LDA' and n_splits == 2 and technique == 'energy unbiased'")
    errors = [100 * (line.estimate - right[line.replicate]) for line in found.itertuples()]
    assert len(errors) == biases.loc[("LDA", 2, "energy"), "n"] == 3
    assert biases.loc[("LDA", 2, "energy"), "bias"] == pytest.approx(np.mean(errors), abs=1e-4)
