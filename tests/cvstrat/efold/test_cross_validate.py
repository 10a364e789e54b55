"""e-fold cross-validation: the first folds of the whole run, and no fold more than needed."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cvstrat import StableDeviation, efold_cross_validate, make_splitter
from cvstrat.efold import FixedFolds

X, y = load_iris(return_X_y=True)


class Counting(ClassifierMixin, BaseEstimator):
    """Counts its fits; scores what it is told to."""

    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("model", [GaussianNB(), DecisionTreeClassifier(random_state=0)])
def test_scores_are_the_first_ones_of_the_whole_run_up_to_the_stop(model, seed):
    cv = StratifiedKFold(10, shuffle=True, random_state=seed)
    whole = cross_validate(model, X, y, cv=cv, scoring="f1_weighted")["test_score"]
    result = efold_cross_validate(model, X, y, cv=cv, scoring="f1_weighted")
    stops = [n for n in range(1, 11) if StableDeviation().should_stop(whole[:n])]
    expected = stops[0] if stops else 10
    assert result.n_folds == expected
    assert result.scores.tolist() == whole[:expected].tolist()
    assert result.stopped == (expected < 10)
    assert result.mean == pytest.approx(whole[:expected].mean())
    assert result.std == pytest.approx(whole[:expected].std(ddof=1))
    assert len(result.fit_time) == len(result.score_time) == expected
    assert result.max_folds == 10


def test_folds_after_the_stop_are_not_fitted():
    Counting.fits = 0
    result = efold_cross_validate(Counting(), X, y, cv=10)
    assert result.scores.tolist() == [1 / 3] * 4
    assert Counting.fits == result.n_folds == 4


@pytest.mark.parametrize("name", ["SCBCV", "DOB-SCV", "KCBCV", "1C-CV"])
def test_our_splitters_pipelines_and_scorers_serve(name):
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    cv = make_splitter(name, n_splits=10, n_clusters=3, random_state=0)
    whole = cross_validate(model, X, y, cv=cv, scoring="balanced_accuracy")["test_score"]
    result = efold_cross_validate(model, X, y, cv=cv, scoring="balanced_accuracy")
    assert result.scores.tolist() == whole[: result.n_folds].tolist()


def test_regression_and_negated_errors():
    data, target = load_diabetes(return_X_y=True)
    cv = KFold(10, shuffle=True, random_state=3)
    whole = cross_validate(Ridge(), data, target, cv=cv, scoring="neg_mean_absolute_error")["test_score"]
    result = efold_cross_validate(Ridge(), data, target, cv=cv, scoring="neg_mean_absolute_error")
    assert result.scores == pytest.approx(whole[: result.n_folds])


def test_frames_and_string_classes():
    frame, target = load_wine(return_X_y=True, as_frame=True)
    names = target.map({0: "a", 1: "b", 2: "c"})
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    assert efold_cross_validate(GaussianNB(), frame, names, cv=cv).mean > 0.9


def test_groups_reach_the_splitter():
    groups = np.arange(len(y)) % 7
    assert efold_cross_validate(GaussianNB(), X, y, cv=GroupKFold(7), groups=groups).max_folds == 7


def test_estimators_are_kept_on_request():
    result = efold_cross_validate(GaussianNB(), X, y, cv=10, return_estimator=True)
    assert len(result.estimators) == result.n_folds
    assert all(hasattr(one, "theta_") for one in result.estimators)
    assert efold_cross_validate(GaussianNB(), X, y).estimators is None


def test_another_rule_in_its_place():
    assert efold_cross_validate(GaussianNB(), X, y, rule=FixedFolds(7)).n_folds == 7
    assert not efold_cross_validate(GaussianNB(), X, y, rule=FixedFolds(99)).stopped


def test_running_values_are_there_for_pictures():
    result = efold_cross_validate(GaussianNB(), X, y)
    assert result.running_mean[-1] == pytest.approx(result.mean)
    assert result.running_std[-1] == pytest.approx(result.std)
    assert len(result.running_mean) == len(result.running_std) == result.n_folds


def test_too_few_folds_to_ever_stop_are_told():
    with pytest.warns(UserWarning, match="with 3 folds and patience=2 this can never stop early: that takes 4 folds"):
        assert efold_cross_validate(GaussianNB(), X, y, cv=3).n_folds == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        efold_cross_validate(GaussianNB(), X, y, cv=4)


def test_a_scorer_without_an_answer_never_looks_stable():
    missing = make_scorer(lambda y_true, y_pred: np.nan)
    result = efold_cross_validate(GaussianNB(), X, y, scoring=missing)
    assert result.n_folds == 10
    assert np.isnan(result.mean)


def test_an_estimator_that_fails_is_handled_as_scikit_learn_does():
    broken = LogisticRegression(C=-1)
    with pytest.raises(ValueError, match="C"):
        efold_cross_validate(broken, X, y, error_score="raise")
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match=r"(?s)All the 10 fits failed.*C"):
        efold_cross_validate(broken, X, y)
    with pytest.raises(ValueError, match="error_score must be 'raise' or a number"):
        efold_cross_validate(GaussianNB(), X, y, error_score="zero")


class Fragile(GaussianNB):
    """Cannot be fitted without the first row."""

    def fit(self, X, y):
        if not (X[:, 0] == -1).any():
            raise ValueError("the first row is missing")
        return super().fit(X, y)


@pytest.mark.parametrize(("error_score", "stop"), [(np.nan, 10), (0.0, None)])
def test_a_fold_that_fails_gets_the_error_score_and_the_rest_go_on(error_score, stop):
    data = X.copy()
    data[0, 0] = -1
    cv = KFold(10)  # the first row is in the first test fold
    shuffled = np.r_[0, np.random.default_rng(0).permutation(np.arange(1, len(y)))]
    with pytest.warns(FitFailedWarning, match="the first row is missing"):
        result = efold_cross_validate(Fragile(), data[shuffled], y[shuffled], cv=cv, error_score=error_score)
    with pytest.warns(FitFailedWarning):
        whole = cross_validate(Fragile(), data[shuffled], y[shuffled], cv=cv, error_score=error_score)["test_score"]
    assert result.scores == pytest.approx(whole[: result.n_folds], nan_ok=True)
    assert result.scores[0] == pytest.approx(error_score, nan_ok=True)
    assert result.n_folds == (stop or next(n for n in range(4, 11) if StableDeviation().should_stop(whole[:n])))


@pytest.mark.parametrize(("options", "message"), [({"patience": 0}, "patience"), ({"tolerance": -1}, "tolerance")])
def test_bad_settings_are_refused_before_anything_is_fitted(options, message):
    Counting.fits = 0
    with pytest.raises(ValueError, match=message):
        efold_cross_validate(Counting(), X, y, **options)
    assert Counting.fits == 0
