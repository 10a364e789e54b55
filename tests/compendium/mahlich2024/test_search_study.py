"""The study of searches: all scores of all candidates, as grid search has them."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compendium import engine
from compendium.engine import load_result
from compendium.mahlich2024.study import search_space
from cvstrat.errors import InputError

GRID = {"max_depth": [2, 4, 6, 8, None], "min_samples_leaf": [1, 2, 5, 10]}


@pytest.fixture(scope="module")
def fits(smoke_run):
    return load_result("mahlich2024-search", "fits", folder=smoke_run("mahlich2024-search"))


@pytest.mark.parametrize(
    ("name", "load", "tree", "folds"),
    [
        ("sklearn/iris", load_iris, DecisionTreeClassifier, StratifiedKFold),
        ("sklearn/diabetes", load_diabetes, DecisionTreeRegressor, KFold),
    ],
)
def test_scores_are_those_of_grid_search(fits, name, load, tree, folds):
    X, y = load(return_X_y=True)
    search = GridSearchCV(tree(random_state=2), GRID, cv=folds(10, shuffle=True, random_state=2)).fit(X, y)
    part = fits[(fits["dataset"] == name) & (fits["run"] == 2)]
    table = part.pivot(index="candidate", columns="fold", values="score").to_numpy()
    assert table == pytest.approx(np.array([search.cv_results_[f"split{fold}_test_score"] for fold in range(10)]).T)


def test_spaces_have_twenty_candidates_that_fit_their_model():
    for model in ("SVM", "Decision tree"):
        for task in ("classification", "regression"):
            estimator, settings = search_space(model, task)
            assert len(settings) == 20
            for setting in settings:
                estimator.set_params(**setting)
    with pytest.raises(InputError, match="did you mean SVM"):
        search_space("SVMs", "classification")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"models": ("Tree",)}, "Decision tree"),
        ({"n_runs": 0}, "n_runs=0 is too small: give at least 1"),
        ({"n_splits": 3}, "n_splits=3 is too small: give at least 4"),
    ],
)
def test_bad_settings_are_refused_before_work_starts(fields, message, tmp_path):
    with pytest.raises(InputError, match=message):
        engine.run("mahlich2024-search", profile="smoke", folder=tmp_path / "new", quiet=True, **fields)


def test_fewer_runs_of_the_committed_results_can_be_asked_for():
    tables = engine.load_or_run("mahlich2024-search", datasets=["iris"], models=["Decision tree"], n_runs=3)
    assert sorted(tables["fits"]["run"].unique()) == [1, 2, 3]
