"""The draws of complete k-fold cross-validation: sizes, contents that do not depend on order, one-class parts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB

from cvstrat import ClusterBlockKFold, CompleteKFold, OneCenterKFold, StratifiedClusterKFold

X, y = load_iris(return_X_y=True)


def table(n=40, seed=0):
    """Rows of which many are equal, some of these with both labels; missing values too."""
    rng = np.random.RandomState(seed)
    rows = rng.randint(0, 3, size=(n, 2)).astype(float)
    rows[rng.rand(n) < 0.2, 1] = np.nan
    return rows, rng.randint(0, 2, size=n)


def contents(draws, rows, classes):
    """The parts as sorted lists of what stands in them."""
    values = np.asarray(rows.todense() if sparse.issparse(rows) else rows)
    return [[sorted((str(values[row]), str(classes[row])) for row in part) for part in one] for one in draws]


def same(one, other):
    return [[part.tolist() for part in draw] for draw in one] == [[part.tolist() for part in draw] for draw in other]


class TestParts:
    """Sizes, and that every row is in one part."""

    @settings(max_examples=40)
    @given(st.data(), st.integers(6, 60), st.sampled_from([False, True]))
    def test_sizes_are_those_of_the_paper_and_parts_are_disjoint(self, data, n, stratify):
        k = data.draw(st.integers(3, n // 2))
        rows = np.random.RandomState(n).rand(n, 2)
        classes = np.arange(n) % 2
        draws = CompleteKFold(k, 3, stratify=stratify, random_state=0).draw(rows, classes)
        assert len(draws) == 3
        for one in draws:
            assert [len(part) for part in one] == [n - 2 * (n // k), n // k, n // k]
            assert sorted(np.concatenate(one)) == list(range(n))
            assert sorted(one.both) == sorted(set(range(n)) - set(one.estimation))

    def test_every_row_is_equally_likely_in_every_part(self):
        draws = CompleteKFold(5, 2000, random_state=0).draw(X[:50])
        for part in ("selection", "estimation"):
            found = np.bincount(np.concatenate([getattr(one, part) for one in draws]), minlength=50)
            assert stats.chisquare(found).pvalue > 0.001  # seeded: no chance in it
        together = np.array([np.isin([0, 1], one.selection).all() for one in draws])
        assert together.mean() == pytest.approx(10 / 50 * 9 / 49, abs=0.015)

    def test_each_draw_is_another(self):
        draws = CompleteKFold(3, 50, random_state=0).draw(X)
        assert len({tuple(sorted(one.selection)) for one in draws}) == 50

    def test_y_is_not_needed_and_may_be_anything(self):
        assert same(CompleteKFold(3, 4, random_state=0).draw(X), CompleteKFold(3, 4, random_state=0).draw(X, None))
        for target in (y.astype(float) + 0.5, np.array(["a", "b", "c"])[y], pd.Series(y, index=np.arange(150)[::-1])):
            assert same(
                CompleteKFold(3, 4, random_state=0).draw(X, target), CompleteKFold(3, 4, random_state=0).draw(X, y)
            )


class TestOrder:
    """What the parts contain does not depend on where rows stand."""

    @settings(max_examples=30)
    @given(st.integers(0, 1000), st.sampled_from([False, True]))
    def test_equal_rows_missing_values_and_both_labels(self, seed, stratify):
        rows, classes = table(seed=seed)
        order = np.random.RandomState(seed).permutation(len(rows))
        kind = CompleteKFold(4, 5, stratify=stratify, random_state=seed)
        ours = contents(kind.draw(rows, classes), rows, classes)
        assert ours == contents(kind.draw(rows[order], classes[order]), rows[order], classes[order])

    @pytest.mark.parametrize(
        "make",
        [
            lambda: pd.DataFrame(X).round(0),
            lambda: pd.DataFrame(X).round(0).assign(kind=np.array(["a", None, "c"], dtype=object)[y]),
            lambda: pd.DataFrame(X).round(0).assign(kind=pd.Categorical(np.array(["a", "b", "c"])[y])),
            lambda: sparse.csr_matrix(np.where(X.round(0) > 3, X.round(0), 0)),
            lambda: sparse.coo_array(np.where(X.round(0) > 3, X.round(0), 0)),
            lambda: np.array([f"text {value:.0f}" for value in X[:, 0]], dtype=object),
        ],
        ids=["frame", "frame with text", "frame with categories", "CSR", "COO", "text"],
    )
    def test_frames_sparse_matrices_and_text(self, make):
        rows = make()
        order = np.random.RandomState(1).permutation(len(y))
        moved = (
            rows.iloc[order] if hasattr(rows, "iloc") else rows.tocsr()[order] if sparse.issparse(rows) else rows[order]
        )
        kind = CompleteKFold(6, 4, random_state=3)
        assert contents(kind.draw(rows, y), rows, y) == contents(kind.draw(moved, y[order]), moved, y[order])

    def test_the_same_table_in_another_form_has_the_same_draws(self):
        rows = np.where(X.round(0) > 3, X.round(0), 0)
        wanted = CompleteKFold(5, 4, random_state=0).draw(rows, y)
        twice = sparse.csr_matrix(
            (np.repeat(rows.ravel() / 2, 2), np.repeat(np.arange(600) % 4, 2), np.arange(0, 1201, 8)), shape=(150, 4)
        )
        for form in (rows.tolist(), pd.DataFrame(rows), sparse.csc_array(rows), twice):
            assert same(CompleteKFold(5, 4, random_state=0).draw(form, y), wanted)

    @pytest.mark.parametrize("stratify", ["SCBCV", "1C-CV", StratifiedKFold()], ids=str)
    def test_folds_of_other_techniques_do_not_depend_on_order_either(self, stratify):
        order = np.random.RandomState(0).permutation(len(y))
        kind = CompleteKFold(5, 3, stratify=stratify, random_state=0)
        assert contents(kind.draw(X, y), X, y) == contents(kind.draw(X[order], y[order]), X[order], y[order])


class TestStratify:
    """Where parts come from."""

    def test_stratified_parts_have_the_shares_of_the_whole(self):
        data, target = load_wine(return_X_y=True)
        for one in CompleteKFold(5, 10, stratify=True, random_state=0).draw(data, target):
            for part in (one.selection, one.estimation):
                wanted = np.bincount(target) * len(part) / len(target)
                assert np.abs(np.bincount(target[part]) - wanted).max() < 1.5

    @pytest.mark.parametrize(
        "stratify",
        [
            "SCV",
            "SCBCV",
            "DOB-SCV",
            KFold(2),
            StratifiedKFold(4),
            StratifiedClusterKFold(n_clusters=2),
            OneCenterKFold(),
        ],
        ids=str,
    )
    def test_names_and_splitters(self, stratify):
        before = repr(stratify)
        draws = CompleteKFold(4, 6, stratify=stratify, random_state=0).draw(X, y)
        for one in draws:
            assert [len(part) for part in one] == [76, 37, 37]
            assert sorted(np.concatenate(one)) == list(range(150))
        assert len({tuple(sorted(one.estimation)) for one in draws}) > 1
        assert repr(stratify) == before

    def test_a_name_is_its_splitter_and_true_is_the_stratified_one(self):
        named = CompleteKFold(4, 3, stratify="SCV", random_state=0).draw(X, y)
        assert same(named, CompleteKFold(4, 3, stratify=True, random_state=0).draw(X, y))
        assert same(named, CompleteKFold(4, 3, stratify=StratifiedKFold(), random_state=0).draw(X, y))
        plain = CompleteKFold(4, 3, random_state=0).draw(X, y)
        assert same(plain, CompleteKFold(4, 3, stratify=np.False_, random_state=0).draw(X, y))
        assert not same(named, plain)

    def test_selection_and_estimation_part_are_two_folds(self):
        splitter = OneCenterKFold(5)  # no chance in it: its folds are known
        folds = {frozenset(test) for _, test in splitter.split(X, y)}
        for one in CompleteKFold(5, 5, stratify=splitter, random_state=0).draw(X, y):
            assert {frozenset(one.selection), frozenset(one.estimation)} <= folds

    @pytest.mark.parametrize(
        ("stratify", "message"),
        [
            ("SCBV", "no technique 'SCBV': did you mean SCBCV"),
            (None, "stratify must be True, False, the name of a technique or a splitter; it is None"),
            (3, "it is 3"),
            (ShuffleSplit(5), "does not cut the rows into k=5 folds, each row in one"),
            (LeaveOneOut(), "k=5 folds"),
            (TimeSeriesSplit(), "k=5 folds"),
            (RepeatedKFold(n_splits=5, n_repeats=2), "k=5 folds"),
            (ClusterBlockKFold(5), "gives folds of unequal size, some below 30 rows"),
        ],
        ids=str,
    )
    def test_bad_values(self, stratify, message):
        with pytest.raises(ValueError, match=message):
            CompleteKFold(5, 2, stratify=stratify, random_state=0).draw(X, y)

    def test_stratified_draws_need_classes(self):
        for stratify in (True, "SCV", "SCBCV"):
            with pytest.raises(ValueError, match=f"stratify={stratify!r} needs classes: give y"):
                CompleteKFold(5, 2, stratify=stratify).draw(X)
        assert len(CompleteKFold(5, 2, stratify="KCBCV", random_state=0).draw(X)) == 2


class TestOneClass:
    """Training parts that cannot teach anything."""

    rows = np.arange(30.0)[:, None]
    rare = (np.arange(30) == 7).astype(int)

    def test_are_drawn_again_and_counted(self):
        draws = CompleteKFold(3, 300, random_state=0).draw(self.rows, self.rare)
        assert all(7 in one.training for one in draws)
        assert draws.redrawn == pytest.approx(600, abs=120)  # the rare row is in one training part of three
        assert CompleteKFold(3, 300, random_state=0).draw(self.rows).redrawn == 0
        assert CompleteKFold(3, 20, random_state=0).draw(X, y).redrawn == 0

    def test_other_rows_stay_uniform(self):
        draws = CompleteKFold(3, 1500, random_state=0).draw(self.rows, self.rare)
        found = np.delete(np.bincount(np.concatenate([one.selection for one in draws]), minlength=30), 7)
        assert stats.chisquare(found).pvalue > 0.001

    def test_never_two_classes_is_an_error_that_ends(self, monkeypatch):
        monkeypatch.setattr("cvstrat.complete._draws._ATTEMPTS", 20)

        class Sorted:
            """Every fold holds one class, so that the one which is left for training does."""

            def split(self, X, y):
                return ((None, part) for part in np.array_split(np.argsort(y, kind="stable"), 3))

        with pytest.raises(ValueError, match="k=3 leaves training parts of 10 rows, nearly always of one class"):
            CompleteKFold(3, 1, stratify=Sorted(), random_state=0).draw(self.rows, np.arange(30) // 20)

    def test_one_class_in_all_is_refused_at_once(self):
        with pytest.raises(ValueError, match="y has one class only"):
            CompleteKFold(3, 2).draw(X, np.zeros(150))


class TestSettings:
    """Seeds, counts, and use as a splitter."""

    def test_a_seed_repeats_and_a_generator_goes_on(self):
        one, other = (CompleteKFold(3, 4, random_state=seed).draw(X, y) for seed in (0, 1))
        assert same(one, CompleteKFold(3, 4, random_state=0).draw(X, y))
        assert not same(one, other)
        rng = np.random.RandomState(0)
        first, second = (CompleteKFold(3, 4, random_state=rng).draw(X, y) for _ in range(2))
        assert same(first, one)
        assert not same(second, one)
        assert not same(CompleteKFold(3, 4).draw(X, y), CompleteKFold(3, 4).draw(X, y))

    def test_more_draws_begin_with_the_same(self):
        few, many = (CompleteKFold(3, n, random_state=0).draw(X, y) for n in (3, 6))
        assert same(few, many[:3])

    def test_it_is_a_splitter_for_scikit_learn(self):
        cv = CompleteKFold(4, 6, stratify=True, random_state=0)
        pairs = list(cv.split(X, y))
        assert len(pairs) == cv.get_n_splits(X, y) == 6
        for (train, test), one in zip(pairs, cv.draw(X, y), strict=True):
            assert train.tolist() == [*one.training, *one.selection]
            assert test.tolist() == one.estimation.tolist()
        assert cross_val_score(GaussianNB(), X, y, cv=cv).shape == (6,)
        assert clone(cv).get_params() == cv.get_params()
        assert repr(cv) == "CompleteKFold(k=4, n_draws=6, random_state=0, stratify=True)"

    def test_draws_are_a_sequence(self):
        draws = CompleteKFold(3, 5, random_state=0).draw(X, y)
        assert len(draws) == len(list(draws)) == 5
        assert draws[-1] is list(draws)[-1]
        assert len(draws[1:3]) == 2
        with pytest.raises(IndexError):
            draws[5]

    @pytest.mark.parametrize(
        ("k", "n_draws", "message"),
        [
            (2, 5, "k must be an integer of at least 3; it is 2"),
            (3.0, 5, "k must be an integer"),
            (True, 5, "k must be an integer"),
            (76, 5, "k=76 is too large for n_samples=150: above 75"),
            (3, 0, "n_draws must be an integer of at least 1; it is 0"),
            (3, None, "n_draws"),
        ],
    )
    def test_bad_counts(self, k, n_draws, message):
        with pytest.raises(ValueError, match=message):
            CompleteKFold(k, n_draws).draw(X, y)

    def test_the_largest_k_leaves_parts_of_two_rows(self):
        assert [len(part) for part in CompleteKFold(75, 1, random_state=0).draw(X, y)[0]] == [146, 2, 2]

    def test_rows_and_classes_must_go_together(self):
        with pytest.raises(ValueError, match="inconsistent numbers"):
            CompleteKFold(3).draw(X, y[:-1])

    def test_values_that_cannot_be_compared(self):
        rows = pd.DataFrame({"a": [{"no": "value"}] * 20})
        with pytest.raises(TypeError, match="a value in X cannot be used"):
            CompleteKFold(3).draw(rows)


def test_a_splitter_gets_a_table_where_rows_are_lists():
    class BySize(KFold):
        def split(self, X, y=None, groups=None):
            assert X.shape == (len(X), 2)
            return super().split(X, y, groups)

    rows = np.random.RandomState(0).normal(size=(30, 2))
    of_lists = list(CompleteKFold(3, n_draws=4, stratify=BySize(3), random_state=0).split(rows.tolist()))
    of_arrays = list(CompleteKFold(3, n_draws=4, stratify=BySize(3), random_state=0).split(rows))
    assert [test.tolist() for _, test in of_lists] == [test.tolist() for _, test in of_arrays]
