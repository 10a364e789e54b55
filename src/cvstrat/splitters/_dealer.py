"""The dealer: an order, dealt out to the folds like cards; one by one, or by whole groups that must stay together."""

from __future__ import annotations

from itertools import combinations

import numpy as np

FEW = 20  # groups per fold up to which a second start, and exchanges of two groups, are worth their time
_TRIED = 200  # groups per fold that are tried in an exchange
_DIGITS = 12  # of a gain: what is smaller is rounding


def deal(order: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the fold of each row when rows are dealt in `order` to `n_splits` folds, one by one, round and round."""
    folds = np.empty(len(order), dtype=np.intp)
    folds[order] = np.arange(len(order)) % n_splits
    return folds


def deal_whole(order: np.ndarray, counts: np.ndarray, focus: np.ndarray, n_splits: int) -> np.ndarray:
    """Return the fold of each group when whole groups are dealt in `order` and then exchanged until folds are even.

    A group goes to the fold with the fewest rows of the class in its focus; of several to the smallest; of several to
    the first. This is the criterion of iterative stratification :cite:`sechidis2011`, and groups of one row each are
    dealt by it as :func:`deal` deals them. Then groups move or change places between two folds, also two at a time if
    a fold has few, as long as :func:`imbalance` falls. Where groups are few, a second deal begins with the largest
    ones, puts each where it adds least to the imbalance, and is taken if it ends more even. If all are single rows
    (with several labels), fold sizes come first and differ by at most one. No fold stays empty.

    Parameters
    ----------
    order, focus : ndarray of int
        Groups in the order in which they are dealt, no fewer than folds; and the class in the focus of each group.
    counts : ndarray of int, shape (n_groups, n_classes + 1)
        Rows of each class in each group and, in the last column, all its rows.
    n_splits : int
        Number of folds.
    """
    counts, focus = counts[order], focus[order]
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    if counts[:, -1].max() == 1:
        shares[:, -1] = counts.shape[1]  # outweighs all labels of a row
    starts = [_in_order(counts, focus, n_splits)]
    if n_splits < len(order) <= FEW * n_splits:
        starts.append(_largest_first(shares, n_splits))
    ends = [_even_out(start, shares, n_splits) for start in starts]
    folds = np.empty(len(order), dtype=np.intp)
    folds[order] = min(ends, key=lambda end: round(imbalance(end, counts, n_splits), _DIGITS))
    return folds


def imbalance(folds: np.ndarray, counts: np.ndarray, n_splits: int) -> float:
    """Return how uneven the folds are: the root mean square of what their shares of each class and of all rows lack.

    An even fold has the share ``1 / n_splits`` of every column of `counts`, which are those of :func:`deal_whole`.
    """
    totals = np.zeros((n_splits, counts.shape[1]))
    np.add.at(totals, folds, counts)
    filled = totals[:, totals.any(axis=0)]
    return float(np.sqrt(np.mean((filled / filled.sum(axis=0) - 1 / n_splits) ** 2)))


def _in_order(counts: np.ndarray, focus: np.ndarray, n_splits: int) -> np.ndarray:
    totals = np.zeros((n_splits, counts.shape[1]), dtype=np.int64)
    more = counts[:, -1].sum() + 1  # than any number of rows: a row of the class outweighs all differences in size
    folds = np.empty(len(counts), dtype=np.intp)
    for group, wanted in enumerate(focus):
        folds[group] = fold = (totals[:, wanted] * more + totals[:, -1]).argmin()
        totals[fold] += counts[group]
    return folds


def _largest_first(shares: np.ndarray, n_splits: int) -> np.ndarray:
    totals = np.zeros((n_splits, shares.shape[1]))
    folds = np.empty(len(shares), dtype=np.intp)
    for group in np.argsort(-np.round((shares**2).sum(axis=1), _DIGITS), kind="stable"):
        folds[group] = fold = np.round((totals * shares[group]).sum(axis=1), _DIGITS).argmin()
        totals[fold] += shares[group]
    return folds


def _even_out(folds: np.ndarray, shares: np.ndarray, n_splits: int) -> np.ndarray:
    """Exchange groups between pairs of folds, each time the best exchange of the pair, until none helps."""
    totals = np.zeros((n_splits, shares.shape[1]))
    np.add.at(totals, folds, shares)
    waiting = set(range(n_splits)) if len(folds) > n_splits else set()  # folds that have changed since they were tried
    while waiting:
        changed: set[int] = set()
        for pair in combinations(range(n_splits), 2):
            is_new = any(fold in waiting or fold in changed for fold in pair)
            if is_new and _exchange(pair, folds, shares, totals):
                changed.update(pair)
        waiting = changed
    return folds


def _exchange(pair: tuple[int, int], folds: np.ndarray, shares: np.ndarray, totals: np.ndarray) -> bool:
    """Make the exchange between two folds that lowers the sum of squares most; return whether there is one.

    If the first fold gains d, the sum of the squares of both folds' shares changes by 2 (d.d + d.(first - second)).
    """
    sides = [np.flatnonzero(folds == fold) for fold in pair]
    gap = totals[pair[0]] - totals[pair[1]]
    leaving, coming = (_offers(side) for side in sides)
    gone, come = (np.where(offers >= 0, shares.T[:, offers], 0.0).sum(axis=2).T for offers in (leaving, coming))
    change = ((gone - gap) * gone).sum(axis=1)[:, None] - 2 * (gone @ come.T) + ((come + gap) * come).sum(axis=1)
    change = np.round(change, _DIGITS)
    change[(leaving >= 0).sum(axis=1) == len(sides[0]), -1] = 0.0  # no fold is emptied
    change[-1, (coming >= 0).sum(axis=1) == len(sides[1])] = 0.0
    best = np.unravel_index(change.argmin(), change.shape)
    if change[best] >= 0:
        return False
    for offers, place, fold in ((leaving, best[0], pair[1]), (coming, best[1], pair[0])):
        folds[offers[place][offers[place] >= 0]] = fold
    totals[pair[0]] += come[best[1]] - gone[best[0]]
    totals[pair[1]] -= come[best[1]] - gone[best[0]]
    return True


def _offers(members: np.ndarray) -> np.ndarray:
    """Return what a fold can give away, a row each: one group, two groups if it has few, or nothing (-1)."""
    ones = members[:: -(-len(members) // _TRIED)]  # of very many, some from everywhere in the order
    offers = np.column_stack([ones, np.full(len(ones), -1)])
    if len(members) <= FEW:
        offers = np.vstack([offers, np.column_stack([members[side] for side in np.triu_indices(len(members), 1)])])
    return np.vstack([offers, [[-1, -1]]])
