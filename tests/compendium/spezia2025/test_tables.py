"""Reports: what a reader finds in the results of the cluster-based chapters, on results whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from compendium import datasets, engine
from compendium.spezia2025 import study, tables

SETS = ("pmlb/iris", "pmlb/sonar", "pmlb/haberman", "pmlb/backache")
MODELS = ("LR", "DT")


def study_tables(estimate, *, techniques=("SCV", "KFold", "KCBCV"), n_repeats=4, seed=0):
    """Tables of a study in which the true score is 0.8 and `estimate` gives the mean estimate of each technique."""
    rng = np.random.default_rng(seed)
    folds = []
    for name, technique, n_splits, repeat, model in itertools.product(
        SETS, techniques, (2, 10), range(n_repeats), MODELS
    ):
        for version in ("correct", "as published") if technique in study.PUBLISHED else ("correct",):
            score = estimate(name, technique, n_splits, version) + (repeat - (n_repeats - 1) / 2) * 0.01
            folds.append((name, technique, n_splits, repeat, version, model, score, score + 0.1))
    columns = ["dataset", "technique", "n_splits", "repeat", "version", "model", "accuracy", "f1_macro"]
    truth = pd.DataFrame(itertools.product(SETS, MODELS, range(6)), columns=["dataset", "model", "holdout"])
    truth["accuracy"] = 0.8 + np.tile([-0.02, 0.02, -0.01, 0.01, 0.03, -0.03], len(truth) // 6)
    truth["f1_macro"] = truth["accuracy"] + 0.1
    times = pd.DataFrame(folds, columns=columns)[columns[:6]].assign(
        split_seconds=lambda table: np.where(table["technique"] == "SCV", 0.1, 0.3),
        fit_seconds=lambda table: 0.4 + rng.random(len(table)) * 1e-3,
        predict_seconds=0.1,
    )
    clusters = pd.DataFrame({"dataset": SETS, "n_clusters": [4, 7, 2, 9], "eps": 1.0, "min_samples": 4})
    return {"folds": pd.DataFrame(folds, columns=columns), "truth": truth, "folds_times": times, "clusters": clusters}


def plain(name, technique, n_splits, version):
    off = {"SCV": 0.01, "KFold": 0.03, "KCBCV": -0.005}[technique]
    return 0.8 + (off if version == "correct" else 0.03)


def test_bias_is_the_mean_estimate_minus_the_true_score_in_the_metric_of_the_data_set():
    bias = tables.bias_table(study_tables(plain))
    assert set(bias.loc[bias["dataset"].isin(SETS[:2]), "balance"]) == {"balanced"}
    assert set(bias.loc[bias["dataset"].isin(SETS[2:]), "balance"]) == {"imbalanced"}
    balanced = bias[bias["balance"] == "balanced"]
    assert balanced["truth"].to_numpy() == pytest.approx(0.8)
    assert bias[bias["balance"] == "imbalanced"]["truth"].to_numpy() == pytest.approx(0.9)
    found = bias[bias["version"] == "correct"].groupby("technique")["bias"].agg(["min", "max"])
    assert found.loc["SCV"].to_list() == pytest.approx([0.01, 0.01])
    assert found.loc["KCBCV"].to_list() == pytest.approx([-0.005, -0.005])


def test_standard_deviation_and_standard_errors_are_those_of_repeats_and_hold_outs():
    row = tables.bias_table(study_tables(plain)).iloc[0]
    repeats = np.array([-0.015, -0.005, 0.005, 0.015])
    holdouts = np.array([-0.02, 0.02, -0.01, 0.01, 0.03, -0.03])
    assert row["std"] == pytest.approx(repeats.std(ddof=1))
    assert row["truth_se"] == pytest.approx(holdouts.std(ddof=1) / np.sqrt(6))
    assert row["bias_se"] == pytest.approx(np.sqrt(repeats.var(ddof=1) / 4 + holdouts.var(ddof=1) / 6))
    assert row["squared_bias"] == pytest.approx(row["bias"] ** 2 - row["bias_se"] ** 2)
    assert row["rmse"] == pytest.approx(np.sqrt(row["squared_bias"] + row["std"] ** 2))
    assert row["abs_bias"] == pytest.approx(abs(row["bias"]))


def test_squared_bias_and_error_are_right_on_average_where_truth_and_estimate_are_noisy():
    """Ten hold-outs and eight repeats of scores of which mean and variance are known, a thousand times."""
    rng = np.random.default_rng(0)
    true_bias, std, holdout_std, n = 0.02, 0.03, 0.08, 1500
    repeats = rng.normal(0.8 + true_bias, std, (n, 8))
    holdouts = rng.normal(0.8, holdout_std, (n, 10))
    frame = pd.DataFrame({"dataset": "pmlb/iris", "model": [f"m{number}" for number in range(n)]})
    frame["f1_macro"] = 0.0  # of no use on a balanced set
    folds = [
        frame.assign(technique="SCV", version="correct", n_splits=2, repeat=repeat, accuracy=repeats[:, repeat])
        for repeat in range(8)
    ]
    truth = [frame.assign(holdout=holdout, accuracy=holdouts[:, holdout]) for holdout in range(10)]
    clusters = pd.DataFrame({"dataset": ["pmlb/iris"], "n_clusters": [9]})
    bias = tables.bias_table({"folds": pd.concat(folds), "truth": pd.concat(truth), "clusters": clusters})
    assert bias["squared_bias"].mean() == pytest.approx(true_bias**2, rel=0.2)
    assert (bias["bias"] ** 2).mean() > 2 * true_bias**2  # what noise makes of it
    summary = tables.summary_table(bias, ["SCV"]).iloc[0]
    assert summary["rms_bias"] == pytest.approx(true_bias, rel=0.1)
    assert summary["rmse"] == pytest.approx(np.hypot(true_bias, std), rel=0.05)


def test_another_metric_can_be_asked_for():
    bias = tables.bias_table(study_tables(plain), metric="f1_macro")
    assert bias["truth"].to_numpy() == pytest.approx(0.9)


def test_techniques_whose_repeats_are_not_all_there_are_left_out():
    results = study_tables(plain)
    folds = results["folds"]
    gone = (folds["dataset"] == SETS[0]) & (folds["technique"] == "SCV") & (folds["repeat"] == 3)
    bias = tables.bias_table({**results, "folds": folds[~gone]})
    assert not ((bias["dataset"] == SETS[0]) & (bias["technique"] == "SCV")).any()
    assert ((bias["dataset"] == SETS[1]) & (bias["technique"] == "SCV")).any()
    assert SETS[0] not in tables.blocks(bias, ["SCV", "KFold"], "bias", n_splits=2).index.get_level_values("dataset")


def test_scbcv_stands_under_the_name_of_its_number_of_clusters_too():
    results = study_tables(lambda *axes: 0.81, techniques=("SCBCV", "SCV"))
    bias = tables.bias_table(results)
    names = bias.groupby("dataset")["technique"].unique().apply(set)
    assert names[SETS[0]] == {"SCBCV", "SCBCV4", "SCV"}
    assert names[SETS[2]] == {"SCBCV", "SCBCV2", "SCV"}
    assert names[SETS[1]] == names[SETS[3]] == {"SCBCV", "SCV"}


def test_a_second_name_that_was_run_all_the_same_is_not_counted_twice():
    bias = tables.bias_table(study_tables(lambda *axes: 0.81, techniques=("SCBCV", "SCBCV4", "SCBCV2", "SCV")))
    assert not bias.duplicated(["dataset", "model", "n_splits", "technique", "version"]).any()
    assert bias.groupby("dataset")["technique"].nunique().eq(4).all()


def test_techniques_with_one_version_stand_in_both():
    versions = tables.both_versions(tables.bias_table(study_tables(plain)))
    counts = versions.groupby(["technique", "version"]).size()
    assert counts.nunique() == 1
    assert len(counts) == 6


def test_friedman_finds_what_differs_and_nothing_where_all_are_alike():
    bias = tables.bias_table(study_tables(plain))
    table = tables.friedman_table(bias, ["SCV", "KFold", "KCBCV"])
    signed = table[table["measure"] == "signed bias"]
    assert (signed["correct"] < 0.05).all()
    assert (table.loc[table["measure"] == "standard deviation", "correct"] == 1).all()
    assert (table["pairs"] == 4).all()
    assert set(table["measure"]) == {"signed bias", "squared bias", "standard deviation"}


def test_published_values_stand_beside_ours():
    techniques = study.SETS["set2"]
    bias = tables.bias_table(study_tables(lambda *axes: 0.81, techniques=techniques))
    table = tables.friedman_table(bias, techniques, "set2").set_index(["balance", "n_splits", "measure"])["published"]
    assert table["imbalanced", 10, "signed bias"] == 0.00001
    assert table["balanced", 2, "standard deviation"] == 0.07261
    assert table.xs("squared bias", level="measure").isna().all()
    wins = tables.wins_table(bias, techniques, "set2").set_index(["balance", "n_splits", "measure", "version"])
    assert wins.loc[("imbalanced", 10, "bias", "published"), ["SCBCV", "SCBCV-Mini", "SCV"]].to_list() == [5, 5, 30]
    assert (wins[list(techniques)].sum(axis=1) == wins["pairs"]).all()


def test_effects_are_differences_to_the_reference_with_an_interval_around_them():
    bias = tables.bias_table(study_tables(plain))
    table = tables.effects_table(bias, "bias", ["KFold", "KCBCV"], "SCV")
    assert list(table["panel"].unique()) == [
        f"{kind} sets, {n} folds" for kind in ("balanced", "imbalanced") for n in (2, 10)
    ]
    kfold = table[table["technique"] == "KFold"]
    assert kfold[["difference", "low", "high"]].to_numpy() == pytest.approx(0.02)
    assert table[table["technique"] == "KCBCV"]["difference"].to_numpy() == pytest.approx(-0.015)


def shifted(name, technique, n_splits, version):
    """KFold is above SCV by an amount that differs a little from set to set, KCBCV by next to nothing."""
    wiggle = {"pmlb/iris": -1, "pmlb/sonar": 1, "pmlb/haberman": 2, "pmlb/backache": -2}[name]
    off = {"SCV": 0.0, "KFold": 0.03 + 1e-4 * wiggle, "KCBCV": 1e-4 * wiggle}[technique]
    return 0.8 + (off if version == "correct" else 0.0)


def test_findings_tell_a_difference_from_none_that_matters_and_from_no_evidence():
    bias = tables.bias_table(study_tables(shifted))
    table = tables.effects_table(bias, "bias", ["KFold", "KCBCV"], "SCV", by_balance=False)
    assert list(table["panel"].unique()) == ["all sets, 2 folds", "all sets, 10 folds"]
    assert table.set_index(["technique", "n_splits"])["finding"].to_dict() == {
        ("KFold", 2): "larger",
        ("KFold", 10): "larger",
        ("KCBCV", 2): "equal",
        ("KCBCV", 10): "equal",
    }
    counts = tables.count_findings(table)
    assert (counts["compared"], counts["larger"], counts["equal"], counts["open"]) == (4, 2, 2, 0)
    assert (counts["holm"], counts["alone_larger"], counts["smaller"]) == (2, 2, 0)
    wide = tables.bias_table(study_tables(lambda *axes: 0.8 + 100 * (shifted(*axes) - 0.8)))
    assert set(tables.effects_table(wide, "bias", ["KCBCV"], by_balance=False)["finding"]) == {"open"}


def test_a_small_clear_difference_is_both_clear_and_small():
    small = {"SCV": 0.0, "KFold": 0.002, "KCBCV": -0.002}
    bias = tables.bias_table(study_tables(lambda name, technique, *_: 0.8 + small[technique]))
    table = tables.effects_table(bias, "bias", ["KFold", "KCBCV"], by_balance=False).set_index("technique")["finding"]
    assert set(table["KFold"]) == {"larger, below the margin"}
    assert set(table["KCBCV"]) == {"smaller, below the margin"}
    counts = tables.count_findings(tables.effects_table(bias, "bias", ["KFold", "KCBCV"], by_balance=False))
    assert (counts["larger"], counts["smaller"], counts["equal"]) == (2, 2, 4)


def test_effects_under_every_metric_are_corrected_for_all_of_them():
    results = study_tables(shifted)
    table = tables.metrics_table(results, "bias", ["KFold", "KCBCV"], by_balance=False)
    assert list(table["metric"].unique()) == ["accuracy", "f1_macro"]  # those of the known results
    alone = tables.effects_table(
        tables.bias_table(results, metric="f1_macro"), "bias", ["KFold", "KCBCV"], by_balance=False, n_comparisons=8
    )
    part = table[table["metric"] == "f1_macro"]
    columns = ["difference", "joint_low", "joint_high", "p_value"]
    assert part[columns].to_numpy() == pytest.approx(alone[columns].to_numpy())
    assert (part["p_holm"].to_numpy() >= alone["p_holm"].to_numpy()).all()


def test_signs_count_the_sets_on_which_the_mean_over_models_is_larger():
    table = tables.signs_table(study_tables(shifted), ["KFold", "KCBCV", "SCV"]).set_index(["technique", "n_splits"])
    kfold, kcbcv = table.loc[("KFold", 2)], table.loc[("KCBCV", 10)]
    assert (kfold["larger"] == 4).all()
    assert (kfold["p_value"] == 0.125).all()  # heads four times, or tails
    assert (kfold["p_holm"] == 1).all()  # of eight tests
    assert kfold["difference"].to_numpy() == pytest.approx(0.03)
    assert (kcbcv["larger"] == 2).all()
    assert (kcbcv["p_value"] == 1).all()
    assert "SCV" not in table.index.get_level_values("technique")
    shown = tables.shown_signs(tables.signs_table(study_tables(shifted), ["KFold"]))
    assert shown.to_dict("records")[0] == {
        "technique": "KFold",
        "n_splits": 2,
        "accuracy": "4 of 4, +3.00",
        "macro F1": "4 of 4, +3.00",
    }


def test_one_data_set_has_effects_without_an_interval():
    results = study_tables(plain)
    one = {**results, "folds": results["folds"][results["folds"]["dataset"] == SETS[0]]}
    table = tables.effects_table(tables.bias_table(one), "bias", ["KFold"], "SCV")
    assert table["difference"].to_numpy() == pytest.approx(0.02)
    assert table[["low", "high"]].isna().all(axis=None)


def test_ranks_put_the_smallest_first():
    bias = tables.bias_table(study_tables(plain))
    found = tables.rank_groups(bias, "squared_bias", ["SCV", "KFold", "KCBCV"], version="correct", n_splits=10)
    assert found["ranks"].to_dict() == {"KCBCV": 1, "SCV": 2, "KFold": 3}


def test_coverage_counts_sets_on_which_everything_is_there():
    results = study_tables(plain)
    gone = (results["folds"]["dataset"] == SETS[3]) & (results["folds"]["technique"] == "KFold")
    bias = tables.bias_table({**results, "folds": results["folds"][~gone]})
    expected = {"datasets": 3, "balanced": 2, "imbalanced": 1, "pairs": 6}
    assert tables.coverage(bias, ["SCV", "KFold", "KCBCV"]) == expected
    assert tables.coverage(bias, ["SCV"])["datasets"] == 4
    assert tables.coverage(bias, ["SCV", "DBSCV"])["datasets"] == 0  # not run anywhere


def test_complete_pairs_are_those_on_which_nothing_is_missing():
    results = study_tables(plain)
    gone = (results["folds"]["dataset"] == SETS[3]) & (results["folds"]["technique"] == "KFold")
    bias = tables.bias_table({**results, "folds": results["folds"][~gone]})
    assert set(tables.complete(bias, ["SCV", "KFold"])["dataset"]) == set(SETS[:3])
    assert set(tables.complete(bias, ["SCV", "KCBCV"])["dataset"]) == set(SETS)
    summary = tables.summary_table(bias, ["SCV", "KFold"])
    assert summary.groupby("balance")["pairs"].max().to_dict() == {"balanced": 4, "imbalanced": 2}


def test_time_is_given_over_that_of_the_reference():
    table = tables.time_table(study_tables(plain))
    ratio = table.groupby("technique")["ratio"].mean()
    assert ratio["SCV"] == pytest.approx(1)
    assert ratio["KFold"] == pytest.approx((1 + 0.3) / (1 + 0.1), abs=0.01)  # two models, half a second each
    assert (table.loc[table["technique"] == "KFold", "split"] == 0.3).all()


def test_published_folds_have_the_class_shares_of_random_ones():
    data = datasets.load("wine")
    shares = study.class_shares("wine", technique="SCBCV", n_splits=5, n_seeds=60)
    share_std = study.class_share_std(shares, data.y, 5)
    drawn = share_std.loc["drawn without replacement"]
    assert (share_std.loc["SCBCV as published"] / drawn).to_numpy() == pytest.approx(1, abs=0.2)
    assert (share_std.loc["random (KFold)"] / drawn).to_numpy() == pytest.approx(1, abs=0.2)
    assert (share_std.loc["SCBCV"] / drawn).max() < 0.4


def test_counts_of_classes_add_up():
    counts = study.class_counts(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 1]))
    assert counts[["class 0", "class 1"]].to_numpy().tolist() == [[1, 1], [1, 2]]


def test_the_report_has_two_summaries_and_two_tables_per_set():
    known = study_tables(lambda *axes: 0.81, techniques=(*study.PUBLISHED, "SCV"))
    found = engine.report("spezia2025", {"tuning": pd.DataFrame(), **known})
    assert len(found) == 2 + 2 * len(study.SETS)
    with pytest.raises(engine.StudyError, match="compendium run spezia2025"):
        engine.report("spezia2025", {})


def test_the_published_splitters_are_random_as_used_and_stratified_once_mapped_back():
    """The committed measurement, beside what mapping back means: SCBCV is as stratified as SCV."""
    table = tables.reference_folds()
    assert table["dataset"].nunique() == 20
    mean = table.groupby(["use", "technique", "n_splits"])["ratio"].mean()
    clusterers = table.loc[table["use"] == "mapped back", "technique"].unique()
    assert len(clusterers) == 6
    assert mean["as used"][list(clusterers)].between(0.85, 1.15).all()
    assert mean["as used"]["SCV"].max() < 0.06
    assert mean["mapped back"][["SCBCV", "SCBCV-Mini"]].max() < 0.06
    used = mean["as used"][list(clusterers)]
    assert tables.share_variance(table) == pytest.approx((used.min(), used.max()))
    built = mean["mapped back"]["SCBCV"]
    assert tables.share_variance(table, "mapped back", "SCBCV") == pytest.approx((built.min(), built.max()))
    sizes = table.groupby("technique")["fold_size_range"].max()
    assert set(sizes[sizes > 1].index) == {"ACBCV", "DBSCANBCV"}


def random_results(seed, off=0.0):
    """Results in which KFold and all techniques as published are draws of the same thing, KFold moved by `off`."""
    rng = np.random.default_rng(seed)
    values = {}

    def estimate(name, technique, n_splits, version):
        key = (name, technique, n_splits, version)
        return values.setdefault(key, 0.8 + 0.01 * rng.normal()) + (off if technique == "KFold" else 0)

    return study_tables(estimate, techniques=("KFold", *study.PUBLISHED))


def test_kfold_is_one_more_draw_unless_it_is_not():
    for off, expected in ((0.0, False), (0.05, True)):
        results = random_results(3, off)
        table = tables.exchangeable_table(tables.bias_table(results), results["clusters"])
        assert table["balance"].tolist() == ["all", "balanced", "balanced", "imbalanced", "imbalanced"]
        assert table["n_sets"].tolist() == [4, 2, 2, 2, 2]
        whole = table.iloc[0]
        assert (whole["p_value"] < 0.01) == expected
        assert (whole["rank"] == 11) == expected
        assert whole["difference"] == pytest.approx(off, abs=0.012)


def test_a_second_name_of_scbcv_is_no_second_draw():
    results = random_results(0)
    draws = tables.random_draws(tables.bias_table(results), results["clusters"])
    assert list(draws.columns) == ["KFold", *study.PUBLISHED]
    iris = draws.xs("pmlb/iris", level="dataset")  # four clusters are estimated
    assert iris["SCBCV4"].isna().all()
    assert iris.drop(columns="SCBCV4").notna().all(axis=None)


def test_differences_by_set_are_means_over_models():
    bias = tables.bias_table(study_tables(shifted))
    gaps = tables.dataset_gaps(bias, "KFold").set_index(["n_splits", "dataset"])
    assert gaps.loc[(2, "pmlb/haberman"), "difference"] == pytest.approx(0.0302)
    assert gaps.loc[(10, "pmlb/backache"), "balance"] == "imbalanced"
    assert len(gaps) == 8


def test_shares_of_wins_are_given_by_version():
    techniques = study.SETS["set2"]
    bias = tables.bias_table(study_tables(lambda *axes: 0.81, techniques=techniques))
    wins = tables.wins_table(bias, techniques, "set2")
    shares = tables.closest_shares(wins, "SCV", balance="imbalanced", n_splits=10, measure="bias")
    assert shares.to_dict() == pytest.approx({"published": 0.75, "as published": 1 / 3, "correct": 1 / 3})


@pytest.mark.parametrize(
    ("smaller", "larger", "equal", "rest", "expected"),
    [
        (0, 0, 0, 24, ["in none of the 24 comparisons.", "All are open", "nor equality to within half a point."]),
        (0, 0, 24, 0, ["in none of the 24 comparisons.", "in all 24."]),
        (
            1,
            0,
            22,
            1,
            ["is clearly smaller than that of SCV in 1 of the 24 comparisons.", "remaining comparison is open"],
        ),
        (
            2,
            3,
            10,
            9,
            [
                "in 5 of the 24 comparisons: it is smaller in 2 and larger in 3.",
                "in 10 of the 24.",
                "remaining 9 are open",
            ],
        ),
        (0, 24, 0, 0, ["is clearly larger than that of SCV in all 24 comparisons."]),
    ],
)
def test_findings_read_well_whatever_was_found(smaller, larger, equal, rest, expected):
    counts = {"compared": 24, "smaller": smaller, "larger": larger, "equal": equal, "open": rest}
    text = tables.findings_text(counts, "error")
    assert all(part in text for part in expected), text
    assert ("open" in text) == (rest > 0)


@pytest.mark.parametrize(("total", "words"), [(1, " It is open: "), (2, " Both are open: "), (3, " All are open: ")])
def test_what_is_open_agrees_in_number(total, words):
    counts = {"compared": total, "smaller": 0, "larger": 0, "equal": 0, "open": total}
    assert words in tables.findings_text(counts, "error")


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ((0, 0, 0, 0, 0), "None of the 2 tests is below 0.05: not in the paper"),
        ((0, 2, 0, 1, 0), "our emulation of what it scored gives 2, and the correct folds give none"),
        ((0, 0, 1, 0, 0), "and the correct folds give 1. If a data set is one block"),
        ((2, 0, 0, 0, 1), "the emulation gives none and the correct folds give 1."),
    ],
)
def test_sentences_on_friedmans_tests_leave_out_the_squared_bias(below, expected):
    columns = ("published", "as_published", "correct", "as_published_by_set", "correct_by_set")
    p_values = {name: [0.01] * count + [0.5] * (2 - count) + [0.01] for name, count in zip(columns, below, strict=True)}
    frame = pd.DataFrame({"measure": ["signed bias", "standard deviation", "squared bias"], **p_values})
    assert expected in tables.friedman_text(frame)


def test_lists_of_names_are_words():
    assert [tables.listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "none",
        "a",
        "a and b",
        "a, b and c",
    ]


@pytest.mark.parametrize(
    ("smaller", "larger", "equal", "on_equality", "on_smaller"),
    [
        (0, 0, 4, "holds", "does not hold"),
        (0, 0, 2, "holds in part", "does not hold"),
        (0, 0, 0, "cannot be told", "cannot be told"),
        (4, 0, 0, "does not hold", "holds"),
        (1, 0, 2, "does not hold", "holds in part"),
        (0, 1, 0, "does not hold", "does not hold"),
    ],
)
def test_verdicts_follow_from_findings(smaller, larger, equal, on_equality, on_smaller):
    counts = {"compared": 4, "smaller": smaller, "larger": larger, "equal": equal}
    assert tables.verdict_on_equality(counts) == on_equality
    assert tables.verdict_on_lead(counts, "smaller") == on_smaller


def test_the_papers_five_conclusions_have_a_verdict_each():
    """All techniques are alike here, but for SCBCV-Mini, which is far off; SCV is cut soonest."""
    off = {"SCBCV-Mini": 0.05}
    results = study_tables(
        lambda name, technique, *_: 0.8 + off.get(technique, 0.0), techniques=(*study.PUBLISHED, "SCV")
    )
    found = tables.verdict_table(results)
    assert found["verdict"].tolist() == ["holds", "does not hold", "holds in part", "does not hold", "holds in part"]
    text = found["once the folds are right"]
    assert "within half a point in all 8" in text[0]
    assert "is clearly larger than that of SCV in both comparisons" in text[1]
    assert "75 % of the pairs as printed" in text[2]
    assert "SCV is the cheapest to cut on all 4 data sets" in text[4]


@pytest.mark.parametrize(("odd", "told"), [(0.03, "all 6"), (-0.3, "1 of the 6")])
def test_whether_a_clear_difference_needs_all_sets_is_counted(odd, told):
    """Five sets agree; where the sixth does not, only leaving it out makes the difference clear."""
    gaps = [0.0299, 0.03, 0.0301, 0.0302, 0.0303, odd]
    lines = [
        {"dataset": f"set {n}", "technique": name, "rmse": 0.1 + off, "model": "LR", "n_splits": 10}
        for n, gap in enumerate(gaps)
        for name, off in (("SCV", 0.0), ("KFold", gap))
    ]
    bias = pd.DataFrame(lines).assign(balance="balanced", version="correct")
    found = {"balance": "balanced", "n_splits": 10, "technique": "KFold"}
    assert tables.clear_without(bias, found, n_comparisons=1) == told
