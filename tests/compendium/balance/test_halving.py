"""Density-preserving sampling: halves of halves, as a literal version with exact numbers has them."""

from fractions import Fraction

import numpy as np
import pytest

from compendium.balance import halving
from compendium.balance.halving import density_preserving_folds
from cvstrat import BalancedKFold, balance_ratio
from cvstrat.errors import InputError


def literal_halves(X, y):
    """One pair at a time, from a matrix of all squared distances; means of distances to a half decide the way round."""
    halves = [[], []]
    for label in sorted(set(y)):
        rows = [row for row in range(len(y)) if y[row] == label]
        away = {(a, b): sum((u - v) ** 2 for u, v in zip(X[a], X[b], strict=True)) for a in rows for b in rows}
        left, own = list(rows), [[], []]
        while len(left) > 1:
            _, low, high = min((away[a, b], a, b) for a in left for b in left if a < b)
            kept, turned = (
                _mean(away, one, own[0]) + _mean(away, other, own[1]) for one, other in [(high, low), (low, high)]
            )
            for half, row in zip(own, (low, high) if kept < turned else (high, low), strict=True):
                half.append(row)
            left = [row for row in left if row not in (low, high)]
        for odd in left:
            sizes = [len(half) for half in halves]
            if sizes[0] == sizes[1]:
                sizes = [-_mean(away, odd, half) for half in own]
            own[1 if sizes[1] < sizes[0] else 0].append(odd)
        halves = [all_ + half for all_, half in zip(halves, own, strict=True)]
    return halves


def _mean(away, row, half):
    return sum((away[row, other] for other in half), Fraction(0)) / max(len(half), 1)


def literal_folds(X, y, n_splits):
    exact = [[Fraction(float(value)) for value in row] for row in X]
    parts = [list(range(len(y)))]
    while len(parts) < n_splits:
        parts = [
            [part[row] for row in half]
            for part in parts
            for half in literal_halves([exact[row] for row in part], [y[row] for row in part])
        ]
    return np.array([next(number for number, part in enumerate(parts) if row in part) for row in range(len(y))])


@pytest.mark.parametrize("n_splits", [2, 4, 8])
@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_folds_are_those_of_the_literal_version(n_splits, grid, block, monkeypatch):
    monkeypatch.setattr(halving, "_BLOCK", block)
    rng = np.random.default_rng(n_splits)
    for n_rows in (17, 30, 41):
        X = rng.standard_normal((n_rows, 2))
        X = np.round(2 * X) if grid else X  # on a grid there are ties and repeated rows
        y = rng.integers(3, size=n_rows)
        assert density_preserving_folds(X, y, n_splits).tolist() == literal_folds(X, y, n_splits).tolist()


def test_a_chain_that_loses_one_pair_at_a_time():
    X = np.cumsum(2.0 ** np.arange(24))[:, None]
    y = np.zeros(24, dtype=int)
    assert density_preserving_folds(X, y, 2).tolist() == literal_folds(X, y, 2).tolist()


def test_a_class_of_one_row_goes_to_the_smaller_half():
    X = np.array([[0.0], [1.0], [5.0], [9.0]])
    assert np.bincount(density_preserving_folds(X, np.array([0, 0, 0, 1]), 2)).tolist() == [2, 2]


def test_sizes_and_class_counts_of_halves_differ_by_at_most_one():
    rng = np.random.default_rng(3)
    y = rng.integers(4, size=203)
    folds = density_preserving_folds(rng.standard_normal((203, 3)), y, 8)
    for coarse in (folds // 4, (folds // 2)[folds < 4]):
        assert np.ptp(np.bincount(coarse)) <= 1
    for label in range(4):
        assert np.ptp(np.bincount(folds[y == label] // 4)) <= 1
        assert np.ptp(np.bincount(folds[y == label])) <= 3


def test_halves_are_far_more_alike_than_random_ones():
    rng = np.random.default_rng(4)
    X, y = rng.standard_normal((200, 4)), np.repeat([0, 1], 100)
    folds = density_preserving_folds(X, y, 2)
    assert balance_ratio(folds, X, y) < 0.1
    assert balance_ratio(BalancedKFold(2, balance=1.0, shuffle=True, random_state=0), X, y) > 0.3


@pytest.mark.parametrize("n_splits", [0, 1, 3, 10])
def test_only_powers_of_two(n_splits):
    with pytest.raises(InputError, match=f"n_splits={n_splits}"):
        density_preserving_folds(np.zeros((20, 1)), np.zeros(20), n_splits)
