"""Procedures read off stored folds, against scikit-learn and against loops."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from compendium.balance import tables
from compendium.balance.study import POOLED, PROBLEMS
from compendium.balance.study._problems import draw_sample
from cvstrat.efold import StableDeviation


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        ("accuracy", accuracy_score),
        ("balanced_accuracy", balanced_accuracy_score),
        ("f1_macro", lambda y, p: f1_score(y, p, average="macro", zero_division=0)),
    ],
)
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
def test_scores_are_those_of_scikit_learn(metric, theirs):
    rng = np.random.default_rng(0)
    for share in (0.0, 0.2, 0.5, 1.0):
        y, p = rng.random(30) < share, rng.random(30) < rng.random()
        counts = pd.DataFrame(
            {"tested": [30], "positives": y.sum(), "true_positives": (y & p).sum(), "true_negatives": (~y & ~p).sum()}
        )
        assert tables.score(counts, metric).item() == pytest.approx(theirs(y.astype(int), p.astype(int)))


def test_every_procedure_has_an_estimate_for_every_data_set(results):
    found = tables.estimates(results["folds"])
    counts = found.groupby("procedure").size()
    grouped = counts.index.str.contains("groups kept")
    n_pairs = len(results["truths"])
    assert (counts[~grouped] == n_pairs).all()
    assert {"hold-out", "e-fold", ".632", ".632+", "SCV 5 x 2", "SCV 2 x 5", "balanced unbiased 2"} <= set(counts.index)
    assert found["estimate"].between(0, 1).all()


def test_a_procedure_is_the_mean_of_its_folds(results):
    folds = results["folds"]
    cell = (folds["replicate"] == 0) & (folds["problem"] == "grouped") & (folds["learner"] == "tree")
    one = folds[cell & (folds["fold"] != POOLED)]
    accuracy = (one["true_positives"] + one["true_negatives"]) / one["tested"]
    found = tables.estimates(folds)
    found = found[(found["replicate"] == 0) & (found["problem"] == "grouped") & (found["learner"] == "tree")]
    found = found.set_index("procedure")

    def scores(technique, k, repeat=0):
        return accuracy[(one["technique"] == technique) & (one["n_splits"] == k) & (one["repeat"] == repeat)].to_numpy()

    assert found.loc["SCBCV 5", "estimate"] == pytest.approx(scores("SCBCV", 5).mean())
    assert found.loc["hold-out", "estimate"] == pytest.approx(scores("SCV", 5)[0])
    repeated = [scores("SCV", 2, repeat).mean() for repeat in range(5)]
    assert found.loc["SCV 5 x 2", "estimate"] == pytest.approx(np.mean(repeated))
    ten, rule = scores("SCV", 10), StableDeviation()
    taken = next((n for n in range(1, 11) if rule.should_stop(ten[:n])), 10)
    assert found.loc["e-fold", "estimate"] == pytest.approx(ten[:taken].mean())
    assert found.loc["e-fold", "cost"] == pytest.approx(0.9 * taken)


def test_errors_are_those_of_a_loop(results):
    found = tables.estimates(results["folds"])
    errors = tables.errors(found, results["truths"])
    line = errors[(errors["procedure"] == "SCV 5") & (errors["learner"] == "LDA") & (errors["problem"] == "grouped")]
    truths = results["truths"][(results["truths"]["learner"] == "LDA") & (results["truths"]["problem"] == "grouped")]
    differences = []
    for truth in truths.itertuples():
        these = found[(found["procedure"] == "SCV 5") & (found["learner"] == "LDA") & (found["problem"] == "grouped")]
        estimate = these.loc[these["replicate"] == truth.replicate, "estimate"].item()
        differences.append(100 * (estimate - (truth.true_positives + truth.true_negatives) / truth.tested))
    assert line["bias"].item() == pytest.approx(np.mean(differences), abs=1e-9)
    assert line["rmse"].item() == pytest.approx(np.sqrt(np.mean(np.square(differences))))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_sample_has_its_share_of_the_rarer_class_and_whole_groups(problem):
    sample = draw_sample(problem, 200, 0.2, np.random.default_rng(0))
    assert sample.y.sum() == 40
    classes = pd.Series(sample.y).groupby(sample.groups).nunique()
    assert (classes == 1).all()
    assert sample.X.shape == (200, 5)
    assert len(classes) == (40 if problem == "grouped" else 200)


def test_a_row_can_be_found_again_by_those_who_explore(results):
    found = tables.error_table(results)
    axes = ["dataset", "model", "metric", "technique", "n_splits"]
    assert not found.duplicated(axes).any()
    chosen = found.query("metric == 'f1_macro' and technique == 'SCV 5 x 2' and model == 'LDA'").set_index("dataset")
    same = tables.errors(tables.estimates(results["folds"], "f1_macro"), results["truths"], "f1_macro")
    same = same.query("procedure == 'SCV 5 x 2' and learner == 'LDA' and problem == 'grouped'")
    assert chosen.loc["grouped, 40 rows, 50 % in class 1", "rmse"] == same["rmse"].item()
