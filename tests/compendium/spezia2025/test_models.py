"""Scores against scikit-learn's, and the forest against scikit-learn's."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets, metrics
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

from compendium.spezia2025.study._forest import LeanForest, check_version
from compendium.spezia2025.study._models import MODELS, SCORES, fit_and_score, grid, make_model, score
from cvstrat.errors import CvstratError

SETS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast_cancer": datasets.load_breast_cancer,
    "digits": lambda **options: [part[:300] for part in datasets.load_digits(**options)],
}


def scores_by_scikit_learn(y, predicted):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # predicted classes that are not in y
        return {
            "accuracy": metrics.accuracy_score(y, predicted),
            "balanced_accuracy": metrics.balanced_accuracy_score(y, predicted),
            "f1_macro": metrics.f1_score(y, predicted, average="macro", zero_division=0),
            "precision_macro": metrics.precision_score(y, predicted, average="macro", zero_division=0),
            "recall_macro": metrics.recall_score(y, predicted, average="macro", zero_division=0),
        }


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=40))
def test_scores_equal_those_of_scikit_learn(pairs):
    y, predicted = np.array(pairs).T
    expected = scores_by_scikit_learn(y, predicted)
    assert dict(zip(SCORES, score(y, predicted, 6), strict=True)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("y", "predicted"),
    [
        ([0, 0, 0], [0, 0, 0]),
        ([3, 3, 3], [1, 1, 1]),
        ([0, 1, 2], [2, 2, 2]),
        ([4], [4]),
        ([0, 0, 1], [4, 0, 0]),
    ],
)
def test_classes_that_are_absent_on_one_side_or_both(y, predicted):
    found = dict(zip(SCORES, score(np.array(y), np.array(predicted), 5), strict=True))
    assert found == pytest.approx(scores_by_scikit_learn(y, predicted), rel=1e-12)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("depth", "seed"), [(1, 0), (5, 3), (50, 0), (None, 11)])
def test_a_lean_forest_predicts_what_a_stock_forest_predicts(name, depth, seed):
    X, y = SETS[name](return_X_y=True)
    X, X_test, y, _ = train_test_split(X, y, test_size=0.4, random_state=seed)
    stock = RandomForestClassifier(class_weight="balanced", random_state=seed, max_depth=depth).fit(X, y)
    lean = LeanForest(max_depth=depth, random_state=seed).fit(X, y)
    for rows in (X, X_test):
        assert np.array_equal(lean.predict(rows), stock.predict(rows))


@pytest.mark.parametrize("labels", [(0, 2), (7, 3), (-1, 40)])
def test_a_lean_forest_with_other_labels_or_a_class_too_few(labels):
    X, y = datasets.load_wine(return_X_y=True)
    kept = y != 1
    named = np.where(y == 0, labels[0], labels[1])[kept]
    stock = RandomForestClassifier(class_weight="balanced", random_state=4, max_depth=5).fit(X[kept], named)
    lean = LeanForest(max_depth=5, random_state=4).fit(X[kept], named)
    assert lean.classes_.tolist() == sorted(labels)
    assert np.array_equal(lean.predict(X), stock.predict(X))


def test_a_lean_forest_with_rare_classes_and_constant_attributes():
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=(80, 2)), np.ones(80), random.integers(0, 2, 80)])
    y = np.r_[np.zeros(70, dtype=int), np.ones(8, dtype=int), 5, 5]
    stock = RandomForestClassifier(class_weight="balanced", random_state=1, max_depth=10).fit(X, y)
    lean = LeanForest(max_depth=10, random_state=1).fit(X, y)
    rows = random.normal(size=(200, 4))
    assert np.array_equal(lean.predict(rows), stock.predict(rows))
    assert set(stock.predict(X)) == {0, 1, 5}


def test_a_lean_forest_fitted_twice_is_the_same():
    X, y = datasets.load_iris(return_X_y=True)
    forest = LeanForest(max_depth=5, random_state=0)
    first = forest.fit(X[::2], y[::2]).predict(X)
    forest.fit(X[1::2], y[1::2])
    assert np.array_equal(forest.fit(X[::2], y[::2]).predict(X), first)


@pytest.mark.parametrize("name", MODELS)
def test_training_rows_of_one_class_predict_that_class(name):
    X, y = datasets.load_iris(return_X_y=True)
    model = make_model(name, 0, **{option: values[0] for option, values in grid(name).items()})
    found, fitting, predicting, converged = fit_and_score(model, X[:40], y[:40], X[::10], y[::10], 3)
    expected = scores_by_scikit_learn(y[::10], np.zeros(15, dtype=int))
    assert dict(zip(SCORES, found, strict=True)) == pytest.approx(expected, rel=1e-12)
    assert fitting >= 0
    assert predicting >= 0
    assert converged


@pytest.mark.parametrize("name", MODELS)
def test_a_fit_is_scored_on_the_test_rows(name):
    X, y = datasets.load_wine(return_X_y=True)
    X = MinMaxScaler().fit_transform(X)
    options = {option: values[-1] for option, values in grid(name).items()}
    found, _, _, converged = fit_and_score(make_model(name, 0, **options), X[::2], y[::2], X[1::2], y[1::2], 3)
    predicted = make_model(name, 0, **options).fit(X[::2], y[::2]).predict(X[1::2])
    expected = scores_by_scikit_learn(y[1::2], predicted)
    assert dict(zip(SCORES, found, strict=True)) == pytest.approx(expected, rel=1e-12)
    assert expected["accuracy"] > 0.5
    assert converged


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["LR", "SVM"])
def test_a_fit_that_reaches_its_limit_has_not_converged(name):
    X, y = datasets.load_wine(return_X_y=True)
    model = make_model(name, 0, C=30.0).set_params(max_iter=2)
    *_, converged = fit_and_score(model, X, y, X, y, 3)
    assert not converged


@pytest.mark.parametrize("name", MODELS)
def test_classes_have_balanced_weights(name):
    model = make_model(name, 7)
    assert model.class_weight == "balanced"
    assert model.random_state == 7


@pytest.mark.parametrize("version", ["1.6.1", "1.8.0", "1.10.0", "2.0"])
def test_forests_of_another_scikit_learn_are_refused(version):
    with pytest.raises(CvstratError, match=f"this is {version}.*make setup"):
        check_version(version)
