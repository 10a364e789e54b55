"""Reports of the e-fold study, on runs whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from compendium import engine, inference
from compendium.mahlich2024 import study, tables
from cvstrat import StableDeviation

SETS = ("sklearn/iris", "sklearn/breast_cancer", "sklearn/diabetes")


@pytest.fixture
def results():
    rng = np.random.default_rng(0)
    axes = itertools.product(SETS, ["plain"], ["k-NN"], range(1, 41), range(1, 11))
    runs = pd.DataFrame(axes, columns=["dataset", "technique", "model", "run", "fold"])
    runs["score"] = 0.8 + 0.05 * rng.standard_normal(len(runs))
    times = runs.drop(columns="score").assign(fit_seconds=0.1, predict_seconds=0.1)
    return {"runs": runs, "runs_times": times}


def by_hand(scores):
    rule = StableDeviation()
    return next((n for n in range(1, 11) if rule.should_stop(scores[:n])), 10)


def test_every_run_stops_where_the_rule_says(results):
    stopped = tables.stopped_runs(results)
    scores = tables.score_table(results["runs"]).loc[SETS[0], "plain", "k-NN"]
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


def test_fewer_folds_at_most_end_every_run_there(results):
    assert tables.stopped_runs(results, max_folds=6)["stop"].max() == 6


def test_tasks_are_those_of_the_paper():
    assert [tables.task_of(name) for name in SETS] == ["multi-class", "binary", "regression"]


def test_stops_stand_beside_the_published_ones(results):
    table = tables.stop_table(tables.stopped_runs(results)).set_index("dataset")
    assert table.loc["sklearn/iris", "published"] == 4.86
    assert table.loc["sklearn/diabetes", "published"] == 5.75
    assert (table["ours"] - table["published"]).to_numpy() == pytest.approx(table["difference"])


def test_controls_are_expectations_of_rules_that_do_not_look(results):
    stopped = tables.stopped_runs(results)
    row = tables.control_table(results, stopped).set_index("dataset").loc[SETS[1]]
    scores = tables.score_table(results["runs"]).loc[SETS[1]].to_numpy()
    stops = stopped.loc[stopped["dataset"] == SETS[1], "stop"].to_numpy()
    whole = scores.mean(axis=1)
    mean = whole.mean()
    distance = [100 * np.abs(scores[:, :n].mean(axis=1) - whole).mean() / mean for n in range(1, 11)]
    assert row["efold"] == pytest.approx(
        np.mean([100 * abs(run[:n].mean() - run.mean()) / mean for run, n in zip(scores, stops, strict=True)])
    )
    assert row["random"] == pytest.approx(np.mean([distance[n - 1] for n in stops]))
    low = int(stops.mean())
    share = stops.mean() - low
    assert row["fixed"] == pytest.approx((1 - share) * distance[low - 1] + share * distance[low])
    assert row["folds"] == pytest.approx(stops.mean())
    assert 0.8 < row["random_inside"] <= 1


def test_scores_that_carry_no_signal_leave_nothing_to_gain_over_random_stops(results):
    control = tables.control_table(results, tables.stopped_runs(results))
    assert control["efold_all_runs"].mean() == pytest.approx(control["random_all_runs"].mean(), rel=0.15)


def test_effects_compare_both_controls_with_e_fold(results):
    found = tables.control_effects(tables.control_table(results, tables.stopped_runs(results)))
    assert found["technique"].tolist() == ["fixed", "random"] * 2
    assert found["panel"].nunique() == 2
    assert (found["low"] <= found["difference"]).all()
    control = tables.control_table(results, tables.stopped_runs(results))
    gaps = control["fixed_all_runs"] - control["efold_all_runs"]
    all_four = inference.bootstrap_interval(gaps, control["dataset"], level=1 - 0.05 / 4)
    assert found.loc[2, ["joint_low", "joint_high"]].tolist() == pytest.approx(all_four[["low", "high"]].tolist())


@pytest.mark.parametrize(
    ("difference", "low", "high", "words"),
    [
        (-0.03, -0.09, -0.01, "cost comes slightly, but clearly, nearer to the result of all ten."),
        (-0.03, -0.09, -0.0001, "cost comes slightly, and only just clearly, nearer to the result of all ten."),
        (-0.5, -0.9, -0.1, "cost comes clearly nearer to the result of all ten."),
        (0.03, 0.01, 0.09, "cost is slightly, but clearly, further from the result of all ten."),
        (-0.03, -0.09, 0.01, "cost comes nearer to the result of all ten cannot be told."),
        (-0.03, np.nan, np.nan, "cost comes nearer to the result of all ten cannot be told."),
    ],
)
def test_the_control_is_told_by_size_and_by_the_joint_interval(results, difference, low, high, words):
    found = tables.control_effects(tables.control_table(results, tables.stopped_runs(results)))
    found.loc[0, ["difference", "joint_low", "joint_high"]] = [difference, low, high]  # the others must not matter
    assert tables.control_text(found).endswith(words)


def test_more_patience_uses_more_folds(results):
    table = tables.sensitivity_table(results, tolerances=(0.05,), ddofs=(1,), max_folds=(10,))
    assert table["patience"].tolist() == [1, 2, 3, 4]
    assert table["stop"].is_monotonic_increasing
    few = tables.sensitivity_table(results, tolerances=(0.05,), ddofs=(1,), max_folds=(5,))
    assert few["patience"].tolist() == [1, 2, 3]  # four could never end a run of five


def test_pairs_with_fewer_runs_are_counted_and_everything_else_copes(results):
    short = {
        name: frame[(frame["dataset"] != SETS[0]) | (frame["run"] <= 7)].reset_index(drop=True)
        for name, frame in results.items()
    }
    stopped = tables.stopped_runs(short)
    assert tables.stop_table(stopped).set_index("dataset")["runs"].to_dict() == {SETS[0]: 7, SETS[1]: 40, SETS[2]: 40}
    runs = tables.control_runs(short, stopped)
    assert len(runs) == 87
    assert tables.control_by_dataset(runs)["difference"].notna().all()
    assert tables.savings_table(stopped)["runs"].tolist()[-1] == 87


def test_one_data_set_has_effects_without_intervals(results):
    one = {name: frame[frame["dataset"] == SETS[0]] for name, frame in results.items()}
    found = tables.control_effects(tables.control_table(one, tables.stopped_runs(one)))
    assert found["difference"].notna().all()
    assert found["low"].isna().all()


def test_examples_are_a_run_of_each_kind(results):
    stopped = tables.stopped_runs(results)
    examples = tables.example_runs(results, stopped)
    assert examples["title"].unique().tolist() == ["stops after 4, inside", "never stops", "stops after 4, outside"]
    for title, run in examples.groupby("title"):
        scores, stop = run.sort_values("fold")["score"].to_numpy(), run["stop"].iloc[0]
        assert len(scores) == 10
        assert by_hand(scores.tolist()) == stop
        outside = abs(scores[:stop].mean() - scores.mean()) > run["half"].iloc[0]
        assert outside == title.endswith("outside")


def test_a_kind_of_run_that_does_not_occur_is_left_out(results):
    stopped = tables.stopped_runs(results)
    rest = stopped[stopped["inside"] & (stopped["stop"] < 10)]
    assert tables.example_runs(results, rest)["title"].nunique() == 1


def test_the_matrix_has_ours_the_published_and_averages(results):
    stops = tables.stop_table(tables.stopped_runs(results))
    matrix = tables.stop_matrix(stops, "classification")
    assert set(matrix.index) == {"breast_cancer", "iris", "average"}
    ours = stops.set_index("dataset")["ours"]
    assert matrix.loc["iris", "k-NN"] == f"{ours['sklearn/iris']:.2f} (4.86)"
    mean = (ours["sklearn/iris"] + ours["sklearn/breast_cancer"]) / 2
    assert matrix.loc["average", "average"] == f"{mean:.2f} ({(4.86 + 5.88) / 2:.2f})"
    assert list(tables.stop_matrix(stops, "regression").index) == ["diabetes", "average"]


def test_savings_count_every_run_once_or_every_second(results):
    times = results["runs_times"].copy()
    times.loc[times["dataset"] == SETS[2], "fit_seconds"] = 9.9
    stopped = tables.stopped_runs({**results, "runs_times": times})
    savings = tables.savings_table(stopped).set_index("task")
    assert savings.loc["all", "fits_saved"] == pytest.approx(100 - 10 * stopped["stop"].mean())
    assert savings.loc["all", "seconds_saved_mean"] == pytest.approx(savings.loc["all", "fits_saved"])
    weights = stopped["dataset"].map({SETS[0]: 0.2, SETS[1]: 0.2, SETS[2]: 10.0})
    expected = 100 * np.average(1 - stopped["stop"] / 10, weights=weights)
    assert savings.loc["all", "seconds_saved_total"] == pytest.approx(expected)


def test_controls_by_data_set_are_mean_gaps_of_its_runs(results):
    runs = tables.control_runs(results, tables.stopped_runs(results))
    found = tables.control_by_dataset(runs)
    assert found["dataset"].tolist() == [SETS[0], SETS[2], SETS[1]] * 2  # by size
    part = runs[runs["dataset"] == SETS[2]]
    row = found[(found["dataset"] == SETS[2]) & (found["panel"] == "random")].iloc[0]
    assert row["difference"] == pytest.approx((part["random"] - part["efold"]).mean())
    assert row["low"] < row["difference"] < row["high"]
    all_six = inference.bootstrap_interval(part["random"] - part["efold"], part["run"], level=1 - 0.05 / 6)
    assert row[["joint_low", "joint_high"]].tolist() == pytest.approx(all_six[["low", "high"]].tolist())
    assert row["technique"] == "diabetes, 442 rows"


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("n_used", [1, 4, 5, 7])
def test_the_share_inside_is_that_of_simulated_scores(n_used, ddof):
    scores = 3 + 2 * np.random.default_rng(1).standard_normal((40_000, 10))
    half = stats.t(9).interval(0.95)[1] * scores.std(axis=1, ddof=ddof) / np.sqrt(10)
    inside = np.abs(scores[:, :n_used].mean(axis=1) - scores.mean(axis=1)) <= half
    assert study.inside_share(n_used, ddof=ddof) == pytest.approx(inside.mean(), abs=0.01)


def test_the_share_inside_of_all_folds_is_one_and_of_none_an_error():
    assert study.inside_share(10) == 1
    with pytest.raises(ValueError, match="n_used must lie between 1 and n_folds=10; it is 0"):
        study.inside_share(0)


def test_noise_stops_where_the_rule_stops_it():
    noise = study.noise_table(n_runs=4000)
    scores = np.random.default_rng(5).standard_normal((2000, 10)).tolist()
    stops = np.array([by_hand(run) for run in scores])
    assert noise["runs"].sum() == pytest.approx(100)
    assert noise.index.tolist() == [4, 5, 6, 7, 8, 9, 10]
    assert noise["runs"].to_numpy() == pytest.approx([100 * (stops == n).mean() for n in range(4, 11)], abs=4)


@pytest.fixture
def folds_of_techniques(results):
    """Random folds, and others whose scores are the same but half as far from their mean."""
    near = results["runs"].assign(technique="SCBCV", score=0.8 + (results["runs"]["score"] - 0.8) / 2)
    times = results["runs_times"]
    return {
        "runs": pd.concat([near, results["runs"].assign(technique="SCV")], ignore_index=True),
        "runs_times": pd.concat([times.assign(technique="SCBCV"), times.assign(technique="SCV")], ignore_index=True),
    }


def test_folds_that_agree_better_do_not_stop_earlier(folds_of_techniques):
    table = tables.technique_table(folds_of_techniques)
    assert table["technique"].unique().tolist() == ["SCV", "SCBCV"]
    effects = tables.technique_effects(table, "SCV").set_index("measure")
    assert effects.loc["folds", "difference"] == 0
    assert effects.loc["std", "difference"] == pytest.approx(-50)
    assert effects.loc["distance", "difference"] == pytest.approx(-50, abs=1)


def test_only_pairs_that_have_all_techniques_count(folds_of_techniques):
    runs = folds_of_techniques["runs"]
    runs = runs[(runs["technique"] != "SCV") | (runs["dataset"] != SETS[1])]
    table = tables.technique_table({**folds_of_techniques, "runs": runs})
    assert set(table["dataset"]) == {SETS[0], SETS[2]}
    with pytest.raises(ValueError, match="the reference must be one of .*; it is 'KFold'"):
        tables.technique_effects(table, "KFold")


def test_searches_are_compared_on_the_same_folds():
    tree = DecisionTreeClassifier(random_state=0)
    found = study.search_comparison(["iris"], tree, {"max_depth": [1, 2, 3]}, seeds=[0]).set_index("search")
    assert found.loc["grid search", "fits"] == 30
    assert found.loc["five folds", "fits"] == 15
    assert found.loc["e-fold", "fits"] < 30
    assert (found["regret"] >= 0).all()


def test_the_report_prints_stops_and_controls(results):
    assert list(engine.report("mahlich2024", results)) == ["mean number of folds", "against controls"]


def test_the_study_of_techniques_has_a_report_too(folds_of_techniques):
    found = engine.report("mahlich2024-clusters", folds_of_techniques)
    assert list(found) == ["folds of each technique", "in percent of SCV"]


def test_larger_sets_come_last_and_differ_less_where_their_scores_do(results):
    runs = results["runs"]
    calm = {
        name: 10.0**-place for place, name in enumerate(("sklearn/iris", "sklearn/diabetes", "sklearn/breast_cancer"))
    }
    score = 0.8 + (runs["score"] - 0.8) * runs["dataset"].map(calm)
    stopped = tables.stopped_runs({**results, "runs": runs.assign(score=score)})
    table = tables.differences_by_size(stopped)
    assert table["rows"].tolist() == [150, 442, 569]
    early = stopped[(stopped["dataset"] == "sklearn/iris") & (stopped["stop"] < 10)]
    assert table["percent"].iloc[0] == pytest.approx(early["percent"].mean())
    assert tables.rank_correlation(table) == pytest.approx(-1)


def test_complex_and_simple_models_are_compared_on_the_same_sets(results):
    stopped = tables.stopped_runs(results)
    both = pd.concat([stopped.assign(model="AdaBoost", percent=1.0), stopped.assign(model="Ridge", percent=2.0)])
    found = tables.differences_by_complexity(both)
    assert found["dataset"].tolist() == sorted(SETS)
    assert found[["complex", "simple"]].drop_duplicates().to_numpy().tolist() == [[1.0, 2.0]]
    assert tables.differences_by_complexity(stopped).empty  # k-NN is neither


def test_shares_inside_are_counted_over_pairs(results):
    stopped = tables.stopped_runs(results)
    shares = tables.inside_shares(stopped)
    by_pair = [round(100 * part["inside"].mean()) for _, part in stopped.groupby("dataset")]
    assert shares.to_dict() == {value: pytest.approx(100 * by_pair.count(value) / 3) for value in sorted(set(by_pair))}


def test_five_folds_are_measured_from_all_ten_fold_runs(results):
    stopped = tables.stopped_runs(results)
    ten = results["runs"]
    five = ten[(ten["fold"] <= 5) & (ten["dataset"] != SETS[0])]
    table = tables.five_fold_table({"runs": five}, results, stopped).set_index("dataset")
    assert set(table.index) == set(SETS[1:])
    mine = five[five["dataset"] == SETS[1]].groupby("run")["score"].mean()
    truth = ten.loc[ten["dataset"] == SETS[1], "score"].mean()
    assert table.loc[SETS[1], "five"] == pytest.approx(100 * (mine - truth).abs().mean() / truth)
    assert table.loc[SETS[1], "shift"] == pytest.approx(100 * (mine.mean() - truth) / truth)
    effect = tables.five_fold_effects(table.reset_index())
    assert effect["difference"].tolist() == [pytest.approx((table["five"] - table["efold"]).mean())]


def test_stops_at_random_and_fixed_numbers_are_expectations(results):
    fixed = tables.fixed_table(results).set_index("folds")["percent"]
    scores = tables.score_table(results["runs"]).to_numpy()
    assert fixed[3] == pytest.approx(np.mean(100 * np.abs(scores[:, :3].mean(axis=1) / scores.mean(axis=1) - 1)))
    one = tables.sensitivity_table(results, patiences=(3,), tolerances=(1e9,), ddofs=(1,), max_folds=(10,)).iloc[0]
    assert one["stop"] == 5  # so tolerant a rule ends every run alike
    assert one["percent_random"] == pytest.approx(fixed[5]) == pytest.approx(one["percent"])
