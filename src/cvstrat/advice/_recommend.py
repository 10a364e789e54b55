"""Which technique the results of the cluster-based study speak for, and how surely."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cvstrat import reports, statistics, studies
from cvstrat.splitters import TECHNIQUES

_DEFAULT = "SCV"
_LEVEL = 0.95
_MANY_ROWS = 20000
_QUADRATIC = {"ACBCV", "SpectralBCV"}


@dataclass(frozen=True, eq=False)
class Recommendation:
    """What a study says for one kind of data.

    Attributes
    ----------
    technique : str
        The one to use, by the papers' name: that with the smallest error among those surely better than SCV, or SCV.
    clear : bool
        Whether any is surely better than SCV.
    balance : str
        ``balanced`` or ``imbalanced``: the data sets that were looked at.
    n_splits : int
        The number of folds that was looked at, the nearest that was studied.
    metric : str
        The score whose estimates were looked at.
    n_datasets, n_pairs : int
        Data sets, and pairs of data set and model, that this rests on.
    effects : DataFrame
        Per technique, root mean squared error of its estimates minus that of SCV: ``difference``, ``low`` and ``high``
        (95 % interval over data sets), ``better`` and ``worse`` (whether an interval wide enough for all techniques at
        once lies wholly below, or above, zero).
    stratified : bool
        Whether only techniques that keep classes in proportion were looked at.
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


def recommend(
    balance: str, n_splits: int, *, metric: str = "", stratified: bool = False, n_rows: int = 0
) -> Recommendation:
    """Return the technique that the committed results of the cluster-based study speak for.

    Parameters
    ----------
    balance : {"balanced", "imbalanced"}
        Kind of data.
    n_splits : int
        Number of folds.
    metric : str, default=""
        Score that is estimated, a column of the study; empty means accuracy for balanced data, else macro F1.
    stratified : bool, default=False
        Whether only techniques that keep classes in proportion come into question.
    n_rows : int, default=0
        Rows of the data. Above 20000, techniques whose memory grows with their square (ACBCV, SpectralBCV) are left
        out.

    Returns
    -------
    Recommendation
        The technique, and all differences with their intervals.
    """
    bias = _bias(metric)
    bias = bias[bias["balance"] == balance]
    studied = np.array(sorted(bias["n_splits"].unique()))
    if not studied.size:
        raise studies.StudyError(f"the results hold no {balance} data sets")
    nearest = int(studied[np.argmin(np.abs(np.log(studied / n_splits)))])
    fixed = set(studies.SETS["set1"]) - {"SCBCV"}  # a fixed number of clusters: the same idea, five times
    known = set(bias["technique"]) - fixed - {"ROCBCV", _DEFAULT}
    known -= _QUADRATIC if n_rows > _MANY_ROWS else set()
    names = [name for name in studies.STUDIED if name in known and (TECHNIQUES[name].stratified or not stratified)]
    found, pairs, sets = {}, 0, 0
    for name in names:
        table = reports.blocks(bias, [_DEFAULT, name], "error", version=studies.CORRECT, n_splits=nearest)
        n_sets = table.index.get_level_values("dataset").nunique()
        if n_sets > 1:
            found[name] = _effect(table, name, 1 - (1 - _LEVEL) / len(names))
            pairs, sets = max(pairs, len(table)), max(sets, n_sets)
    columns = ["difference", "low", "high", "better", "worse"]
    effects = pd.DataFrame.from_dict(found, orient="index", columns=columns).rename_axis("technique")
    effects = effects.sort_values("difference")
    better = effects.index[effects["better"].astype(bool)]
    technique = str(better[0]) if len(better) else _DEFAULT
    used = metric or reports.METRIC[balance]
    return Recommendation(technique, len(better) > 0, balance, nearest, used, sets, pairs, effects, stratified)


def _effect(table: pd.DataFrame, name: str, level: float) -> list[float | bool]:
    difference, low, high = _interval(table, name, _LEVEL)
    _, surely_low, surely_high = _interval(table, name, level)
    return [difference, low, high, surely_high < 0, surely_low > 0]


def _interval(table: pd.DataFrame, name: str, level: float) -> list[float]:
    line = statistics.effects(table, _DEFAULT, "dataset", level=level).loc[name]
    return list(map(float, line[["difference", "low", "high"]].to_numpy()))


@functools.cache
def _bias(metric: str) -> pd.DataFrame:
    bias = reports.bias_table(studies.read_tables("cluster-based"), metric=metric)
    return bias[bias["version"] == studies.CORRECT]
