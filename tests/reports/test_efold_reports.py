"""Reports of the e-fold study, on runs whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from cvstrat import StableDeviation, reports

SETS = ("sklearn/iris", "sklearn/breast_cancer", "sklearn/diabetes")


@pytest.fixture
def tables():
    rng = np.random.default_rng(0)
    axes = itertools.product(SETS, ["plain"], ["k-NN"], range(1, 41), range(1, 11))
    runs = pd.DataFrame(axes, columns=["dataset", "technique", "model", "run", "fold"])
    runs["score"] = 0.8 + 0.05 * rng.standard_normal(len(runs))
    times = runs.drop(columns="score").assign(fit_seconds=0.1, predict_seconds=0.1)
    return {"runs": runs, "runs_times": times}


def by_hand(scores):
    rule = StableDeviation()
    return next((n for n in range(1, 11) if rule.stop(scores[:n])), 10)


def test_every_run_stops_where_the_rule_says(tables):
    stopped = reports.stopped_runs(tables)
    scores = reports.score_table(tables["runs"]).loc[SETS[0], "plain", "k-NN"]
    row = stopped[(stopped["dataset"] == SETS[0]) & (stopped["run"] == 7)].iloc[0]
    values = scores.loc[7].to_numpy()
    stop = by_hand(values.tolist())
    assert row["stop"] == stop
    assert row["estimate"] == pytest.approx(values[:stop].mean())
    assert row["reference"] == pytest.approx(values.mean())
    half = stats.t(9).interval(0.95)[1] * values.std(ddof=1) / np.sqrt(10)
    assert row["half"] == pytest.approx(half)
    assert row["inside"] == (abs(values[:stop].mean() - values.mean()) <= half)
    assert row["percent"] == pytest.approx(100 * abs(values[:stop].mean() - values.mean()) / values.mean())
    assert stopped["saved"].to_numpy() == pytest.approx(1 - stopped["stop"] / 10)


def test_fewer_folds_at_most_end_every_run_there(tables):
    assert reports.stopped_runs(tables, max_folds=6)["stop"].max() == 6


def test_tasks_are_those_of_the_paper():
    assert [reports.task_of(name) for name in SETS] == ["multi-class", "binary", "regression"]


def test_stops_stand_beside_the_published_ones(tables):
    table = reports.stop_table(reports.stopped_runs(tables)).set_index("dataset")
    assert table.loc["sklearn/iris", "published"] == 4.86
    assert table.loc["sklearn/diabetes", "published"] == 5.75
    assert (table["ours"] - table["published"]).to_numpy() == pytest.approx(table["difference"])


def test_controls_are_expectations_of_rules_that_do_not_look(tables):
    stopped = reports.stopped_runs(tables)
    row = reports.control_table(tables, stopped).set_index("dataset").loc[SETS[1]]
    scores = reports.score_table(tables["runs"]).loc[SETS[1]].to_numpy()
    stops = stopped.loc[stopped["dataset"] == SETS[1], "stop"].to_numpy()
    whole = scores.mean(axis=1)
    mean = whole.mean()
    distance = [100 * np.abs(scores[:, :n].mean(axis=1) - whole).mean() / mean for n in range(1, 11)]
    assert row["e-fold"] == pytest.approx(
        np.mean([100 * abs(run[:n].mean() - run.mean()) / mean for run, n in zip(scores, stops, strict=True)])
    )
    assert row["random"] == pytest.approx(np.mean([distance[n - 1] for n in stops]))
    low = int(stops.mean())
    share = stops.mean() - low
    assert row["fixed"] == pytest.approx((1 - share) * distance[low - 1] + share * distance[low])
    assert row["folds"] == pytest.approx(stops.mean())
    assert 0.8 < row["random inside"] <= 1


def test_scores_that_carry_no_signal_leave_nothing_to_gain_over_random_stops(tables):
    control = reports.control_table(tables, reports.stopped_runs(tables))
    assert control["e-fold of all runs"].mean() == pytest.approx(control["random of all runs"].mean(), rel=0.15)


def test_effects_compare_both_controls_with_e_fold(tables):
    found = reports.control_effects(reports.control_table(tables, reports.stopped_runs(tables)))
    assert found["technique"].tolist() == ["fixed", "random"] * 2
    assert found["panel"].nunique() == 2
    assert (found["low"] <= found["difference"]).all()


def test_more_patience_uses_more_folds(tables):
    table = reports.sensitivity_table(tables, tolerances=(0.05,), ddofs=(1,), max_folds=(10,))
    assert table["patience"].tolist() == [1, 2, 3, 4]
    assert table["stop"].is_monotonic_increasing
    few = reports.sensitivity_table(tables, tolerances=(0.05,), ddofs=(1,), max_folds=(5,))
    assert few["patience"].tolist() == [1, 2, 3]  # four could never end a run of five


def test_searches_are_compared_on_the_same_folds():
    tree = DecisionTreeClassifier(random_state=0)
    found = reports.search_comparison(["iris"], tree, {"max_depth": [1, 2, 3]}, seeds=[0]).set_index("search")
    assert found.loc["grid search", "fits"] == 30
    assert found.loc["five folds", "fits"] == 15
    assert found.loc["e-fold", "fits"] < 30
    assert (found["regret"] >= 0).all()


def test_the_report_prints_stops_and_controls(tables):
    assert list(reports.report("e-fold", tables)) == ["mean number of folds", "against controls"]
