"""What is dealt: rows, or whole groups of rows, each with its place and with the classes it counts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import column_or_1d

from cvstrat.clustering import MixedRows
from cvstrat.errors import InputError
from cvstrat.splitters._classes import by_class, rank_classes
from cvstrat.splitters._content import finalize_hash, row_keys, stable_order
from cvstrat.splitters._dealer import deal, deal_whole


@dataclass(frozen=True)
class Cards:
    """Rows or groups of rows, in strata that are spread evenly over the folds.

    Parameters
    ----------
    strata : ndarray of int
        Stratum in which each card is ordered: its own; of several (a group, a row with labels) the rarest.
    coarser : tuple of ndarray, default=()
        For each coarser way to tell strata apart, the class of each stratum, coarsest first. Strata of one class are
        dealt one after the other, so that the class is spread evenly, too.
    counts : ndarray of int, shape (n_cards, n_strata), default=None
        Rows of each stratum in each card; None if a card is a row of one stratum.
    sizes : ndarray of int, default=None
        Rows of each card; None for one each.
    """

    strata: np.ndarray
    coarser: tuple[np.ndarray, ...] = ()
    counts: np.ndarray | None = None
    sizes: np.ndarray | None = None

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> Cards:
        """Make a card of each row of a table of labels, 0 or 1; a row without any has a stratum for itself."""
        counts = np.column_stack([labels, ~labels.any(axis=1)]).astype(np.int64)
        return cls(_rarest(counts, counts.sum(axis=0)), counts=counts)

    def by_content(self, keys: np.ndarray) -> np.ndarray:
        """Return the cards by their keys; those of equal rows by what they count for, else as they come."""
        return stable_order(keys) if self.counts is None else np.lexsort((self._kinds(), keys))

    def _kinds(self) -> np.ndarray:
        """Return a number for each card, the same for those of the same size that count for the same strata."""
        counts: Any = self.counts
        counts = counts if self.sizes is None else np.column_stack([counts, self.sizes])
        return np.asarray(np.unique(counts, axis=0, return_inverse=True)[1].ravel())

    def in_groups(self, group_of_row: np.ndarray, keys: np.ndarray) -> Cards:
        """Make one card of the rows of each group."""
        sizes = np.bincount(group_of_row)
        if self.counts is None:
            n_strata = int(self.strata.max()) + 1
            pairs = np.bincount(group_of_row * n_strata + self.strata, minlength=len(sizes) * n_strata)
            counts = pairs.reshape(len(sizes), n_strata)
        else:
            counts = np.zeros((len(sizes), self.counts.shape[1]), dtype=np.int64)
            np.add.at(counts, group_of_row, self.counts)
        rank = np.zeros(counts.shape[1], dtype=np.intp)
        rank[self.strata] = rank_classes(self.strata, keys)  # strata of one size: by content, not by name
        rarity = np.lexsort((rank, counts.sum(axis=0)))
        return Cards(_rarest(counts, np.argsort(rarity)), self.coarser, counts, sizes)

    def by_stratum(self, by_content: np.ndarray, keys: np.ndarray) -> list[np.ndarray]:
        """Return the cards of each stratum, by content; strata come in an order that depends on content alone."""
        ranks = rank_classes(self.strata, keys)
        for level in reversed(self.coarser):
            ranks += (ranks.max() + 1) * rank_classes(level[self.strata], keys)
        if self.coarser:
            ranks = np.unique(ranks, return_inverse=True)[1]
        return [stratum for stratum in by_class(by_content, ranks) if stratum.size]

    def interchangeable(self, order: list[np.ndarray]) -> list[np.ndarray]:
        """Return the cards of each stratum that may change places without any count changing, in their order."""
        if self.counts is None:
            return order
        parts, kind = [], self._kinds()
        for stratum in order:
            kinds = pd.factorize(kind[stratum])[0]
            ends = np.cumsum(np.bincount(kinds))
            parts += np.split(stratum[np.argsort(kinds, kind="stable")], ends[:-1])
        return parts

    def deal(self, order: np.ndarray, n_splits: int) -> np.ndarray:
        """Return the fold of each card when they are dealt in `order`."""
        if self.counts is None:
            return deal(order, n_splits)
        sizes = np.ones(len(order), dtype=np.int64) if self.sizes is None else self.sizes
        coarser = [self.counts @ np.eye(level.max() + 1, dtype=np.int64)[level] for level in self.coarser]
        return deal_whole(order, np.column_stack([self.counts, *coarser, sizes]), self.strata, n_splits)


def _rarest(counts: np.ndarray, rarity: np.ndarray) -> np.ndarray:
    """Return, for each card, the stratum of lowest `rarity` among those it counts for."""
    return np.asarray(np.where(counts > 0, rarity, np.iinfo(np.int64).max).argmin(axis=1))


def group_rows(rows: Any, groups: Any, cards: Cards, n_splits: int) -> tuple[Any, Cards, np.ndarray]:
    """Replace rows by groups.

    Parameters
    ----------
    rows : ndarray, CSR matrix or MixedRows
        The rows.
    groups : array-like
        Name of the group of each row.
    cards : Cards
        One for each row.
    n_splits : int
        Number of folds; more than groups are refused.

    Returns
    -------
    means : as `rows`
        The place of each group: means and, of discrete attributes, the most frequent values.
    cards : Cards
        One for each group.
    group_of_row : ndarray of int
        Groups are numbered by what their rows contain; neither names nor places matter.
    """
    values = rows.values() if isinstance(rows, MixedRows) else rows
    keys = row_keys(values, np.random.RandomState(0))
    group_of_row = number_groups(groups, keys, cards, n_splits)
    order = np.lexsort((keys, group_of_row))  # sums must not depend on the order in which rows come
    starts = np.concatenate([[0], np.cumsum(np.bincount(group_of_row))])
    return _means(rows, order, starts), cards.in_groups(group_of_row, keys), group_of_row


def number_groups(groups: Any, keys: np.ndarray, cards: Cards, n_splits: int) -> np.ndarray:
    """Return the group of each row, numbered by what its rows contain, of which `keys` tell."""
    names = column_or_1d(pd.Series(groups) if isinstance(groups, list | tuple) else groups)  # keeps what is missing
    if pd.isna(names).any():
        raise InputError(f"groups has missing values, {int(pd.isna(names).sum())} of {len(names)}: give each a group")
    codes, found = pd.factorize(names.astype(names.dtype.newbyteorder("="), copy=False))
    if n_splits > len(found):
        raise InputError(f"n_splits={n_splits} is more than the number of groups, {len(found)}")
    ranks = (rank_classes(cards.strata, keys) if cards.counts is None else cards._kinds()).astype(np.uint64)
    return rank_classes(codes, finalize_hash(keys + ranks))


def _means(rows: Any, order: np.ndarray, starts: np.ndarray) -> Any:
    if isinstance(rows, MixedRows):
        return rows.centers(order, starts)
    sizes = np.diff(starts)
    small = rows.indices.dtype if sparse.issparse(rows) else np.int64  # clusterers want indices as short as they were
    parts = np.ones(len(order)), order.astype(small), starts.astype(small)
    members = sparse.csr_array(parts, shape=(len(sizes), len(order)))
    sums = members @ rows  # in the order of the members, whether rows are dense or sparse
    if not sparse.issparse(sums):
        return sums / sizes[:, None]
    sums = sparse.csr_array(sums)
    sums.sum_duplicates()
    sums.data /= np.repeat(sizes, np.diff(sums.indptr))
    return sums
