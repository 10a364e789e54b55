"""Folds of more rows than fit into memory: they come in batches, several times over, and are clustered by parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.cluster import MiniBatchKMeans
from sklearn.utils import check_random_state

from cvstrat.clustering import estimate_n_clusters
from cvstrat.errors import InputError
from cvstrat.splitters._base import finite_rows
from cvstrat.splitters._cards import Cards, number_groups
from cvstrat.splitters._classes import by_class
from cvstrat.splitters._clusters import ClusterKFold, StratifiedClusterKFold, by_cluster_then_distance
from cvstrat.splitters._content import row_keys

Batches = Callable[[], Iterator[np.ndarray]]
_START = 10_000  # rows, of all and of each stratum, from which clustering starts


def streamed_folds(
    splitter: ClusterKFold | StratifiedClusterKFold, batches: Batches, y: Any, groups: Any = None
) -> np.ndarray:
    """Return the fold of each row of a table that is read in batches.

    Fold sizes and class counts are as even as in memory. Clusters are not the same: each stratum's centres start from a
    random sample of its rows, and then see every batch once (``partial_fit``), so that the folds depend on the order of
    the rows. With groups, the means of the groups are clustered, in memory, as the splitter itself does it; its folds
    are the same where the means are not rounded.

    Parameters
    ----------
    splitter : ClusterKFold or StratifiedClusterKFold
        With ``clusterer="minibatch"``: KCBCV-Mini or SCBCV-Mini.
    batches : callable
        Returns an iterator over all rows, in order, as arrays of numbers; it is called up to three times.
    y : array-like of shape (n_rows,)
        The target; for :class:`cvstrat.ClusterKFold` only its length counts.
    groups : array-like of shape (n_rows,), default=None
        Rows of a group stay together.
    """
    if splitter.clusterer != "minibatch":
        raise InputError(f"only clusters of the kind 'minibatch' are made from batches; this is {splitter.clusterer!r}")
    if splitter.standardize:
        raise InputError("batches are not standardised: do that before, or leave out standardize=True")
    splitter._check_parameters()
    rng = check_random_state(splitter.random_state if splitter.shuffle else 0)
    cards = splitter._cards(y, y)
    if splitter.n_splits > len(cards.strata):
        raise InputError(f"n_splits={splitter.n_splits} is more than the number of rows, {len(cards.strata)}")

    def rows() -> Iterator[tuple[slice, np.ndarray]]:
        start = 0
        for batch in batches():
            yield slice(start, start + len(batch)), finite_rows(batch, splitter)
            start += len(batch)

    if groups is not None:
        return _whole_groups(splitter, rows, cards, groups, rng)
    cluster_of_row, distance = _clusters(splitter.n_clusters, rows, cards.strata, rng)
    order = [
        members[by_cluster_then_distance(cluster_of_row[members], distance[members])]
        for members in by_class(np.arange(len(cards.strata)), cards.strata)
    ]
    return cards.deal(np.concatenate(order), splitter.n_splits)


def _clusters(
    n_clusters: int | None, rows: Any, strata: np.ndarray, rng: np.random.RandomState
) -> tuple[np.ndarray, np.ndarray]:
    """Return the cluster of each row inside its stratum, and its distance to the cluster's centre."""
    start = [_some(len(strata), rng)]
    start += [members[_some(len(members), rng)] for members in by_class(np.arange(len(strata)), strata)]
    known = np.unique(np.concatenate(start))
    sample = np.concatenate([batch[known[(known >= at.start) & (known < at.stop)] - at.start] for at, batch in rows()])
    if n_clusters is None:
        n_clusters = estimate_n_clusters(sample[np.searchsorted(known, start[0])])
    models = []
    for members in start[1:]:
        some = sample[np.searchsorted(known, members)]
        size = min(n_clusters, len(np.unique(some, axis=0)))
        models.append(MiniBatchKMeans(size, random_state=int(rng.randint(np.iinfo(np.int32).max))).partial_fit(some))
    for at, batch in rows():
        for stratum in np.unique(strata[at]):
            models[stratum].partial_fit(batch[strata[at] == stratum])
    cluster_of_row = np.empty(len(strata), dtype=np.int32)
    distance = np.empty(len(strata))
    for at, batch in rows():
        for stratum in np.unique(strata[at]):
            here = np.flatnonzero(strata[at] == stratum)
            found = models[stratum].predict(batch[here])
            cluster_of_row[at][here] = found
            distance[at][here] = np.linalg.norm(batch[here] - models[stratum].cluster_centers_[found], axis=1)
    return cluster_of_row, distance


def _some(n_rows: int, rng: np.random.RandomState) -> np.ndarray:
    return np.arange(n_rows) if n_rows <= _START else np.sort(rng.choice(n_rows, _START, replace=False))


def _whole_groups(splitter: Any, rows: Any, cards: Cards, groups: Any, rng: np.random.RandomState) -> np.ndarray:
    keys = np.concatenate([row_keys(batch, np.random.RandomState(0)) for _, batch in rows()])
    group_of_row = number_groups(groups, keys, cards, splitter.n_splits)
    sizes = np.bincount(group_of_row)
    sums: Any = 0.0
    for at, batch in rows():
        order = np.argsort(group_of_row[at], kind="stable")
        here, starts = np.unique(group_of_row[at][order], return_index=True)
        sums = np.zeros((len(sizes), batch.shape[1])) if np.isscalar(sums) else sums
        sums[here] += np.add.reduceat(batch[order], starts, axis=0)
    fold_of_group = splitter._folds(sums / sizes[:, None], cards.in_groups(group_of_row, keys), rng)
    return np.take(fold_of_group, group_of_row)
