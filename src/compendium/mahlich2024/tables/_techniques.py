"""e-fold on folds of several techniques: do folds that resemble the whole let it stop earlier?"""

from __future__ import annotations

import pandas as pd

from compendium.inference import effects_if_several
from compendium.mahlich2024.tables._controls import control_runs
from compendium.mahlich2024.tables._stops import PAIR, score_table, stopped_runs
from cvstrat.errors import InputError
from cvstrat.splitters import TECHNIQUES

# Columns of a technique table, and what a figure calls them.
MEASURES = {
    "folds": "folds used",
    "std": "standard deviation of the ten scores",
    "distance": "distance to the ten folds",
    "distance_all_runs": "distance to all runs",
}


def technique_table(tables: dict[str, pd.DataFrame], **rule: float) -> pd.DataFrame:
    """Return where e-fold stops on the folds of each technique, and how far off it then is.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``runs`` and ``runs_times`` of the study ``mahlich2024-clusters``.
    **rule
        ``patience``, ``tolerance``, ``ddof`` or ``max_folds``, as in :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        A row per pair of data set and model and technique, for pairs that have all techniques: ``runs``, ``folds`` used
        on average, ``std`` (standard deviation of the ten scores of a run, mean over runs), and, in percent of the
        score, the mean ``distance`` at the stop from the mean of the run's ten folds, and ``distance_all_runs`` from
        the mean of all runs with this technique.
    """
    runs = control_runs(tables, stopped_runs(tables, **rule))  # type: ignore[arg-type]
    names = {"efold": "distance", "efold_all_runs": "distance_all_runs"}
    runs = runs.rename(columns=names).set_index([*PAIR, "run"])
    runs["std"] = score_table(tables["runs"]).std(axis=1, ddof=1)
    grouped = runs.groupby(PAIR, sort=False)[list(MEASURES)]
    table = grouped.mean().assign(runs=grouped.size()).reset_index()
    whole = table.groupby(["dataset", "model"])["technique"].transform("nunique") == table["technique"].nunique()
    places = {name: place for place, name in enumerate(TECHNIQUES)}
    order = table.loc[whole, [*PAIR, "runs", *MEASURES]]
    return order.sort_values("technique", key=lambda names: names.map(places), kind="stable", ignore_index=True)


def technique_effects(table: pd.DataFrame, reference: str = "SCV") -> pd.DataFrame:
    """Return how each measure of a technique table differs from that of a reference, in percent of the latter.

    Parameters
    ----------
    table : DataFrame
        From :func:`technique_table`.
    reference : str, default="SCV"
        The technique the others are compared with.

    Returns
    -------
    DataFrame
        A row per measure (``panel``) and technique, with intervals over data sets.
    """
    frames = []
    for measure, label in MEASURES.items():
        wide = table.pivot(index=["dataset", "model"], columns="technique", values=measure)
        wide = wide[list(table["technique"].unique())]
        if reference not in wide:
            raise InputError(f"the reference must be one of {list(wide)}; it is {reference!r}")
        wide = wide[wide[reference] > 0]
        shares = 100 * wide.div(wide[reference], axis=0)
        frames.append(effects_if_several(shares, reference, "dataset").assign(panel=label, measure=measure))
    return pd.concat(frames).rename_axis("technique").reset_index()
