"""Balanced dealing against trying every permutation of every round; the dial, the scale and the orders it deals."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.model_selection import StratifiedKFold

from cvstrat import (
    BalancedKFold,
    ClusterKFold,
    NeighborWalkKFold,
    StratifiedClusterKFold,
    balance_ratio,
    balance_spectrum,
)
from cvstrat.fourier import Features, StandardRows
from cvstrat.metrics import energy_distance, unbiased_balance
from cvstrat.splitters import DealtKFold, _balancing, deal
from cvstrat.splitters._balancing import balance_folds
from cvstrat.splitters._base import with_equal_spread


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


def mean_ratio(splitter, X, y, n_draws=12):
    ratios = [balance_ratio(splitter.set_params(shuffle=True, random_state=seed), X, y) for seed in range(n_draws)]
    return np.mean(ratios), np.std(ratios) / np.sqrt(n_draws)


def balance_by_hand(values, kinds, folds, n_splits, balance, rng, n_passes):
    """Deal round by round, trying every permutation and adding up all squares anew each time."""
    folds = folds.copy()
    total = np.zeros((n_splits, values.shape[1]))
    for rows in kinds:
        own = {row: values[row] - np.rint(values[rows].mean(axis=0)) for row in rows}
        random_folds = rng.permutation(folds[rows])
        goal = [sum((own[row] for row in rows[random_folds == fold]), 0 * total[0]) for fold in range(n_splits)]
        goal = np.rint(np.sqrt(balance) * np.array(goal)) if balance else np.zeros_like(total)
        seats = [int((folds[rows] == fold).sum()) for fold in range(n_splits)]
        members = {fold: [] for fold in range(n_splits)}

        def squares(members, own=own, goal=goal):
            sums = np.array([sum((own[row] for row in members[fold]), -goal[fold]) for fold in range(n_splits)])
            return np.sum(sums**2) + np.sum((sums + total) ** 2)

        def best(members, one_round, to, squares=squares):
            tried = []
            for permuted in itertools.permutations(one_round):
                tried.append({fold: [*members[fold]] for fold in members})
                for fold, row in zip(to, permuted, strict=True):
                    tried[-1][fold].append(row)
            return min(tried, key=squares)

        left = list(rows)
        for number in range(max(seats)):
            to = [fold for fold in range(n_splits) if seats[fold] > number]
            one_round, left = left[: len(to)], left[len(to) :]
            members = best(members, one_round, to)
        for _ in range(n_passes):
            shuffled = rows[rng.permutation(len(rows))]
            queues = {fold: [row for row in shuffled if row in members[fold]] for fold in members}
            for number in range(min(seats)):
                one_round = [queues[fold][number] for fold in range(n_splits)]
                members = {fold: [row for row in members[fold] if row not in one_round] for fold in members}
                members = best(members, one_round, range(n_splits))
        for fold, dealt in members.items():
            folds[dealt] = fold
            total[fold] += sum((own[row] for row in dealt), -goal[fold])
    return folds


@pytest.mark.parametrize("balance", [0.0, 0.7])
@pytest.mark.parametrize("n_splits", [2, 3, 4])
@pytest.mark.parametrize("kept", [True, False])
def test_every_round_is_dealt_in_the_best_of_all_ways(n_splits, balance, kept, monkeypatch):
    if not kept:  # features of large kinds are worked out again and again, part by part
        monkeypatch.setattr(_balancing, "MAX_VALUES", 100)
    monkeypatch.setattr(_balancing, "MAX_PASSES", 2)
    rng = np.random.RandomState(n_splits)
    rows = StandardRows(rng.normal(size=(31, 3)))
    features = Features(rows, (1.0, np.inf), 8, rng)
    kinds = np.split(rng.permutation(31), [17, 19])  # the middle one has fewer rows than there are folds
    order = np.concatenate(kinds)
    wanted = balance_by_hand(
        features[:], kinds, deal(order, n_splits), n_splits, balance, np.random.RandomState(5), n_passes=2
    )
    found = balance_folds(features, kinds, deal(order, n_splits), n_splits, balance, np.random.RandomState(5))
    assert found.tolist() == wanted.tolist()


class TestFeatures:
    """Products of features are kernels, and all scales together are the energy distance."""

    def test_waves_of_one_length_are_the_gaussian_kernel(self):
        X = np.random.RandomState(0).normal(size=(30, 3))
        rows = StandardRows(X)
        values = Features(rows, (1.5, 1.5), 20_000, np.random.RandomState(1))[:] / 2.0**18
        kernel = np.exp(-(cdist(rows.rows, rows.rows) ** 2) / (2 * 1.5**2))
        assert np.abs(values @ values.T - kernel).max() < 0.05

    def test_all_lengths_together_are_the_energy_distance(self, wine):
        rows = StandardRows(wine[0])
        values = Features(rows, (0.05, np.inf), 20_000, np.random.RandomState(1))[:]
        folds = [np.random.RandomState(seed).permutation(np.arange(178) % 4) for seed in range(15)]
        folds += [BalancedKFold(4, balance=0).fold_of_each_row(*wine), np.argsort(wine[0][:, 0]).argsort() // 45]
        energy = [energy_distance(fold, wine[0]) for fold in folds]
        gaps = [
            [np.sum((values[fold == j].mean(axis=0) - values.mean(axis=0)) ** 2) for j in range(4)] for fold in folds
        ]
        assert np.corrcoef(energy, np.mean(gaps, axis=1))[0, 1] > 0.999

    def test_features_are_whole_numbers_so_that_sums_are_exact(self, wine):
        values = Features(StandardRows(wine[0]), (1.0, np.inf), 64, np.random.RandomState(0))[:]
        assert (values == np.rint(values)).all()
        assert np.ptp(np.abs(values).max(axis=0)) > 0

    def test_wide_tables_are_projected(self):
        X = np.random.RandomState(0).normal(size=(20, 90))
        features = Features(StandardRows(X), (np.inf, np.inf), 64, np.random.RandomState(0))
        assert features[:].shape == (20, 64)


class TestDial:
    """The ratio that is asked for is the ratio that the folds have, on average."""

    @pytest.mark.parametrize("n_splits", [2, 5])
    @pytest.mark.parametrize("balance", [0.25, 0.5, 1.0])
    def test_the_ratio_is_as_asked_for(self, n_splits, balance):
        X, y = make_classification(400, 5, n_informative=3, random_state=0)
        found, se = mean_ratio(BalancedKFold(n_splits, balance=balance, criterion="features", n_features=64), X, y)
        assert found == pytest.approx(balance, abs=4 * se + 0.08)

    def test_zero_is_far_more_alike_than_anything_else(self, wine):
        cancer = load_breast_cancer(return_X_y=True)
        for X, y in (wine, cancer):
            Z = (X - X.mean(axis=0)) / X.std(axis=0)
            energy = energy_distance(BalancedKFold(5, balance=0), Z, y)
            assert balance_ratio(BalancedKFold(5, balance=0), Z, y) < 0.2
            assert energy < 0.7 * energy_distance(StratifiedKFold(5, shuffle=True, random_state=0), Z, y)
            assert energy < 0.9 * energy_distance(NeighborWalkKFold(5), Z, y)

    @pytest.mark.parametrize("n_splits", [2, 5, 10])
    def test_unbiased_is_the_ratio_of_the_law(self, table, folds, n_splits):
        by_name = BalancedKFold(n_splits)
        assert folds(by_name, *table) == folds(BalancedKFold(n_splits, balance=unbiased_balance(n_splits)), *table)

    def test_one_is_not_zero(self, table, folds):
        assert folds(BalancedKFold(3, balance=1), *table) != folds(BalancedKFold(3, balance=0), *table)


class TestScale:
    """Folds are made alike at the bandwidths that are named."""

    def test_each_scale_is_balanced_most_by_its_own_setting(self, wine):
        X, y = wine
        ratios = {}
        for scale in (1.0, np.inf):
            cv = BalancedKFold(2, balance=0, scale=scale)
            ratios[scale] = balance_spectrum(cv, X, y, bandwidths=[1.0])["ratio"].iloc[0], balance_ratio(cv, X, y)
        assert ratios[1.0][0] < ratios[np.inf][0]
        assert ratios[np.inf][1] < ratios[1.0][1]

    def test_infinite_is_the_columns_alone(self, wine):
        assert balance_ratio(BalancedKFold(2, balance=0, scale=np.inf), *wine) < 0.05

    def test_a_pair_may_end_in_the_columns(self, table, folds):
        by_features = BalancedKFold(3, criterion="features")
        assert folds(BalancedKFold(3, scale=(1, np.inf)), *table) == folds(by_features, *table)
        assert folds(BalancedKFold(3, scale=(1, 2)), *table) != folds(by_features, *table)

    def test_units_of_columns_do_not_matter(self, table, folds):
        X, y = table
        wide = X * [1.0, 1024.0, 2.0**-20]
        keys_aside = [
            balance_ratio(BalancedKFold(3, balance=0, shuffle=True, random_state=s), wide, y) for s in range(4)
        ]
        assert np.mean(keys_aside) < 0.1


class ByValue(DealtKFold):
    """An order of its own: by the first column."""

    def __init__(self, n_splits=5):
        self.n_splits = n_splits

    def _order(self, rows, settings, rng):
        return np.argsort(rows[:, 0])


class TestOrder:
    """Any order of the package can be dealt in balance."""

    @pytest.mark.parametrize("balance", [0, 1])
    def test_rows_that_follow_each_other_go_to_different_folds(self, balance):
        X = np.random.RandomState(0).normal(size=(30, 1))
        fold = BalancedKFold(3, balance=balance, order=ByValue(3)).fold_of_each_row(X, np.zeros(30, dtype=int))
        assert all(len(set(one)) == 3 for one in fold[np.argsort(X[:, 0])].reshape(10, 3).tolist())

    @pytest.mark.parametrize("order", ["SCBCV", "DBSCV", "DOB-SCV", "KCBCV", "ACBCV", "1C-CV", "CL-CV"])
    def test_every_order_gives_folds_that_are_alike(self, table, order):
        blind = balance_ratio(StratifiedKFold(3, shuffle=True, random_state=0), *table)
        assert balance_ratio(BalancedKFold(3, balance=0, order=order), *table) < 0.3 * blind

    def test_an_order_may_be_a_splitter(self, table, folds):
        by_name = BalancedKFold(3, order="SCBCV")
        assert folds(by_name, *table) == folds(BalancedKFold(3, order=StratifiedClusterKFold(3)), *table)
        assert folds(by_name, *table) != folds(BalancedKFold(3, order=StratifiedClusterKFold(n_clusters=9)), *table)
        assert folds(by_name, *table) != folds(BalancedKFold(3, criterion="features"), *table)

    def test_the_order_of_neighbours_separates_them_and_a_random_one_does_not(self):
        rng = np.random.RandomState(0)
        X = np.repeat(rng.normal(size=(60, 2)), 2, axis=0) + 1e-4 * rng.normal(size=(120, 2))
        y = np.zeros(120, dtype=int)
        apart = {}
        for order in ("DBSCV", "random"):
            fold = BalancedKFold(2, balance=1, order=order).fold_of_each_row(X, y)
            apart[order] = np.mean(fold[::2] != fold[1::2])
        assert apart["DBSCV"] > 0.9
        assert apart["random"] == pytest.approx(0.5, abs=0.2)


class TestTargets:
    """Classes are dealt one by one; numbers are binned, and a column besides."""

    def test_a_continuous_target_is_balanced_like_a_column(self):
        rng = np.random.RandomState(0)
        X, y = rng.normal(size=(300, 2)), rng.lognormal(size=300)
        cv = BalancedKFold(5, balance=0, n_bins=5)
        fold = cv.fold_of_each_row(X, y)
        others = [StratifiedKFold(5, shuffle=True, random_state=seed) for seed in range(5)]
        bins = pd.qcut(y, 5, labels=False)
        blind = [np.std([y[test].mean() for _, test in other.split(X, bins)]) for other in others]
        assert np.std([y[fold == number].mean() for number in range(5)]) < 0.3 * np.mean(blind)

    def test_without_classes_the_target_plays_no_part(self, table, folds):
        X, y = table
        cv = BalancedKFold(4, stratified=False)
        assert folds(cv, X, y) == folds(cv, X) == folds(cv, X, np.linspace(0.5, 1.3, 91))
        assert balance_ratio(BalancedKFold(4, stratified=False, balance=0), X) < 0.1

    def test_a_class_with_one_row_is_no_error(self, table):
        X, y = table
        y = np.where(np.arange(91) == 5, 7, y)
        with pytest.warns(UserWarning, match="least populated class"):
            assert np.bincount(BalancedKFold(5).fold_of_each_row(X, y)).tolist() == [19, 18, 18, 18, 18]


class TestGroups:
    """Whole groups are dealt; those of one kind change places."""

    def test_groups_of_one_size_are_as_alike_as_rows(self):
        rng = np.random.RandomState(0)
        groups = np.repeat(np.arange(60), 4)
        X, y = rng.normal(size=(240, 3)) + rng.normal(size=(60, 3))[groups], groups % 2
        fold = BalancedKFold(3, balance=0, criterion="features").fold_of_each_row(X, y, groups)
        blind = NeighborWalkKFold(3).fold_of_each_row(X, y, groups)
        assert all(len(set(fold[groups == group])) == 1 for group in range(60))
        assert balance_ratio(fold, X, y) < 0.3 * balance_ratio(blind, X, y)
        assert np.bincount(fold).tolist() == [80, 80, 80]

    def test_balance_does_not_make_folds_less_even(self):
        rng = np.random.RandomState(1)
        groups = np.repeat(np.arange(40), rng.randint(1, 5, 40))
        X, y = rng.normal(size=(len(groups), 3)), rng.randint(0, 2, len(groups))
        fold, blind = (cv.fold_of_each_row(X, y, groups) for cv in (BalancedKFold(4, balance=0), NeighborWalkKFold(4)))
        assert np.ptp(np.bincount(fold)) <= np.ptp(np.bincount(blind)) + 1


class TestBadInput:
    """What cannot be dealt is refused, with a message that names the value."""

    @pytest.mark.parametrize("balance", [-0.1, 1.1, np.nan, np.inf, "none", None, True, [0.5]])
    def test_balance(self, balance):
        with pytest.raises(ValueError, match="balance must be a number from 0 .* to 1 .*, or 'unbiased'; it is"):
            BalancedKFold(balance=balance)

    @pytest.mark.parametrize("scale", [0, -1, np.nan, "fine", (2, 1), (1,), (1, 2, 3), (0, 1), (1, "inf"), True])
    def test_scale(self, scale):
        with pytest.raises(ValueError, match="scale must be a positive number, or a pair"):
            BalancedKFold(scale=scale)

    @pytest.mark.parametrize(
        "order", ["SCBC", "KFold", "ROCBCV", "Balanced", None, 3, BalancedKFold, StratifiedKFold()]
    )
    def test_order(self, order):
        with pytest.raises(
            ValueError, match="order must be 'random', a technique .*, or its splitter; it is .*: did you"
        ):
            BalancedKFold(order=order)

    @pytest.mark.parametrize("n_features", [0, 1, 2.5, "many"])
    def test_number_of_features(self, n_features):
        with pytest.raises(ValueError, match="n_features must be an integer of at least 2"):
            BalancedKFold(n_features=n_features)

    def test_stratified(self):
        with pytest.raises(TypeError, match="stratified must be True or False; it is 'yes'"):
            BalancedKFold(stratified="yes")

    @pytest.mark.parametrize(("criterion", "at_most"), [("features", 0.1), ("energy", 0.2)])
    def test_columns_of_one_value_play_no_part(self, table, criterion, at_most):
        X, y = table
        flat = np.column_stack([X, np.full(91, 0.1)])
        assert balance_ratio(BalancedKFold(3, balance=0, criterion=criterion), flat, y) < at_most
        assert np.bincount(BalancedKFold(3).fold_of_each_row(np.full((91, 2), 0.1), y)).tolist() == [31, 30, 30]

    @pytest.mark.parametrize(("criterion", "at_most"), [("features", 0.1), ("energy", 0.2)])
    def test_rows_far_from_zero_keep_their_digits(self, table, criterion, at_most):
        X, y = table
        assert balance_ratio(BalancedKFold(3, balance=0, criterion=criterion), X + 1e9, y) < at_most

    def test_wide_and_sparse_rows_are_taken(self):
        X = sparse.random_array((60, 3000), density=0.01, random_state=0, format="csr")
        fold = BalancedKFold(3, balance=0).fold_of_each_row(X, np.arange(60) % 2)
        assert np.bincount(fold).tolist() == [20, 20, 20]


def test_an_order_keeps_its_standardised_columns():
    rng = np.random.RandomState(0)
    X = rng.rand(90, 3) * [1, 1000, 1]
    plain, scaled = (ClusterKFold(3, n_clusters=3, standardize=on) for on in (False, True))
    by_plain, by_scaled = (BalancedKFold(3, order=one).fold_of_each_row(X, np.zeros(90)) for one in (plain, scaled))
    assert by_plain.tolist() != by_scaled.tolist()
    even = with_equal_spread(X)
    assert by_scaled.tolist() == BalancedKFold(3, order=plain).fold_of_each_row(even, np.zeros(90)).tolist()
