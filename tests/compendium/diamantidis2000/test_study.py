"""The study of 2000: its units against slow, literal versions, and what it refuses."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

from compendium import engine
from compendium.datasets import Dataset
from compendium.diamantidis2000.study._attributes import Attributes, as_points, attributes_of
from compendium.diamantidis2000.study._c45 import missing_for_c45
from compendium.diamantidis2000.study._learners import LEARNERS, EntropyTree, MixedBayes
from compendium.diamantidis2000.study._spec import Diamantidis2000Spec, curve_sizes, sample_size
from compendium.diamantidis2000.study._units import folds_of, sample_rows
from compendium.engine import StudyError, load_result, seed_of
from cvstrat import OneCenterKFold
from cvstrat.clustering import mixed_rows
from cvstrat.errors import CvstratError

NAME = "diamantidis2000"


@pytest.fixture(scope="module")
def folder(smoke_run):
    folder = smoke_run(NAME)
    assert engine.status(NAME, profile="smoke", folder=folder)["skipped"].sum() == 0
    return folder


def rows_of(folder, table, **where):
    frame = load_result(NAME, table, folder=folder)
    for column, value in where.items():
        frame = frame[frame[column] == value]
    return frame


def iris_sample(number):
    spec = engine.find_study(NAME).spec("smoke")
    X, y = load_iris(return_X_y=True)
    return X, y, *sample_rows(spec, "sklearn/iris", number)


def mixed(n_rows=60, seed=0):
    """A data set with discrete, continuous and missing values, as the catalogue describes them."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(3, size=n_rows), rng.integers(2, size=n_rows), rng.normal(size=(n_rows, 2))])
    X[::7, 0] = 9
    X[::5, 2] = -1
    y = (X[:, 3] + X[:, 1] > 0.5).astype(int) + (X[:, 0] == 2)
    kinds = np.array([True, True, False, False])
    return Dataset(X, y, "own", "", "classification", "", "", tuple("abcd"), kinds, {"a": 9, "c": -1})


class TestUnits:
    """What the smoke run wrote is what scikit-learn gives."""

    def test_truth_is_the_accuracy_outside_the_sample(self, folder):
        X, y, sample, outside = iris_sample(1)
        assert sorted([*sample, *outside]) == list(range(150))
        model = GaussianNB().fit(X[sample], y[sample])
        row = rows_of(folder, "truth", dataset="sklearn/iris", sample=1, learner="Naive Bayes").iloc[0]
        assert row["truth"] == pytest.approx(model.score(X[outside], y[outside]))
        assert row["apparent"] == pytest.approx(model.score(X[sample], y[sample]))

    def test_folds_are_those_of_the_splitter_and_scores_those_of_scikit_learn(self, folder):
        X, y, sample, _ = iris_sample(0)
        scores = cross_val_score(GaussianNB(), X[sample], y[sample], cv=OneCenterKFold(5))
        found = rows_of(folder, "folds", dataset="sklearn/iris", sample=0, technique="1C-CV", n_splits=5)
        row = found[found["learner"] == "Naive Bayes"].iloc[0]
        assert row["accuracy"] == pytest.approx(scores.mean())
        assert row["std"] == pytest.approx(scores.std(ddof=1))

    def test_leave_one_out_trains_on_all_other_rows(self, folder):
        X, y, sample, _ = iris_sample(0)
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
        right = 0
        for place in range(len(sample)):
            others = np.delete(sample, place)
            tree.fit(X[others].astype(np.float32), y[others])
            right += tree.predict(X[sample[[place]]])[0] == y[sample[place]]
        row = rows_of(folder, "estimators", dataset="sklearn/iris", sample=0, kind="leave-one-out")
        assert row.set_index("learner").loc["Decision tree", "accuracy"] == pytest.approx(right / len(sample))

    def test_repeated_folds_are_five_runs_of_ten_stratified_folds(self, folder):
        X, y, sample, _ = iris_sample(1)
        data, rows = attributes(X, y, np.zeros(4, bool)), np.arange(150)
        seed = seed_of(0, "sklearn/iris", "repeated RS-CV", 1)
        runs = []
        for run in range(5):
            cut = PredefinedSplit(folds_of("SCV", 10, data, rows[sample], 1, seed_of(seed, run)))
            runs.append(cross_val_score(GaussianNB(), X[sample], y[sample], cv=cut).mean())
        assert np.ptp(runs) > 0
        row = rows_of(folder, "estimators", dataset="sklearn/iris", sample=1, kind="repeated RS-CV")
        assert row.set_index("learner").loc["Naive Bayes", "accuracy"] == pytest.approx(np.mean(runs))

    def test_corrected_bootstraps_lie_between_the_left_out_rows_and_the_apparent_accuracy(self, folder):
        found = rows_of(folder, "estimators", estimator="bootstrap")
        wide = found.pivot(index=["dataset", "sample", "learner"], columns="kind", values="accuracy")
        apparent = rows_of(folder, "truth").set_index(["dataset", "sample", "learner"])["apparent"]
        wide = wide.join(apparent)
        assert wide[".632"].to_numpy() == pytest.approx(
            (0.632 * wide["bootstrap"] + 0.368 * wide["apparent"]).to_numpy()
        )
        below = wide["bootstrap"] <= wide["apparent"]
        assert (wide[".632+"] <= wide[".632"] + 1e-12)[below].all()

    def test_curves_end_at_nine_tenths_and_contain_the_sample_size(self, folder):
        sizes = set(rows_of(folder, "curves", dataset="sklearn/wine")["size"])
        assert {20, 89, 160} <= sizes
        assert sizes == set(curve_sizes(178, 89))

    def test_all_techniques_are_there(self, folder):
        spec = engine.find_study(NAME).spec("smoke")
        assert set(rows_of(folder, "folds")["technique"]) == set(spec.techniques)
        assert rows_of(folder, "clusters")["n_clusters"].ge(1).all()


class TestFolds:
    """The folds of one sample."""

    def test_stratified_folds_hold_what_scikit_learns_do(self):
        data = attributes_of(mixed(57))
        rows = np.arange(57)
        folds = folds_of("SCV", 4, data, rows, 2, seed=3)
        counts = np.array([np.bincount(data.y[folds == fold], minlength=3) for fold in range(4)])
        theirs = [np.bincount(data.y[test], minlength=3) for _, test in StratifiedKFold(4).split(data.X, data.y)]
        assert np.ptp(counts, axis=0).max() <= 1
        assert sorted(counts.sum(axis=1)) == sorted(np.sum(theirs, axis=1))

    def test_stratified_folds_are_dealt_even_if_no_class_has_as_many_rows(self):
        data = attributes_of(mixed(30))
        folds = folds_of("SCV", 20, data, np.arange(30), 2, seed=0)
        assert set(np.bincount(folds)) == {1, 2}

    @pytest.mark.parametrize("technique", ["KFold", "1C-CV", "CL-CV", "KCBCV", "SCBCV", "DOB-SCV"])
    def test_every_technique_takes_mixed_attributes_with_missing_values(self, technique):
        data = attributes_of(mixed())
        folds = folds_of(technique, 3, data, np.arange(10, 55), 3, seed=0)
        assert np.ptp(np.bincount(folds)) <= 1

    def test_a_seed_makes_the_same_sample_whatever_else_is_run(self):
        spec = Diamantidis2000Spec(("sklearn/iris",))
        again = Diamantidis2000Spec(("sklearn/wine", "sklearn/iris"), n_samples=3)
        assert np.array_equal(*(sample_rows(one, "sklearn/iris", 2)[0] for one in (spec, again)))
        assert not np.array_equal(*(sample_rows(spec, "sklearn/iris", number)[0] for number in (0, 1)))


class TestAttributes:
    """Codings of mixed attributes."""

    def test_missing_codes_become_missing_and_stay_values_where_learners_want_them(self):
        data = attributes_of(mixed())
        assert np.isnan(data.X[::7, 0]).all() and np.isnan(data.X[::5, 2]).all()
        assert data.n_values == (4, 2)
        assert data.indicators().sum(axis=1).tolist() == [2.0] * 60

    def test_points_keep_the_distances_of_complete_rows(self):
        X, kinds = mixed().X, np.array([True, True, False, False])
        rows = mixed_rows(X, kinds)
        points = as_points(rows)
        assert cdist(points, points, "sqeuclidean") == pytest.approx(rows.squared_distance(rows), abs=1e-9)

    def test_points_have_no_missing_values_even_if_a_column_is_empty(self):
        X = np.column_stack([np.full(5, np.nan), np.arange(5.0)])
        assert np.isfinite(as_points(mixed_rows(X, [False, False]))).all()

    def test_unknown_kinds_mean_continuous(self):
        X, y = load_iris(return_X_y=True)
        data = attributes_of(Dataset(X, y, "iris", "", "classification", "", "", tuple("abcd")))
        assert data.discrete.shape == (150, 0)
        assert np.array_equal(data.continuous, X)


def attributes(X, y, kinds):
    return attributes_of(Dataset(X, y, "own", "", "classification", "", "", tuple("abcdefgh"[: X.shape[1]]), kinds))


class TestNaiveBayes:
    """Naive Bayes on pure data is scikit-learn's, on mixed data the product of both."""

    @pytest.mark.parametrize("seed", range(3))
    def test_continuous_attributes(self, seed):
        X, y = load_iris(return_X_y=True)
        order = np.random.default_rng(seed).permutation(150)
        train, test = order[:40], order[40:]
        found = MixedBayes(attributes(X, y, np.zeros(4, bool))).predict(train, [test])[0]
        assert np.array_equal(found, GaussianNB().fit(X[train], y[train]).predict(X[test]))

    @pytest.mark.parametrize("seed", range(3))
    def test_discrete_attributes(self, seed):
        rng = np.random.default_rng(seed)
        X = rng.integers(4, size=(200, 5))
        y = (X[:, 0] + X[:, 1] + rng.integers(3, size=200)) // 3
        train, test = np.arange(30), np.arange(30, 200)
        found = MixedBayes(attributes(X.astype(float), y, np.ones(5, bool))).predict(train, [test])[0]
        theirs = CategoricalNB(min_categories=4).fit(X[train], y[train])
        assert np.array_equal(found, theirs.predict(X[test]))

    def test_mixed_attributes_against_a_literal_version(self):
        data = attributes_of(mixed(80, seed=4))
        train, test = np.arange(50), np.arange(50, 80)
        found = MixedBayes(data).predict(train, [test])[0]
        assert found.tolist() == [literal_bayes(data, train, row) for row in test]


def literal_bayes(data: Attributes, train, row):
    """Naive Bayes, one row and one attribute at a time."""
    known = [data.continuous[train, t][~np.isnan(data.continuous[train, t])] for t in range(data.continuous.shape[1])]
    smallest = 1e-9 * max(np.var(values) for values in known)
    scores = {}
    for label in np.unique(data.y[train]):
        members = train[data.y[train] == label]
        score = math.log(len(members) / len(train))
        for t, n_values in enumerate(data.n_values):
            same = sum(data.discrete[member, t] == data.discrete[row, t] for member in members)
            score += math.log((same + 1) / (len(members) + n_values))
        for t in range(data.continuous.shape[1]):
            value = data.continuous[row, t]
            values = [data.continuous[member, t] for member in members if not np.isnan(data.continuous[member, t])]
            if not np.isnan(value):
                variance = np.var(values) + smallest
                score -= 0.5 * (math.log(2 * math.pi * variance) + (value - np.mean(values)) ** 2 / variance)
        scores[label] = score
    return max(scores, key=scores.get)


def test_the_tree_asks_for_values_not_for_an_order_of_codes():
    codes = np.tile(np.arange(5.0), 20)
    data = attributes(codes[:, None], (codes == 2).astype(int), np.array([True]))
    tree = EntropyTree(data)
    found = tree.predict(np.arange(50), [np.arange(50, 100)])[0]
    assert np.array_equal(found, data.y[50:])


@pytest.mark.skipif(bool(missing_for_c45()), reason="Java or Weka is not installed")
def test_c45_learns_iris():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    found = LEARNERS["C4.5"](attributes(X, y, np.zeros(4, bool))).predict(order[:100], [order[100:]])[0]
    assert (found == y[order[100:]]).mean() > 0.85


class TestSpec:
    """The paper's protocol, and settings that make no sense."""

    def test_sample_sizes_are_those_of_table_1(self):
        spec = engine.find_study(NAME).spec()
        assert [sample_size(name) for name in spec.datasets] == [50, 900, 400, 800, 100, 100, 8000]
        assert sample_size("sklearn/iris", 0.4) == 60

    def test_the_paper_has_2450_pairs_of_sample_and_technique(self):
        study = engine.find_study(NAME)
        folds = next(table for table in study.tables if table.name == "folds")
        assert len(list(folds.units(study.spec(), {}))) == 7 * 50 * 7

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"learners": ("Decision trea",)}, "did you mean Decision tree"),
            ({"techniques": ("CLCV",)}, "CL-CV"),
            ({"estimators": ("holdout",)}, "hold-out"),
            ({"n_samples": 0}, "n_samples=0"),
            ({"share": 1.5}, "between 0 and 1"),
            ({"n_splits": (1,)}, "at least 2"),
            ({"n_splits": (100,)}, "fewer than 100 folds"),
            ({"datasets": ("sklearn/diabetes",)}, "needs classes"),
        ],
    )
    def test_bad_settings_are_refused(self, fields, message, tmp_path):
        with pytest.raises(CvstratError, match=message):
            engine.run(NAME, profile="smoke", folder=tmp_path / "new", jobs=1, quiet=True, **fields)

    def test_c45_without_java_or_weka_says_what_to_install(self, monkeypatch, tmp_path):
        monkeypatch.setattr(
            "compendium.diamantidis2000.study._study.missing_for_c45", lambda: "install python-weka-wrapper3"
        )
        with pytest.raises(StudyError, match="python-weka-wrapper3"):
            engine.run(f"{NAME}-c45", profile="smoke", folder=tmp_path, jobs=1, quiet=True)

    def test_leave_one_out_on_large_samples_is_skipped_with_a_reason(self, tmp_path):
        done = engine.run(
            NAME,
            profile="smoke",
            folder=tmp_path,
            jobs=1,
            quiet=True,
            datasets=("sklearn/iris",),
            techniques=("KFold",),
            estimators=("leave-one-out",),
            max_left_out=50,
        )
        assert done.missing == 0
        assert all("75 rows" in reason for reason in done.skipped.values())
        assert len(done.skipped) == 2
