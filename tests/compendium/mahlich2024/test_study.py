"""The e-fold study: its runs are those of scikit-learn's cross-validation, seed by seed."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from compendium import engine
from compendium.engine import load_result
from cvstrat.errors import InputError


@pytest.fixture(scope="module")
def runs(smoke_run):
    return (
        load_result("mahlich2024", "runs", folder=smoke_run("mahlich2024"))
        .set_index(["dataset", "model", "run", "fold"])["score"]
        .sort_index()
    )


@pytest.mark.parametrize("seed", [1, 7, 12])
def test_classification_is_weighted_f1_on_shuffled_stratified_folds(runs, seed):
    X, y = load_iris(return_X_y=True)
    cv = StratifiedKFold(10, shuffle=True, random_state=seed)
    assert runs.loc["sklearn/iris", "Naive Bayes", seed].to_list() == pytest.approx(
        cross_val_score(GaussianNB(), X, y, cv=cv, scoring="f1_weighted").tolist()
    )


def test_regression_is_the_mean_absolute_error_on_shuffled_folds(runs):
    X, y = load_diabetes(return_X_y=True)
    cv = KFold(10, shuffle=True, random_state=2)
    found = cross_val_score(Ridge(), X, y, cv=cv, scoring="neg_mean_absolute_error")
    assert runs.loc["sklearn/diabetes", "Ridge", 2].to_list() == pytest.approx((-found).tolist())


def test_models_that_do_not_apply_to_a_set_are_left_out(runs):
    pairs = set(runs.index.droplevel(["run", "fold"]))
    assert pairs == {("sklearn/iris", "Naive Bayes"), ("sklearn/diabetes", "Ridge")}
    assert runs.index.get_level_values("run").nunique() == 12


def test_the_paper_has_seventy_five_pairs():
    study = engine.find_study("mahlich2024")
    spec = study.spec()
    units = list(study.tables[0].units(spec, {}))
    assert len({(unit["dataset"], unit["model"]) for unit in units}) == 75
    assert len(spec.datasets) == 15
    assert len(units) == 750


def test_folds_of_other_techniques(tmp_path):
    done = engine.run("mahlich2024-clusters", profile="smoke", folder=tmp_path, jobs=1, quiet=True)
    assert done.missing == 0
    runs = load_result("mahlich2024-clusters", "runs", folder=tmp_path)
    wide = runs.pivot(index=["run", "fold"], columns="technique", values="score")
    assert not np.allclose(wide["KFold"], wide["SCBCV"])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"models": ("Naive Bays",)}, "did you mean Naive Bayes"),
        ({"techniques": ("SCBV",)}, "did you mean SCBCV"),
        ({"n_runs": 0}, "n_runs=0 is too small: give at least 1"),
        ({"n_splits": 3}, "n_splits=3 is too small: give at least 4"),
    ],
)
def test_bad_settings_are_refused_before_work_starts(fields, message, tmp_path):
    with pytest.raises(InputError, match=message):
        engine.run("mahlich2024", profile="smoke", folder=tmp_path / "new", quiet=True, **fields)
    assert not (tmp_path / "new").exists()


def test_a_file_of_ones_own_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "own.csv"
    scores = []
    for shift in (0, 3):
        rows = "\n".join(f"{i % 7 + shift * (i % 2)},{i * 13 % 11},{i % 2}" for i in range(60))
        path.write_text(f"x,y,kind\n{rows}\n")
        fields = {"datasets": (str(path),), "models": ("Naive Bayes",), "n_runs": 1}
        engine.run("mahlich2024", profile="smoke", folder=tmp_path / str(shift), jobs=1, quiet=True, **fields)
        scores.append(load_result("mahlich2024", "runs", folder=tmp_path / str(shift))["score"].mean())
    assert scores[0] != scores[1]
