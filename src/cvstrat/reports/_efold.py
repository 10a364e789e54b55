"""What the runs of the e-fold study say: where a rule stops, what it gives up, what a rule that does not look costs."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import stats

from cvstrat.datasets import UnknownDataset, catalogue, load, published
from cvstrat.procedures import StableDeviation, stable_stops
from cvstrat.statistics import effects

_PAIR = ["dataset", "technique", "model"]
_RUN = [*_PAIR, "run"]


def score_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the scores as a row per run and a column per fold."""
    return runs.pivot(index=_RUN, columns="fold", values="score").sort_index(axis=1)


def stopped_runs(
    tables: dict[str, pd.DataFrame],
    *,
    patience: int = 2,
    tolerance: float = 0.05,
    ddof: int = 1,
    max_folds: int = 10,
    interval_ddof: int = 1,
) -> pd.DataFrame:
    """Return where e-fold stops each run, and how far its mean then is from that of all folds.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``runs`` and ``runs_times`` of the e-fold study.
    patience, tolerance, ddof
        Of the rule: see :class:`cvstrat.StableDeviation`.
    max_folds : int, default=10
        Folds after which every run ends.
    interval_ddof : int, default=1
        Deviation in the confidence interval of the mean of all folds.

    Returns
    -------
    DataFrame
        A row per run: ``stop``, ``estimate`` (mean of the folds up to the stop), ``reference`` (mean of all),
        ``difference``, ``percent`` (its size in percent of the reference), ``half`` (half the 95 % interval of the mean
        of all folds), ``inside`` (whether the estimate is in it), and ``saved`` (share of seconds not spent).
    """
    scores = score_table(tables["runs"])
    values = scores.to_numpy()
    n_folds = values.shape[1]
    stops = stable_stops(values[:, :max_folds], StableDeviation(patience, tolerance, ddof))
    estimate = _means(values)[np.arange(len(values)), stops - 1]
    reference = values.mean(axis=1)
    half = stats.t.ppf(0.975, n_folds - 1) * values.std(axis=1, ddof=interval_ddof) / np.sqrt(n_folds)
    frame = pd.DataFrame(index=scores.index).assign(stop=stops, estimate=estimate, reference=reference, half=half)
    frame["difference"] = estimate - reference
    frame["percent"] = 100 * frame["difference"].abs() / np.abs(reference)
    frame["inside"] = frame["difference"].abs() <= half + 1e-12
    seconds = _seconds(tables["runs_times"]).reindex(scores.index).to_numpy()
    spent = np.cumsum(seconds, axis=1)
    frame["saved"] = 1 - spent[np.arange(len(values)), stops - 1] / spent[:, -1]
    return frame.reset_index().assign(task=lambda table: table["dataset"].map(task_of))


def _means(values: np.ndarray) -> np.ndarray:
    means: np.ndarray = np.cumsum(values, axis=1) / np.arange(1, values.shape[1] + 1)
    return means


def _seconds(times: pd.DataFrame) -> pd.DataFrame:
    both = times.assign(seconds=times["fit_seconds"] + times["predict_seconds"])
    return both.pivot(index=_RUN, columns="fold", values="seconds").sort_index(axis=1)


@functools.cache
def task_of(dataset: str) -> str:
    """Return ``binary``, ``multi-class`` or ``regression``."""
    try:
        entry = catalogue().find(dataset)
        task, classes = entry.task, entry.classes
    except UnknownDataset:
        data = load(dataset)
        task, classes = data.task, len(np.unique(data.y))
    if task == "regression":
        return "regression"
    return "binary" if classes == 2 else "multi-class"


def stop_table(stopped: pd.DataFrame) -> pd.DataFrame:
    """Return the mean stop of each pair of data set and model, its standard error, and the published one."""
    grouped = stopped.groupby(["dataset", "model"], sort=False)["stop"]
    ours = grouped.agg(ours="mean", error="sem", runs="size").reset_index()
    printed = published("mahlich2024_table2").rename(columns={"folds": "published"})
    table = ours.assign(name=ours["dataset"].str.split("/").str[-1]).merge(printed, on=["name", "model"], how="left")
    table["difference"] = table["ours"] - table["published"]
    return table[["dataset", "model", "runs", "published", "ours", "error", "difference"]]


def control_table(tables: dict[str, pd.DataFrame], stopped: pd.DataFrame) -> pd.DataFrame:
    """Return the error of e-fold, and of two rules that cost the same on average and do not look at the scores.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``runs`` of the e-fold study.
    stopped : DataFrame
        From :func:`cvstrat.reports.stopped_runs`.

    Returns
    -------
    DataFrame
        For each pair of data set and model, in percent of the mean score: the mean distance from the mean of all ten
        folds of e-fold (``e-fold``), of a fixed number of folds (``fixed``: the two whole numbers around e-fold's mean,
        mixed so that the mean is the same) and of e-fold's own stops given to runs at random (``random``). The same for
        the distance from the mean of all runs (columns ``... of all runs``), which hardly depends on any one run, and
        for the share inside the interval (``... inside``). The controls are exact expectations.
    """
    scores = score_table(tables["runs"])
    stopped = stopped.set_index(_RUN)
    rows = []
    for pair, part in scores.groupby(_PAIR, sort=False):
        values, found = part.to_numpy(), stopped.loc[part.index]
        means, reference = _means(values), values.mean(axis=1)
        shares = np.bincount(found["stop"], minlength=values.shape[1] + 1)[1:] / len(found)
        low = int(np.floor(found["stop"].mean()))
        fixed = np.zeros(values.shape[1])
        fixed[low - 1] = 1 - (found["stop"].mean() - low)
        if fixed[low - 1] < 1:
            fixed[low] = 1 - fixed[low - 1]
        half = found["half"].to_numpy()[:, None]
        measures = {
            "": 100 * np.abs(means - reference[:, None]) / np.abs(reference).mean(),
            " of all runs": 100 * np.abs(means - reference.mean()) / np.abs(reference).mean(),
            " inside": (np.abs(means - reference[:, None]) <= half + 1e-12).astype(float),
        }
        row = dict(zip(_PAIR, pair, strict=True)) | {"folds": found["stop"].mean()}
        at_stop = (np.arange(len(values)), found["stop"].to_numpy() - 1)
        for name, measure in measures.items():
            by_fold = measure.mean(axis=0)
            row |= {
                f"e-fold{name}": measure[at_stop].mean(),
                f"fixed{name}": by_fold @ fixed,
                f"random{name}": by_fold @ shares,
            }
        rows.append(row)
    return pd.DataFrame(rows)


def control_effects(control: pd.DataFrame) -> pd.DataFrame:
    """Return by how much the controls are further off than e-fold, with intervals over data sets.

    Parameters
    ----------
    control : DataFrame
        From :func:`cvstrat.reports.control_table`.

    Returns
    -------
    DataFrame
        :func:`cvstrat.statistics.effects` of ``fixed`` and ``random`` for two references (``panel``): the run's own ten
        folds, and the mean of all runs.
    """
    frames = []
    for panel, end in {"from the run's own ten folds": "", "from the mean of all runs": " of all runs"}.items():
        columns = {f"{kind}{end}": kind for kind in ("e-fold", "fixed", "random")}
        table = control.set_index(["dataset", "model"])[list(columns)].rename(columns=columns)
        frames.append(effects(table, "e-fold", "dataset").assign(panel=panel))
    return pd.concat(frames).rename_axis("technique").reset_index()


def sensitivity_table(
    tables: dict[str, pd.DataFrame],
    *,
    patiences: Iterable[int] = (1, 2, 3, 4),
    tolerances: Iterable[float] = (0.0, 0.02, 0.05, 0.1, 0.2),
    ddofs: Iterable[int] = (0, 1),
    max_folds: Iterable[int] = (5, 7, 10),
) -> pd.DataFrame:
    """Return mean stop, mean difference in percent and share inside the interval for many settings of the rule."""
    settings = [
        {"patience": patience, "tolerance": tolerance, "ddof": ddof, "max_folds": most}
        for most, ddof, patience, tolerance in itertools.product(max_folds, ddofs, patiences, tolerances)
        if patience + 2 <= most
    ]
    measures = ["stop", "percent", "inside", "saved"]
    found = [stopped_runs(tables, **setting)[measures].mean() for setting in settings]  # type: ignore[arg-type]
    return pd.concat([pd.DataFrame(settings), pd.DataFrame(found)], axis=1)
