"""CompleteKFoldSearchCV: Algorithm 1 of the paper, done faster, as a scikit-learn classifier."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import DBSCAN
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RandomizedSearchCV, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from cvstrat import CompleteKFoldSearchCV, clopper_pearson_upper
from cvstrat.complete import GaussianSVM, Selection
from cvstrat.complete import _search as _complete_search

X, y = load_breast_cancer(return_X_y=True)
X = ((X - X.mean(axis=0)) / X.std(axis=0))[:200]
y = y[:200]
GRID = {"C": [0.1, 1, 10], "gamma": [0.01, 0.1]}
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 3]}
FEW = {"ks": (3, 5), "n_draws": 6, "random_state": 0}


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Models this small are fitted fastest by one thread."""
    with threadpool_limits(1):
        yield


@parametrize_with_checks(
    [
        CompleteKFoldSearchCV(SVC(), {"C": [1.0, 10.0], "gamma": [0.1]}, ks=(3, 4), n_draws=5),
        CompleteKFoldSearchCV(TREE, DEPTHS, ks=(3,), n_draws=3, predict_mode="vote"),
    ]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_checks(estimator, check):
    check(estimator)


class TestAlgorithm1:
    """The procedure of the paper, written down as it stands there, makes the same choices."""

    @staticmethod
    def clopper(errors, n, delta):
        low, high = 0.0, 1.0
        while high - low > 1e-14:
            p = (low + high) / 2
            tail = sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(errors + 1))
            low, high = (p, high) if tail >= delta else (low, p)
        return low

    @classmethod
    def literal(cls, X, y, costs, gammas, ks, splits, delta):
        """Return L*_EE, the set of models, and (C*, gamma*, k*); `splits` stands for the random split."""
        least, best = math.inf, None
        for C in costs:
            for gamma in gammas:
                for k in ks:
                    L_MS = L_EE = 0.0
                    models = []
                    for training, selection, estimation in splits[k]:
                        f_TR = SVC(C=C, gamma=gamma).fit(X[training], y[training])
                        wrong = sum(f_TR.predict(X[selection]) != y[selection])
                        L_MS += cls.clopper(wrong, len(selection), delta)
                        both = np.concatenate([training, selection])
                        f_MS = SVC(C=C, gamma=gamma).fit(X[both], y[both])
                        wrong = sum(f_MS.predict(X[estimation]) != y[estimation])
                        L_EE += cls.clopper(wrong, len(estimation), delta)
                        models.append(f_MS)
                    if L_MS < least:  # noqa: SIM300
                        least, best = L_MS, (L_EE / len(splits[k]), models, (C, gamma, k))
        return best

    @pytest.mark.parametrize("seed", [0, 1])
    @pytest.mark.parametrize("delta", [0.05, 0.3])
    def test_gives_the_same_bound_the_same_models_and_the_same_triple(self, seed, delta):
        costs, gammas, ks = [0.1, 1.0, 10.0], [0.001, 0.03], (3, 4, 6)
        search = CompleteKFoldSearchCV(
            SVC(), {"C": costs, "gamma": gammas}, ks=ks, n_draws=7, delta=delta, random_state=seed
        ).fit(X, y)
        splits = {k: search._draws(k, X, y) for k in ks}
        bound, models, triple = self.literal(X, y, costs, gammas, ks, splits, delta)
        assert (search.best_params_["C"], search.best_params_["gamma"], search.best_k_) == triple
        assert search.error_bound_ == pytest.approx(bound, abs=1e-9)
        for ours, theirs in zip(search.models_, models, strict=True):
            assert ours.support_.tolist() == theirs.support_.tolist()
            assert ours.predict(X).tolist() == theirs.predict(X).tolist()

    def test_the_fast_learner_is_used_and_changes_nothing(self, monkeypatch):
        used = []
        of = GaussianSVM.of.__func__
        monkeypatch.setattr(GaussianSVM, "of", classmethod(lambda *given: used.append(1) or of(*given)))
        fast = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, y)
        assert used
        plain = CompleteKFoldSearchCV(make_pipeline(SVC()), {f"svc__{key}": GRID[key] for key in GRID}, **FEW).fit(X, y)
        frame = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(pd.DataFrame(X), y)
        assert len(used) == 1
        for other in (plain, frame):
            for name in ("mean_selection_bound", "std_selection_bound", "mean_selection_error", "k"):
                assert other.cv_results_[name].tolist() == fast.cv_results_[name].tolist()
            assert (other.best_k_, other.error_bound_) == (fast.best_k_, fast.error_bound_)


class TestResults:
    """What a search tells."""

    def test_a_row_for_every_candidate_and_number_of_folds(self):
        search = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, y)
        results = pd.DataFrame(search.cv_results_)
        assert len(results) == 12
        assert set(zip(results["param_C"], results["param_gamma"], results["k"], strict=True)) == {
            (C, gamma, k) for C in GRID["C"] for gamma in GRID["gamma"] for k in (3, 5)
        }
        best = results.loc[search.best_index_]
        assert best["mean_selection_bound"] == results["mean_selection_bound"].min()
        assert best["rank_selection_bound"] == 1
        assert best["params"] == search.best_params_
        assert best["k"] == search.best_k_
        assert (results["n_draws"] == 6).all()
        assert (results["mean_selection_bound"] > results["mean_selection_error"]).all()
        assert search.error_bounds_ == {search.best_k_: search.error_bound_}
        assert search.n_redrawn_ == {3: 0, 5: 0}
        assert search.classes_.tolist() == [0, 1]
        assert search.n_features_in_ == 30

    def test_the_standard_error_is_that_of_the_mean_over_draws(self):
        search = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, y)
        draws = search._draws(search.best_k_, X, y)
        size = len(draws[0].estimation)
        wrong = [
            np.sum(model.predict(X[one.estimation]) != y[one.estimation])
            for model, one in zip(search.models_, draws, strict=True)
        ]
        bounds = stats.beta.ppf(0.95, np.add(wrong, 1), np.subtract(size, wrong))
        assert search.error_bound_ == pytest.approx(bounds.mean())
        assert search.error_bound_se_ == pytest.approx(stats.sem(bounds))
        alone = CompleteKFoldSearchCV(SVC(), GRID, ks=(3,), n_draws=1, random_state=0).fit(X, y)
        assert len(alone.models_) == 1
        assert math.isnan(alone.error_bound_se_)

    def test_grids_of_several_kinds_are_masked_where_a_key_does_not_apply(self):
        grid = [{"C": [1.0], "gamma": [0.1]}, {"C": [1.0], "kernel": ["linear"]}]
        search = CompleteKFoldSearchCV(SVC(), grid, **FEW).fit(X, y)
        assert search.cv_results_["param_kernel"].mask.tolist() == [True, True, False, False]
        assert search.cv_results_["param_gamma"].mask.tolist() == [False, False, True, True]

    def test_other_numbers_of_folds_do_not_change_the_draws_of_one(self):
        def results(ks):
            search = CompleteKFoldSearchCV(SVC(), GRID, ks=ks, n_draws=6, random_state=0).fit(X, y)
            return pd.DataFrame(search.cv_results_).set_index(["param_C", "param_gamma", "k"])["mean_selection_bound"]

        wide, turned, one = results([3, 5, 10]), results(np.array([10, 5, 3])), results((5,))
        assert turned.reindex(wide.index).tolist() == wide.tolist()
        assert wide.xs(5, level="k").tolist() == one.tolist()
        assert results([5, 5]).tolist() == one.tolist()

    def test_with_one_number_of_folds_it_is_fixed(self):
        search = CompleteKFoldSearchCV(SVC(), GRID, ks=(7,), n_draws=5, random_state=0).fit(X, y)
        assert search.best_k_ == 7
        assert len(search.models_) == 5

    def test_every_k_is_bounded_on_request(self):
        plain = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, y)
        search = CompleteKFoldSearchCV(SVC(), GRID, estimate_all=True, **FEW).fit(X, y)
        assert set(search.error_bounds_) == {3, 5}
        assert search.error_bounds_[search.best_k_] == search.error_bound_ == plain.error_bound_
        for k in (3, 5):
            alone = CompleteKFoldSearchCV(SVC(), GRID, **FEW | {"ks": (k,)}).fit(X, y)
            assert search.error_bounds_[k] == pytest.approx(alone.error_bound_)

    def test_the_number_of_jobs_changes_nothing(self):
        one, two = (
            CompleteKFoldSearchCV(SVC(), GRID, n_jobs=jobs, estimate_all=True, **FEW).fit(X, y) for jobs in (1, 2)
        )
        assert str(one.cv_results_) == str(two.cv_results_)
        assert one.error_bounds_ == two.error_bounds_
        assert one.predict(X).tolist() == two.predict(X).tolist()

    def test_the_order_of_rows_changes_nothing_that_matters(self):
        order = np.random.RandomState(0).permutation(len(y))
        model, grid = KNeighborsClassifier(), {"n_neighbors": [1, 5]}
        one, two = (CompleteKFoldSearchCV(model, grid, **FEW).fit(X[rows], y[rows]) for rows in (np.arange(200), order))
        assert one.cv_results_["mean_selection_bound"].tolist() == two.cv_results_["mean_selection_bound"].tolist()
        assert one.error_bound_ == two.error_bound_

    def test_progress_is_shown_on_request(self, capsys):
        CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, y)
        assert capsys.readouterr() == ("", "")
        CompleteKFoldSearchCV(SVC(), GRID, verbose=1, n_screening=2, **FEW).fit(X, y)
        out, err = capsys.readouterr()
        assert err == ""
        assert "selection: 4 of 4, k=" in out
        assert "selection, finalists: 1 of" in out

    @pytest.mark.parametrize("seed", range(6))
    def test_the_best_candidate_is_ranked_first_where_others_were_screened_out(self, seed):
        grid = {"n_neighbors": list(range(1, 40, 2))}
        options = {"ks": (3, 5), "n_draws": 8, "n_screening": 2, "random_state": seed}
        search = CompleteKFoldSearchCV(KNeighborsClassifier(), grid, **options).fit(X[:120], y[:120])
        rank, n_draws = search.cv_results_["rank_selection_bound"], search.cv_results_["n_draws"]
        assert rank[search.best_index_] == 1
        assert rank[n_draws == 8].max() < rank[n_draws == 2].min()

    @pytest.mark.parametrize("stratify", [True, "SCBCV", StratifiedKFold()], ids=str)
    def test_draws_of_another_kind(self, stratify):
        search = CompleteKFoldSearchCV(SVC(), {"C": [1.0], "gamma": [0.03]}, stratify=stratify, **FEW).fit(X, y)
        shares = [y[one.estimation].mean() for one in search._draws(3, X, y)]
        assert np.ptp(shares) < 0.05
        assert 0 < search.error_bound_ < 0.25

    def test_draws_made_again_are_reported(self):
        rare = (np.arange(200) < 2).astype(int)
        search = CompleteKFoldSearchCV(SVC(), {"C": [1.0], "gamma": [0.1]}, ks=(3,), n_draws=60, random_state=0)
        assert search.fit(X, rare).n_redrawn_[3] > 0


class Counting(ClassifierMixin, BaseEstimator):
    """Predicts the commoner class; notes the size of each training part."""

    fits: list[int] = []  # noqa: RUF012

    def __init__(self, setting=0):
        self.setting = setting

    def fit(self, X, y):
        Counting.fits.append(len(y))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.common_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.common_)


class TestCost:
    """How many models are fitted: estimation fits only for what is reported."""

    def sizes(self, **options):
        Counting.fits.clear()
        search = CompleteKFoldSearchCV(Counting(), {"setting": range(5)}, ks=(4, 10), n_draws=8, random_state=0)
        self.search = search.set_params(**options).fit(X, y)
        return {size: Counting.fits.count(size) for size in set(Counting.fits)}

    def test_all_candidates_select_and_one_estimates(self):
        best = {4: 150, 10: 180}
        found = self.sizes()
        assert found == {100: 40, 160: 40, best[self.search.best_k_]: 8}

    def test_all_numbers_of_folds_estimate_on_request(self):
        assert self.sizes(estimate_all=True) == {100: 40, 160: 40, 150: 8, 180: 8}

    def test_screening_leaves_three_candidates(self):
        found = self.sizes(n_screening=2)
        assert found[100] == found[160] == 5 * 2 + 3 * 6
        n_draws = self.search.cv_results_["n_draws"].reshape(5, 2)
        assert (n_draws == 8).sum(axis=0).tolist() == [3, 3]
        assert (n_draws == 2).sum(axis=0).tolist() == [2, 2]
        assert self.sizes(n_screening=99) == self.sizes()

    def test_predicting_fits_nothing(self):
        self.sizes()
        Counting.fits.clear()
        self.search.predict(X)
        assert not Counting.fits


def test_screening_keeps_the_best_and_compares_them_on_all_draws():
    options = {"ks": (3, 5), "n_draws": 20, "random_state": 0}
    grid = {"C": [0.01, 0.1, 1, 10, 100], "gamma": [0.001, 0.01, 1.0]}
    screened = CompleteKFoldSearchCV(SVC(), grid, n_screening=5, **options).fit(X, y)
    full = CompleteKFoldSearchCV(SVC(), grid, **options).fit(X, y)
    first = CompleteKFoldSearchCV(SVC(), grid, **options | {"n_draws": 5}).fit(X, y)
    tried = screened.cv_results_["n_draws"] == 20
    bounds = screened.cv_results_["mean_selection_bound"]
    assert bounds[tried].tolist() == full.cv_results_["mean_selection_bound"][tried].tolist()
    assert bounds[~tried] == pytest.approx(first.cv_results_["mean_selection_bound"][~tried])
    assert tried[screened.best_index_]
    assert bounds[tried].min() == bounds[screened.best_index_]
    for k in (3, 5):
        of_k = screened.cv_results_["k"] == k
        beginnings = first.cv_results_["mean_selection_bound"]
        assert beginnings[of_k & tried].max() <= beginnings[of_k & ~tried].min()


def test_a_candidate_that_was_lucky_in_screening_only_is_not_chosen():
    bounds = np.array([[0.1, 0.3], [0.2, 0.2], [0.2, 0.5]])
    n_draws = np.array([[5, 20], [20, 20], [20, 5]])
    selection = Selection([3, 5], {}, bounds, bounds, bounds, n_draws)
    assert selection.best() == (1, 3)  # the first of equals, in the order of Algorithm 1
    assert selection.best(3) == (1, 3)
    assert selection.best(5) == (1, 5)


@pytest.fixture(scope="module")
def search():
    return CompleteKFoldSearchCV(TREE, {"max_depth": [2]}, ks=(3,), n_draws=10, random_state=0).fit(X, y)


class TestPredict:
    """A model is drawn for each row, or all vote."""

    rows = np.random.RandomState(1).randn(4000, 30)

    def drawn(self, search, rows, monkeypatch):
        """Return the number of the model that predicts each row."""
        models = [_Always(number) for number in range(len(search.models_))]
        with monkeypatch.context() as patch:
            patch.setattr(search, "models_", models)
            return search.predict(rows)

    def test_every_model_is_used_about_equally(self, search, monkeypatch):
        counts = np.bincount(self.drawn(search, self.rows, monkeypatch), minlength=10)
        assert stats.chisquare(counts).pvalue > 0.001

    def test_each_row_has_the_prediction_of_its_model(self, search, monkeypatch):
        drawn = self.drawn(search, self.rows, monkeypatch)
        every = np.array([model.predict(self.rows) for model in search.models_])
        assert search.predict(self.rows).tolist() == every[drawn, np.arange(4000)].tolist()
        truth = self.rows[:, 0] < 0
        error, errors = np.mean(search.predict(self.rows) != truth), np.mean(every != truth)
        assert error == pytest.approx(errors, abs=0.03)

    def test_the_draw_depends_on_the_row_alone(self, search, monkeypatch):
        drawn = self.drawn(search, self.rows, monkeypatch)
        order = np.random.RandomState(0).permutation(4000)
        assert self.drawn(search, self.rows[order], monkeypatch).tolist() == drawn[order].tolist()
        assert self.drawn(search, self.rows[10:15], monkeypatch).tolist() == drawn[10:15].tolist()
        assert self.drawn(search, pd.DataFrame(self.rows), monkeypatch).tolist() == drawn.tolist()
        assert self.drawn(search, sparse.csr_array(self.rows), monkeypatch).tolist() == drawn.tolist()

    def test_a_seed_repeats_and_another_draws_otherwise(self, search, monkeypatch):
        drawn = self.drawn(search, self.rows, monkeypatch)
        again, other = (clone(search).set_params(random_state=seed).fit(X, y) for seed in (0, 1))
        assert self.drawn(again, self.rows, monkeypatch).tolist() == drawn.tolist()
        assert np.mean(self.drawn(other, self.rows, monkeypatch) == drawn) == pytest.approx(0.1, abs=0.03)

    def test_the_majority_votes(self, search):
        votes = np.mean([model.predict(self.rows) for model in search.models_], axis=0)
        voting = clone(search).set_params(predict_mode="vote").fit(X, y)
        assert voting.predict(self.rows).tolist() == (votes > 0.5).astype(int).tolist()
        assert voting.error_bound_ == search.error_bound_
        assert voting.score(X, y) >= search.score(X, y)

    def test_the_mode_may_change_after_fitting(self, search):
        other = clone(search).fit(X, y).set_params(predict_mode="vote")
        assert other.predict(X).tolist() == clone(search).set_params(predict_mode="vote").fit(X, y).predict(X).tolist()
        with pytest.raises(ValueError, match="predict_mode must be 'draw' or 'vote'; it is 'mean'"):
            other.set_params(predict_mode="mean").predict(X)

    @pytest.mark.parametrize("mode", ["draw", "vote"])
    def test_bad_rows(self, search, mode):
        search = clone(search).fit(X, y).set_params(predict_mode=mode)
        with pytest.raises(ValueError, match="0 sample"):
            search.predict(X[:0])
        with pytest.raises(ValueError, match="7 features"):
            search.predict(X[:, :7])

    def test_before_fitting(self):
        search = CompleteKFoldSearchCV(TREE, DEPTHS)
        with pytest.raises(NotFittedError, match="not fitted yet"):
            search.predict(X)
        assert not hasattr(search, "n_features_in_")


class _Always:
    """Predicts its own number."""

    def __init__(self, number):
        self.number = number

    def predict(self, X):
        return np.full(X.shape[0], self.number)


def one_class_of_errors(y_true, y_pred):
    """What matters is class 1 that is not seen."""
    return (y_true == 1) & (y_pred != 1)


class TestKin:
    """What searches of scikit-learn take and tell."""

    weights = np.random.RandomState(0).rand(200) ** 4

    @pytest.mark.parametrize(
        ("estimator", "grid"),
        [(TREE, DEPTHS), (SVC(), GRID), (make_pipeline(TREE), {"decisiontreeclassifier__max_depth": [3]})],
    )
    def test_weights_reach_every_fit(self, estimator, grid):
        name = "decisiontreeclassifier__sample_weight" if hasattr(estimator, "steps") else "sample_weight"
        search = CompleteKFoldSearchCV(estimator, grid, **FEW).fit(X, y, **{name: self.weights})

        def errors(setting, train, test):
            model = clone(estimator).set_params(**setting).fit(X[train], y[train], **{name: self.weights[train]})
            return np.sum(model.predict(X[test]) != y[test])

        draws = {k: search._draws(k, X, y) for k in (3, 5)}
        for row, (k, setting) in enumerate(zip(search.cv_results_["k"], search.cv_results_["params"], strict=True)):
            wrong = [errors(setting, one.training, one.selection) for one in draws[k]]
            assert search.cv_results_["mean_selection_error"][row] == pytest.approx(np.mean(wrong) / (200 // k))
        wrong = [errors(search.best_params_, one.both, one.estimation) for one in draws[search.best_k_]]
        assert search.error_bound_ == pytest.approx(clopper_pearson_upper(wrong, 200 // search.best_k_).mean())
        plain = CompleteKFoldSearchCV(estimator, grid, **FEW).fit(X, y)
        assert search.cv_results_["mean_selection_error"].tolist() != plain.cv_results_["mean_selection_error"].tolist()

    def test_weights_are_routed_to_those_that_ask(self):
        search = CompleteKFoldSearchCV(TREE, DEPTHS, **FEW)
        wanted = clone(search).fit(X, y, sample_weight=self.weights).error_bound_
        with config_context(enable_metadata_routing=True):
            search.set_params(estimator=clone(TREE).set_fit_request(sample_weight=True))
            assert search.fit(X, y, sample_weight=self.weights).error_bound_ == wanted
            with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
                search.set_params(estimator=clone(TREE)).fit(X, y, sample_weight=self.weights)

    def test_weights_of_one_class_only_are_refused(self):
        with pytest.raises(ValueError, match="sample_weight is above 0 in one class only"):
            CompleteKFoldSearchCV(TREE, DEPTHS, **FEW).fit(X, y, sample_weight=y)

    def test_probabilities_are_means_over_the_models_and_a_class_not_seen_has_none(self):
        target = np.where(np.arange(200) < 1, "rare", np.where(y == 1, "benign", "malignant"))
        search = CompleteKFoldSearchCV(GaussianNB(), {"var_smoothing": [1e-2]}, ks=(3,), n_draws=12, random_state=0)
        search.fit(X, target)
        assert {len(model.classes_) for model in search.models_} == {2, 3}
        found = search.predict_proba(X[:20])
        for row, rows in enumerate(X[:20]):
            total = dict.fromkeys(search.classes_, 0.0)
            for model in search.models_:
                for label, share in zip(model.classes_, model.predict_proba([rows])[0], strict=True):
                    total[label] += share / 12
            assert found[row] == pytest.approx([total[label] for label in ("benign", "malignant", "rare")])
        assert found.sum(axis=1) == pytest.approx(np.ones(20))

    def test_probabilities_are_there_if_the_classifier_has_them(self):
        assert not hasattr(CompleteKFoldSearchCV(SVC(), GRID), "predict_proba")
        assert hasattr(CompleteKFoldSearchCV(TREE, DEPTHS), "predict_proba")
        with pytest.raises(NotFittedError):
            CompleteKFoldSearchCV(TREE, DEPTHS).predict_proba(X)

    def test_the_best_score_is_the_mean_accuracy_on_the_selection_parts(self):
        search = CompleteKFoldSearchCV(TREE, DEPTHS, **FEW).fit(X, y)
        model = clone(TREE).set_params(**search.best_params_)
        accuracies = [
            model.fit(X[one.training], y[one.training]).score(X[one.selection], y[one.selection])
            for one in search._draws(search.best_k_, X, y)
        ]
        assert search.best_score_ == pytest.approx(np.mean(accuracies))
        assert isinstance(search.best_score_, float)

    def test_names_of_columns_are_kept_if_there_are_any(self, search):
        assert not hasattr(search, "feature_names_in_")
        names = [f"column {number}" for number in range(30)]
        frame = clone(search).fit(pd.DataFrame(X, columns=names), y)
        assert frame.feature_names_in_.tolist() == names

    @pytest.mark.parametrize("named", [False, True])
    def test_a_loss_of_ones_own_is_what_counts(self, named):
        target = np.where(y == 1, "benign", "malignant") if named else y
        loss = (lambda true, guess: (true == "benign") & (guess != "benign")) if named else one_class_of_errors
        options = FEW | {"loss": loss}
        fast = CompleteKFoldSearchCV(SVC(), GRID, **options).fit(X, target)
        draws = fast._draws(fast.best_k_, X, target)
        wrong = [
            loss(target[one.estimation], model.predict(X[one.estimation])).sum()
            for model, one in zip(fast.models_, draws, strict=True)
        ]
        assert fast.error_bound_ == pytest.approx(clopper_pearson_upper(wrong, len(draws[0].estimation)).mean())
        assert fast.score(X, target) == pytest.approx(1 - loss(target, fast.predict(X)).mean())
        same = CompleteKFoldSearchCV(SVC(), GRID, loss=np.not_equal, **FEW).fit(X, target)
        plain = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, target)
        assert str(same.cv_results_) == str(plain.cv_results_) != str(fast.cv_results_)
        assert same.score(X, target) == plain.score(X, target)

    @pytest.mark.parametrize("loss", [lambda true, guess: np.full(len(true), 0.5), lambda true, guess: 1])
    def test_a_loss_must_be_0_or_1_for_each_row(self, loss):
        with pytest.raises(ValueError, match="loss must return 0 or 1 for each of 66 rows; it returned"):
            CompleteKFoldSearchCV(TREE, DEPTHS, loss=loss, **FEW).fit(X, y)

    def test_random_search_draws_the_candidates_of_scikit_learns(self):
        space = {"max_depth": stats.randint(1, 9), "ccp_alpha": stats.loguniform(1e-4, 1e-1)}
        ours = CompleteKFoldSearchCV(TREE, space, n_iter=4, ks=(3,), n_draws=3, random_state=1).fit(X, y).cv_results_
        theirs = RandomizedSearchCV(TREE, space, n_iter=4, cv=3, random_state=1).fit(X, y).cv_results_
        assert ours["params"] == theirs["params"]
        for name in ("param_max_depth", "param_ccp_alpha"):
            assert ours[name].dtype == theirs[name].dtype

    def test_class_weights_name_the_labels_of_the_data(self):
        named = np.where(y == 1, "benign", "malignant")
        weighted = clone(TREE).set_params(class_weight={"benign": 1, "malignant": 9})
        assert CompleteKFoldSearchCV(weighted, DEPTHS, **FEW).fit(X, named).best_score_ > 0.8


class TestData:
    """Any classifier, any number of classes, any kind of table."""

    @pytest.mark.parametrize("loader", [load_iris, load_wine])
    @pytest.mark.parametrize("mode", ["draw", "vote"])
    def test_more_than_two_classes(self, loader, mode):
        data, target = loader(return_X_y=True)
        names = np.array(["low", "middle one", "high"])[target]
        model = make_pipeline(StandardScaler(), LogisticRegression())
        grid = {"logisticregression__C": [10]}
        search = CompleteKFoldSearchCV(model, grid, predict_mode=mode, **FEW).fit(data, names)
        assert search.classes_.tolist() == ["high", "low", "middle one"]
        assert search.score(data, names) > 0.9
        assert 1 - search.score(data, names) < search.error_bound_ < 0.25
        numbers = CompleteKFoldSearchCV(model, grid, predict_mode=mode, **FEW).fit(data, target)
        assert (
            search.cv_results_["mean_selection_error"].tolist() == numbers.cv_results_["mean_selection_error"].tolist()
        )

    def test_more_than_two_classes_of_an_svm(self):
        data, target = load_iris(return_X_y=True)
        search = CompleteKFoldSearchCV(SVC(), {"C": [1, 10], "gamma": [0.1]}, **FEW).fit(data, target)
        assert search.score(data, target) > 0.9

    def test_string_labels_of_an_svm(self):
        named = np.where(y == 1, "benign", "malignant")
        search = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, named)
        assert set(search.predict(X)) == {"benign", "malignant"}
        numbers = CompleteKFoldSearchCV(SVC(), GRID, **FEW).fit(X, 1 - y)
        assert (search.best_k_, search.error_bound_) == (numbers.best_k_, numbers.error_bound_)
        assert search.predict(X).tolist() == np.array(["benign", "malignant"])[numbers.predict(X)].tolist()

    def test_frames_with_text_and_missing_values(self):
        data, target = load_iris(return_X_y=True, as_frame=True)
        colours = pd.Series(np.array(["red", "blue", None, "green"], dtype=object)[np.arange(150) % 4])
        frame = data.mask(data == data.iloc[0, 0]).assign(colour=colours)
        frame.index = frame.index[::-1]
        encode = make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), ["colour"]), remainder=SimpleImputer(strategy="mean")
        )
        model = make_pipeline(encode, GaussianNB())
        search = CompleteKFoldSearchCV(model, {"gaussiannb__var_smoothing": [1e-9, 1e-2]}, **FEW)
        search.fit(frame, target)
        predicted = search.predict(frame)
        assert np.mean(predicted == target.to_numpy()) > 0.8
        assert search.predict(frame.iloc[20:40]).tolist() == predicted[20:40].tolist()

    def test_documents(self):
        words = np.array(["apple pear fig", "stone sand clay", "fig apple", "clay stone"])
        documents = [f"{words[number % 4]} {number}" for number in range(60)]
        target = np.arange(60) % 2
        model = make_pipeline(CountVectorizer(), MultinomialNB())
        search = CompleteKFoldSearchCV(model, {"multinomialnb__alpha": [0.1, 1]}, **FEW).fit(documents, target)
        assert search.score(documents, target) == 1.0

    def test_sparse_rows(self):
        rows = np.where(X > 0.5, X, 0)
        dense, thin = (
            CompleteKFoldSearchCV(LogisticRegression(), {"C": [0.1, 1]}, **FEW).fit(form, y)
            for form in (rows, sparse.coo_array(rows))
        )
        assert thin.cv_results_["mean_selection_error"] == pytest.approx(dense.cv_results_["mean_selection_error"])
        assert thin.predict(sparse.csr_array(rows)).tolist() == dense.predict(rows).tolist()

    def test_inside_other_tools(self):
        search = CompleteKFoldSearchCV(SVC(), {"C": [1.0], "gamma": [0.03]}, **FEW)
        assert cross_val_score(search, X, y, cv=3).mean() > 0.85
        assert make_pipeline(StandardScaler(), clone(search)).fit(X, y).score(X, y) > 0.85


class TestBadInput:
    """Each mistake is named, with the value and what to do."""

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"delta": 0}, "delta must lie between 0 and 1, such as 0.05; it is 0"),
            ({"delta": 1.5}, "it is 1.5"),
            ({"param_grid": []}, "param_grid is empty"),
            ({"param_grid": {"C": []}}, "C"),
            ({"ks": ()}, "ks is empty: give numbers of folds"),
            ({"ks": 5}, "ks must be a sequence of numbers of folds.*it is 5"),
            ({"ks": "35"}, "ks must be a sequence.*'35'"),
            ({"ks": (3, 2)}, "k must be an integer of at least 3; it is 2"),
            ({"ks": (3.5,)}, "3.5 is a float"),
            ({"ks": (3, 101)}, "k=101 is too large for n_samples=200: above 100"),
            ({"n_iter": 0}, "n_iter must be an integer of at least 1"),
            ({"bound": "true"}, "bound must be 'mean' or 'proven'; it is 'true'"),
            ({"bound": "proven", "stratify": True}, "bound='proven' needs rows that are drawn at random"),
            ({"n_draws": 0}, "n_draws must be an integer of at least 1"),
            ({"n_screening": 0}, "n_screening must be an integer of at least 1"),
            ({"predict_mode": "mean"}, "predict_mode must be 'draw' or 'vote'; it is 'mean'"),
            ({"stratify": "SCBV"}, "did you mean SCBCV"),
            ({"param_grid": {"C": [-1.0], "gamma": [0.1]}}, "'C' parameter of SVC"),
            ({"param_grid": {"C": [1.0, 10.0], "gamma": [0.1, -0.1]}}, "'gamma' parameter of SVC"),
            ({"param_grid": {"cost": [1.0]}}, "Invalid parameter 'cost'"),
        ],
    )
    def test_settings(self, options, message):
        search = CompleteKFoldSearchCV(SVC(), GRID, ks=(3,), n_draws=3, random_state=0).set_params(**options)
        with pytest.raises(ValueError, match=message):
            search.fit(X, y)

    @pytest.mark.parametrize(
        ("estimator", "missing"), [(DBSCAN(), "predict"), (StandardScaler(), "predict"), (3, "fit")]
    )
    def test_no_classifier(self, estimator, missing):
        with pytest.raises(
            TypeError, match=f"estimator must be a classifier with fit and predict; .* has no {missing}"
        ):
            CompleteKFoldSearchCV(estimator, {"C": [1]}).fit(X, y)

    @pytest.mark.parametrize(
        ("rows", "target", "message"),
        [
            (X, np.ones(200), "y holds one class only, .*1.0.*: a classifier needs at least two classes"),
            (X, np.linspace(0, 1, 200), "continuous"),
            (X, None, "requires y"),
            (X, y[:-1], "inconsistent numbers"),
            (X[:5], y[-5:], "k=3 is too large for n_samples=5"),
            (np.where(X > 2, np.nan, X), y, "NaN"),
        ],
        ids=["one class", "numbers", "none", "lengths", "few", "missing"],
    )
    def test_data(self, rows, target, message):
        with pytest.raises(ValueError, match=message):
            CompleteKFoldSearchCV(SVC(), GRID, ks=(3,), n_draws=3).fit(rows, target)

    def test_nothing_is_fitted_before_all_is_checked(self, monkeypatch):
        monkeypatch.setattr(_complete_search, "select", lambda *given, **options: pytest.fail("began to work"))
        for options in ({"delta": 2}, {"ks": (3, 101)}, {"predict_mode": "mean"}, {"param_grid": []}):
            with pytest.raises(ValueError):
                CompleteKFoldSearchCV(SVC(), GRID).set_params(**options).fit(X, y)


def test_targets_and_predictions_of_one_column_are_scored_row_by_row():
    class Column(KNeighborsClassifier):
        """Predicts a column, as some classifiers for several classes do."""

        def predict(self, X):
            return super().predict(X)[:, None]

    grid = {"n_neighbors": [1, 5]}
    search = CompleteKFoldSearchCV(KNeighborsClassifier(), grid, **FEW).fit(X, y)
    assert search.score(X, y[:, None]) == search.score(X, pd.DataFrame({"y": y})) == search.score(X, y)
    columns = CompleteKFoldSearchCV(Column(), grid, **FEW).fit(X, y)
    assert columns.error_bounds_ == search.error_bounds_
    assert (columns.predict(X) == search.predict(X)).all()
    columns.predict_mode = search.predict_mode = "vote"
    assert (columns.predict(X) == search.predict(X)).all()
