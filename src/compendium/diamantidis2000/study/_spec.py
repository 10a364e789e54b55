"""What the study of 2000 (Diamantidis et al.) runs: its techniques, estimators and sample sizes, its spec."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compendium.datasets import published, task_and_shape
from compendium.engine import axis, count, fraction, seed

# The paper's names, and those of the registry.
PAPER_TECHNIQUES = {"R-CV": "KFold", "RS-CV": "SCV", "1C-CV": "1C-CV", "CL-CV": "CL-CV"}
LATER_TECHNIQUES = ("KCBCV", "SCBCV", "DOB-SCV")
ESTIMATORS = ("hold-out", "bootstrap", "leave-one-out", "repeated RS-CV")
REPEATED_RUNS, REPEATED_FOLDS = 5, 10  # as many fits as the bootstrap has resamples


@dataclass(frozen=True)
class Diamantidis2000Spec:
    """What the study of 2000 runs.

    Attributes
    ----------
    datasets : tuple of str
        Names in the catalogue, or paths of CSV files.
    learners : tuple of str
        Some of ``Decision tree``, ``Naive Bayes`` and, where Java and Weka are installed, ``C4.5``.
    techniques : tuple of str
        Names in ``cvstrat.TECHNIQUES``.
    estimators : tuple of str
        Other estimators: some of ``hold-out``, ``bootstrap``, ``leave-one-out`` and ``repeated RS-CV``, which is the
        mean of five runs of ten stratified folds.
    n_splits : tuple of int
        Numbers of folds, each at least 2.
    n_samples : int
        How many samples of each data set, at least 1; all techniques and estimators see the same.
    share : float
        Size of a sample of a set that Table 1 does not list, as a share of its rows: between 0 and 1.
    n_curve : int
        Runs behind each point of a learning curve, at least 1.
    n_holdouts : int
        Repetitions of the hold-out, at least 1.
    holdout_share : float
        Share of the sample that the hold-out learns from: between 0 and 1.
    n_bootstraps : int
        Resamples of the bootstrap, at least 1.
    max_left_out : int
        Leave-one-out, which takes a fit per row, is skipped on samples with more rows than this.
    random_state : int
        Seed: together with the names of the axes, the only source of randomness.
    """

    datasets: tuple[str, ...] = axis("dataset")
    learners: tuple[str, ...] = axis("learner", ("Decision tree", "Naive Bayes"))
    techniques: tuple[str, ...] = axis("technique", (*PAPER_TECHNIQUES.values(), *LATER_TECHNIQUES))
    estimators: tuple[str, ...] = axis("estimator", ESTIMATORS)
    n_splits: tuple[int, ...] = axis("n_splits", (2, 5, 10, 20), minimum=2)
    n_samples: int = axis("sample", 50)
    share: float = fraction(0.5)
    n_curve: int = count(10)
    n_holdouts: int = count(10)
    holdout_share: float = fraction(2 / 3)
    n_bootstraps: int = count(50)
    max_left_out: int = count(1000, minimum=0)
    random_state: int = seed(0)


def sample_size(name: str, share: float = 0.5) -> int:
    """Return how many rows a sample of a data set has: as in the paper's Table 1, or a share of all."""
    table = published("diamantidis2000_table1").set_index("name")["sample"]
    collection, _, bare = name.rpartition("/")
    if collection in ("", "pmlb") and bare in table.index:
        return int(table[bare])
    return round(share * task_and_shape(name)[1])


def curve_sizes(n_rows: int, size: int, points: int = 10) -> list[int]:
    """Return the sizes of a learning curve: from 20 rows to nine tenths of all, evenly in their logarithm.

    The size of the samples is one of them.
    """
    even = np.geomspace(min(20, n_rows // 2), 0.9 * n_rows, points).round().astype(int)
    return sorted({*even.tolist(), size})
