"""e-fold against rules of the same average cost that do not look at the scores, and its other settings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from compendium.datasets import task_and_shape as data_shape
from compendium.inference import effects_if_several, grouped_mean
from compendium.mahlich2024.tables._stops import PAIR, RUN, after_each_fold, running_mean_table, score_table
from cvstrat.efold import StableDeviation, stable_stops

_KINDS = ("efold", "fixed", "random")
_REFERENCES = {"from the run's own ten folds": "", "from the mean of all runs": "_all_runs"}
_SLIGHT = 0.1  # percent of the score: a smaller difference is called slight, however clear
_NARROW = 0.05  # of the width of an interval


def control_runs(tables: dict[str, pd.DataFrame], stopped: pd.DataFrame) -> pd.DataFrame:
    """Return, run by run, how far off e-fold is, and two rules that cost the same on average and do not look at scores.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``runs`` of the e-fold study.
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        A row per run. In percent of the mean score: the distance from the mean of all ten folds of e-fold (``efold``),
        of a fixed number of folds (``fixed``: the two whole numbers around e-fold's mean for that pair of data set and
        model, mixed so that the mean is the same) and of e-fold's own stops given to runs at random (``random``). The
        same for the distance from the mean of all runs (columns ``*_all_runs``), which hardly depends on any one
        run, and for being inside the interval (``*_inside``). The controls are exact expectations.
    """
    scores = score_table(tables["runs"])
    stopped = stopped.set_index(RUN)
    frames = []
    for _, part in scores.groupby(PAIR, sort=False):
        found = stopped.loc[part.index]
        means, reference = running_mean_table(part.to_numpy()), part.to_numpy().mean(axis=1)
        own = np.abs(means - reference[:, None])
        measures = {
            "": 100 * own / np.abs(reference).mean(),
            "_all_runs": 100 * np.abs(means - reference.mean()) / np.abs(reference).mean(),
            "_inside": (own <= found["half"].to_numpy()[:, None] + 1e-12).astype(float),
        }
        stops = found["stop"].to_numpy()
        fixed, shares = mixed_shares(stops.mean(), part.shape[1]), np.bincount(stops, minlength=part.shape[1] + 1)[1:]
        frame = pd.DataFrame({"folds": stops}, index=part.index)
        for name, measure in measures.items():
            frame[f"efold{name}"] = measure[np.arange(len(stops)), stops - 1]
            frame[f"fixed{name}"] = measure @ fixed
            frame[f"random{name}"] = measure @ (shares / len(stops))
        frames.append(frame)
    return pd.concat(frames).reset_index()


def mixed_shares(mean: float, n_folds: int) -> np.ndarray:
    """Return shares of the two whole numbers of folds around a mean that have this mean."""
    low = int(np.floor(mean))
    shares = np.zeros(n_folds + 1)
    shares[low - 1 : low + 1] = 1 - (mean - low), mean - low
    return shares[:n_folds]


def control_table(tables: dict[str, pd.DataFrame], stopped: pd.DataFrame) -> pd.DataFrame:
    """Return the means of :func:`control_runs` for each pair of data set and model."""
    return control_runs(tables, stopped).drop(columns="run").groupby(PAIR, sort=False).mean().reset_index()


def control_effects(control: pd.DataFrame) -> pd.DataFrame:
    """Return by how much the controls are further off than e-fold, with intervals over data sets.

    Parameters
    ----------
    control : DataFrame
        From :func:`control_table`.

    Returns
    -------
    DataFrame
        :func:`compendium.inference.effects` of ``fixed`` and ``random`` for two references (``panel``): the run's own
        ten folds, and the mean of all runs. Joint intervals hold for all four comparisons. A single data set has no
        interval.
    """
    frames = []
    n_comparisons = len(_REFERENCES) * (len(_KINDS) - 1)
    for panel, end in _REFERENCES.items():
        columns = {f"{kind}{end}": kind for kind in _KINDS}
        table = control.set_index(["dataset", "model"])[list(columns)].rename(columns=columns)
        frames.append(effects_if_several(table, "efold", "dataset", n_comparisons=n_comparisons).assign(panel=panel))
    return pd.concat(frames).rename_axis("technique").reset_index()


def control_text(effects: pd.DataFrame) -> str:
    """Return, in a sentence, whether a fixed number of folds at the same cost is nearer to all ten than e-fold.

    Parameters
    ----------
    effects : DataFrame
        From :func:`control_effects`. The distance from a run's own ten folds decides, by the interval that holds for
        all comparisons at once. A difference below a tenth of a percent of the score is called slight; one whose
        interval ends near zero, measured by its width, only just clear.
    """
    fixed = effects[effects["technique"] == "fixed"].set_index("panel").loc[next(iter(_REFERENCES))]
    cost = "A fixed number of folds at the same cost"
    near_zero = min(abs(fixed["joint_low"]), abs(fixed["joint_high"]))
    narrowly = near_zero < _NARROW * (fixed["joint_high"] - fixed["joint_low"])
    how = "clearly"
    if abs(fixed["difference"]) < _SLIGHT:
        how = "slightly, and only just clearly," if narrowly else "slightly, but clearly,"
    if fixed["joint_high"] < 0:
        return f"{cost} comes {how} nearer to the result of all ten."
    if fixed["joint_low"] > 0:
        return f"{cost} is {how} further from the result of all ten."
    return f"Whether {cost[0].lower()}{cost[1:]} comes nearer to the result of all ten cannot be told."


def control_by_dataset(runs: pd.DataFrame) -> pd.DataFrame:
    """Return by how much the controls are further off than e-fold on each data set, with intervals over runs.

    Parameters
    ----------
    runs : DataFrame
        From :func:`control_runs`.

    Returns
    -------
    DataFrame
        A row per control (``panel``) and data set (``technique``: its name and number of rows, the smallest first):
        mean over models and runs of the distance from the run's own ten folds minus that of e-fold, and its interval
        from resampling whole runs, whose models share folds: ``low`` and ``high`` for that row alone, ``joint_low`` and
        ``joint_high`` for all rows at once.
    """
    rows = []
    ends = ["low", "high", "joint_low", "joint_high"]
    sizes = {name: data_shape(name)[1] for name in runs["dataset"].unique()}
    for control, name in itertools.product(("fixed", "random"), sorted(sizes, key=lambda name: sizes[name])):
        part = runs[runs["dataset"] == name]
        gaps = part[control] - part["efold"]
        found = dict.fromkeys(ends, np.nan)
        if part["run"].nunique() > 1:
            mean = grouped_mean(gaps, part["run"])
            both = (*mean.interval(0.95), *mean.interval(1 - 0.05 / (2 * len(sizes))))
            found = dict(zip(ends, both, strict=True))
        label = f"{name.rpartition('/')[2]}, {sizes[name]} rows"
        shown = {"panel": control, "technique": label, "dataset": name, "rows": sizes[name]}
        rows.append({**shown, "difference": gaps.mean(), **found})
    return pd.DataFrame(rows)


def sensitivity_table(
    tables: dict[str, pd.DataFrame],
    *,
    patiences: Iterable[int] = (1, 2, 3, 4),
    tolerances: Iterable[float] = (0.0, 0.02, 0.05, 0.1, 0.2),
    ddofs: Iterable[int] = (0, 1),
    max_folds: Iterable[int] = (5, 7, 10),
) -> pd.DataFrame:
    """Return mean stop, mean difference in percent and share inside the interval for many settings of the rule.

    ``percent_random`` is the mean difference when the stops of a setting are dealt out at random to the runs of the
    same data set and model.
    """
    settings: list[dict[str, Any]] = [
        {"patience": patience, "tolerance": tolerance, "ddof": ddof, "max_folds": limit}
        for limit, ddof, patience, tolerance in itertools.product(max_folds, ddofs, patiences, tolerances)
        if patience + 2 <= limit
    ]
    after = after_each_fold(tables)
    percent, inside, saved = after.percent, after.inside, after.saved
    pairs = after.index.to_frame(index=False).groupby(PAIR, sort=False).ngroup().to_numpy()
    means = pd.DataFrame(percent).groupby(pairs).mean().to_numpy()
    found = []
    for setting in settings:
        rule = StableDeviation(setting["patience"], setting["tolerance"], setting["ddof"])
        stops = stable_stops(after.scores[:, : setting["max_folds"]], rule)
        at = np.arange(len(stops)), stops - 1
        found.append(
            {
                "stop": stops.mean(),
                "percent": percent[at].mean(),
                "inside": inside[at].mean(),
                "saved": saved[at].mean(),
                "percent_random": means[pairs, stops - 1].mean(),
            }
        )
    return pd.concat([pd.DataFrame(settings), pd.DataFrame(found)], axis=1)


def fixed_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the mean difference from all folds, in percent of the score, when every run ends after the same number."""
    percent = after_each_fold(tables).percent.mean(axis=0)
    return pd.DataFrame({"folds": np.arange(1, len(percent) + 1), "percent": percent})
