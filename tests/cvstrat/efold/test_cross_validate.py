"""e-fold cross-validation: the first folds of the whole run, and no fold more than needed."""

import warnings

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cvstrat import StableDeviation, efold_cross_validate, make_splitter
from cvstrat.efold import FixedFolds

X, y = load_iris(return_X_y=True)
# Processes that are forked start at once. (Threads, as joblib has them, share their filters of warnings.)
FORKED = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


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
    assert len(result.cv_results["fit_time"]) == len(result.cv_results["score_time"]) == expected
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


def assert_same(ours, theirs):
    """Same keys in the same order, same types, same values but for times and fitted models."""
    assert list(ours) == list(theirs)
    for name, values in theirs.items():
        assert type(ours[name]) is type(values), name
        if name == "estimator":
            assert [type(one) for one in ours[name]] == [type(one) for one in values]
        else:
            assert ours[name].dtype == values.dtype, name
            assert "time" in name or ours[name].tolist() == values.tolist(), name


def both_scores(model, X, y):
    return {"hits": model.score(X, y), "misses": 1 - model.score(X, y)}


@pytest.mark.parametrize("scoring", [None, "f1_macro", ["f1_macro", "accuracy"], {"hits": "accuracy"}, both_scores])
@pytest.mark.parametrize("more", [{}, {"return_train_score": True, "return_estimator": True}])
def test_without_stopping_it_is_cross_validate(scoring, more):
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    ours = efold_cross_validate(GaussianNB(), X, y, cv=cv, scoring=scoring, rule=FixedFolds(99), **more)
    assert_same(ours.cv_results, cross_validate(GaussianNB(), X, y, cv=cv, scoring=scoring, **more))
    assert ("estimator" in ours.cv_results) == bool(more)


def test_of_several_metrics_one_decides():
    cv = StratifiedKFold(10, shuffle=True, random_state=3)
    model, scoring = GaussianNB(), ["f1_macro", "neg_log_loss"]
    alone = {name: efold_cross_validate(model, X, y, cv=cv, scoring=name) for name in scoring}
    assert alone["f1_macro"].n_folds != alone["neg_log_loss"].n_folds
    for stop_metric in (None, *scoring):
        result = efold_cross_validate(model, X, y, cv=cv, scoring=scoring, stop_metric=stop_metric)
        assert result.metric == (stop_metric or "f1_macro")
        assert result.scores.tolist() == alone[result.metric].scores.tolist()
        assert {len(values) for values in result.cv_results.values()} == {result.n_folds}
    with pytest.raises(ValueError, match="'f1' is none of the metrics: f1_macro, neg_log_loss"):
        efold_cross_validate(model, X, y, cv=cv, scoring=scoring, stop_metric="f1")


def test_groups_reach_the_splitter():
    groups = np.arange(len(y)) % 7
    assert efold_cross_validate(GaussianNB(), X, y, cv=GroupKFold(7), groups=groups).max_folds == 7
    with sklearn.config_context(enable_metadata_routing=True):
        routed = efold_cross_validate(GaussianNB(), X, y, cv=GroupKFold(7), params={"groups": groups})
        assert routed.max_folds == 7
        with pytest.raises(ValueError, match="with metadata routing groups go into params"):
            efold_cross_validate(GaussianNB(), X, y, cv=GroupKFold(7), groups=groups)


@FORKED
def test_weights_go_where_cross_validate_sends_them():
    weights = np.random.default_rng(0).random(len(y)) ** 4
    cv = StratifiedKFold(5, shuffle=True, random_state=0)

    def both(model, **options):
        theirs = cross_validate(model, X, y, cv=cv, params={"sample_weight": weights}, **options)
        ours = efold_cross_validate(
            model, X, y, cv=cv, params={"sample_weight": weights}, rule=FixedFolds(99), **options
        )
        assert_same(ours.cv_results, theirs)
        return ours.scores.tolist()

    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    found = [both(tree)]
    with sklearn.config_context(enable_metadata_routing=True):
        asking = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        found += [both(tree.set_fit_request(sample_weight=fit), scoring=asking) for fit in (True, False)]
        with parallel_config(backend="multiprocessing"):
            inside = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), tree)
            found.append(both(inside, scoring=asking, n_jobs=2))
        with pytest.raises(UnsetMetadataPassedError, match="efold_cross_validate"):
            efold_cross_validate(GaussianNB(), X, y, params={"sample_weight": weights})
    assert found[2] == found[3]
    assert len({tuple(scores) for scores in found}) == 3


class Late(GaussianNB):
    """Cannot be fitted without the first row of the data."""

    def fit(self, X, y):
        if X[0, 0] != 5.1 or X[0, 1] != 3.5:
            raise ValueError("the first row is missing")
        return super().fit(X, y)


@FORKED
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_the_number_of_jobs_changes_nothing(n_jobs):
    folds = list(StratifiedKFold(10).split(X, y))[::-1]  # the first row is in the last test fold
    one = efold_cross_validate(Late(), X, y, cv=folds, error_score="raise")
    assert one.stopped
    with parallel_config(backend="multiprocessing"):
        many = efold_cross_validate(Late(), X, y, cv=folds, error_score="raise", n_jobs=n_jobs)
        assert_same(many.cv_results, one.cv_results)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a fold that fails after the stop is nobody's business
            assert efold_cross_validate(Late(), X, y, cv=folds, n_jobs=n_jobs).n_folds == one.n_folds
        with pytest.raises(ValueError, match="the first row is missing"):
            efold_cross_validate(Late(), X, y, cv=folds[::-1], error_score="raise", n_jobs=n_jobs)


def test_no_folds_are_refused():
    with pytest.raises(ValueError, match="cv has no folds: give a number, a splitter, or pairs"):
        efold_cross_validate(GaussianNB(), X, y, cv=[])


def failing_at(*numbers):
    """Return a scorer of two metrics that fails in some of its calls."""
    calls = iter(range(99))

    def scorer(model, X, y):
        if next(calls) in numbers:
            raise ValueError("not now")
        return both_scores(model, X, y)

    return scorer


def test_a_scorer_that_fails_at_first_has_the_metrics_that_it_shows_later():
    with pytest.warns(UserWarning, match=r"(?s)scoring failed; the score is 0.5.*not now"):
        result = efold_cross_validate(GaussianNB(), X, y, scoring=failing_at(0), error_score=0.5)
    assert list(result.cv_results) == ["fit_time", "score_time", "test_hits", "test_misses"]
    assert result.scores[0] == result.cv_results["test_misses"][0] == 0.5
    with pytest.warns(UserWarning, match="not now"):
        assert efold_cross_validate(GaussianNB(), X, y, scoring=failing_at(*range(10))).metric == "score"
    with pytest.raises(ValueError, match="not now"):
        efold_cross_validate(GaussianNB(), X, y, scoring=failing_at(1), error_score="raise")
    broken = {"a": make_scorer(lambda *_: 1 / 0), "b": "accuracy"}
    with pytest.raises(ZeroDivisionError):
        efold_cross_validate(GaussianNB(), X, y, scoring=broken, error_score="raise")


def test_estimators_are_kept_on_request():
    result = efold_cross_validate(GaussianNB(), X, y, cv=10, return_estimator=True)
    assert len(result.cv_results["estimator"]) == result.n_folds
    assert all(hasattr(one, "theta_") for one in result.cv_results["estimator"])
    assert "estimator" not in efold_cross_validate(GaussianNB(), X, y).cv_results


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
    with pytest.raises(ValueError, match=r"(?s)All the 10 fits failed.*10 failed with.*C"):
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
