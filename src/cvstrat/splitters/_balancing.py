"""Balanced dealing: rows of one kind change places until the folds' sums of features are as close as they should be.

A round is one row for each fold, all of one kind. Of all ways to deal it, that which makes the sum over folds of
||S_j + phi(row)||^2 smallest, with S_j the sum of the centred features in fold j, is a linear assignment with the costs
<S_j, phi(row)>. Each fold keeps its number of rows of each kind: balance takes nothing from what dealing promises.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment

from cvstrat.fourier import MAX_VALUES, Features

# Rounds are dealt again up to ten times on small sets and once on large ones, where little is left to gain.
ROWS_DEALT_AGAIN, MAX_PASSES = 100_000, 10


def balance_folds(
    features: Features,
    kinds: list[np.ndarray],
    folds: np.ndarray,
    n_splits: int,
    balance: float,
    rng: np.random.RandomState,
    *,
    sizes: np.ndarray | None = None,
    keep_rounds: bool = False,
) -> np.ndarray:
    """Return the folds after rows of each kind have changed places.

    Parameters
    ----------
    features : Features
        Of all rows.
    kinds : list of ndarray of int
        The rows of each kind, in the order in which they are dealt; rows of one kind may change places.
    folds : ndarray of int
        Fold of each row, dealt blindly.
    n_splits : int
        Number of folds.
    balance : float
        From 0 for folds as alike as can be to 1 for folds that differ as random ones do: the sums of features are led
        to those of a random partition times the square root of this.
    rng : RandomState
        Of the random partition, and of the rounds that are dealt again.
    sizes : ndarray of int, default=None
        How much each row counts, the same for all rows of a kind; None for one.
    keep_rounds : bool, default=False
        Whether the rows of a round, which follow each other in the order, stay in different folds when rounds are dealt
        again. Otherwise rows of any rounds change places.
    """
    folds = folds.copy()
    total = np.zeros((n_splits, features.size))  # of all kinds so far, less where they are led to
    n_passes = int(np.clip(ROWS_DEALT_AGAIN // len(folds), 1, MAX_PASSES))
    for rows in kinds:
        kind = _Kind(features, rows, folds[rows], n_splits)
        kind.start(float(np.sqrt(balance)), rng)
        size = 1 if sizes is None else int(sizes[rows[0]])
        kind.deal(total / size)
        for _ in range(n_passes):
            kind.deal_again(total / size, None if keep_rounds else rng)
        folds[rows] = kind.folds
        total += size * kind.sums
    return folds


class _Kind:
    """Rows that may change places: their folds, and the sums of their centred features in each fold."""

    def __init__(self, features: Features, rows: np.ndarray, folds: np.ndarray, n_splits: int) -> None:
        self._source, self._rows = features, rows
        self._counts = np.bincount(folds, minlength=n_splits)
        self.folds = folds
        self._kept = features[rows] if len(rows) * features.size <= MAX_VALUES else None
        self._mean = np.zeros(features.size)
        self.sums = np.zeros((n_splits, features.size))

    def _features(self, places: np.ndarray) -> np.ndarray:
        if self._kept is not None:
            return np.take(self._kept, places, axis=0)
        return self._source[self._rows[places]] - self._mean

    def _parts(self, places: np.ndarray) -> Iterator[np.ndarray]:
        """Cut rows, or rounds of rows, into parts whose features fit into memory."""
        size = max(1, MAX_VALUES // 4 // (self._source.size * int(np.prod(places.shape[1:]))))
        return (places[start : start + size] for start in range(0, len(places), size))

    def start(self, share: float, rng: np.random.RandomState) -> None:
        """Centre the features, and start the sums at those of random folds, times `share`, with the opposite sign."""
        folds, members = rng.permutation(self.folds), np.eye(len(self._counts))
        sums = np.zeros_like(self.sums)
        for places in self._parts(np.arange(len(folds))):
            sums += members[:, folds[places]] @ self._features(places)
        self._mean = np.rint(sums.sum(axis=0) / len(folds))
        if self._kept is not None:
            self._kept -= self._mean
        self.sums = -np.rint(share * (sums - self._counts[:, None] * self._mean))

    def deal(self, others: np.ndarray) -> None:
        """Deal all rows in their order, round by round, beside the sums of other kinds."""
        n_splits, n_rounds = len(self._counts), int(self._counts.min())
        n_dealt = n_rounds * n_splits
        self._deal_rounds(np.arange(n_dealt).reshape(n_rounds, n_splits), others, again=False)
        while n_dealt < len(self._rows):  # rounds in which not every fold has a place left
            open_folds = np.flatnonzero(self._counts > n_rounds)
            places = np.arange(n_dealt, n_dealt + len(open_folds))
            features = self._features(places)
            row = linear_sum_assignment((self.sums + others / 2)[open_folds] @ features.T)[1]
            self.folds[places[row]] = open_folds
            self.sums[open_folds] += features[row]
            n_dealt, n_rounds = n_dealt + len(open_folds), n_rounds + 1

    def deal_again(self, others: np.ndarray, rng: np.random.RandomState | None) -> None:
        """Deal rounds again, the same ones or new ones drawn with `rng`: the sums of squares cannot grow."""
        n_splits, n_rounds = len(self._counts), int(self._counts.min())
        if rng is None:
            rounds = np.arange(n_rounds * n_splits).reshape(n_rounds, n_splits)
            rounds = np.take_along_axis(rounds, np.argsort(self.folds[rounds], axis=1), axis=1)
        else:
            places = rng.permutation(len(self._rows))
            places = places[np.argsort(self.folds[places], kind="stable")]
            rounds = places[np.cumsum(self._counts) - self._counts + np.arange(n_rounds)[:, None]]
        self._deal_rounds(rounds, others, again=True)

    def _deal_rounds(self, rounds: np.ndarray, others: np.ndarray, *, again: bool) -> None:
        """Deal each round; where it has been dealt before, its row j lies in fold j."""
        n_splits = len(self._counts)
        sums = self.sums + others / 2  # half the gradient of the squares of this kind's sums and of all kinds' together
        before = sums.copy()
        costs, stay = np.empty((n_splits, n_splits)), np.arange(n_splits)
        for part in self._parts(rounds):
            features = self._features(part.ravel()).reshape(*part.shape, -1)
            # In rounds dealt again, a fold's sum is that without its own row.
            own = np.matmul(features, features.transpose(0, 2, 1)) if again else np.zeros((len(part), 1, 1))
            chosen = np.empty(part.shape, dtype=np.intp)
            for number, (one, own_costs) in enumerate(zip(features, own, strict=True)):
                np.dot(sums, one.T, out=costs)
                costs -= own_costs
                row = linear_sum_assignment(costs)[1]
                chosen[number] = row
                if not again:
                    sums += one.take(row, axis=0)
                elif row.tobytes() != stay.tobytes():
                    sums += one.take(row, axis=0)
                    sums -= one
            self.folds[np.take_along_axis(part, chosen, axis=1)] = stay
        self.sums += sums - before
