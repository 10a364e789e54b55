"""The procedures that estimate an error, as training and test parts of one data set.

Several procedures share their fits. Hold-out is the first of five stratified folds; two times five folds begin with
the same five; e-fold stops in the midst of ten; the .632 estimates are made of a bootstrap and the apparent error. So
only partitions are stored, and the procedures are read off them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold

from compendium.balance.study._problems import N_CENTRES, Sample
from compendium.engine import seed_of
from cvstrat import BalancedKFold, make_splitter

BALANCES: dict[str, float | str] = {"0": 0.0, "0.25": 0.25, "0.5": 0.5, "unbiased": "unbiased", "1": 1.0}
PUBLISHED = ("SCBCV", "KCBCV", "DBSCV", "DOB-SCV", "1C-CV", "CL-CV")
REPEATS = {2: 5, 5: 2}
N_RESAMPLES = 25


@dataclass(frozen=True)
class Parts:
    """What a partition, or a set of resamples, trains on and tests.

    Attributes
    ----------
    technique : str
        ``KFold``, ``SCV``, a name of the papers, ``balanced`` with the ratio aimed at, ``bootstrap`` or ``apparent``.
    n_splits : int
        Number of folds or resamples.
    repeat : int
        Which of several partitions that differ in their seed alone.
    weights : array of shape (n_splits, n_rows)
        How often each row is in each training part.
    rows : list of arrays
        The rows that each part tests.
    """

    technique: str
    n_splits: int
    repeat: int
    weights: np.ndarray
    rows: list[np.ndarray]


Draw = Callable[[Sample, tuple[int, ...], tuple[int, ...], int], Iterator[Parts]]


def draw_parts(sample: Sample, n_splits: tuple[int, ...], few: tuple[int, ...], root: int) -> Iterator[Parts]:
    """Yield all partitions and resamples of a data set.

    Parameters
    ----------
    sample : Sample
        The data set.
    n_splits : tuple of int
        Numbers of folds of random and of stratified folds.
    few : tuple of int
        Numbers of folds of the other techniques, which cost more.
    root : int
        Seed.
    """
    X, y = sample.X, sample.y
    for k in n_splits:
        yield from_splitter("KFold", KFold(k, shuffle=True, random_state=seed_of(root, "KFold", k)), k, 0, sample)
        for repeat in range(REPEATS.get(k, 1)):
            splitter = StratifiedKFold(k, shuffle=True, random_state=seed_of(root, "SCV", k, repeat))
            yield from_splitter("SCV", splitter, k, repeat, sample)
    for k in few:
        for name in PUBLISHED:
            seed = seed_of(root, name, k)
            splitter = make_splitter(name, n_splits=k, n_clusters=N_CENTRES, random_state=seed)
            yield from_splitter(name, splitter, k, 0, sample)
        for label, balance in BALANCES.items():
            seed = seed_of(root, "balanced", label, k)
            splitter = BalancedKFold(k, balance=balance, criterion="features", shuffle=True, random_state=seed)
            yield from_splitter(f"balanced {label}", splitter, k, 0, sample)
        if len(np.unique(sample.groups)) < len(y):
            seed = seed_of(root, "groups", k)
            keeping = StratifiedGroupKFold(k, shuffle=True, random_state=seed)
            yield from_splitter("SCV, groups kept", keeping, k, 0, sample, sample.groups)
            dealt = BalancedKFold(k, criterion="features", shuffle=True, random_state=seed)
            yield from_splitter("balanced unbiased, groups kept", dealt, k, 0, sample, sample.groups)
    rng = np.random.default_rng(seed_of(root, "bootstrap"))
    resamples = [rng.integers(len(y), size=len(y)) for _ in range(N_RESAMPLES)]
    weights = np.array([np.bincount(drawn, minlength=len(y)) for drawn in resamples], dtype=float)
    yield Parts("bootstrap", N_RESAMPLES, 0, weights, [np.flatnonzero(row == 0) for row in weights])
    yield Parts("apparent", 1, 0, np.ones((1, len(y))), [np.arange(len(X))])


def from_splitter(
    technique: str, splitter: object, k: int, repeat: int, sample: Sample, groups: np.ndarray | None = None
) -> Parts:
    """Return the parts of a splitter."""
    weights = np.ones((k, len(sample.y)))
    rows = []
    for part, (_, test) in enumerate(splitter.split(sample.X, sample.y, groups)):  # type: ignore[attr-defined]
        weights[part, test] = 0
        rows.append(test)
    return Parts(technique, k, repeat, weights, rows)
