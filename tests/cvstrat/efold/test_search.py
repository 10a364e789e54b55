"""EFoldSearchCV: a grid search that fits less and is otherwise one."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import loguniform, randint
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, RandomizedSearchCV, StratifiedKFold, cross_validate
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

from cvstrat import EFoldSearchCV, StableDeviation, efold_cross_validate, make_splitter
from cvstrat.efold import FixedFolds

X, y = load_wine(return_X_y=True)
CV = StratifiedKFold(10, shuffle=True, random_state=0)
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 3, 5]}
NEVER = FixedFolds(99)


def without_times(results):
    return {name: values for name, values in results.items() if "time" not in name}


GRID = [{"max_depth": [2, 5], "min_impurity_decrease": [0.0, 0.1]}, {"max_depth": [3], "criterion": ["entropy"]}]


def assert_same_search(ours, theirs):
    """Same attributes, and in ``cv_results_`` the same keys in the same order, of the same types."""
    assert {name for name in vars(theirs) if name.endswith("_")} <= set(vars(ours))
    assert list(ours.cv_results_) == [*theirs.cv_results_, "n_folds", "dropped"]
    for name, values in theirs.cv_results_.items():
        found = ours.cv_results_[name]
        assert type(found) is type(values)
        if name == "params":
            assert found == values
            continue
        assert found.dtype == values.dtype, name
        assert "time" in name or found.tolist() == pytest.approx(values.tolist()), name
    assert ours.multimetric_ == theirs.multimetric_
    for name in ("best_index_", "best_params_", "best_score_"):
        assert getattr(ours, name) == getattr(theirs, name)
        assert type(getattr(ours, name)) is type(getattr(theirs, name))


@pytest.mark.parametrize(
    ("scoring", "refit"), [(None, True), ("f1_macro", True), (["f1_macro", "accuracy"], "accuracy")]
)
def test_without_stopping_it_is_grid_search(scoring, refit):
    options = {"cv": CV, "scoring": scoring, "refit": refit, "return_train_score": True}
    ours = EFoldSearchCV(TREE, GRID, rule=NEVER, **options).fit(X, y)
    theirs = GridSearchCV(TREE, GRID, **options).fit(X, y)
    assert_same_search(ours, theirs)
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    assert ours.score(X, y) == theirs.score(X, y)
    assert ours.n_fits_ == 50


def test_without_stopping_it_is_random_search():
    space = {"ccp_alpha": loguniform(1e-3, 1e-1), "criterion": ["gini", "entropy"], "max_depth": randint(1, 4)}
    ours = EFoldSearchCV(TREE, space, n_iter=5, random_state=1, cv=CV, rule=NEVER).fit(X, y)
    assert_same_search(ours, RandomizedSearchCV(TREE, space, n_iter=5, random_state=1, cv=CV).fit(X, y))


def test_every_candidate_is_cross_validated_by_e_fold():
    search = EFoldSearchCV(TREE, DEPTHS, cv=CV).fit(X, y)
    for number, setting in enumerate(search.cv_results_["params"]):
        alone = efold_cross_validate(clone(TREE).set_params(**setting), X, y, cv=CV)
        assert search.cv_results_["n_folds"][number] == alone.n_folds
        assert search.cv_results_["mean_test_score"][number] == pytest.approx(alone.mean)
        scores = [search.cv_results_[f"split{fold}_test_score"][number] for fold in range(10)]
        assert scores[: alone.n_folds] == pytest.approx(alone.scores)
        assert np.isnan(scores[alone.n_folds :]).all()
    assert search.n_fits_ == search.cv_results_["n_folds"].sum() < 40


def test_the_number_of_jobs_changes_nothing():
    grid = {"max_depth": [1, 2, 5, -1]}
    with (
        pytest.warns(FitFailedWarning, match="10 fits failed out of") as told,
        pytest.warns(UserWarning, match="finite"),
    ):
        one, two = (EFoldSearchCV(TREE, grid, cv=CV, drop_hopeless=True, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert len([one for one in told if one.category is FitFailedWarning]) == 2  # other processes are heard, too
    for name, values in without_times(one.cv_results_).items():
        assert str(values) == str(two.cv_results_[name])


def test_a_candidate_that_cannot_win_is_dropped_and_the_choice_stays():
    grid = {"max_depth": [8, 1], "criterion": ["gini"]}
    rule = FixedFolds(4)  # the first to be done sets what is to be beaten
    keep = EFoldSearchCV(TREE, grid, cv=CV, rule=NEVER, drop_hopeless=True).fit(X, y)
    assert not keep.cv_results_["dropped"].any()
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)

    class Uneven:
        """Ends good candidates early."""

        def should_stop(self, scores):
            return rule.should_stop(scores) and np.mean(scores) > 0.8

    search = EFoldSearchCV(stump, {"max_depth": [8, 1]}, cv=CV, rule=Uneven(), drop_hopeless=True).fit(X, y)
    assert search.best_params_ == {"max_depth": 8}
    assert search.cv_results_["dropped"].tolist() == [False, True]
    assert search.cv_results_["n_folds"][1] < 10


def percent(model, X, y):
    return 100 * model.score(X, y)


def test_scores_above_the_best_possible_one_are_an_error_and_lose_no_winner():
    options = {"cv": CV, "scoring": percent, "drop_hopeless": True}
    with pytest.raises(ValueError, match=r"a fold scored 72.22, above the best possible .* 1: set highest_score"):
        EFoldSearchCV(TREE, DEPTHS, **options).fit(X, y)
    with pytest.raises(ValueError, match="above the best possible score"):
        EFoldSearchCV(TREE, DEPTHS, highest_score=99, **options).fit(X, y)
    dropping = EFoldSearchCV(TREE, DEPTHS, highest_score=100, **options).fit(X, y)
    whole = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=percent).fit(X, y)
    assert dropping.best_params_ == whole.best_params_
    rounded = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=lambda *_: 1 + 1e-12, drop_hopeless=True).fit(X, y)
    assert rounded.n_fits_ == 16


def test_a_scorer_that_fails_at_first_does_not_decide_the_metrics():
    calls = iter(range(99))

    def scorer(model, X, y):
        if next(calls) < 2:
            raise ValueError("not now")
        return {"hits": model.score(X, y), "percent": percent(model, X, y)}

    with pytest.warns(UserWarning, match=r"(?s)scoring failed.*not now"):
        search = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=scorer, refit="percent", error_score=0).fit(X, y)
    assert [name for name in search.cv_results_ if name.startswith("mean_test")] == [
        "mean_test_hits",
        "mean_test_percent",
    ]
    assert search.cv_results_["split0_test_hits"][:2].tolist() == [0, 0]
    assert search.best_params_ == {"max_depth": 3}
    assert search.n_fits_ < 40


def test_a_scorer_of_several_metrics_lets_candidates_stop():
    def scorer(model, X, y):
        return {"half": 0.5, "hits": model.score(X, y)}

    search = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=scorer, refit="hits").fit(X, y)
    single = EFoldSearchCV(TREE, DEPTHS, cv=CV).fit(X, y)
    assert search.cv_results_["n_folds"].tolist() == single.cv_results_["n_folds"].tolist()
    with pytest.raises(ValueError, match="'misses' is none of the metrics: half, hits"):
        EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=scorer, refit="misses").fit(X, y)


def test_several_metrics_and_the_one_that_decides():
    search = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=["accuracy", "f1_macro"], refit="f1_macro").fit(X, y)
    assert search.multimetric_
    assert {"mean_test_accuracy", "rank_test_f1_macro", "split3_test_accuracy"} <= set(search.cv_results_)
    single = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring="f1_macro").fit(X, y)
    assert search.cv_results_["n_folds"].tolist() == single.cv_results_["n_folds"].tolist()
    assert search.best_params_ == single.best_params_
    assert search.score(X, y) == single.score(X, y)


def test_regression_errors_groups_weights_and_our_splitters():
    data, target = load_diabetes(return_X_y=True)
    grid = {"alpha": [0.1, 1.0, 10.0]}
    options = {"scoring": "neg_mean_absolute_error", "drop_hopeless": True}
    search = EFoldSearchCV(Ridge(), grid, cv=KFold(10, shuffle=True, random_state=0), **options).fit(data, target)
    assert search.best_score_ < 0
    groups = np.arange(len(target)) % 6
    grouped = EFoldSearchCV(Ridge(), grid, cv=GroupKFold(6)).fit(data, target, groups=groups)
    assert grouped.n_splits_ == 6
    weighted = EFoldSearchCV(Ridge(), grid, cv=5).fit(data, target, sample_weight=np.linspace(0.1, 1, len(target)))
    assert weighted.n_splits_ == 5
    splitter = make_splitter("SCBCV", n_splits=10, n_clusters=2, random_state=0)
    assert EFoldSearchCV(TREE, DEPTHS, cv=splitter).fit(X, y).best_score_ > 0.8


@pytest.mark.parametrize("several", [list, lambda names: {name.upper(): name for name in names}])
def test_the_first_of_several_metrics_says_who_is_hopeless_where_none_is_refitted(several):
    data, target = load_diabetes(return_X_y=True)
    names = ["neg_mean_absolute_error", "r2"]

    class Uneven:
        """Ends good candidates early."""

        def should_stop(self, scores):
            return len(scores) == 4 and np.mean(scores) > -50

    options = {"cv": KFold(10, shuffle=True, random_state=0), "rule": Uneven(), "refit": False, "drop_hopeless": True}
    one, both = (
        EFoldSearchCV(Ridge(), {"alpha": [1e-3, 1e9]}, scoring=scoring, **options).fit(data, target)
        for scoring in (names[0], several(names))
    )
    assert both.cv_results_["dropped"].tolist() == one.cv_results_["dropped"].tolist() == [False, True]
    assert both.cv_results_["n_folds"].tolist() == one.cv_results_["n_folds"].tolist()


def test_refit_can_be_left_out_or_be_a_choice_of_ones_own():
    search = EFoldSearchCV(TREE, DEPTHS, cv=CV, refit=False).fit(X, y)
    assert not hasattr(search, "best_estimator_")
    assert search.best_params_ in search.cv_results_["params"]
    shallow = EFoldSearchCV(TREE, DEPTHS, cv=CV, refit=lambda results: 0).fit(X, y)
    assert shallow.best_params_ == {"max_depth": 1}
    assert shallow.best_estimator_.get_depth() == 1


def test_a_candidate_that_fails_comes_last_and_all_failing_is_an_error():
    grid = {"max_depth": [2, -1]}
    with pytest.warns(FitFailedWarning, match="max_depth"), pytest.warns(UserWarning, match="not finite"):
        search = EFoldSearchCV(TREE, grid, cv=CV).fit(X, y)
    assert search.best_params_ == {"max_depth": 2}
    assert search.cv_results_["rank_test_score"].tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"(?s)All the 10 fits failed.*max_depth"):
        EFoldSearchCV(TREE, {"max_depth": [-1]}, cv=CV).fit(X, y)
    with pytest.raises(ValueError, match="max_depth"):
        EFoldSearchCV(TREE, grid, cv=CV, error_score="raise").fit(X, y)


def test_a_number_given_for_failures_counts_as_a_score():
    with pytest.warns(FitFailedWarning):
        search = EFoldSearchCV(TREE, {"max_depth": [2, -1]}, cv=CV, error_score=0).fit(X, y)
    assert search.cv_results_["mean_test_score"][1] == 0
    assert search.cv_results_["n_folds"][1] == 4  # equal scores are stable


def test_a_scorer_without_an_answer_is_told_and_its_candidates_run_to_the_end():
    with pytest.warns(UserWarning, match="not finite"):
        search = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=lambda *_: np.nan).fit(X, y)
    assert search.cv_results_["n_folds"].tolist() == [10] * 4


def test_pipelines_predict_and_score_as_grid_search_does_on_new_rows():
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [0.1, 1]}
    ours = EFoldSearchCV(model, grid, cv=CV, rule=NEVER).fit(X[::2], y[::2])
    theirs = GridSearchCV(model, grid, cv=CV).fit(X[::2], y[::2])
    assert ours.predict_proba(X[1::2]) == pytest.approx(theirs.predict_proba(X[1::2]))
    assert ours.score(X[1::2], y[1::2]) == theirs.score(X[1::2], y[1::2])
    assert ours.classes_.tolist() == [0, 1, 2]


def test_a_choice_of_ones_own_must_be_the_number_of_a_candidate():
    with pytest.raises(TypeError, match="integer"):
        EFoldSearchCV(TREE, DEPTHS, cv=CV, refit=lambda results: "first").fit(X, y)
    with pytest.raises(IndexError, match="best_index_"):
        EFoldSearchCV(TREE, DEPTHS, cv=CV, refit=lambda results: 4).fit(X, y)


def test_too_few_folds_to_ever_stop_are_told():
    with pytest.warns(UserWarning, match="with 3 folds and patience=2 this can never stop early"):
        assert EFoldSearchCV(TREE, DEPTHS, cv=3).fit(X, y).n_fits_ == 12


def test_bad_settings():
    with pytest.raises(ValueError, match="tolerance must be at least 0; it is -0.1"):
        EFoldSearchCV(TREE, DEPTHS, tolerance=-0.1).fit(X, y)
    with pytest.raises(ValueError, match="error_score must be 'raise' or a number, such as nan; it is 'nan'"):
        EFoldSearchCV(TREE, DEPTHS, error_score="nan").fit(X, y)
    with pytest.raises(ValueError, match="patience"):
        EFoldSearchCV(TREE, DEPTHS, patience=0).fit(X, y)
    with pytest.raises(ValueError, match="grid"):
        EFoldSearchCV(TREE, []).fit(X, y)
    with pytest.raises(ValueError, match="cv has no folds"):
        EFoldSearchCV(TREE, DEPTHS, cv=[]).fit(X, y)


def test_cloning_keeps_all_settings():
    search = EFoldSearchCV(TREE, DEPTHS, patience=3, rule=StableDeviation(3), drop_hopeless=True)
    assert clone(search).get_params()["patience"] == 3


def failures(search):
    found = set()
    for estimator, check in estimator_checks_generator(search):
        try:
            check(estimator)
        except Exception:
            found.add(check.func.__name__)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("model", "grid"), [(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}), (Ridge(), {"alpha": [0.1, 1.0]})]
)
def test_scikit_learns_checks_pass_where_they_do_for_grid_search(model, grid):
    assert failures(EFoldSearchCV(model, grid, cv=4)) <= failures(GridSearchCV(model, grid, cv=4))


@dataclass  # which makes it unhashable
class First:
    """A choice, and a score, that cannot be a key."""

    score: float = 0.5

    def __call__(self, *given):
        return self.score if len(given) == 3 else 0


def test_choices_and_scores_need_not_be_hashable():
    search = EFoldSearchCV(TREE, DEPTHS, cv=5, refit=First()).fit(X, y)
    assert search.best_params_ == {"max_depth": 1}
    search = EFoldSearchCV(TREE, DEPTHS, cv=5, scoring=First(), drop_hopeless=True).fit(X, y)
    assert search.best_score_ == 0.5


def test_an_error_that_a_scorer_names_cannot_get_above_zero():
    """The second candidate is dropped as soon as folds without any error could not save it."""

    def errors(model, X, y):
        return {"neg_error": -0.1 if model.max_depth == 1 else -0.3 - X[:, 0].mean() / 1000, "other": 1.0}

    options = {"scoring": errors, "refit": "neg_error", "cv": 6, "drop_hopeless": True}
    limits = ({}, {"highest_score": 0.0}, {"highest_score": 1.0})
    found = [EFoldSearchCV(TREE, {"max_depth": [1, 2]}, **options, **limit).fit(X, y).n_fits_ for limit in limits]
    assert found[0] == found[1] < found[2]


def test_metrics_may_be_named_by_numbers():
    """A scorer that returns a recall for each class: without a refit the first one decides, and names are text."""

    def recalls(model, X, y):
        right = model.predict(X) == y
        return {label: right[y == label].mean() for label in (1, 0, 2)}

    steady = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=recalls, refit="1").fit(X, y)
    alone = EFoldSearchCV(TREE, DEPTHS, cv=CV, scoring=recalls, refit=False).fit(X, y)
    assert alone.cv_results_["n_folds"].tolist() == steady.cv_results_["n_folds"].tolist()
    with pytest.raises(ValueError, match="'z' is none of the metrics: 1, 0, 2"):
        efold_cross_validate(TREE, X, y, cv=CV, scoring=recalls, stop_metric="z")
    assert efold_cross_validate(TREE, X, y, cv=CV, scoring=recalls, stop_metric="0").metric == "0"


def test_models_that_call_their_target_otherwise_are_fitted():
    labels = np.column_stack([y == 0, y == 1]).astype(int)
    search = EFoldSearchCV(MultiOutputClassifier(GaussianNB()), {"estimator__var_smoothing": [1e-9, 0.1]}, cv=5)
    theirs = GridSearchCV(MultiOutputClassifier(GaussianNB()), search.param_grid, cv=5).fit(X, labels)
    assert (search.fit(X, labels).predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("scoring", ["one", "several"])
def test_metadata_that_a_scorer_has_not_asked_for_is_an_error_where_it_is_one_in_scikit_learn(scoring):
    weights = {"sample_weight": np.ones(len(y))}

    def is_refused(evaluate):
        try:
            evaluate()
        except UnsetMetadataPassedError:
            return True
        return False

    with config_context(enable_metadata_routing=True):
        model = GaussianNB().set_fit_request(sample_weight=True)
        asked = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        chosen = {"one": make_scorer(accuracy_score), "several": {"a": asked, "b": "f1_macro"}}[scoring]
        grid, options = {"var_smoothing": [1e-9, 0.1]}, {"scoring": chosen, "cv": 5}
        theirs, ours = (search(model, grid, refit="a", **options) for search in (GridSearchCV, EFoldSearchCV))
        assert is_refused(lambda: ours.fit(X, y, **weights)) == is_refused(lambda: theirs.fit(X, y, **weights))
        options["params"] = weights
        refused = is_refused(lambda: cross_validate(model, X, y, **options))  # from scikit-learn 1.8 on
        assert is_refused(lambda: efold_cross_validate(model, X, y, **options)) == refused
