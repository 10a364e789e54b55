"""The proven bound: every step of its proof, every data set of a small world, and a choice among many candidates."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from sklearn.base import BaseEstimator, ClassifierMixin

from cvstrat import CompleteKFold, CompleteKFoldSearchCV, clopper_pearson_upper
from cvstrat.complete import mean_bound, mean_risk_upper
from cvstrat.complete._proven import log_mixture, share_of_cuts_kept

RATES = st.floats(0, 1)
TILTS = st.floats(0.01, 8)


def tilted(q, p, tilt):
    """D of the proof, as it stands there."""
    return -math.log(1 - p * (1 - math.exp(-tilt))) - tilt * q


def literal_mixture(q, p, n, delta):
    tilts = np.geomspace(min(math.sqrt(8 * math.log(1 / delta) / n), 3), 6, 10)
    return math.fsum(math.exp(n * tilted(q, p, tilt)) for tilt in tilts) / 10


def literal_bound(q, n, delta, kept=1.0):
    """The first risk, on a fine grid, at which the mixture has reached its limit."""
    risks = np.linspace(q, 1, 4001)
    return next((p for p in risks if kept * literal_mixture(q, p, n, delta) >= 1 / delta), 1.0)


class TestProof:
    """One step at a time."""

    @given(st.integers(1, 60), RATES, TILTS)
    def test_for_one_model_the_expectation_is_1(self, n, risk, tilt):
        errors = range(n + 1)
        values = [math.exp(n * tilted(wrong / n, risk, tilt)) for wrong in errors]
        chances = [math.comb(n, wrong) * risk**wrong * (1 - risk) ** (n - wrong) for wrong in errors]
        assert np.dot(chances, values) == pytest.approx(1, rel=1e-8)

    @given(st.lists(st.tuples(RATES, RATES), min_size=1, max_size=9), TILTS)
    def test_of_means_it_is_at_most_the_mean(self, pairs, tilt):
        q, p = np.mean(pairs, axis=0)
        assert tilted(q, min(p, 1), tilt) <= np.mean([tilted(*pair, tilt) for pair in pairs]) + 1e-9

    @given(RATES, st.tuples(RATES, RATES), st.integers(1, 60), st.sampled_from([0.3, 0.05, 1e-4]))
    def test_the_mixture_is_the_mean_over_tilts_and_grows_with_the_risk(self, q, risks, n, delta):
        low, high = log_mixture(np.full(2, q), np.sort(risks), n, delta)
        assert low <= high
        assert math.exp(low) == pytest.approx(literal_mixture(q, min(risks), n, delta), rel=1e-9)

    @pytest.mark.parametrize(
        ("q", "n", "delta", "kept"), [(0, 2, 0.3, 1), (0.05, 30, 0.05, 1), (0.31, 100, 0.0025, 0.4)]
    )
    def test_the_bound_is_where_it_reaches_the_limit(self, q, n, delta, kept):
        assert mean_risk_upper(q, n, delta, kept=kept) == pytest.approx(literal_bound(q, n, delta, kept), abs=1 / 4000)

    @pytest.mark.parametrize("n", [1, 7, 40, 200])
    def test_of_one_model_it_is_too_low_with_a_probability_of_at_most_delta(self, n):
        errors = np.arange(n + 1)
        for delta in (0.3, 0.05):
            bounds = mean_risk_upper(errors / n, n, delta)
            for risk in np.concatenate([np.linspace(0.001, 0.999, 50), np.minimum(bounds * (1 + 1e-9), 1)]):
                assert stats.binom.pmf(errors, n, risk)[bounds < risk].sum() <= delta


class TestValues:
    """How large it is."""

    def test_figures_that_a_reader_may_know(self):
        found = [mean_risk_upper(0.1, n, 0.05 / g) for n in (100, 300) for g in (1, 20)]
        assert found == pytest.approx([0.207, 0.249, 0.158, 0.180], abs=0.0006)
        assert clopper_pearson_upper(10, 100) == pytest.approx(0.164, abs=0.0005)

    @given(st.floats(0, 0.5), st.integers(10, 2000), st.sampled_from([0.1, 0.05, 0.001]))
    def test_it_lies_between_what_one_tilt_gives_at_best_and_the_bound_of_maurer(self, q, n, delta):
        def inverse(limit):
            def excess(p):
                terms = [a * math.log(a / b) for a, b in ((q, p), (1 - q, 1 - p)) if a > 0]
                return math.fsum(terms) - limit / n

            top = 1 - 1e-15
            return optimize.brentq(excess, q, top) if q < top and excess(top) > 0 else 1.0

        found = mean_risk_upper(q, n, delta)
        assert inverse(math.log(1 / delta)) - 1e-9 <= found
        assert found <= inverse(math.log(2 * math.sqrt(n) / delta)) + 1e-9

    @settings(max_examples=20)
    @given(st.lists(RATES, min_size=1, max_size=4), st.integers(1, 500), st.floats(1e-4, 0.5))
    def test_arrays_are_scalars_one_by_one_and_more_errors_give_more(self, rates, n, delta):
        found = mean_risk_upper(sorted(rates), n, delta)
        assert found.tolist() == [mean_risk_upper(rate, n, delta) for rate in sorted(rates)]
        assert (np.diff(found) >= 0).all()
        assert ((found >= sorted(rates)) & (found <= 1)).all()
        assert mean_risk_upper(1.0, n, delta) == 1

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ((1.2, 10), "error_rate must lie between 0 and 1; it is 1.2"),
            ((math.nan, 10), "error_rate"),
            ((0.1, 0), "n must be at least 1; it is 0"),
            ((0.1, math.inf), "n must be"),
            ((0.1, math.nan), "n must be"),
            ((0.1, 10, 1.5), "delta must lie between 0 and 1"),
        ],
    )
    def test_bad_input(self, given, message):
        with pytest.raises(ValueError, match=message):
            mean_risk_upper(*given)
        with pytest.raises(ValueError, match="kept must be above 0 and at most 1; it is 0"):
            mean_risk_upper(0.1, 10, kept=0)


@pytest.mark.parametrize(("counts", "n_training"), [([3, 2], 2), ([5, 1, 2], 4), ([7, 1], 7), ([4, 4], 5), ([2, 2], 1)])
def test_the_share_of_cuts_with_two_classes_is_that_of_all_cuts(counts, n_training):
    labels = np.repeat(np.arange(len(counts)), counts)
    cuts = [len(set(labels[list(rows)])) > 1 for rows in itertools.combinations(range(len(labels)), n_training)]
    assert share_of_cuts_kept(np.array(counts), n_training) == pytest.approx(np.mean(cuts), abs=1e-12)


CELLS = list(itertools.product((0, 1), (0, 1)))  # a column of 0 and 1, and two classes
N, SIZE, N_TRAINING = 8, 2, 4


def column_rule(counts):
    """Predict, for either value, the commoner class of the rows with this value; class 0 if there is none."""
    return tuple(int(counts[2 * x + 1] > counts[2 * x]) for x in (0, 1))


def opposite_rule(counts):
    return tuple(1 - guess for guess in column_rule(counts))


def samples(counts, size):
    """Yield every way to take `size` rows of these cells, and the number of its occurrences."""
    for taken in itertools.product(*(range(count + 1) for count in counts)):
        if sum(taken) == size:
            yield np.array(taken), math.prod(map(math.comb, counts, taken))


@pytest.fixture(scope="module")
def data_sets():
    """Every data set of eight rows, and every way to cut it: no simulation.

    Rows in each cell; then, for the cuts with two classes to learn from: learned, tested, how often.
    """
    found = []
    for counts, _ in samples([N] * 4, N):
        cuts = []
        for tested, number in samples(counts, SIZE):
            rest = counts - tested
            kept = sum(
                times
                for training, times in samples(rest, N_TRAINING)
                if training[[0, 2]].sum() and training[[1, 3]].sum()
            )
            cuts.append((rest, tested, number * kept))
        if sum(number for *_, number in cuts):
            found.append((counts, cuts))
    return found


def outcomes(data_sets, chances, rule):
    """Return probability, share of cuts kept, mean error rate and mean risk: a row per data set."""
    n_cuts = math.comb(N, SIZE) * math.comb(N - SIZE, N_TRAINING)
    rows = []
    for counts, cuts in data_sets:
        kept = sum(number for *_, number in cuts)
        rate = risk = 0.0
        for learned, tested, number in cuts:
            guess = rule(learned)
            wrong = np.array([guess[x] != label for x, label in CELLS])
            rate += number / kept * (wrong @ tested) / SIZE
            risk += number / kept * (wrong @ chances)
        rows.append((stats.multinomial.pmf(counts, N, chances), kept / n_cuts, rate, risk))
    return np.array(rows)


@pytest.mark.parametrize("chances", [(0.25, 0.25, 0.25, 0.25), (0.45, 0.05, 0.3, 0.2)])
def test_the_expectation_is_at_most_1_and_the_bound_seldom_too_low_also_for_the_better_of_two(data_sets, chances):
    delta = 0.5
    worlds = [outcomes(data_sets, chances, rule) for rule in (column_rule, opposite_rule)]
    for probability, kept, rates, risks in (world.T for world in worlds):
        assert probability.sum() == pytest.approx(1 - sum(sum(chances[label::2]) ** N for label in (0, 1)))
        assert kept == pytest.approx([share_of_cuts_kept(np.add(c[:2], c[2:]), 4) for c, _ in data_sets])
        assert probability @ (kept * np.exp(log_mixture(rates, risks, SIZE, delta))) <= 1
        assert probability[mean_risk_upper(rates, SIZE, delta, kept=kept) < risks].sum() <= delta
    # The worst choice that there is: the lower error on the very parts that bound it.
    one, other = worlds
    probability, kept, rates, risks = np.where((one[:, 2] <= other[:, 2])[:, None], one, other).T
    assert probability[mean_risk_upper(rates, SIZE, delta / 2, kept=kept) < risks].sum() <= delta


def test_after_a_choice_among_many_the_mean_of_bounds_fails_and_the_proven_one_holds():
    rng = np.random.default_rng(0)
    n, g, delta, too_low = 150, 1000, 0.05, Counter()
    for _ in range(40):
        wrong = rng.integers(0, 2, (g, n)).astype(np.float32)  # candidates that guess: a risk of one half
        places = np.array([rng.permutation(n) for _ in range(30)]).T
        selection, estimation = ((wrong @ (places // 50 == part)).astype(int) for part in (0, 1))
        errors = estimation[selection.sum(axis=1).argmin()]
        too_low["mean"] += mean_bound(errors, 50, delta)[0] < 0.5
        too_low["proven"] += mean_risk_upper(errors.mean() / 50, 50, delta / g) < 0.5
    assert too_low["mean"] > 8  # of 40, where delta promises 2
    assert too_low["proven"] == 0


class Midpoint(ClassifierMixin, BaseEstimator):
    """Puts the threshold of one column midway between the classes, or on the wrong side of it."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        low, high = (X[y == label, self.column].mean() for label in self.classes_)
        self.threshold_, self.sign_ = (low + high) / 2, np.sign(high - low)
        return self

    def predict(self, X):
        return self.classes_[((X[:, self.column] - self.threshold_) * self.sign_ > 0).astype(int)]


class TestSearch:
    """The bound in its place: overlapping draws, a choice of column and number of folds, a truth that is known."""

    options = {"ks": (3, 5), "n_draws": 4, "bound": "proven"}  # noqa: RUF012
    columns = {"column": [0, 1, 2, 3]}  # noqa: RUF012

    def data(self, seed):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 60)
        X = rng.normal(size=(60, 4))
        X[:, 0] += 1.5 * y  # the others are noise
        return X, y

    def risk(self, model):
        """The true risk: two normal distributions around 0 and 1.5, or the same one twice."""
        right = stats.norm.cdf([model.threshold_, 1.5 - model.threshold_]).mean()
        return (1 - right if model.sign_ > 0 else right) if model.column == 0 else 0.5

    def test_it_is_that_of_the_mean_error_on_the_estimation_parts_for_all_choices_at_once(self):
        X, y = self.data(0)
        search = CompleteKFoldSearchCV(Midpoint(), self.columns, estimate_all=True, random_state=0, **self.options)
        search.fit(X, y)
        draws = search._draws(search.best_k_, X, y)
        size = 60 // search.best_k_
        rates = [
            np.mean(model.predict(X[one.estimation]) != y[one.estimation])
            for model, one in zip(search.models_, draws, strict=True)
        ]
        assert search.error_bound_ == pytest.approx(mean_risk_upper(np.mean(rates), size, 0.05 / 8))
        assert search.error_bounds_[search.best_k_] == search.error_bound_
        assert list(search.error_bounds_) == [3, 5]
        assert math.isnan(search.error_bound_se_)
        mean = CompleteKFoldSearchCV(Midpoint(), self.columns, random_state=0, **self.options | {"bound": "mean"})
        mean.fit(X, y)
        assert (mean.best_params_, mean.best_k_) == (search.best_params_, search.best_k_)
        assert mean.error_bound_ < search.error_bound_

    def test_draws_made_again_are_paid_for(self):
        X, y = self.data(0)
        X, y = X[:12], np.repeat([0, 1], [11, 1])
        search = CompleteKFoldSearchCV(Midpoint(), {"column": [0]}, ks=(3,), n_draws=4, bound="proven", random_state=0)
        draws = CompleteKFold(3, 200, random_state=0).draw(X, y)
        kept = share_of_cuts_kept(np.array([11, 1]), 4)
        assert kept == pytest.approx(4 / 12)
        assert 200 / (200 + draws.redrawn) == pytest.approx(kept, abs=0.08)
        search.fit(X, y)
        rates = [
            np.mean(model.predict(X[one.estimation]) != y[one.estimation])
            for model, one in zip(search.models_, search._draws(3, X, y), strict=True)
        ]
        assert search.error_bound_ == pytest.approx(mean_risk_upper(np.mean(rates), 4, kept=kept))

    def test_it_covers_the_mean_risk_of_the_models(self):
        bounds, risks = [], []
        for seed in range(20):
            X, y = self.data(seed)
            search = CompleteKFoldSearchCV(Midpoint(), self.columns, random_state=seed, **self.options).fit(X, y)
            bounds.append(search.error_bound_)
            risks.append(np.mean([self.risk(model) for model in search.models_]))
        assert np.mean(np.array(bounds) < risks) <= 0.05
        assert np.mean(risks) < 0.3 < np.mean(bounds) < 0.7
