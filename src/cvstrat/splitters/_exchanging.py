"""Exchange: rows of one kind change places between two folds as long as the folds come closer in energy distance.

The energy distance of fold j to all rows is, but for a factor, -w_j' D w_j, with D the distances of all pairs and w_j
one for each row of the fold, less the fold's share of all rows. What is lowered is the sum of this over the folds, and
of the same inside each kind. If row i of fold a and row l of fold b change places, it changes by twice
s_a[i] - s_b[i] - s_a[l] + s_b[l] + 2 D[i, l], with s_j = D w_j. Folds meet two by two. At first each row is offered a
partner at random, later the best one. Of all pairs on offer the best change places, one after the other, as long as
that helps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from typing import Any

import numpy as np
from scipy import sparse

from cvstrat.fourier import StandardRows
from cvstrat.splitters._content import rounded

MAX_ROWS = 4096  # whose distances are held: 64 MB
LEVELS = 2**11  # distances are whole numbers up to this, or twice this inside a kind: sums of 4096 are exact
AT_RANDOM, TURNS = 3, (12, 30)  # in a turn each fold meets another; there are two for each fold, within these bounds
DRAWN = 16  # random partitions whose mean the folds are led to
_BLOCK = 64  # rows of distances worked out at a time, so few that they stay in the cache


def exchange_rows(
    rows: StandardRows,
    kinds: list[np.ndarray],
    folds: np.ndarray,
    n_splits: int,
    balance: float,
    rng: Any,
    sizes: Any = None,
) -> np.ndarray:
    """Return the folds after rows of each kind have changed places; each fold keeps its number of rows of each kind.

    Parameters
    ----------
    rows : StandardRows
        The rows, at most ``MAX_ROWS``.
    kinds : list of ndarray of int
        The rows of each kind; rows of one kind may change places.
    folds : ndarray of int
        Fold of each row.
    n_splits : int
        Number of folds.
    balance : float
        From 0 for folds as alike as can be to 1 for folds that differ as random ones do: folds are led to random ones,
        whose distances from all rows are shrunk by the square root of this.
    rng : RandomState
        Of the random folds, and of who meets whom.
    sizes : ndarray of int, default=None
        How much each row counts, the same for all rows of a kind; None for one.
    """
    order = np.concatenate(kinds)
    ends = np.cumsum([len(kind) for kind in kinds])
    sizes = np.ones(len(order), dtype=np.intp) if sizes is None else sizes[order]
    tables = _Tables(rows.rows[order], ends, sizes, folds[order], n_splits)
    tables.lead(float(np.sqrt(balance)), rng)
    n_turns, a_turn, idle = int(np.clip(2 * n_splits, *TURNS)), n_splits // 2, 0
    for number, (one, other) in enumerate(islice(meetings(n_splits), n_turns * a_turn)):
        partners = rng if number < AT_RANDOM * a_turn else None
        idle = 0 if tables.meet(one, other, partners) or partners else idle + 1
        if idle == n_splits * (n_splits - 1) // 2:  # all have met, in vain
            break
    folds = folds.copy()
    folds[order] = tables.folds
    return folds


def meetings(n_splits: int) -> Iterator[tuple[int, int]]:
    """Return pairs of folds without end; all meet, again and again, and those who meet in a row are different ones."""
    pairs = ((one, (total - one) % n_splits) for total in count() for one in range(n_splits))
    return (pair for pair in pairs if pair[0] < pair[1])


class _Tables:
    """Distances between all rows, which fold each row is in, and the sums of distances that tell what exchanges do.

    Rows come kind by kind, and kind c ends before ``ends[c]``.
    """

    def __init__(self, rows: Any, ends: np.ndarray, sizes: np.ndarray, folds: np.ndarray, n_splits: int) -> None:
        self.folds = folds
        self._ends = ends
        self._kinds = [slice(*edges) for edges in zip([0, *ends[:-1]], ends, strict=True)]
        self._distances = whole_distances(rows, sizes)
        counts = np.bincount(folds, weights=sizes, minlength=n_splits)
        # What the sums would be if every fold had its share of all rows, and of each kind.
        self._even = np.outer(counts / counts.sum(), self._distances.sum(axis=1))
        for kind in self._kinds:
            own = self._distances[kind, kind]
            counts = np.bincount(folds[kind], minlength=n_splits)
            self._even[:, kind] += np.outer(counts / counts.sum(), own.sum(axis=1))
            own *= 2
        self._even = np.rint(self._even)
        self._sums = self._sums_of(folds, n_splits) - self._even

    def _sums_of(self, folds: np.ndarray, n_splits: int) -> np.ndarray:
        members = np.eye(n_splits, dtype=np.float32)[folds]
        return np.concatenate([part @ members for part in self._parts(np.float32)]).T.astype(np.float64)

    def _parts(self, kind: type) -> Iterator[np.ndarray]:
        starts = range(0, len(self._distances), _BLOCK)
        return (self._distances[start : start + _BLOCK].astype(kind, copy=False) for start in starts)

    def lead(self, share: float, rng: np.random.RandomState) -> None:
        """Count the sums from those of random folds times `share`.

        These are the mean of several random partitions, times the square root of their number. It differs from the
        whole as much as one of them does, but no partition comes close to it: led to a single one, folds would become
        that one.
        """
        if share:
            members = np.zeros(self._sums.T.shape)
            for kind in self._kinds * DRAWN:
                members[kind][np.arange(kind.stop - kind.start), rng.permutation(self.folds[kind])] += 1
            sums = np.concatenate([part @ members for part in self._parts(np.float64)]).T
            self._sums -= np.rint(share / np.sqrt(DRAWN) * (sums - DRAWN * self._even))

    def meet(self, one: int, other: int, rng: np.random.RandomState | None) -> int:
        """Let rows of two folds change places, with partners drawn or, without `rng`, the best; return how many did."""
        gap = (self._sums[one] - self._sums[other]) / 2
        offers: list[tuple[np.ndarray, ...]] = [(np.empty(0, dtype=np.intp),) * 2]
        for kind, leaving, coming in zip(self._kinds, self._members(one), self._members(other), strict=True):
            if leaving.size and coming.size:
                offers.append(_draw(leaving, coming, rng) if rng else self._choose(leaving, coming, gap, kind))
        leaving, coming = map(np.concatenate, zip(*offers, strict=True))
        gain = gap.take(leaving) - gap.take(coming) + self._distances[leaving, coming]
        taken: list[int] = []
        total = np.zeros(len(gap), dtype=np.float32)
        while len(taken) < gain.size:
            best = int(gain.argmin())
            if gain[best] >= 0:
                break
            taken.append(best)
            change = self._distances[coming[best]] - self._distances[leaving[best]]
            total += change
            gain += change.take(leaving)
            gain -= change.take(coming)
            gain[best] = np.inf
        self._sums[one] += total
        self._sums[other] -= total
        self.folds[leaving[taken]], self.folds[coming[taken]] = other, one
        return len(taken)

    def _members(self, fold: int) -> list[np.ndarray]:
        """Return the rows of a fold, kind by kind."""
        members = (self.folds == fold).nonzero()[0]
        ends = members.searchsorted(self._ends).tolist()
        return [members[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]

    def _choose(self, leaving: np.ndarray, coming: np.ndarray, gap: np.ndarray, kind: slice) -> tuple[np.ndarray, ...]:
        """Return each leaving row with its best partner, where that helps; a partner goes to the one it helps most."""
        gain = self._distances[leaving, kind].take(coming - kind.start, axis=1) - gap.take(coming)
        partner = gain.argmin(axis=1)
        gain = gain[np.arange(len(leaving)), partner] + gap.take(leaving)
        helps = (gain < 0).nonzero()[0]
        worst_first = helps[gain[helps].argsort(kind="stable")[::-1]]
        suitor = np.full(len(coming), -1)
        suitor[partner[worst_first]] = worst_first  # of several the last one stays
        taken = (suitor >= 0).nonzero()[0]
        return leaving[suitor[taken]], coming[taken]


def _draw(leaving: np.ndarray, coming: np.ndarray, rng: np.random.RandomState) -> tuple[np.ndarray, ...]:
    n_pairs = min(len(leaving), len(coming))
    return rng.permutation(leaving)[:n_pairs], rng.permutation(coming)[:n_pairs]


def whole_distances(rows: Any, sizes: np.ndarray) -> np.ndarray:
    """Return the distances of all rows, times both rows' sizes, as whole numbers from 0 to ``LEVELS``."""
    side_by_side = partial(sparse.hstack, format="csr") if sparse.issparse(rows) else np.hstack
    squares, ones = (rows**2).sum(axis=1)[:, None], np.ones((rows.shape[0], 1))
    left, right = side_by_side([-2 * rows, squares, ones]), side_by_side([rows, ones, squares]).T
    found = np.empty((len(ones), len(ones)), dtype=np.float32)
    for start in range(0, len(ones), _BLOCK):
        end = start + _BLOCK
        part = found[start:end, start:]
        squared = left[start:end] @ right[:, start:]  # |x|^2 + |z|^2 - 2 x.z
        np.maximum(squared.toarray() if sparse.issparse(squared) else squared, 0, out=part, casting="same_kind")
        np.sqrt(part, out=part)
        found[end:, start:end] = part[:, _BLOCK:].T
    np.fill_diagonal(found, 0)
    if sizes.max() > 1:
        found *= np.outer(sizes, sizes)
    found *= LEVELS / float(rounded(found.max()) or 1)
    return np.rint(found, out=found)
