"""Inside other people's tools, where these are installed: `make test-ecosystem` installs them all."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 (without it there is no halving)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import HalvingGridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB

from cvstrat import TECHNIQUES, CenteredClusterKFold, NeighborWalkKFold, OneCenterKFold, RepeatedSplits, make_splitter

OWN = [name for name in TECHNIQUES if name not in ("KFold", "SCV", "ROCBCV")]  # a block may hold one class only


@pytest.fixture(scope="module")
def data():
    """Two classes, a rare one among them, and patients with four rows each."""
    rng = np.random.RandomState(0)
    y = np.repeat([0, 0, 0, 1], 40)
    return rng.normal(size=(160, 3)) + y[:, None], y, np.arange(160) // 4


@pytest.fixture(params=OWN)
def cv(request):
    return make_splitter(request.param, n_splits=3, n_clusters=3, random_state=0)


def test_halving_search_with_groups(cv, data):
    X, y, groups = data
    search = HalvingGridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3, 0.1]}, cv=cv, min_resources=60)
    assert search.fit(X, y, groups=groups).n_splits_ == 3
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_halving_search_with_repetitions(data):
    X, y, _ = data
    cv = RepeatedSplits(NeighborWalkKFold(3), n_repeats=2, random_state=0)
    search = HalvingGridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3, 0.1]}, cv=cv, min_resources=60)
    assert search.fit(X, y).n_splits_ == 6


def test_imbalanced_learn_resamples_training_parts_only(cv, data):
    sampling = pytest.importorskip("imblearn.over_sampling")
    pipeline = pytest.importorskip("imblearn.pipeline")
    X, y, groups = data
    model = pipeline.make_pipeline(sampling.RandomOverSampler(random_state=0), LogisticRegression())
    scores = cross_validate(model, X, y, groups=groups, cv=cv, return_indices=True, error_score="raise")
    assert sorted(np.concatenate(scores["indices"]["test"])) == list(range(160))


def test_mlxtend_selects_features(cv, data):
    selection = pytest.importorskip("mlxtend.feature_selection")
    X, y, groups = data
    selector = selection.SequentialFeatureSelector(GaussianNB(), k_features=2, cv=cv)
    selector.fit(X, y, groups=groups)
    assert len(selector.k_feature_idx_) == 2
    assert len(selector.subsets_[1]["cv_scores"]) == 3


def test_mlxtend_stacks_models(data):
    classifier = pytest.importorskip("mlxtend.classifier")
    X, y, groups = data
    cv = make_splitter("SCBCV", n_splits=3, n_clusters=3, random_state=0)
    stack = classifier.StackingCVClassifier([GaussianNB(), LogisticRegression()], LogisticRegression(), cv=cv)
    assert stack.fit(X, y, groups=groups).predict(X).shape == (160,)


def test_optuna_searches(cv, data):
    optuna = pytest.importorskip("optuna")
    integration = pytest.importorskip("optuna_integration")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    X, y, groups = data
    space = {"var_smoothing": optuna.distributions.FloatDistribution(1e-9, 1e-1, log=True)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is marked as experimental
        search = integration.OptunaSearchCV(GaussianNB(), space, cv=cv, n_trials=3, random_state=0)
        search.fit(X, y, groups=groups)
    assert search.n_splits_ == 3
    assert 0 < search.best_score_ <= 1


def test_skore_reports(cv, data):
    skore = pytest.importorskip("skore")
    X, y, _ = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = skore.CrossValidationReport(GaussianNB(), X, y, splitter=cv)
    assert len(report.reports_) == 3


class TestPolars:
    """Frames of polars are read as frames of pandas are."""

    @pytest.fixture
    def frames(self):
        polars = pytest.importorskip("polars")
        rng = np.random.RandomState(4)
        columns = {
            "number": [None if one < 0.2 else float(one) for one in rng.rand(40)],
            "count": rng.randint(0, 10, 40).tolist(),
            "hue": rng.choice(["red", "green", "blue"], 40).tolist(),
            "flag": [None if one == 2 else bool(one) for one in rng.randint(0, 3, 40)],
            "day": (pd.Timestamp("2020") + pd.to_timedelta(rng.randint(0, 400, 40), "D")).to_pydatetime().tolist(),
        }
        there = polars.DataFrame(columns)
        here = pd.DataFrame(columns).astype({"flag": "boolean"})
        return there, here

    @pytest.mark.parametrize("splitter", [OneCenterKFold(3), CenteredClusterKFold(3)], ids=["one", "clusters"])
    def test_mixed_columns_give_the_folds_of_pandas(self, frames, splitter):
        polars = pytest.importorskip("polars")
        there, here = frames
        wanted = splitter.fold_of_each_row(here).tolist()
        as_categories = there.with_columns(polars.col("hue").cast(polars.Categorical))
        as_enum = there.with_columns(polars.col("hue").cast(polars.Enum(["blue", "green", "red"])))
        as_date = there.with_columns(polars.col("day").cast(polars.Date))
        for frame in (there, as_categories, as_enum, as_date):
            assert splitter.fold_of_each_row(frame).tolist() == wanted

    @pytest.mark.parametrize("name", OWN)
    def test_numbers_and_targets(self, name, data):
        polars = pytest.importorskip("polars")
        X, y, groups = data
        splitter = make_splitter(name, n_splits=3, n_clusters=3, random_state=0)
        wanted = splitter.fold_of_each_row(X, y, groups).tolist()
        frame = polars.DataFrame(X, schema=["a", "b", "c"])
        assert splitter.fold_of_each_row(frame, polars.Series(y), polars.Series(groups)).tolist() == wanted

    def test_strata(self, data):
        polars = pytest.importorskip("polars")
        X, y, _ = data
        frame = polars.DataFrame(X, schema=["a", "b", "c"]).with_columns(site=polars.Series(y))
        for strata in ("site", frame.select("site"), polars.Series(["ab"[one] for one in y])):
            folds = NeighborWalkKFold(4, strata=strata).fold_of_each_row(frame)
            assert np.bincount(folds[y == 1]).tolist() == [10] * 4

    def test_text_and_lists_are_refused_by_name(self, frames):
        polars = pytest.importorskip("polars")
        with pytest.raises(ValueError, match=r"X has 'hue' \(text\), 'day' \(dates or durations\)\. Encode"):
            NeighborWalkKFold(3).fold_of_each_row(frames[0].drop("number", "flag"), np.arange(40) % 2)
        with pytest.raises(ValueError, match="column 'tags' holds values that cannot be told apart"):
            OneCenterKFold(3).fold_of_each_row(polars.DataFrame({"tags": [[1], [2]] * 10}))
