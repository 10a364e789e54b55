"""Drop-in use: wherever scikit-learn takes a splitter, these will do."""

import copy
import pickle
from itertools import chain

import joblib
import numpy as np
import pytest
import sklearn
import sklearn.cluster
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.ensemble import StackingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RandomizedSearchCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import cvstrat
from cvstrat import TECHNIQUES, ClusterKFold, OneCenterKFold, RepeatedSplits, StratifiedClusterKFold, make_splitter

MODEL = GaussianNB()
RANDOM = [name for name, technique in TECHNIQUES.items() if not technique.deterministic]
FIXED = [name for name, technique in TECHNIQUES.items() if technique.deterministic]


class TestEvaluation:
    """The functions that cut, fit and score."""

    def test_scores_are_those_of_the_splits(self, own_case, table):
        X, y = table
        splitter = own_case.make(4, seed=1)
        scores = [MODEL.fit(X[train], y[train]).score(X[test], y[test]) for train, test in splitter.split(X, y)]
        assert cross_val_score(MODEL, X, y, cv=splitter).tolist() == scores
        assert cross_validate(MODEL, X, y, cv=splitter)["test_score"].tolist() == scores

    def test_every_row_is_predicted_by_a_model_that_has_not_seen_it(self, own_case, table):
        X, y = table
        splitter = own_case.make(4)
        wanted = np.empty_like(y)
        for train, test in splitter.split(X, y):
            wanted[test] = MODEL.fit(X[train], y[train]).predict(X[test])
        assert np.array_equal(cross_val_predict(MODEL, X, y, cv=splitter), wanted)

    def test_grid_search_in_a_pipeline(self, own_case, table):
        X, y = table
        model = make_pipeline(StandardScaler(), SelectKBest(), GaussianNB())
        search = GridSearchCV(model, {"selectkbest__k": [1, 3]}, cv=own_case.make(3)).fit(X, y)
        assert search.n_splits_ == 3
        assert clone(search).fit(X, y).cv_results_["mean_test_score"].tolist() == (
            search.cv_results_["mean_test_score"].tolist()
        )

    def test_nested_cross_validation(self, table):
        inner, outer = StratifiedClusterKFold(3, n_clusters=2), ClusterKFold(4, n_clusters=3)
        search = RandomizedSearchCV(MODEL, {"var_smoothing": [1e-9, 1e-3]}, n_iter=2, cv=inner, random_state=0)
        assert cross_val_score(search, *table, cv=outer).shape == (4,)

    def test_two_workers_find_the_scores_of_one(self, table):
        cv = StratifiedClusterKFold(4, n_clusters=2, shuffle=True, random_state=0)
        both = [cross_val_score(MODEL, *table, cv=cv, n_jobs=n_jobs).tolist() for n_jobs in (1, 2)]
        assert both[0] == both[1]

    def test_workers_make_the_same_folds(self, table, folds):
        splitters = [make_splitter(name, n_splits=3, n_clusters=3, random_state=0) for name in TECHNIQUES]
        there = joblib.Parallel(n_jobs=2)(joblib.delayed(_fold_lists)(splitter, *table) for splitter in splitters)
        assert there == [folds(splitter, *table) for splitter in splitters]


def _fold_lists(splitter, X, y):
    return [test.tolist() for _, test in splitter.split(X, y)]


class TestParameters:
    """Splitters are copied, printed, read and set like scikit-learn's estimators."""

    def test_copies_are_alike(self, own_case, table, folds):
        splitter = own_case.make(4, seed=6)
        first = folds(splitter, *table)
        for twin in (clone(splitter), copy.deepcopy(splitter), pickle.loads(pickle.dumps(splitter))):
            assert repr(twin) == repr(splitter)
            assert folds(twin, *table) == first

    def test_what_is_printed_evaluates_to_the_same_splitter(self, own_case):
        splitter = own_case.make(4, seed=6)
        again = eval(repr(splitter), vars(cvstrat) | vars(sklearn.cluster))  # noqa: S307
        assert type(again) is type(splitter)
        assert repr(again.get_params()) == repr(splitter.get_params())

    def test_parameters_can_be_read_and_set(self, own_case, table, folds):
        splitter = own_case.make(4, seed=6)
        assert splitter.get_params()["n_splits"] == 4
        assert folds(splitter.set_params(n_splits=3), *table) == folds(own_case.make(3, seed=6), *table)
        assert own_case.kind(**splitter.get_params(deep=False)).get_params() == splitter.get_params()

    def test_what_is_set_wrongly_is_found_when_splitting(self, own_case, table):
        splitter = own_case.make(4).set_params(n_splits=1)
        with pytest.raises(ValueError, match="n_splits must be an integer of at least 2; it is 1"):
            next(splitter.split(*table))

    def test_an_unknown_parameter_is_refused(self):
        with pytest.raises(ValueError, match="Invalid parameter 'folds'"):
            ClusterKFold().set_params(folds=3)

    def test_parameters_of_the_clusterer_are_within_reach(self, table, folds):
        splitter = ClusterKFold(3, clusterer=KMeans(2, random_state=0)).set_params(clusterer__n_clusters=4)
        assert folds(splitter, *table) == folds(ClusterKFold(3, clusterer=KMeans(4, random_state=0)), *table)

    def test_n_splits_may_be_a_numpy_integer(self, own_case, table, folds):
        assert folds(own_case.make(np.int64(4)), *table) == folds(own_case.make(4), *table)


class TestMetadata:
    """Groups reach the splitters as they reach scikit-learn's GroupKFold; whatever else there is goes past them."""

    def test_groups_are_requested_as_by_group_k_fold(self, own_case, table):
        plain = cross_val_score(MODEL, *table, cv=own_case.make(3))
        with sklearn.config_context(enable_metadata_routing=True):
            routed = cross_val_score(MODEL, *table, cv=own_case.make(3), params={})  # 1.6.0 stumbles over None
            assert routed.tolist() == plain.tolist()
            wanted = GroupKFold().get_metadata_routing().split.requests
            assert own_case.make(3).get_metadata_routing().split.requests == wanted

    def test_weights_go_to_the_model_past_the_splitter(self, own_case, table):
        X, y = table
        with sklearn.config_context(enable_metadata_routing=True):
            model = GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
            search = GridSearchCV(model, {"var_smoothing": [1e-9]}, cv=own_case.make(3))
            assert search.fit(X, y, sample_weight=np.ones(91)).n_splits_ == 3

    @pytest.mark.parametrize("repeated", [False, True])
    def test_groups_arrive_with_and_without_routing(self, own_case, table, repeated):
        X, y = table
        groups = np.arange(91) // 4
        cv = own_case.make(3)
        if repeated:
            if not own_case.chance:
                pytest.skip("nothing in it is random")
            cv = RepeatedSplits(cv, n_repeats=2, random_state=0)
        wanted = [test.tolist() for _, test in cv.split(X, y, groups)]
        given = {"cv": cv, "return_indices": True}
        plain = cross_validate(MODEL, X, y, groups=groups, **given)
        with sklearn.config_context(enable_metadata_routing=True):
            routed = cross_validate(MODEL, X, y, params={"groups": groups}, **given)
            searched = GridSearchCV(MODEL, {"var_smoothing": [1e-9]}, cv=cv).fit(X, y, groups=groups)
        for scores in (plain, routed):
            assert [test.tolist() for test in scores["indices"]["test"]] == wanted
        assert searched.cv_results_["split0_test_score"][0] == plain["test_score"][0]

    def test_groups_may_have_another_name(self, table):
        X, y = table
        patients = np.arange(91) // 4
        with sklearn.config_context(enable_metadata_routing=True):
            cv = ClusterKFold(3, n_clusters=2).set_split_request(groups="patients")
            found = cross_validate(MODEL, X, y, cv=cv, params={"patients": patients}, return_indices=True)
        for test in found["indices"]["test"]:
            assert not set(patients[test]) & set(np.delete(patients, test))


class TestRepeated:
    """Folds made several times, with new chance each time."""

    @pytest.mark.parametrize("name", RANDOM)
    def test_every_repetition_is_a_partition_of_its_own(self, ties, name):
        X, y = ties
        splitter = make_splitter(name, n_splits=3, n_clusters=5, n_repeats=4, random_state=1)
        tests = [test.tolist() for _, test in splitter.split(X, y)]
        assert splitter.get_n_splits(X, y) == len(tests) == 12
        repeats = [tests[start : start + 3] for start in range(0, 12, 3)]
        assert all(sorted(chain(*repeat)) == list(range(len(y))) for repeat in repeats)
        assert len({str(repeat) for repeat in repeats}) > 1

    @pytest.mark.parametrize("name", RANDOM)
    def test_a_seed_fixes_all_repetitions(self, ties, folds, name):
        first, again, other = (
            folds(make_splitter(name, n_splits=3, n_clusters=5, n_repeats=4, random_state=seed), *ties)
            for seed in (1, 1, 2)
        )
        assert first == again
        assert first != other

    @pytest.mark.parametrize("name", FIXED)
    def test_techniques_without_randomness_are_refused(self, name):
        with pytest.raises(ValueError, match="is random: every repetition would be the same"):
            make_splitter(name, n_repeats=2)

    @pytest.mark.parametrize("base", [KFold(3), ClusterKFold(3, n_clusters=2)])
    def test_the_splitter_given_is_only_a_pattern(self, table, folds, base):
        before = copy.deepcopy(vars(base))
        splitter = RepeatedSplits(base, n_repeats=3, random_state=0)
        assert folds(splitter, *table) == folds(clone(splitter), *table)
        assert vars(base) == before

    def test_it_is_the_way_to_repeat_by_name(self, table, folds):
        base = StratifiedClusterKFold(3, n_clusters=2, shuffle=True)
        by_name = make_splitter("SCBCV", n_splits=3, n_clusters=2, n_repeats=2, random_state=5)
        assert folds(by_name, *table) == folds(RepeatedSplits(base, n_repeats=2, random_state=5), *table)

    def test_scores_of_all_repetitions(self, table):
        splitter = RepeatedSplits(ClusterKFold(3, n_clusters=2), n_repeats=2, random_state=0)
        assert cross_val_score(MODEL, *table, cv=splitter.set_params(splitter__n_splits=4)).shape == (8,)

    def test_what_is_set_wrongly_is_found_when_splitting(self, table):
        with pytest.raises(ValueError, match="n_repeats must be"):
            list(RepeatedSplits(ClusterKFold(3)).set_params(n_repeats=0).split(*table))


class TestByName:
    """One call makes every technique of the papers."""

    @pytest.mark.parametrize("name", TECHNIQUES)
    def test_keywords_that_a_technique_heeds_reach_it(self, name):
        given = {"n_clusters": 7, "eps": 0.3, "min_samples": 4, "categorical": [0], "shuffle": True, "random_state": 9}
        given |= {"strata": [[0]], "n_bins": 3}
        given |= {"balance": 0.5, "order": "DBSCV", "scale": 2.0, "criterion": "features"}
        splitter, technique = make_splitter(name, n_splits=6, **given), TECHNIQUES[name]
        heeded = {key: given[key] for key in technique.uses}
        assert type(splitter) is technique.splitter
        assert {"n_splits": 6, **technique.fixed, **heeded}.items() <= vars(splitter).items()

    @pytest.mark.parametrize("name", RANDOM)
    def test_a_seed_is_dropped_without_shuffling(self, table, folds, name):
        splitters = (make_splitter(name, n_splits=3, n_clusters=2, shuffle=False, random_state=seed) for seed in (0, 1))
        assert len({str(folds(splitter, *table)) for splitter in splitters}) == 1

    def test_centres_are_found_in_the_columns_declared(self, table, folds):
        X = table[0].round()
        splitter = make_splitter("1C-CV", n_splits=3, categorical=[0])
        assert folds(splitter, X) == folds(OneCenterKFold(3, categorical=[0]), X) != folds(OneCenterKFold(3), X)


@pytest.mark.parametrize("name", ["KCBCV", "ACBCV", "SpectralBCV", "SCBCV", "DBSCV", "DOB-SCV"])
def test_repetitions_differ_also_where_the_clustering_has_no_chance_in_it(name):
    X = np.random.RandomState(0).rand(60, 3)
    y = np.arange(60) % 2
    cv = make_splitter(name, n_splits=5, n_clusters=4, n_repeats=6, random_state=0)
    tests = [tuple(test) for _, test in cv.split(X, y)]
    assert len({frozenset(tests[start : start + 5]) for start in range(0, 30, 5)}) > 3


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_keyword_that_no_technique_knows_is_refused_by_name(name):
    with pytest.raises(TypeError, match=f"^{name} takes no keyword 'n_cluster': did you mean n_clusters"):
        make_splitter(name, n_splits=3, n_cluster=4)


def test_keywords_that_a_technique_does_not_use_change_nothing():
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    for name, technique in TECHNIQUES.items():
        common = {"n_clusters": 3, "eps": 0.4, "min_samples": 3, "categorical": [0], "strata": y, "n_bins": 2}
        common |= {"balance": 0.5, "scale": 2.0}
        given = {key: value for key, value in common.items() if key not in technique.uses}
        plain = make_splitter(name, n_splits=4, random_state=0)
        assert repr(make_splitter(name, n_splits=4, random_state=0, **given)) == repr(plain)
        assert len(list(plain.split(X, y))) == 4


def test_a_splitter_can_be_given_to_stacking_and_used_afterwards(own_case, table):
    """Stacking puts a generator into the splitter, also where nothing is shuffled."""
    X, y = table
    splitter = own_case.make(3)
    before = splitter.fold_of_each_row(X, y)
    StackingClassifier([("bayes", MODEL)], cv=splitter).fit(X, y)
    assert (splitter.fold_of_each_row(X, y) == before).all()
