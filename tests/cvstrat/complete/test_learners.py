"""Learners that count errors: the fast one counts what scikit-learn's SVC would."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_circles, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from cvstrat.complete import AnyClassifier, CompleteKFold, GaussianSVM
from cvstrat.complete._learners import learner_of


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def duplicates():
    """Rows with three values each, so that most stand there several times, with either label."""
    rng = np.random.RandomState(0)
    return rng.randint(0, 3, size=(120, 3)).astype(float), rng.randint(0, 2, size=120)


def two_of(loader, first=0):
    X, y = loader(return_X_y=True)
    rows = np.isin(y, [first, first + 1])
    return standardised(X[rows]), y[rows] - first


DATA = {
    "breast_cancer": lambda: two_of(load_breast_cancer),
    "wine": lambda: two_of(load_wine),
    "iris, overlapping": lambda: two_of(load_iris, first=1),
    "circles": lambda: make_circles(150, noise=0.2, factor=0.6, random_state=0),
    "noise": lambda: make_classification(150, 6, flip_y=0.3, random_state=0),
    "imbalanced": lambda: make_classification(150, 4, weights=[0.9], flip_y=0.1, random_state=0),
    "duplicates": duplicates,
}
SETTINGS = [{"C": C, "gamma": gamma} for gamma in (0.001, 0.1, 3.0) for C in (0.1, 1, 100.0)]


def parts_of(X, y, k=4, n_draws=3):
    return [(one.training, one.selection) for one in CompleteKFold(k, n_draws, random_state=0).draw(X, y)]


def literal(estimator, settings, X, y, parts):
    """Count errors one fit at a time."""
    return [
        [
            sum(SVC(**(estimator.get_params() | setting)).fit(X[train], y[train]).predict(X[test]) != y[test])
            for train, test in parts
        ]
        for setting in settings
    ]


def counted(learner, settings, parts):
    """The errors of all candidates, group by group as in a search."""
    found = np.full((len(settings), len(parts)), -1)
    for group in learner.groups(settings):
        found[group] = learner.errors([settings[number] for number in group], parts)
    return found.tolist()


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_the_gaussian_learner_counts_what_svc_does(data):
    X, y = data()
    parts = parts_of(X, y)
    wanted = literal(SVC(), SETTINGS, X, y, parts)
    assert counted(GaussianSVM(SVC(), X, y), SETTINGS, parts) == wanted
    assert counted(AnyClassifier(SVC(), X, y), SETTINGS, parts) == wanted


@pytest.mark.parametrize(
    ("estimator", "candidates"),
    [
        (SVC(gamma=0.5), [{"C": 0.1}, {"C": 10}]),
        (SVC(C=7.0), [{"gamma": 0.01}, {"gamma": 1}]),
        (SVC(C=7.0, gamma=0.2), [{}]),
        (SVC(tol=0.5), SETTINGS[:4]),
        (SVC(shrinking=False, cache_size=1), SETTINGS[:4]),
        (SVC(gamma=0.5), [{"C": 1}, {"C": 1, "gamma": 0.01}, {"C": 2}]),
    ],
    ids=str,
)
def test_settings_of_the_estimator_count(estimator, candidates):
    X, y = DATA["noise"]()
    parts = parts_of(X, y)
    learner = learner_of(estimator, candidates, X, y)
    assert isinstance(learner, GaussianSVM)
    assert counted(learner, candidates, parts) == literal(estimator, candidates, X, y, parts)


@pytest.mark.filterwarnings("ignore:Solver terminated early")
def test_the_limit_of_iterations_counts():
    X, y = DATA["noise"]()
    parts = parts_of(X, y)
    short = SVC(max_iter=3)
    wanted = literal(short, SETTINGS, X, y, parts)
    assert counted(GaussianSVM(short, X, y), SETTINGS, parts) == wanted
    assert wanted != literal(SVC(), SETTINGS, X, y, parts)


@settings(max_examples=50)
@given(st.integers(0, 10_000), st.integers(12, 60), st.floats(-3, 3), st.floats(-3, 2))
def test_on_any_table_only_rows_on_the_very_boundary_may_differ(seed, n, log_cost, log_gamma):
    rng = np.random.RandomState(seed)
    X, y = rng.randn(n, 3).round(seed % 3), np.arange(n) % 2
    setting = {"C": 10**log_cost, "gamma": 10**log_gamma}
    for train, test in parts_of(X, y, k=3):
        plain = SVC(**setting).fit(X[train], y[train])
        clear = np.abs(plain.decision_function(X[test])) > 1e-6
        found = GaussianSVM(SVC(), X, y).decisions(setting, [train], test)[0]
        assert found[clear].tolist() == plain.predict(X[test])[clear].tolist()
        ((errors,),) = GaussianSVM(SVC(), X, y).errors([setting], [(train, test)])
        assert abs(errors - np.sum(plain.predict(X[test]) != y[test])) <= np.sum(~clear)


def test_kernels_are_shared_by_candidates_with_the_same_gamma():
    X, y = DATA["noise"]()
    groups = GaussianSVM(SVC(), X, y).groups([{"C": C, "gamma": gamma} for C in (1, 2) for gamma in (0.1, 1)])
    assert groups == [[0, 2], [1, 3]]
    assert AnyClassifier(SVC(), X, y).groups([{}, {}]) == [[0], [1]]


def test_decisions_are_predictions_also_for_rows_that_are_never_learned_from():
    X, y = DATA["breast_cancer"]()
    rest = np.arange(300, len(y))
    learner = GaussianSVM(SVC(), X, y, n_pool=300)
    trains = [one.both for one in CompleteKFold(5, 3, random_state=0).draw(X[:300], y[:300])]
    trains.append(np.concatenate([trains[0], trains[0][:50]]))  # a row may stand in a part twice
    for setting in ({"C": 1.0, "gamma": 0.01}, {"C": 100.0, "gamma": 0.3}):
        found = learner.decisions(setting, trains, rest)
        for train, predicted in zip(trains, found, strict=True):
            assert predicted.astype(int).tolist() == SVC(**setting).fit(X[train], y[train]).predict(X[rest]).tolist()


def test_which_learner_serves():
    X, y = DATA["wine"]()
    grid = [{"C": 1.0, "gamma": 0.1}]
    numbers = [grid, [{"gamma": np.float64(0.1)}], [{"C": 1, "gamma": np.int64(2)}], [{"gamma": np.float32(0.1)}]]
    for candidates in numbers:
        assert isinstance(learner_of(SVC(), candidates, X, y), GaussianSVM)
    others = [
        (SVC(), [{"C": 1.0}], X, y),  # gamma="scale" depends on the training part
        (SVC(kernel="linear"), grid, X, y),
        (SVC(class_weight="balanced"), grid, X, y),
        (SVC(), [{"C": 1.0, "gamma": 0.1, "kernel": "rbf"}], X, y),
        (SVC(), [{"C": -1.0, "gamma": 0.1}], X, y),
        (SVC(), [{"C": 1.0, "gamma": -0.1}], X, y),
        (SVC(), grid, X, np.arange(len(y)) % 3),
        (SVC(), grid, pd.DataFrame(X), y),
        (SVC(), grid, X.astype(object), y),
        (make_pipeline(SVC()), grid, X, y),
        (LogisticRegression(), [{"C": 1.0}], X, y),
    ]
    for estimator, candidates, rows, target in others:
        assert isinstance(learner_of(estimator, candidates, rows, target), AnyClassifier)
    assert isinstance(learner_of(SVC(), grid, X, y, fit_params={"sample_weight": np.ones(len(y))}), AnyClassifier)
    assert isinstance(learner_of(SVC(), grid, X, y, loss=np.not_equal), AnyClassifier)


def test_too_many_rows_for_a_table_of_distances_are_left_to_svc(monkeypatch):
    X, y = DATA["wine"]()
    monkeypatch.setattr("cvstrat.complete._learners._MAX_ROWS", len(y) - 1)
    assert isinstance(learner_of(SVC(), [{"gamma": 0.1}], X, y), AnyClassifier)


def test_any_classifier_leaves_estimator_and_settings_as_they_were():
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    inner = SVC(C=3)
    candidates = [{"logisticregression__C": 0.01}, {"logisticregression": inner}]
    parts = parts_of(X, y)
    found = AnyClassifier(model, X, y).errors(candidates, parts)
    for column, (train, test) in enumerate(parts):
        for row, last in enumerate((LogisticRegression(C=0.01), SVC(C=3))):
            plain = make_pipeline(StandardScaler(), last).fit(X[train], y[train])
            assert found[row, column] == np.sum(plain.predict(X[test]) != y[test])
    assert not hasattr(inner, "support_")
    assert model.get_params()["logisticregression__C"] == 1.0
