"""Reports of the study of 2000, on frames whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import make_blobs

from compendium import engine, inference
from compendium.datasets import published
from compendium.diamantidis2000 import study, tables
from cvstrat import OneCenterKFold

SETS = ["pmlb/breast_w", "pmlb/vehicle", "pmlb/soybean", "pmlb/chess", "pmlb/mushroom"]
FOLDS = (2, 5, 10, 20)
# Points by which each technique is too low with two folds; the more folds, the less.
PESSIMISM = {"KFold": 8.0, "SCV": 4.0, "1C-CV": 6.0, "CL-CV": 5.0, "SCBCV": 2.0}


@pytest.fixture(scope="module")
def results():
    rng = np.random.default_rng(0)
    truth = pd.DataFrame(itertools.product(SETS, range(30)), columns=["dataset", "sample"]).assign(learner="Tree")
    truth["truth"] = 0.8 + 0.01 * rng.standard_normal(len(truth))
    truth["apparent"], truth["no_information"] = 0.95, 0.5
    axes = pd.DataFrame(itertools.product(PESSIMISM, FOLDS), columns=["technique", "n_splits"])
    folds = truth.merge(axes, how="cross")
    folds["accuracy"] = folds["truth"] - folds["technique"].map(PESSIMISM) / 50 / folds["n_splits"]
    folds["accuracy"] += 0.002 * rng.standard_normal(len(folds))
    estimators = truth.assign(estimator="hold-out", kind="hold-out", accuracy=truth["truth"] - 0.03)
    curves = pd.DataFrame(itertools.product(SETS, (20, 50), range(3)), columns=["dataset", "size", "run"])
    curves = curves.assign(learner="Tree", accuracy=0.5 + curves["size"] / 200 + curves["run"] / 100)
    clusters = pd.DataFrame({"dataset": SETS, "mean": 4.5, "std": 1.0, "n_clusters": 5})
    return {"truth": truth, "folds": folds, "estimators": estimators, "curves": curves, "clusters": clusters}


@pytest.fixture(scope="module")
def samples(results):
    return tables.estimates_of_samples(results)


@pytest.fixture(scope="module")
def estimates(samples):
    return tables.estimate_table(samples)


def one(estimates, technique, n_splits, dataset=SETS[0]):
    chosen = (estimates["technique"] == technique) & (estimates["n_splits"] == n_splits)
    return estimates[chosen & (estimates["dataset"] == dataset)].iloc[0]


class TestEstimates:
    """Means, standard deviations and biases over samples."""

    def test_bias_is_the_estimate_minus_the_truth_of_the_same_sample(self, results, estimates):
        row = one(estimates, "R-CV", 2)
        both = results["folds"].query("dataset == @SETS[0] and technique == 'KFold' and n_splits == 2")
        gaps = 100 * (both["accuracy"] - both["truth"])
        assert row["bias"] == pytest.approx(gaps.mean())
        assert row["bias_se"] == pytest.approx(gaps.std(ddof=1) / np.sqrt(30))
        assert row["rmse"] == pytest.approx(np.sqrt((gaps**2).mean()))
        assert row["std"] == pytest.approx(100 * both["accuracy"].std(ddof=1))
        assert row["abs_bias"] == abs(row["bias"])

    def test_estimators_without_folds_stand_beside(self, estimates):
        assert one(estimates, "hold-out", 0)["bias"] == pytest.approx(-3)
        assert one(estimates, "apparent", 0)["accuracy"] == pytest.approx(95)

    def test_what_could_not_be_done_on_all_samples_is_left_out(self, samples):
        hole = (samples["technique"] == "SCBCV") & (samples["n_splits"] == 20) & (samples["dataset"] == SETS[2])
        table = tables.estimate_table(samples[~(hole & (samples["sample"] > 3))])
        left = table[(table["technique"] == "SCBCV") & (table["n_splits"] == 20)]
        assert sorted(left["dataset"]) == sorted(set(SETS) - {SETS[2]})
        fair = tables.comparable(table, ["R-CV", "SCBCV"])
        assert SETS[2] not in set(fair.loc[fair["n_splits"] == 20, "dataset"])
        assert SETS[2] in set(fair.loc[fair["n_splits"] == 10, "dataset"])

    def test_only_what_all_estimators_could_do_stands_beside_stratified_folds(self, estimates):
        others = [one for one in tables.OTHER_ESTIMATORS if one not in set(estimates["technique"])]
        plain = estimates[estimates["technique"] == "apparent"]
        whole = pd.concat([estimates, *(plain.assign(technique=name) for name in others)])
        table = tables.beside_stratified(whole[(whole["technique"] != "leave-one-out") | (whole["dataset"] != SETS[1])])
        assert set(table["dataset"]) == set(SETS) - {SETS[1]}
        assert {f"RS-CV, {k} folds" for k in (2, 5, 10, 20)} | set(tables.OTHER_ESTIMATORS) == set(table["technique"])
        ten = table[(table["technique"] == "RS-CV, 10 folds") & (table["dataset"] == SETS[0])].iloc[0]
        assert ten["std"] == one(estimates, "RS-CV", 10)["std"]

    def test_effects_have_the_sign_of_the_difference(self, estimates):
        table = tables.center_effects(estimates, "bias", ["R-CV", "RS-CV", "SCBCV"])
        two = table[table["n_splits"] == 2].set_index("technique")
        assert two.loc["SCBCV", "low"] > 0
        assert two.loc["SCBCV", "difference"] == pytest.approx(6, abs=0.2)
        assert list(table["panel"].unique()) == ["2 folds", "5 folds", "10 folds", "20 folds"]

    def test_joint_intervals_of_effects_hold_for_all_techniques_and_numbers_of_folds(self, estimates):
        table = tables.center_effects(estimates, "rmse", ["R-CV", "RS-CV", "1C-CV", "CL-CV"])
        assert len(table) == 3 * 4
        row = table[(table["n_splits"] == 5) & (table["technique"] == "CL-CV")].iloc[0]
        chosen = estimates[(estimates["n_splits"] == 5) & estimates["technique"].isin(["R-CV", "CL-CV"])]
        pairs = chosen.pivot(index=["dataset", "learner"], columns="technique", values="rmse")
        alone = inference.effects(pairs, "R-CV", "dataset", level=1 - 0.05 / 12).loc["CL-CV"]
        assert row[["joint_low", "joint_high"]].tolist() == pytest.approx(alone[["low", "high"]].tolist())
        assert (table["joint_low"] < table["low"]).all()
        equal = inference.adjusted(
            [_equivalence(estimates, *case) for case in table[["n_splits", "technique"]].to_numpy()]
        )
        assert table["p_equivalent"].to_numpy() == pytest.approx(equal)


def _equivalence(estimates, n_splits, technique):
    """Evidence, alone, that an error is within half a point of that of random folds."""
    wide = estimates[estimates["n_splits"] == n_splits].pivot(index="dataset", columns="technique", values="rmse")
    return inference.grouped_mean(wide[technique] - wide["R-CV"], wide.index).p_equivalent(0.5)


class TestPublished:
    """The paper's results, ours beside them."""

    def test_table_3_is_whole_and_agrees_with_table_4(self):
        printed = published("diamantidis2000_table3")
        assert len(printed) == 7 * 4 * 4
        assert not printed.duplicated(["name", "technique", "n_splits"]).any()
        assert printed["accuracy"].between(50, 100).all()
        assert printed["deviation"].between(0.3, 8).all()
        lines = printed.set_index(["name", "technique", "n_splits"])
        assert lines.loc[("soybean", "CL-CV", 10)].tolist() == [69.70, 4.47]
        assert lines.loc[("letter", "R-CV", 2)].tolist() == [77.22, 1.04]

    def test_recounting_gives_the_printed_wins_but_for_one(self, estimates):
        everywhere = published("diamantidis2000_table3").rename(columns={"deviation": "std"}).assign(source="published")
        everywhere["dataset"] = "pmlb/" + everywhere["name"]
        table = tables.best_table(everywhere).set_index(["source", "technique"])[["both", "bias", "variance"]]
        difference = table.loc["recounted"] - table.loc["published"]
        assert difference.loc["R-CV", "variance"] == 1
        assert difference.abs().to_numpy().sum() == 1

    def test_accuracies_stand_beside_the_published_ones(self, estimates):
        accuracies = tables.accuracy_table(estimates)
        assert set(accuracies["source"]) == {"published", "Tree"}
        wide = tables.beside_published(accuracies, "accuracy", ["Tree"])
        assert wide.loc[("pmlb/soybean", "RS-CV"), (2, "published")] == 60.40
        assert (
            wide.loc[("pmlb/soybean", "RS-CV"), (2, "Tree")] == one(estimates, "RS-CV", 2, "pmlb/soybean")["accuracy"]
        )
        assert wide.index.get_level_values("technique")[:4].tolist() == ["R-CV", "RS-CV", "1C-CV", "CL-CV"]

    def test_the_highest_accuracy_wins(self, estimates):
        best = tables.best_table(tables.accuracy_table(estimates)).set_index(["source", "technique"])
        ours = best.loc["Tree"]
        assert ours["cases"].tolist() == [20] * 4
        assert ours.loc["RS-CV", "bias"] >= 15
        assert ours["bias"].sum() >= 20

    def test_clusters_stand_beside_table_2(self, results):
        table = tables.cluster_table(results).set_index("dataset")
        assert table.loc["pmlb/soybean", ["published", "published_std", "used"]].tolist() == [4.78, 1.183, 5]


def test_wins_if_alike_are_a_quarter_of_the_cases_and_ties(samples):
    noise = samples.assign(accuracy=np.random.default_rng(0).normal(80, 5, len(samples)))
    table = tables.wins_if_alike(noise, "Tree", n_shuffles=200).set_index("wins")
    assert table.loc["bias", "mean"] == pytest.approx(20 / 4, abs=0.1)
    assert table.loc["bias", "low"] < 3
    assert table.loc["bias", "high"] > 7
    assert table.loc["both", "mean"] < table.loc["bias", "mean"]


def test_wins_if_alike_are_those_of_shuffling_names_sample_by_sample(samples):
    noise = samples.assign(accuracy=np.random.default_rng(1).normal(80, 5, len(samples)))
    noise = noise[noise["dataset"].isin(SETS[:2]) & (noise["sample"] < 6)]
    both = pd.concat([noise, noise.assign(learner="Other", accuracy=noise["accuracy"] * 0.9)])
    found = tables.wins_if_alike(both, ["Tree", "Other"], n_shuffles=30, random_state=4).set_index("wins")
    names, rng, counts = ["R-CV", "RS-CV", "1C-CV", "CL-CV"], np.random.default_rng(4), []
    cells = both.set_index(["dataset", "learner", "n_splits", "sample", "technique"])["accuracy"]
    for _ in range(30):
        won = dict.fromkeys(names, 0)
        for dataset in SETS[:2]:
            orders = rng.random((6, 4)).argsort(axis=-1)  # the same for all learners and numbers of folds
            for learner, k in itertools.product(["Tree", "Other"], FOLDS):
                means = {}
                for place, name in enumerate(names):
                    drawn = [cells[dataset, learner, k, sample, names[orders[sample, place]]] for sample in range(6)]
                    means[name] = round(np.mean(drawn), 2)
                for name in names:
                    won[name] += means[name] == max(means.values())
        counts.append(list(won.values()))
    expected = [np.mean(counts), *np.quantile(counts, [0.025, 0.975]), np.quantile(np.max(counts, axis=1), 0.95)]
    assert found.loc["bias", ["mean", "low", "high", "most"]].tolist() == pytest.approx(expected)


def test_a_learner_counted_twice_doubles_the_limits_and_tells_no_more(samples):
    both = pd.concat([samples, samples.assign(learner="Twin")])
    once, twice = (
        tables.wins_if_alike(both, one, n_shuffles=50).set_index("wins") for one in ("Tree", ["Tree", "Twin"])
    )
    assert twice.to_numpy() == pytest.approx(2 * once.to_numpy())


def test_total_wins_are_those_of_table_4_added_up(samples):
    noise = np.random.default_rng(3).normal(80, 5, len(samples))
    both = pd.concat([samples.assign(accuracy=noise), samples.assign(learner="Other", accuracy=noise[::-1])])
    totals = tables.total_wins(both, n_shuffles=20).set_index("technique")
    best = tables.best_table(tables.accuracy_table(tables.estimate_table(both)))
    ours = best[best["source"].isin(["Tree", "Other"])]
    assert totals["wins"].to_dict() == ours.groupby("technique")["bias"].sum().to_dict()
    assert totals["cases"].eq(2 * len(SETS) * len(FOLDS)).all()
    assert totals["there"].le(2 * len(FOLDS)).all()


def test_a_lead_that_rests_on_one_data_set_is_said_to(samples):
    noise = samples.assign(accuracy=np.random.default_rng(6).normal(80, 5, len(samples)))
    at = (noise["dataset"] == SETS[2]) & (noise["technique"] == "RS-CV")
    noise.loc[at, "accuracy"] += 30
    twins = pd.concat([noise.assign(learner=f"Tree {n}") for n in range(2)])
    totals = tables.total_wins(twins, n_shuffles=200)
    totals.loc[totals["technique"] == "RS-CV", "high"] = totals.loc[totals["technique"] == "RS-CV", "wins"] - 1
    said = tables.total_text(twins, totals, n_shuffles=50)
    assert "RS-CV lies above these limits, CL-CV " in said
    assert "RS-CV has 8 of the 8 cases of soybean; on the other data sets it has " in said
    alike = totals.assign(wins=9, low=2, high=19)
    assert tables.total_text(twins, alike).endswith("Both counts lie within these limits.")
    alone = twins[twins["dataset"] == SETS[2]]
    assert "on the other data sets" not in tables.total_text(alone, tables.total_wins(alone, n_shuffles=20))


def test_clear_differences_of_a_pair_are_counted_with_their_data_sets():
    gains = pd.DataFrame(
        [
            ("Tree", "pmlb/a", 1.0, 2.0),
            ("Tree", "pmlb/a", 0.5, 2.0),
            ("Tree", "pmlb/b", -1, 1),
            ("published", "pmlb/a", 1, 2),
        ],
        columns=["source", "dataset", "joint_low", "joint_high"],
    )
    said = tables.pair_text(gains, "RS-CV", "CL-CV")
    assert "for all 3 cases at once" in said
    assert said.endswith("clearly above that of CL-CV in 2 of the 3 (all on a) and clearly below it in none.")
    assert tables.pair_text(gains.assign(joint_low=-1), "RS-CV", "CL-CV").endswith("that of CL-CV in none.")
    assert "in 1 of the 3 (on b)" in tables.pair_text(gains.assign(joint_low=[-1, -1, 0.1, 1]), "RS-CV", "CL-CV")


def test_the_wider_interval_finds_a_difference_of_the_given_size():
    n, level = 7, 1 - 0.05 / 24
    factor = tables.needed_by_wider(n, level)
    assert 1.5 < factor < 2.1
    students = inference.detectable(n**-0.5, n, level)
    drawn = np.random.default_rng(5).normal(size=(400, n))
    found = {
        times: np.mean(
            [inference.grouped_mean(values + times * students, range(n)).interval(level)[0] > 0 for values in drawn]
        )
        for times in (1.0, factor)
    }
    assert found[factor] == pytest.approx(0.8, abs=0.06)
    assert found[1.0] < 0.65
    assert tables.needed_by_wider(2, 0.95, n_draws=100) == pytest.approx(1, abs=0.4)  # Student's is the wider there


class TestObservations:
    """Gains, and what they depend on."""

    def test_gains_are_paired_over_samples(self, results, samples, estimates):
        gains = tables.gain_table(samples, tables.accuracy_table(estimates))
        row = gains[(gains["source"] == "Tree") & (gains["dataset"] == SETS[1]) & (gains["n_splits"] == 5)].iloc[0]
        wide = (
            results["folds"]
            .query("dataset == @SETS[1] and n_splits == 5")
            .pivot(index="sample", columns="technique", values="accuracy")
        )
        gaps = 100 * (wide["CL-CV"] - wide["KFold"])
        interval = stats.ttest_1samp(gaps, 0).confidence_interval()
        assert row[["gain", "low", "high"]].tolist() == pytest.approx([gaps.mean(), *interval])
        joint = stats.ttest_1samp(gaps, 0).confidence_interval(1 - 0.05 / (len(SETS) * len(FOLDS)))
        assert row[["joint_low", "joint_high"]].tolist() == pytest.approx(list(joint))
        assert row["relative"] == pytest.approx(row["gain"] / row["std"])

    def test_gains_of_another_pair_are_its_own(self, samples, estimates):
        accuracies = tables.accuracy_table(estimates)
        one, other = (
            tables.gain_table(samples, accuracies, *pair).set_index(["source", "dataset", "n_splits"])
            for pair in (("RS-CV", "CL-CV"), ("CL-CV", "RS-CV"))
        )
        assert one["gain"].to_numpy() == pytest.approx(-other["gain"].to_numpy())
        assert one["joint_low"].to_numpy() == pytest.approx(-other["joint_high"].to_numpy(), nan_ok=True)
        assert one.sort_index().loc[("published", "pmlb/soybean", 2), "gain"] == pytest.approx(60.40 - 58.72)

    def test_published_gains_are_those_of_table_3(self, samples, estimates):
        gains = tables.gain_table(samples, tables.accuracy_table(estimates)).set_index(
            ["source", "dataset", "n_splits"]
        )
        assert gains.loc[("published", "pmlb/soybean", 2), "gain"] == pytest.approx(58.72 - 55.32)
        assert np.isnan(gains.loc[("published", "pmlb/soybean", 2), "low"])

    def test_each_observation_is_above_zero_where_it_holds(self):
        sizes = {name: study.sample_size(name) for name in SETS}
        rows = [
            {
                "source": "made up",
                "dataset": name,
                "n_splits": n_splits,
                "gain": (10 if n_splits in (5, 10) else 1) / np.log(size),
                "relative": 1.0,
                "std": size,
            }
            for name, size in sizes.items()
            for n_splits in FOLDS
        ]
        found = tables.observation_table(pd.DataFrame(rows)).query("measure == 'points'").set_index("observation")
        assert found.loc["moderate number of folds", "value"] == pytest.approx(
            np.mean([9 / np.log(n) for n in sizes.values()])
        )
        assert found.loc["moderate number of folds", "low"] > 0
        assert found.loc["small data", "value"] == pytest.approx(1, abs=0.06)
        assert found.loc["low variance", "value"] == pytest.approx(found.loc["small data", "value"], abs=0.06)
        assert found.index.tolist() == [
            "moderate number of folds",
            "low variance",
            "many attributes, few rows",
            "small data",
        ]

    def test_observations_leave_out_sets_with_some_numbers_of_folds_only(self, samples, estimates):
        gains = tables.gain_table(samples, tables.accuracy_table(estimates))
        part = gains[~((gains["dataset"] == SETS[0]) & (gains["source"] == "Tree") & (gains["n_splits"] > 5))]
        found = tables.observation_table(part).set_index(["source", "measure", "observation"]).sort_index()
        without = tables.observation_table(gains[gains["dataset"] != SETS[0]]).set_index(found.index.names).sort_index()
        pd.testing.assert_frame_equal(found.loc["Tree"], without.loc["Tree"])
        assert set(found.loc["published", "sets"]) == {len(SETS)}

    def test_joint_intervals_of_observations_are_at_the_level_of_all_tests(self, samples, estimates):
        gains = tables.gain_table(samples, tables.accuracy_table(estimates))
        found = tables.observation_table(gains).set_index(["source", "measure", "observation"])
        row = found.loc[("Tree", "points", "moderate number of folds")]
        wide = gains[gains["source"] == "Tree"].pivot(index="dataset", columns="n_splits", values="gain")
        gaps = (wide[5] + wide[10] - wide[2] - wide[20]) / 2
        alone = inference.bootstrap_interval(gaps, gaps.index, level=1 - 0.05 / 8)
        assert row[["joint_low", "joint_high"]].tolist() == pytest.approx(alone[["low", "high"]].tolist())
        row = found.loc[("Tree", "points", "small data")]
        half = stats.norm.isf(0.025 / 8) * np.sqrt(1.06 / (len(SETS) - 3))
        assert np.arctanh(row["joint_high"]) - np.arctanh(row["value"]) == pytest.approx(half)

    def test_few_data_sets_have_no_correlation(self, samples, estimates):
        gains = tables.gain_table(samples, tables.accuracy_table(estimates))
        found = tables.observation_table(gains[gains["dataset"].isin(SETS[:3])])
        assert found.loc[found["observation"] == "small data", "value"].isna().all()


def test_curves_are_means_over_runs_and_mark_the_sample_size(results):
    curves = tables.curve_table(results).set_index(["dataset", "size"])
    row = curves.loc[("pmlb/breast_w", 50)]
    assert row["accuracy"] == pytest.approx(100 * (0.5 + 0.25 + 0.01))
    assert row["sampled"]
    assert not curves.loc[("pmlb/vehicle", 50), "sampled"]
    assert row["high"] - row["accuracy"] == pytest.approx(stats.t.ppf(0.975, 2) * 1 / np.sqrt(3))


def test_c45_is_added_for_the_sets_and_samples_at_hand():
    results = engine.load_or_run("diamantidis2000", datasets=["vehicle"], n_samples=3)
    joined = tables.with_c45(results)
    more = joined["folds"][joined["folds"]["learner"] == "C4.5"]
    assert set(more["dataset"]) == {"pmlb/vehicle"}
    assert set(more["sample"]) == {0, 1, 2}
    assert len(joined["truth"]) == 3 * 3
    assert len(joined["clusters"]) == 1


def test_c45_on_letter_has_a_curve_and_few_folds():
    joined = tables.with_c45(engine.load_or_run("diamantidis2000", datasets=["letter"]))
    mine = {name: frame[frame["learner"] == "C4.5"] for name, frame in joined.items() if "learner" in frame}
    assert set(mine["folds"]["n_splits"]) == {2, 5}
    assert set(mine["folds"]["sample"]) == set(mine["truth"]["sample"]) == set(range(50))
    assert mine["curves"].groupby("size")["run"].nunique().eq(10).all()


def test_published_means_of_random_folds_are_points_of_the_curve():
    curves = pd.DataFrame({"size": [2000, 8000], "accuracy": [70.0, 82.0], "learner": "C4.5", "dataset": "pmlb/letter"})
    printed = published("diamantidis2000_table3").assign(source="published")
    accuracies = printed.assign(dataset="pmlb/" + printed["name"])
    found = tables.curve_points(curves, accuracies).set_index("n_splits")
    assert found["size"].to_dict() == {2: 4000, 5: 6400, 10: 7200, 20: 7600}
    assert found["published"].tolist() == [77.22, 80.73, 81.64, 82.04]
    assert found.loc[2, "ours"] == pytest.approx(76)  # half way from 2000 to 8000 in the logarithm
    assert tables.curve_points(curves.assign(learner="Tree"), accuracies).empty


def test_orders_are_those_of_the_splitters_and_go_cluster_by_cluster():
    X, _ = make_blobs([9, 7, 8], centers=[(0, 0), (9, 0), (0, 9)], random_state=0)
    table = study.order_table(X, n_splits=4, n_clusters=3)
    for _, part in table.groupby("technique"):
        assert sorted(part["place"]) == list(range(24))
        assert (part["fold"] == part["place"] % 4).all()
        ordered = part.sort_values("place")
        assert ordered["cluster"].is_monotonic_increasing
        assert all(rows["distance"].is_monotonic_increasing for _, rows in ordered.groupby("cluster"))
    center = table[table["technique"] == "1C-CV"]
    assert np.array_equal(center["fold"], OneCenterKFold(4).fold_of_each_row(X))


def test_the_summary_names_its_frames(results):
    found = engine.report("diamantidis2000", results)
    assert list(found) == ["numbers of clusters", "estimates, in percent", "how often best"]


def test_committed_results_are_complete():
    manifest = engine.read_tables("diamantidis2000")
    folds = manifest["folds"]
    assert folds["dataset"].nunique() == 7
    assert (folds.groupby(["dataset", "technique"])["sample"].nunique() == 50).all()
    paper = folds[folds["technique"].isin(study.PAPER_TECHNIQUES.values())]
    assert len(paper) == 7 * 50 * 4 * 4 * 2
