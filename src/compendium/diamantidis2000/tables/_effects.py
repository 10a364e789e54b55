"""How techniques differ from a reference over the data sets of the study, all comparisons taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from compendium.diamantidis2000.tables._estimates import comparable
from compendium.inference import detectable, effects, grouped_mean, with_findings

MARGIN = 0.5  # points: the margin of the whole book, fixed before any result was looked at
OTHER_ESTIMATORS = ("apparent", "hold-out", "bootstrap", ".632", ".632+", "leave-one-out", "repeated RS-CV")


def beside_stratified(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the estimators without folds beside stratified folds, where all of them could be run.

    Parameters
    ----------
    estimates : DataFrame
        From :func:`estimate_table`.

    Returns
    -------
    DataFrame
        Its rows for ``OTHER_ESTIMATORS`` and for stratified folds, whose ``technique`` has the number of folds, such as
        ``RS-CV, 10 folds``; only data sets and learners for which all are there. ``n_splits`` is 0.
    """
    without = estimates[estimates["technique"].isin(OTHER_ESTIMATORS)]
    folds = estimates[(estimates["technique"] == "RS-CV") & (estimates["n_splits"] > 0)]
    names = {n: f"RS-CV, {n} folds" for n in sorted(folds["n_splits"].unique())}
    folds = folds.assign(technique=folds["n_splits"].map(names), n_splits=0)
    return comparable(pd.concat([without, folds]), [*OTHER_ESTIMATORS, *names.values()])


def center_effects(
    estimates: pd.DataFrame, measure: str, techniques: Sequence[str], reference: str = "R-CV"
) -> pd.DataFrame:
    """Return how a measure differs from that of a reference, for each number of folds, with intervals over data sets.

    Parameters
    ----------
    estimates : DataFrame
        From :func:`estimate_table`.
    measure : str
        Column to compare: ``bias``, ``abs_bias``, ``std`` or ``rmse``.
    techniques : sequence of str
        Techniques to compare with the reference, by the paper's names.
    reference : str, default="R-CV"
        The technique that the others are compared with, by the paper's name.

    Returns
    -------
    DataFrame
        A row per ``n_splits`` and ``technique``: ``panel`` (a title for figures), the number of ``pairs`` of data set
        and learner, and the columns of :func:`compendium.inference.effects` with a margin of half a point and those of
        :func:`compendium.inference.with_findings`. Joint intervals and corrected p-values hold for all rows at once.
    """
    compared: list[tuple[Any, str, pd.DataFrame]] = []
    for n_splits, part in estimates[estimates["n_splits"] > 0].groupby("n_splits"):
        wide = part.pivot(index=["dataset", "learner"], columns="technique", values=measure)
        for technique in (name for name in techniques if name != reference):
            pairs = wide.reindex(columns=[reference, technique]).dropna()
            if pairs.index.get_level_values("dataset").nunique() > 1:
                compared.append((n_splits, technique, pairs))
    rows: list[dict[str, Any]] = []
    for n_splits, technique, pairs in compared:
        found = effects(pairs, reference, "dataset", n_comparisons=len(compared), margin=MARGIN).loc[technique]
        case = {"n_splits": n_splits, "panel": f"{n_splits} folds", "technique": technique, "pairs": len(pairs)}
        rows.append({**case, **{str(name): value for name, value in found.items()}})
    return with_findings(pd.DataFrame(rows)) if rows else pd.DataFrame()


def needed_by_wider(n_groups: int, level: float, *, power: float = 0.8, n_draws: int = 1000) -> float:
    """Return how many times the difference that Student's interval finds the wider interval of the book needs.

    An interval of :func:`compendium.inference.grouped_mean` reaches at least as far as Student's at either end, and
    further where resampling says so. So it misses zero less often than
    :func:`compendium.inference.detectable` promises, which is about Student's alone.

    Parameters
    ----------
    n_groups : int
        Number of groups, such as data sets, at least 2.
    level : float
        Probability, between 0 and 1, with which an interval should hold the true mean.
    power : float, default=0.8
        Probability with which the difference is to be found, larger than ``1 - level``.
    n_draws : int, default=1000
        Number of simulated sets of group means, normally distributed.

    Returns
    -------
    float
        Smallest mean that the interval finds with that probability, in units of the one that Student's finds. The
        interval moves along with the mean, so the former is a quantile of how far it reaches below zero.

    Examples
    --------
    >>> from compendium.diamantidis2000.tables import needed_by_wider
    >>> round(needed_by_wider(7, 0.95), 1), round(needed_by_wider(7, 0.998), 1)
    (1.1, 1.7)
    """
    drawn = np.random.default_rng(0).normal(size=(n_draws, n_groups))
    n_resamples = None if n_groups <= 10 else 20_000  # of few groups, all resamples are listed
    reach = [-grouped_mean(values, np.arange(n_groups), n_resamples).interval(level)[0] for values in drawn]
    return float(np.quantile(reach, power) / detectable(n_groups**-0.5, n_groups, level, power))
