"""The studies of complete k-fold: what is stored is what plain fits of scikit-learn's SVC give."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

from compendium import engine
from compendium.anguita2012.study._guarantee import GENERATORS, _replicates
from compendium.anguita2012.study._problems import Anguita2012Spec, _seed, chosen_candidates, realization
from compendium.datasets import load
from compendium.engine import load_result
from cvstrat import clopper_pearson_upper
from cvstrat.complete import CompleteKFold
from cvstrat.errors import CvstratError, InputError

NAME = "sklearn/breast_cancer"
AXES = ["dataset", "realization", "k"]


@pytest.fixture(scope="module")
def tables(smoke_run):
    folder = smoke_run("anguita2012")
    return {name: load_result("anguita2012", name, folder=folder) for name in ("candidates", "estimates", "kinds")}


@pytest.fixture(scope="module")
def replicates(smoke_run):
    return load_result("anguita2012-guarantee", "replicates", folder=smoke_run("anguita2012-guarantee"))


def literal(setting, parts, X, y):
    """The number of errors of each pair of training and test rows."""
    return [np.sum(SVC(**setting).fit(X[train], y[train]).predict(X[test]) != y[test]) for train, test in parts]


class TestTables:
    """The study on the problems of Rätsch, in small."""

    def test_every_candidate_has_the_bound_that_plain_fits_give(self, tables):
        X, y = realization(load(NAME), 1)[:2]
        draws = CompleteKFold(5, 6, random_state=_seed(NAME, 1, 5)).draw(X, y)
        parts = [(one.training, one.selection) for one in draws]
        size = len(y) // 5
        rows = tables["candidates"].query("k == 5")
        assert len(rows) == 4
        assert sorted(rows["draws"]) == [3, 6, 6, 6]
        for row in rows.itertuples():
            wrong = literal({"C": row.C, "gamma": row.gamma}, parts[: row.draws], X, y)
            bounds = clopper_pearson_upper(wrong, size)
            assert row.bound == pytest.approx(bounds.mean())
            assert row.std == pytest.approx(bounds.std(), rel=1e-5)
            assert row.error_rate == pytest.approx(np.mean(wrong) / size, rel=1e-5)

    @pytest.mark.parametrize("k", [3, 5])
    def test_estimates_are_those_of_plain_fits_on_the_same_draws(self, tables, k):
        X, y, X_test, y_test = realization(load(NAME), 1)
        rows = tables["estimates"].query("k == @k").set_index("errors")
        best = chosen_candidates(tables["candidates"]).query("k == @k").iloc[0]
        models, wrong = [], []
        for one in CompleteKFold(k, 6, random_state=_seed(NAME, 1, k)).draw(X, y):
            models.append(SVC(C=best["C"], gamma=best["gamma"]).fit(X[one.both], y[one.both]))
            wrong.append(np.sum(models[-1].predict(X[one.estimation]) != y[one.estimation]))
        predicted = np.array([model.predict(X_test) for model in models])
        counts = pd.Series(wrong).value_counts().sort_index()
        assert rows["draws"].to_dict() == counts.to_dict()
        assert (rows["tested"] == len(y) // k).all()
        assert (rows["C"] == best["C"]).all()
        errors = np.mean(predicted != y_test, axis=1)
        for number in counts.index:
            assert rows.loc[number, "test_error"] == pytest.approx(errors[np.equal(wrong, number)].mean())
        assert rows["vote_error"].iloc[0] == pytest.approx(np.mean((predicted.mean(axis=0) > 0.5) != y_test))

    def test_histograms_add_up_to_the_draws(self, tables):
        assert (tables["estimates"].groupby(AXES)["draws"].sum() == 6).all()
        sums = tables["kinds"].groupby([*AXES, "kind"])["draws"].sum()
        assert set(sums.index.get_level_values("kind")) == {"random", "SCV"}
        assert set(sums.index.get_level_values("k")) == {5}
        assert (sums == 4).all()

    def test_other_draws_have_the_same_hyperparameters(self, tables):
        columns = ["C", "gamma"]
        found = tables["kinds"][columns].drop_duplicates()
        assert found.to_dict("records") == chosen_candidates(tables["candidates"]).query("k == 5")[columns].to_dict(
            "records"
        )

    def test_the_chosen_candidate_is_the_best_of_those_on_all_draws(self, tables):
        best = chosen_candidates(tables["candidates"])
        assert best["k"].tolist() == [3, 5]
        assert (best["draws"] == 6).all()
        for row in best.itertuples():
            rivals = tables["candidates"].query("k == @row.k and draws == 6")
            assert row.bound == rivals["bound"].min()


class TestSpec:
    """What the paper's profile promises."""

    def test_thirteen_problems_and_ten_realizations(self):
        study = engine.find_study("anguita2012")
        spec = study.spec()
        assert len(spec.datasets) == 13
        units = list(study.tables[0].units(spec, {}))
        assert len(units) == 13 * 10 * len(spec.ks)
        assert min(spec.ks) == 3
        assert max(spec.ks) == 20
        assert {5, 10} <= set(spec.ks)

    @pytest.mark.parametrize("n", [140, 468, 1300])
    @pytest.mark.parametrize("k", [3, 20])
    def test_draws_are_enough_for_half_a_point_at_the_worst_rate(self, n, k):
        draws = Anguita2012Spec(("any",)).n_draws(k, n)
        size = n // k
        counts = np.arange(size + 1)
        bounds = clopper_pearson_upper(counts, size)
        for rate in (0.05, 0.2, 0.5):
            probabilities = stats.binom.pmf(counts, size, rate)
            mean = np.sum(probabilities * bounds)
            std = np.sqrt(np.sum(probabilities * (bounds - mean) ** 2))
            assert std / np.sqrt(draws) < 0.005

    def test_realizations_are_standardised_by_the_learning_set(self):
        X, y, X_test, y_test = realization(load(NAME), 1)
        assert np.abs(X.mean(axis=0)).max() < 1e-9
        assert X.std(axis=0) == pytest.approx(np.ones(30))
        assert np.abs(X_test.mean(axis=0)).max() > 0.001
        assert len(y) + len(y_test) == 569
        assert set(y) == set(y_test) == {0, 1}
        assert sum(y) + sum(y_test) == sum(load_breast_cancer().target)
        other = realization(load(NAME), 2)
        assert not np.array_equal(other[1], y)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"draw_kinds": ("SCBV",)}, "did you mean SCBCV"),
            ({"ks": ()}, "ks is empty"),
            ({"ks": (2, 5)}, "ks: 2 is too small: give at least 3"),
            ({"kind_ks": (4,)}, r"kind_ks=\(4,\) must be among ks=\(3, 5\)"),
            ({"n_realizations": 0}, "n_realizations=0 is too small: give at least 1"),
            ({"n_screening": 0}, "n_screening=0 is too small: give at least 1"),
            ({"precision": 0.0}, "precision=0.0: give a share between 0 and 1"),
            ({"datasets": ("sklearn/iris",)}, "iris has 3 classes; this study needs two classes"),
            ({"datasets": ("sklearn/diabetes",)}, "diabetes has a numeric target; this study needs two"),
            ({"n_folds": 3}, "no field 'n_folds'"),
        ],
    )
    def test_bad_settings_are_refused_before_work_starts(self, fields, message, tmp_path):
        with pytest.raises(CvstratError, match=message):
            engine.run("anguita2012", profile="smoke", folder=tmp_path / "new", quiet=True, **fields)
        assert not (tmp_path / "new").exists()


class TestGenerators:
    """Problems whose true error is known."""

    @pytest.fixture(scope="class", params=GENERATORS)
    @staticmethod
    def drawn(request):
        return request.param, *GENERATORS[request.param](40_000, np.random.default_rng(0))

    def test_shapes_and_shares_of_the_classes(self, drawn):
        name, X, y = drawn
        assert X.shape == (40_000, 21 if name == "waveform" else 20)
        assert set(np.unique(y)) == {0, 1}
        assert y.mean() == pytest.approx(1 / 3 if name == "waveform" else 1 / 2, abs=0.01)

    def test_a_generator_in_the_same_state_gives_the_same(self, drawn):
        name, X, y = drawn
        again = GENERATORS[name](40_000, np.random.default_rng(0))
        assert np.array_equal(again[0], X)
        assert np.array_equal(again[1], y)


def test_twonorm_has_the_error_that_theory_gives():
    X, y = GENERATORS["twonorm"](100_000, np.random.default_rng(0))
    for number, sign in ((0, -1), (1, 1)):
        assert X[y == number].mean(axis=0) == pytest.approx(np.full(20, sign * 2 / np.sqrt(20)), abs=0.03)
        assert np.cov(X[y == number].T) == pytest.approx(np.eye(20), abs=0.03)
    best = (X.sum(axis=1) > 0).astype(int)
    assert np.mean(best != y) == pytest.approx(stats.norm.cdf(-2), abs=0.002)  # 2.3 percent


def test_ringnorm_is_a_narrow_cloud_in_a_wide_one():
    X, y = GENERATORS["ringnorm"](100_000, np.random.default_rng(0))
    a = 1 / np.sqrt(20)
    assert X[y == 0].mean(axis=0) == pytest.approx(np.zeros(20), abs=0.05)
    assert X[y == 0].std(axis=0) == pytest.approx(np.full(20, 2.0), abs=0.03)
    assert X[y == 1].mean(axis=0) == pytest.approx(np.full(20, a), abs=0.03)
    assert X[y == 1].std(axis=0) == pytest.approx(np.ones(20), abs=0.03)
    wide = stats.norm(0, 2).logpdf(X).sum(axis=1)
    narrow = stats.norm(a, 1).logpdf(X).sum(axis=1)
    assert np.mean((narrow > wide) != y) == pytest.approx(0.013, abs=0.003)  # Breiman's figure: 1.3 percent


def test_waveform_mixes_two_of_three_waves():
    X, y = GENERATORS["waveform"](100_000, np.random.default_rng(0))
    wave = {centre: np.maximum(6 - np.abs(np.arange(1, 22) - centre), 0) for centre in (7, 15, 11)}
    assert X[y == 1].mean(axis=0) == pytest.approx((wave[7] + wave[11]) / 2, abs=0.05)
    assert X[y == 0].mean(axis=0) == pytest.approx((wave[7] + 2 * wave[15] + wave[11]) / 4, abs=0.05)
    share = (wave[7] - wave[11]) ** 2 / 12 + 1  # a uniform share of either wave, and noise
    assert X[y == 1].var(axis=0) == pytest.approx(share, abs=0.15)


class TestGuarantee:
    """The check of the guarantee, in small."""

    def test_a_row_for_every_draw(self, replicates):
        assert len(replicates) == 3 * 2 * 2 * 4
        counts = replicates.groupby(["problem", "replicate", "k"])["draw"].agg(["size", "nunique"])
        assert (counts == 4).all(axis=None)
        assert (replicates["errors"] <= 40 // replicates["k"]).all()
        assert replicates["true_error"].between(0, 1).all()

    def test_data_sets_and_their_draws_are_others_in_every_replicate(self, replicates):
        wide = replicates.query("k == 3").pivot(index="draw", columns=["problem", "replicate"], values="true_error")
        assert not wide.T.duplicated().any()

    def test_true_errors_are_those_of_plain_fits(self, replicates, monkeypatch):
        kept = {}
        twonorm = GENERATORS["twonorm"]
        monkeypatch.setitem(GENERATORS, "twonorm", lambda n, rng: kept.setdefault("data", twonorm(n, rng)))
        seen = []
        draw = CompleteKFold.draw
        monkeypatch.setattr(CompleteKFold, "draw", lambda self, X, y: seen.append(draw(self, X, y)) or seen[-1])
        spec = engine.find_study("anguita2012-guarantee").spec("smoke")
        rows = _replicates(spec, {"problem": "twonorm", "replicate": 1}, {})
        stored = replicates.query("problem == 'twonorm' and replicate == 1").reset_index(drop=True)
        columns = ["k", "draw", "errors", "true_error", "vote_error", "selection_bound"]
        pd.testing.assert_frame_equal(rows[columns], stored[columns], check_dtype=False)
        X, y = kept["data"]
        learn = X[:40]
        X = (X - learn.mean(axis=0)) / learn.std(axis=0)
        settings = [{"C": 1.0, "gamma": 0.01}, {"C": 1.0, "gamma": 0.1}]
        for k, draws in zip(spec.ks, seen, strict=True):
            size = 40 // k
            means = [
                clopper_pearson_upper(literal(one, [(d.training, d.selection) for d in draws], X, y), size).mean()
                for one in settings
            ]
            best = settings[int(np.argmin(means))]
            of_k = rows[rows["k"] == k]
            assert of_k["selection_bound"].to_numpy() == pytest.approx(min(means), rel=1e-5)
            assert of_k["errors"].tolist() == literal(best, [(d.both, d.estimation) for d in draws], X, y)
            tested = literal(best, [(d.both, np.arange(40, 240)) for d in draws], X, y)
            assert of_k["true_error"].to_numpy() == pytest.approx(np.array(tested) / 200, rel=1e-5)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"problems": ("twonrm",)}, "no problem 'twonrm': did you mean twonorm"),
            ({"n_replicates": 0}, "n_replicates=0 is too small: give at least 1"),
            ({"n_test": 0}, "n_test=0 is too small: give at least 1"),
            ({"ks": (3, 21)}, "from 3 to half of n_rows=40"),
            ({"ks": (2,)}, "ks: 2 is too small: give at least 3"),
            ({"ks": ()}, "ks is empty"),
        ],
    )
    def test_bad_settings_are_refused_before_work_starts(self, fields, message, tmp_path):
        with pytest.raises(InputError, match=message):
            engine.run("anguita2012-guarantee", profile="smoke", folder=tmp_path / "new", quiet=True, **fields)
        assert not (tmp_path / "new").exists()
