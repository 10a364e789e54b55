"""What the cluster-based study (Spezia et al., 2025) runs: its techniques and experiment sets, its spec."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from compendium.engine import axis, fraction, seed
from compendium.spezia2025.study._models import MODELS

_SCBCV = ("SCBCV", "SCBCV2", "SCBCV3", "SCBCV4", "SCBCV5")
SETS = {
    "set1": _SCBCV,
    "set2": ("SCBCV", "SCBCV-Mini", "SCV"),
    "set3": ("ACBCV", "KCBCV", "KCBCV-Mini", "DBSCANBCV", "SCBCV", "SCBCV-Mini"),
}
PUBLISHED = (*_SCBCV, "SCBCV-Mini", "KCBCV", "KCBCV-Mini", "ACBCV", "DBSCANBCV")
BALANCED = ("Balanced", "Balanced0")
EXTRAS = ("DBSCV", "DOB-SCV", "1C-CV", "CL-CV", "SpectralBCV", "ROCBCV", *BALANCED)
STUDIED = (*PUBLISHED, "SCV", "KFold", *EXTRAS)

CORRECT, AS_PUBLISHED = "correct", "as published"


@dataclass(frozen=True)
class Spezia2025Spec:
    """What a run of the cluster-based study computes.

    Attributes
    ----------
    datasets : tuple of str
        Names of the catalogue, or CSV files whose last column (or the one after a colon) is the class.
    models : tuple of str
        Names in ``MODELS``: ``LR``, ``DT``, ``SVM``, ``RF``.
    techniques : tuple of str
        Names in ``STUDIED``.
    n_splits : tuple of int
        Numbers of folds, each at least 2.
    n_repeats : int
        Number of subsamples that are cross-validated.
    n_holdouts : int
        Number of hold-outs whose mean score is taken for the true score; at least 2.
    test_size : float
        Share of the rows, between 0 and 1, that a hold-out tests on and that a subsample leaves out.
    truth_seed, subsample_seed, splitter_seed, model_seed : int
        Seeds of the hold-outs, the subsamples, the splitters and the models; the defaults are the published ones.
    """

    datasets: tuple[str, ...] = axis("dataset")
    models: tuple[str, ...] = axis("model", MODELS)
    techniques: tuple[str, ...] = axis("technique", STUDIED)
    n_splits: tuple[int, ...] = axis("n_splits", (2, 10), minimum=2)
    n_repeats: int = axis("repeat", 20)
    n_holdouts: int = axis("holdout", 100, minimum=2)
    test_size: float = fraction(0.1)
    truth_seed: int = seed(123)
    subsample_seed: int = seed(456)
    splitter_seed: int = seed(123)
    model_seed: int = seed(0)


def twins(clusters: pd.DataFrame) -> dict[str, str]:
    """Return the data sets in which SCBCV, with its estimated number of clusters, is one of SCBCV2 to SCBCV5."""
    names = {name: f"SCBCV{number}" for name, number in zip(clusters["dataset"], clusters["n_clusters"], strict=True)}
    return {name: technique for name, technique in names.items() if technique in SETS["set1"]}


def with_twins(rows: pd.DataFrame, clusters: pd.DataFrame) -> pd.DataFrame:
    """Return rows of results in which SCBCV stands under its second name too, where it has one: it is run once."""
    same = twins(clusters)
    copies = rows[(rows["technique"] == "SCBCV") & rows["dataset"].isin(same)]
    copies = copies.assign(technique=copies["dataset"].map(same))
    others = rows[rows["technique"] != rows["dataset"].map(same)]
    return pd.concat([others, copies], ignore_index=True)
