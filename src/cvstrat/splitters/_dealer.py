"""The dealer: an order, dealt out to the folds like cards; one by one, or by whole groups that must stay together."""

from __future__ import annotations

from itertools import combinations

import numpy as np

FEW = 20  # groups per fold up to which a second start is worth its time
_TRIED = 200  # groups per fold that are tried in an exchange
_MAX_SWEEPS = 100
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
    dealt by it as :func:`deal` deals them. Then groups of two folds change places, or one of them moves, as long as
    :func:`imbalance` falls. Where groups are few, a second deal begins with the largest ones and is taken if it ends
    more even. If all are single rows (with several labels), fold sizes come first and differ by at most one.

    Parameters
    ----------
    order : ndarray of int
        Groups in the order in which they are dealt; no fewer than folds.
    counts : ndarray of int, shape (n_groups, n_classes + 1)
        Rows of each class in each group and, in the last column, all its rows.
    focus : ndarray of int
        Class in the focus of each group.
    n_splits : int
        Number of folds; none stays empty.
    """
    counts, focus = counts[order], focus[order]
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    if counts[:, -1].max() == 1:
        shares[:, -1] = counts.shape[1]  # outweighs all labels of a row
    starts = [np.arange(len(order))]
    if n_splits < len(order) <= FEW * n_splits:
        starts.append(np.argsort(-np.round((shares**2).sum(axis=1), _DIGITS), kind="stable"))
    ends = [_even_out(_one_by_one(start, counts, focus, n_splits), shares, n_splits) for start in starts]
    unevenness = [round(imbalance(end, counts, n_splits), _DIGITS) for end in ends]
    folds = np.empty(len(order), dtype=np.intp)
    folds[order] = ends[int(np.argmin(unevenness))]
    return folds


def imbalance(folds: np.ndarray, counts: np.ndarray, n_splits: int) -> float:
    """Return how uneven the folds are: the root mean square of what their shares of each class and of all rows lack.

    An even fold has the share ``1 / n_splits`` of every column of `counts`, which are those of :func:`deal_whole`.
    """
    totals = np.zeros((n_splits, counts.shape[1]))
    np.add.at(totals, folds, counts)
    filled = totals[:, totals.any(axis=0)]
    return float(np.sqrt(np.mean((filled / filled.sum(axis=0) - 1 / n_splits) ** 2)))


def _one_by_one(start: np.ndarray, counts: np.ndarray, focus: np.ndarray, n_splits: int) -> np.ndarray:
    totals = np.zeros((n_splits, counts.shape[1]), dtype=np.int64)
    more = counts[:, -1].sum() + 1  # than any number of rows: a row of the class outweighs all differences in size
    folds = np.empty(len(start), dtype=np.intp)
    for group in start:
        folds[group] = fold = (totals[:, focus[group]] * more + totals[:, -1]).argmin()
        totals[fold] += counts[group]
    return folds


def _even_out(folds: np.ndarray, shares: np.ndarray, n_splits: int) -> np.ndarray:
    """Exchange groups between pairs of folds, each time the best exchange of the pair, until none helps."""
    totals = np.zeros((n_splits, shares.shape[1]))
    np.add.at(totals, folds, shares)
    changed = len(folds) > n_splits
    sweeps = 0
    while changed and sweeps < _MAX_SWEEPS:
        exchanged = [_exchange(pair, folds, shares, totals) for pair in combinations(range(n_splits), 2)]
        changed = any(exchanged)
        sweeps += 1
    return folds


def _exchange(pair: tuple[int, int], folds: np.ndarray, shares: np.ndarray, totals: np.ndarray) -> bool:
    """Make the exchange (or move) between two folds that lowers the sum of squares most; return whether there is one.

    If the first fold gains d, the sum of the squares of both folds' shares changes by 2 (d.d + d.(first - second)).
    """
    sides = [_spread(np.flatnonzero(folds == fold)) for fold in pair]
    gap = totals[pair[0]] - totals[pair[1]]
    leaving, coming = (np.vstack([shares[side], np.zeros(len(gap))]) for side in sides)  # or nothing goes this way
    change = (leaving**2).sum(axis=1)[:, None] - (leaving @ gap)[:, None] - 2 * (leaving @ coming.T)
    change = np.round(change + (coming**2).sum(axis=1) + coming @ gap, _DIGITS)
    if len(sides[0]) == 1:
        change[0, -1] = 0.0  # a fold keeps a group
    if len(sides[1]) == 1:
        change[-1, 0] = 0.0
    best = np.unravel_index(change.argmin(), change.shape)
    if change[best] >= 0:
        return False
    for place, side, fold in zip(best, sides, reversed(pair), strict=True):
        if place < len(side):
            folds[side[place]] = fold
    gained = coming[best[1]] - leaving[best[0]]
    totals[pair[0]] += gained
    totals[pair[1]] -= gained
    return True


def _spread(members: np.ndarray) -> np.ndarray:
    """Return at most so many members as are tried, spread over all."""
    step = -(-len(members) // _TRIED)
    return members[::step] if step > 1 else members
