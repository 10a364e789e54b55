"""Exchanges by energy distance against adding up all distances anew for every exchange; what they reach, and refuse."""

import itertools
import math

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_wine, make_classification

from cvstrat import BalancedKFold, balance_ratio
from cvstrat.fourier import StandardRows
from cvstrat.metrics import energy_distance
from cvstrat.splitters import _balanced, _exchanging, deal
from cvstrat.splitters._exchanging import LEVELS, exchange_rows, meetings, whole_distances


def distances_by_hand(points, kind_of, sizes):
    """Whole distances of all pairs, and the same with those inside a kind twice."""
    pairs = list(itertools.product(kind_of, repeat=2))
    weighted = {(i, m): math.dist(points[i], points[m]) * sizes[i] * sizes[m] for i, m in pairs}
    unit = max(weighted.values()) / LEVELS
    distance = {pair: round(value / unit) for pair, value in weighted.items()}
    return distance, {(i, m): distance[i, m] * (1 + (kind_of[i] == kind_of[m])) for i, m in pairs}


def goals_by_hand(distance, joint, kind_of, fold_of, drawn, share, sizes):
    """The sums of distances from each row to each fold to which the folds are led."""
    goals = {}
    for fold, row in itertools.product(sorted(set(fold_of.values())), kind_of):
        own = [other for other in kind_of if kind_of[other] == kind_of[row]]
        of_all = sum(sizes[other] for other in kind_of if fold_of[other] == fold) / sum(sizes)
        of_own = sum(fold_of[other] == fold for other in own) / len(own)
        sum_of_all, sum_of_own = (sum(distance[row, other] for other in others) for others in (kind_of, own))
        even = round(of_all * sum_of_all + of_own * sum_of_own)
        gaps = [sum(joint[row, other] for other in kind_of if one[other] == fold) - even for one in drawn]
        goals[fold, row] = even + (round(share / math.sqrt(len(drawn)) * sum(gaps)) if drawn else 0)
    return goals


def exchange_by_hand(points, kinds, folds, n_splits, balance, rng, sizes):
    """Exchange row by row; what is lowered is added up anew, in whole numbers, for every pair on offer."""
    fold_of = dict(enumerate(folds.tolist()))
    kind_of = {row: number for number, kind in enumerate(kinds) for row in kind.tolist()}
    distance, joint = distances_by_hand(points, kind_of, sizes)
    drawn = [{} for _ in range(_exchanging.DRAWN if balance else 0)]
    for partition, kind in itertools.product(drawn, kinds):
        partition |= dict(zip(kind.tolist(), rng.permutation(folds[kind]).tolist(), strict=True))
    goals = goals_by_hand(distance, joint, kind_of, fold_of, drawn, math.sqrt(balance), sizes)

    def unlikeness():
        """Half the sum over folds of -w'Dw, less what exchanges do not change."""
        members = [[row for row in fold_of if fold_of[row] == fold] for fold in range(n_splits)]
        inside = sum(joint[pair] for some in members for pair in itertools.combinations(some, 2))
        return sum(goals[fold, row] for row, fold in fold_of.items()) - inside

    def swap(i, m):
        fold_of[i], fold_of[m] = fold_of[m], fold_of[i]

    def after(pair):
        swap(*pair)
        found = unlikeness()
        swap(*pair)
        return found

    def drawn_partners(leaving, coming):
        return list(zip(*(rng.permutation(side).tolist() for side in (leaving, coming)), strict=False))

    def best_partners(leaving, coming):
        wanted = {i: min(coming, key=lambda m: after((i, m))) for i in leaving if coming}
        suitors = [[(i, m) for i in wanted if wanted[i] == m and after((i, m)) < unlikeness()] for m in coming]
        return [min(some, key=after) for some in suitors if some]

    number, at_most = 0, min(max(2 * n_splits, _exchanging.TURNS[0]), _exchanging.TURNS[1]) * (n_splits // 2)
    while number < at_most:
        for pair in sorted(itertools.combinations(range(n_splits), 2), key=lambda pair: (sum(pair) % n_splits, pair)):
            offers = []
            for kind in kinds:
                sides = [[row for row in kind.tolist() if fold_of[row] == fold] for fold in pair]
                if all(sides):
                    at_random = number < _exchanging.AT_RANDOM * (n_splits // 2)
                    offers += (drawn_partners if at_random else best_partners)(*sides)
            while offers and after(min(offers, key=after)) < unlikeness():
                best = min(offers, key=after)
                swap(*best)
                offers.remove(best)
            number += 1
            if number == at_most:
                break
    return np.array([fold_of[row] for row in range(len(folds))])


@pytest.mark.parametrize("balance", [0.0, 0.7])
@pytest.mark.parametrize("n_splits", [2, 3, 4])
@pytest.mark.parametrize("groups", [False, True])
def test_exchanges_are_those_made_by_hand(n_splits, balance, groups, monkeypatch):
    monkeypatch.setattr(_exchanging, "AT_RANDOM", 2)
    monkeypatch.setattr(_exchanging, "TURNS", (4, 5))
    rng = np.random.RandomState(n_splits)
    rows = StandardRows(rng.normal(size=(24, 3)))
    kinds = np.split(rng.permutation(24), [13, 15])  # the middle one has fewer rows than there are folds
    sizes = np.ones(24, dtype=int)
    for kind, size in zip(kinds, (2, 1, 3), strict=True):
        sizes[kind] = size if groups else 1
    blind = deal(np.concatenate(kinds), n_splits)
    found = exchange_rows(
        rows, kinds, blind, n_splits, balance, np.random.RandomState(5), sizes=sizes if groups else None
    )
    wanted = exchange_by_hand(rows.rows, kinds, blind, n_splits, balance, np.random.RandomState(5), sizes.tolist())
    assert found.tolist() == wanted.tolist()
    assert found.tolist() != blind.tolist()
    for kind in kinds:
        before, after = (np.bincount(folds[kind], minlength=n_splits).tolist() for folds in (blind, found))
        assert before == after


class TestDistances:
    """Distances are whole numbers, the same for sparse rows."""

    def test_they_are_those_of_all_pairs(self):
        X = np.random.RandomState(0).normal(size=(70, 5))
        found = whole_distances(X, np.ones(70, dtype=int))
        wanted = np.array([[math.dist(one, other) for other in X] for one in X])
        assert found.max() == LEVELS
        assert (found == np.rint(found)).all()
        assert np.abs(found - wanted * LEVELS / wanted.max()).max() < 0.51

    def test_sparse_rows_have_those_of_their_dense_twins(self):
        X = np.random.RandomState(0).normal(size=(70, 5)) * (np.random.RandomState(1).rand(70, 5) < 0.5)
        sizes = 1 + np.arange(70) % 3
        assert (whole_distances(sparse.csr_array(X), sizes) == whole_distances(X, sizes)).all()

    def test_equal_rows_have_none(self):
        assert not whole_distances(np.ones((5, 2)), np.ones(5, dtype=int)).any()


@pytest.mark.parametrize("n_splits", range(2, 9))
def test_all_folds_meet(n_splits):
    pairs = list(itertools.combinations(range(n_splits), 2))
    met = list(itertools.islice(meetings(n_splits), 2 * len(pairs)))
    assert sorted(met[: len(pairs)]) == sorted(met[len(pairs) :]) == pairs
    some = sum(met[: (n_splits - 1) // 2], ())
    assert len(set(some)) == len(some)


class TestCriterion:
    """Folds made by exchange are more alike than those dealt by features, at every setting of the dial."""

    @pytest.mark.parametrize("n_splits", [2, 5, 10])
    @pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
    def test_folds_are_more_alike_than_those_dealt_by_features(self, load, n_splits):
        X, y = load(return_X_y=True)
        energy = {
            criterion: np.mean(
                [
                    energy_distance(
                        BalancedKFold(n_splits, balance=0, criterion=criterion, shuffle=True, random_state=seed), X, y
                    )
                    for seed in range(3)
                ]
            )
            for criterion in ("features", "energy")
        }
        assert energy["energy"] < 0.97 * energy["features"]

    @pytest.mark.parametrize("n_splits", [2, 5])
    @pytest.mark.parametrize("balance", [0.25, 0.5, 1.0])
    def test_the_ratio_is_as_asked_for(self, n_splits, balance):
        X, y = make_classification(400, 5, n_informative=3, random_state=0)
        cv = BalancedKFold(n_splits, balance=balance, criterion="energy", shuffle=True)
        ratios = [balance_ratio(cv.set_params(random_state=seed), X, y) for seed in range(20)]
        assert np.mean(ratios) == pytest.approx(balance, abs=4 * np.std(ratios) / np.sqrt(20) + 0.08)

    @pytest.mark.parametrize("criterion", ["features", "energy"])
    @pytest.mark.parametrize("balance", [0.0, 0.25, 0.5])
    def test_where_no_folds_are_quite_alike_the_dial_still_turns(self, criterion, balance):
        """With many columns a random partition is about as near to itself, shrunk, as any other is."""
        X, y = make_classification(200, 60, n_informative=20, random_state=0)
        cv = BalancedKFold(2, balance=balance, criterion=criterion, shuffle=True)
        ratios = [balance_ratio(cv.set_params(random_state=seed), X, y) for seed in range(20)]
        unreached = 0.25  # what the dial leaves where it is at zero
        assert balance <= np.mean(ratios) <= balance + unreached + 2 * np.std(ratios) / np.sqrt(20)

    def test_exchanges_lower_the_distance_inside_classes_too(self):
        X, y = load_wine(return_X_y=True)
        fold = BalancedKFold(5, balance=0, criterion="energy").fold_of_each_row(X, y)
        assert balance_ratio(fold, X, y) < 0.2
        for label in np.unique(y):
            own = y == label
            blind = np.random.RandomState(0).permutation(fold[own])
            assert energy_distance(fold[own], X[own]) < 0.8 * energy_distance(blind, X[own])

    def test_more_rows_than_distances_fit_are_dealt_by_features(self, table, folds, monkeypatch):
        by_features = folds(BalancedKFold(3, criterion="features"), *table)
        assert folds(BalancedKFold(3), *table) == folds(BalancedKFold(3, criterion="energy"), *table) != by_features
        monkeypatch.setattr(_balanced, "MAX_ROWS", 90)
        assert folds(BalancedKFold(3), *table) == folds(BalancedKFold(3, criterion="energy"), *table) == by_features

    @pytest.mark.parametrize("options", [{"scale": 2.0}, {"scale": (1, np.inf)}, {"order": "DBSCV"}])
    def test_an_order_or_a_scale_is_dealt_by_features(self, table, folds, options):
        assert folds(BalancedKFold(3, **options), *table) == folds(
            BalancedKFold(3, criterion="features", **options), *table
        )

    def test_as_many_folds_as_rows(self, table):
        X, y = table
        with pytest.warns(UserWarning, match="least populated class"):
            fold = BalancedKFold(50, criterion="energy").fold_of_each_row(X, y)
        assert np.bincount(fold).tolist() == [2] * 41 + [1] * 9
        whole = BalancedKFold(91, criterion="energy", stratified=False).fold_of_each_row(X)
        assert sorted(whole.tolist()) == list(range(91))

    def test_groups_stay_whole(self):
        rng = np.random.RandomState(0)
        groups = np.repeat(np.arange(60), 4)
        X, y = rng.normal(size=(240, 3)) + rng.normal(size=(60, 3))[groups], groups % 2
        fold = BalancedKFold(3, balance=0, criterion="energy").fold_of_each_row(X, y, groups)
        assert all(len(set(fold[groups == group])) == 1 for group in range(60))
        assert np.bincount(fold).tolist() == [80, 80, 80]
        assert balance_ratio(fold, X, y) < 0.3

    @pytest.mark.parametrize("options", [{"scale": 2.0}, {"order": "DBSCV"}])
    def test_an_order_or_a_scale_is_refused(self, options):
        with pytest.raises(ValueError, match="criterion='energy' goes with order='random' and scale=None; they are"):
            BalancedKFold(criterion="energy", **options)

    def test_a_criterion_that_there_is_not(self):
        with pytest.raises(ValueError, match="no criterion 'energie': did you mean energy"):
            BalancedKFold(criterion="energie")
