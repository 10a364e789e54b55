"""How techniques differ from a reference over the data sets of the study, all comparisons taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from compendium.diamantidis2000.tables._estimates import comparable
from compendium.inference import effects, with_findings

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
