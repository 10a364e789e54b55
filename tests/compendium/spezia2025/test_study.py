"""The protocol of the cluster-based study, against loops written out with scikit-learn alone."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets, metrics
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from compendium import engine
from compendium.cli import main
from compendium.spezia2025 import study
from compendium.spezia2025.study import AS_PUBLISHED, CORRECT, PUBLISHED
from compendium.spezia2025.study import _units as units
from compendium.spezia2025.study._models import grid
from cvstrat import estimate_n_clusters, make_splitter
from cvstrat.clustering import estimate_eps
from cvstrat.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore")  # of fits that do not converge and classes that are not predicted

SETS = {"sklearn/iris": datasets.load_iris, "sklearn/wine": datasets.load_wine}
DEPTHS = [1, 5, 10, 15, 50]
MODELS = {
    "LR": (LogisticRegression(max_iter=10010), {"C": [0.003, 0.03, 0.3, 3, 30]}),
    "DT": (DecisionTreeClassifier(), {"max_depth": DEPTHS}),
    "SVM": (SVC(max_iter=10010), {"C": [0.3, 3, 30, 300], "gamma": [3e-5, 3e-4, 3e-3, 3e-2, 0.3]}),
    "RF": (RandomForestClassifier(), {"max_depth": DEPTHS}),
}
METRICS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "f1_macro": lambda y, predicted: metrics.f1_score(y, predicted, average="macro", zero_division=0),
    "precision_macro": lambda y, predicted: metrics.precision_score(y, predicted, average="macro", zero_division=0),
    "recall_macro": lambda y, predicted: metrics.recall_score(y, predicted, average="macro", zero_division=0),
}


@pytest.fixture(autouse=True)
def one_thread():
    """Small fits are slowed down by more."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def tables(small_run):
    return engine.read_tables("spezia2025", small_run)


def pipeline(model, **options):
    estimator = clone(MODELS[model][0]).set_params(class_weight="balanced", random_state=0, **options)
    return Pipeline([("scale", MinMaxScaler()), ("model", estimator)])


def best_of(tuning, dataset, model):
    rows = tuning[(tuning["dataset"] == dataset) & (tuning["model"] == model)]
    return json.loads(rows["hyperparameters"].item())


def scores_of_split(model, options, X, y, train, test):
    predicted = pipeline(model, **options).fit(X[train], y[train]).predict(X[test])
    return {name: metric(y[test], predicted) for name, metric in METRICS.items()}


def cross_validated(model, options, X, y, folds):
    """Return what a row of the table of folds must hold, for test folds given as row indices."""
    found = []
    for test in folds:
        train = np.setdiff1d(np.arange(len(y)), test)
        found.append(scores_of_split(model, options, X, y, train, test))
    scores = pd.DataFrame(found)
    return {
        **scores.mean().to_dict(),
        "accuracy_sd": scores["accuracy"].std(ddof=1),
        "f1_macro_sd": scores["f1_macro"].std(ddof=1),
    }


def folds_by_hand(technique, n_splits, X, y, clusters, *, displaced=False):
    """Split the rows; as published, split a shuffled (and perhaps sorted) copy and take positions for row indices."""
    options = {"n_clusters": int(clusters["n_clusters"]), "eps": clusters["eps"]}
    if technique in ("SCBCV2", "SCBCV3", "SCBCV4", "SCBCV5"):
        technique, options["n_clusters"] = "SCBCV", int(technique[-1])
    splitter = make_splitter(
        technique, n_splits=n_splits, min_samples=int(clusters["min_samples"]), random_state=123, **options
    )
    order = list(range(len(y)))
    if displaced:
        order = np.random.default_rng(123).permutation(len(y)).tolist()
        if technique.startswith("SCBCV"):
            order.sort(key=lambda row: y[row])
        if technique == "DBSCANBCV":  # the published code knows no distances there, and begins each cluster at fold 0
            labels = DBSCAN(eps=clusters["eps"], min_samples=int(clusters["min_samples"])).fit_predict(X[order])
            members = [np.flatnonzero(labels == label) for label in set(labels)]
            return [np.concatenate([some[fold::n_splits] for some in members]) for fold in range(n_splits)]
    return [test for _, test in splitter.split(X[order], y[order])]


def subsample(X, y, n_repeats, repeat):
    splits = StratifiedShuffleSplit(n_repeats, test_size=0.1, random_state=456).split(X, y)
    kept = list(splits)[repeat][0]
    return X[kept], y[kept]


@pytest.mark.parametrize("dataset", SETS)
def test_parameters_of_clusterings_are_estimated_on_the_whole_set(tables, dataset):
    X = SETS[dataset]().data
    row = tables["clusters"].set_index("dataset").loc[dataset]
    assert row["n_clusters"] == estimate_n_clusters(X)
    assert row["min_samples"] == 2 * X.shape[1]
    assert row["eps"] == pytest.approx(estimate_eps(X, min_samples=2 * X.shape[1]))


@pytest.mark.parametrize("dataset", SETS)
@pytest.mark.parametrize("model", ["LR", "DT"])
def test_tuning_is_a_grid_search_by_balanced_accuracy(tables, dataset, model):
    X, y = SETS[dataset](return_X_y=True)
    ((name, values),) = MODELS[model][1].items()
    means = [
        np.mean(
            [
                scores_of_split(model, {name: value}, X, y, train, test)["balanced_accuracy"]
                for train, test in StratifiedKFold(5).split(X, y)
            ]
        )
        for value in values
    ]
    assert best_of(tables["tuning"], dataset, model) == {name: values[int(np.argmax(means))]}
    row = tables["tuning"].set_index(["dataset", "model"]).loc[(dataset, model)]
    assert row["balanced_accuracy"] == pytest.approx(max(means), rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_the_grids_are_those_of_the_paper(model):
    assert grid(model) == MODELS[model][1]


def test_tuning_of_two_hyperparameters_is_that_of_scikit_learn():
    X, y = datasets.load_iris(return_X_y=True)
    search = GridSearchCV(
        pipeline("SVM"),
        {f"model__{name}": values for name, values in MODELS["SVM"][1].items()},
        scoring="balanced_accuracy",
        cv=5,
    ).fit(X, y)
    spec = engine.find_study("spezia2025").spec("smoke")
    found = units.tune_unit(spec, {"dataset": "sklearn/iris", "model": "SVM"}, {}).iloc[0]
    assert json.loads(found["hyperparameters"]) == {
        name.removeprefix("model__"): value for name, value in search.best_params_.items()
    }
    assert found["balanced_accuracy"] == pytest.approx(search.best_score_, rel=1e-12)


@pytest.mark.parametrize("dataset", SETS)
@pytest.mark.parametrize("model", ["LR", "DT"])
def test_truth_is_the_score_on_stratified_hold_outs(tables, dataset, model):
    X, y = SETS[dataset](return_X_y=True)
    options = best_of(tables["tuning"], dataset, model)
    found = tables["truth"].set_index(["dataset", "model"]).loc[(dataset, model)]
    splits = StratifiedShuffleSplit(5, test_size=0.1, random_state=123).split(X, y)
    by_hand = pd.DataFrame([scores_of_split(model, options, X, y, train, test) for train, test in splits])
    assert found["holdout"].tolist() == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(found[list(METRICS)], by_hand[list(METRICS)], rtol=1e-12)
    assert by_hand["accuracy"].std() > 0


@pytest.mark.parametrize(
    ("dataset", "version"),
    [("sklearn/iris", CORRECT), ("sklearn/wine", CORRECT), ("sklearn/wine", AS_PUBLISHED)],  # iris has a row twice
)
def test_folds_are_scored_as_by_hand(tables, dataset, version):
    X, y = SETS[dataset](return_X_y=True)
    clusters = tables["clusters"].set_index("dataset").loc[dataset]
    rows = tables["folds"][(tables["folds"]["dataset"] == dataset) & (tables["folds"]["version"] == version)]
    expected_techniques = {"SCBCV", "KCBCV-Mini", "DBSCANBCV"} | ({"SCV", "DOB-SCV"} if version == CORRECT else set())
    assert set(rows["technique"]) - {"SCBCV3"} == expected_techniques
    for (technique, repeat), part in rows.groupby(["technique", "repeat"]):
        sample = subsample(X, y, 2, repeat)
        folds = folds_by_hand(technique, 2, *sample, clusters, displaced=version == AS_PUBLISHED)
        assert part["model"].tolist() == ["LR", "DT"]
        for row in part.to_dict("records"):
            options = best_of(tables["tuning"], dataset, row["model"])
            by_hand = cross_validated(row["model"], options, *sample, folds)
            assert {name: row[name] for name in by_hand} == pytest.approx(by_hand, rel=1e-9, abs=1e-12), row


@pytest.mark.parametrize("technique", ["SCBCV2", "KCBCV"])
def test_a_unit_scores_all_models_in_both_versions(tables, technique):
    X, y = datasets.load_wine(return_X_y=True)
    spec = engine.find_study("spezia2025").spec("smoke", models=tuple(MODELS), n_repeats=3)
    clusters = tables["clusters"][tables["clusters"]["dataset"] == "sklearn/wine"]
    best = {"LR": {"C": 3.0}, "DT": {"max_depth": 5}, "SVM": {"C": 3.0, "gamma": 0.3}, "RF": {"max_depth": 5}}
    tuning = pd.DataFrame({"model": list(best), "hyperparameters": [json.dumps(options) for options in best.values()]})
    unit = {"dataset": "sklearn/wine", "technique": technique, "n_splits": 3, "repeat": 2}
    found = units.cross_validate_unit(spec, unit, {"clusters": clusters, "tuning": tuning})
    assert found[["version", "model"]].to_numpy().tolist() == [[v, m] for v in (CORRECT, AS_PUBLISHED) for m in MODELS]
    sample = subsample(X, y, 3, 2)
    for row in found.to_dict("records"):
        displaced = row["version"] == AS_PUBLISHED
        folds = folds_by_hand(technique, 3, *sample, clusters.iloc[0], displaced=displaced)
        by_hand = cross_validated(row["model"], best[row["model"]], *sample, folds)
        assert {name: row[name] for name in by_hand} == pytest.approx(by_hand, rel=1e-9, abs=1e-12), row
        assert row["folds_lacking_a_class"] == 0


def test_folds_whose_training_rows_lack_a_class_are_counted():
    X, y = datasets.load_iris(return_X_y=True)
    found = units.evaluate({"DT": pipeline("DT")}, X, y, np.repeat([0, 1, 1], 50), 3)
    assert found["folds_lacking_a_class"].tolist() == [2]
    found = units.evaluate({"DT": pipeline("DT")}, X, y, np.arange(150) % 5, 3)
    assert found["folds_lacking_a_class"].tolist() == [0]


def test_every_technique_but_those_without_a_published_version_is_scored_twice(tables):
    versions = tables["folds"].groupby("technique")["version"].unique().map(set).to_dict()
    for technique, found in versions.items():
        assert found == ({CORRECT, AS_PUBLISHED} if technique in PUBLISHED else {CORRECT}), technique


def own_csv(path, groups):
    """Write a set with so many rows of each class."""
    random = np.random.default_rng(0)
    lines = ["a,b,kind"]
    for kind, n in groups.items():
        lines += [f"{x:.4f},{y:.4f},{kind}" for x, y in random.normal(size=(n, 2))]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_folds_that_cannot_be_stratified_are_skipped_and_the_others_computed(tmp_path):
    name = own_csv(tmp_path / "own.csv", {"x": 6, "y": 6})
    fields = {"techniques": ("SCV", "SCBCV", "KFold"), "n_splits": (6,), "n_repeats": 1, "test_size": 0.2}
    done = engine.run(
        "spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, datasets=(name,), **fields
    )
    assert (done.missing, done.failed) == (0, {})
    assert set(done.skipped) == {f"folds: {name}, {technique}, 6, 0" for technique in ("SCV", "SCBCV")}
    assert all("n_splits=6" in reason for reason in done.skipped.values())
    assert set(engine.read_tables("spezia2025", tmp_path / "r")["folds"]["technique"]) == {"KFold"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--techniques", "SCBVC"], 2, "no technique 'SCBVC': did you mean SCBCV"),
        (["--models", "LR,RFF"], 2, "no model 'RFF': did you mean RF"),
        (["--datasets", "sklearn/irys"], 2, "did you mean sklearn/iris"),
        (["--n-splits", "1"], 2, "at least 2"),
        (["--n-repeats", "0"], 2, "n_repeats=0 is too small"),
        (["--n-holdouts", "1"], 2, "n_holdouts=1 is too small"),
        (["--techniques", ""], 2, "techniques is empty"),
        (["--test-size", "0.001"], 1, "fewer than classes"),
        (["--datasets", "sklearn/diabetes"], 1, "regression"),
    ],
)
def test_a_spec_that_cannot_be_run_is_one_line_and_no_folder(tmp_path, no_data, capsys, words, code, message):
    folder = tmp_path / "r"
    assert main(["run", "spezia2025", "--profile", "smoke", "--output", str(folder), "--jobs", "1", *words]) == code
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not folder.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,kind\n1,red,x\n2,blue,y\n", "text in b"),
        ("a,b,kind\n1,,x\n2,3,y\n", "missing values in b"),
        ("a,b,kind\n1,2,x\n2,3,x\n", "every row has the same kind"),
        ("a,b,kind\n1,2,x\n2,3,x\n4,5,y\n", "a class with one member"),
        ("a,b,kind\n1,2,0.5\n2,3,1.5\n", "regression"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_before_anything_is_computed(tmp_path, capsys, text, message):
    (tmp_path / "own.csv").write_text(text)
    words = ["--datasets", f"sklearn/iris,{tmp_path / 'own.csv'}", "--output", str(tmp_path / "r"), "--jobs", "1"]
    assert main(["run", "spezia2025", "--profile", "smoke", *words]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_a_set_whose_hold_outs_have_just_enough_rows_is_taken(tmp_path):
    name = own_csv(tmp_path / "own.csv", {"x": 8, "y": 8, "z": 8})
    y = np.repeat([0, 1, 2], 8)
    next(StratifiedShuffleSplit(1, test_size=0.1, random_state=0).split(y[:, None], y))
    study = engine.find_study("spezia2025")
    assert list(study.checksums(study.spec("smoke", datasets=(name,)), None)) == [name]


@pytest.mark.parametrize(
    "fields", [{"models": ("DT", "DT")}, {"n_splits": (2, 2)}, {"datasets": ("sklearn/iris", "sklearn/iris")}]
)
def test_a_name_that_is_given_twice_is_refused(tmp_path, fields):
    small = {"datasets": ("sklearn/iris",), "models": ("DT",), "techniques": ("SCV",), "n_repeats": 1}
    with pytest.raises(InputError, match="twice"):
        engine.run("spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, **small | fields)


def test_part_of_the_models_leaves_the_folds_for_later(tmp_path):
    small = {"datasets": ("sklearn/iris",), "techniques": ("SCV",), "n_repeats": 1}
    done = engine.run(
        "spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, only={"model": ["DT"]}, **small
    )
    assert done.failed == {}
    assert done.missing == 3
    done = engine.run("spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, **small)
    assert (done.computed, done.missing) == (3, 0)


def test_a_failure_to_count_clusters_is_told_where_it_is_missed(tmp_path, monkeypatch):
    def fail(X):
        raise RuntimeError("no clusters today")

    monkeypatch.setattr(units, "estimate_n_clusters", fail)
    small = {"datasets": ("sklearn/iris",), "models": ("DT",), "techniques": ("SCV",), "n_repeats": 1}
    done = engine.run("spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, **small)
    assert done.failed["clusters: sklearn/iris"] == "RuntimeError: no clusters today"
    assert done.failed["folds: sklearn/iris, SCV, 2, 0"].startswith("StudyError: ")


def test_folds_are_computed_also_where_the_truth_fails(tmp_path, monkeypatch):
    real = units.resamples

    def fail(name, n, test_size, seed):
        if seed == 123:
            raise RuntimeError("no truth today")
        return real(name, n, test_size, seed)

    monkeypatch.setattr(units, "resamples", fail)
    small = {"datasets": ("sklearn/iris",), "models": ("DT",), "techniques": ("SCV",), "n_repeats": 1}
    done = engine.run("spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, **small)
    assert done.failed == {"truth: sklearn/iris, DT": "RuntimeError: no truth today"}
    assert "folds" in engine.read_tables("spezia2025", tmp_path / "r")


def test_a_file_that_was_changed_between_two_runs_is_read_again(tmp_path):
    path = tmp_path / "own.csv"
    small = {"models": ("DT",), "techniques": ("SCV",), "n_repeats": 1}
    found = []
    for kinds in ({"x": 20, "y": 20}, {"x": 30, "y": 40}):
        folder = tmp_path / str(len(found))
        name = own_csv(path, kinds)
        engine.run("spezia2025", profile="smoke", folder=folder, jobs=1, quiet=True, datasets=(name,), **small)
        found.append(engine.read_tables("spezia2025", folder)["truth"])
    fresh = own_csv(tmp_path / "fresh.csv", {"x": 30, "y": 40})
    engine.run("spezia2025", profile="smoke", folder=tmp_path / "2", jobs=1, quiet=True, datasets=(fresh,), **small)
    expected = engine.read_tables("spezia2025", tmp_path / "2")["truth"]
    pd.testing.assert_frame_equal(found[1].drop(columns="dataset"), expected.drop(columns="dataset"))


def test_scbcv_with_the_estimated_number_of_clusters_is_run_once_and_read_twice(tmp_path):
    name = str(tmp_path / "own.csv")
    X = np.random.default_rng(0).normal(size=(90, 2)) + 50.0 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(90) % 3]
    pd.DataFrame(X, columns=["a", "b"]).assign(kind=np.arange(90) // 45).to_csv(name, index=False)
    small = {"datasets": (name,), "models": ("DT",), "n_repeats": 1, "techniques": ("SCBCV", "SCBCV3")}
    done = engine.run("spezia2025", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True, **small)
    assert done.missing == 0
    tables = engine.read_tables("spezia2025", tmp_path / "r")
    assert tables["clusters"]["n_clusters"].tolist() == [3]
    assert tables["folds"]["technique"].unique().tolist() == ["SCBCV"]
    small["techniques"] = ("SCBCV3",)
    engine.run("spezia2025", profile="smoke", folder=tmp_path / "alone", jobs=1, quiet=True, **small)
    alone = engine.read_tables("spezia2025", tmp_path / "alone")["folds"]
    both = study.with_twins(tables["folds"], tables["clusters"])
    twin = both[both["technique"] == "SCBCV3"].reset_index(drop=True)
    pd.testing.assert_frame_equal(twin, alone)
