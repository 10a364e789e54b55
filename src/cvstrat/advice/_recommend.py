"""Which technique the cluster-based study speaks for, and how surely: read from one small table of effects.

The table, ``effects.csv``, is made from the results of the study by ``compendium advice``.
"""

from __future__ import annotations

import functools
import importlib.resources
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cvstrat.checks import check_known

DEFAULT = "SCV"
# Which techniques come into question; of many rows, those whose memory grows with their square do not.
CANDIDATES = ("any", "any, many rows", "stratified")
_MANY_ROWS = 20000


@dataclass(frozen=True, eq=False)
class Recommendation:
    """What a study says for one kind of data.

    Attributes
    ----------
    technique : str
        The technique to use, by the papers' name: of those surely better than SCV the one with the smallest root mean
        squared error; SCV if there is none.
    clear : bool
        Whether any is surely better than SCV.
    balance, metric : str
        Kind of data, ``balanced`` or ``imbalanced``, and score, as asked for.
    n_splits, n_datasets, n_pairs : int
        Number of folds, the nearest that was studied; of data sets, and of pairs of data set and model.
    effects : DataFrame
        Per technique, root mean squared error of its estimates minus that of SCV: ``difference``, ``low`` and ``high``
        (95 % interval over data sets), ``better`` and ``worse`` (whether an interval wide enough for all techniques at
        once lies wholly below, or above, zero).
    stratified : bool
        Whether only techniques that keep classes in proportion were compared.
    """

    technique: str
    clear: bool
    balance: str
    n_splits: int
    metric: str
    n_datasets: int
    n_pairs: int
    effects: pd.DataFrame
    stratified: bool


def recommend(balance: str, n_splits: int, *, metric: str, stratified: bool = False, n_rows: int = 0) -> Recommendation:
    """Return the technique that the results of the cluster-based study speak for.

    Parameters
    ----------
    balance : {"balanced", "imbalanced"}
        Kind of data: an imbalance index of at most 0.20, or above.
    n_splits : int
        Number of folds; the study had two and ten, and the nearest (as a ratio) counts.
    metric : {"accuracy", "balanced_accuracy", "f1_macro"}
        Score that is estimated.
    stratified : bool, default=False
        Whether only techniques that keep classes in proportion come into question.
    n_rows : int, default=0
        Rows of the data. Above 20000, techniques whose memory grows with their square are left out.

    Returns
    -------
    Recommendation
        The technique, and all differences with their intervals.
    """
    table = effects()
    check_known("kind of data", balance, table["balance"].unique())
    check_known("metric", metric, table["metric"].unique())
    studied = np.sort(table["n_splits"].unique())
    nearest = int(studied[np.argmin(np.abs(np.log(studied / n_splits)))])
    candidates = "stratified" if stratified else "any, many rows" if n_rows > _MANY_ROWS else "any"
    where = {"balance": balance, "metric": metric, "n_splits": nearest, "candidates": candidates}
    chosen = table[(table[list(where)] == pd.Series(where)).all(axis=1)].set_index("technique")
    better = chosen.index[chosen["better"]]
    return Recommendation(
        technique=str(better[0]) if len(better) else DEFAULT,
        clear=len(better) > 0,
        balance=balance,
        n_splits=nearest,
        metric=metric,
        n_datasets=int(chosen["n_datasets"].max()),
        n_pairs=int(chosen["n_pairs"].max()),
        effects=chosen[["difference", "low", "high", "better", "worse"]],
        stratified=stratified,
    )


@functools.cache
def effects() -> pd.DataFrame:
    """Return the table of effects: a row per kind of data, metric, number of folds, candidates and technique."""
    with (importlib.resources.files("cvstrat.advice") / "effects.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)
