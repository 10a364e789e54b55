"""What the runs of the e-fold study say: where the rule stops, what that saves, what it gives up."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from compendium.datasets import UnknownDataset, catalogue, load, published
from cvstrat.efold import StableDeviation, stable_stops

PAIR = ["dataset", "technique", "model"]
RUN = [*PAIR, "run"]


def score_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the scores as a row per run and a column per fold."""
    return runs.pivot(index=RUN, columns="fold", values="score").sort_index(axis=1)


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
        Settings of the stopping rule, as in :class:`cvstrat.StableDeviation`.
    max_folds : int, default=10
        Number of folds after which every run ends.
    interval_ddof : int, default=1
        Degrees of freedom lost by the standard deviation of all scores of a run, in the confidence interval of their
        mean.

    Returns
    -------
    DataFrame
        A row per run: ``stop``, ``n_folds``, ``estimate`` (mean of the folds up to the stop), ``reference`` (mean of
        all), ``difference``, ``percent`` (its absolute value in percent of the reference), ``half`` (half the 95 %
        interval of the mean of all folds), ``inside`` (whether the estimate is in it), ``seconds`` (of all folds) and
        ``saved`` (share of them not spent).
    """
    after = after_each_fold(tables, interval_ddof=interval_ddof)
    stops = stable_stops(after.scores[:, :max_folds], StableDeviation(patience, tolerance, ddof))
    at = np.arange(len(stops)), stops - 1
    frame = pd.DataFrame({"stop": stops, "n_folds": after.scores.shape[1]}, index=after.index)
    frame = frame.assign(estimate=after.means[at], reference=after.means[:, -1], half=after.half)
    frame["difference"] = after.difference[at]
    frame["percent"] = after.percent[at]
    frame["inside"] = after.inside[at]
    frame["seconds"] = after.seconds[:, -1]
    frame["saved"] = after.saved[at]
    return frame.reset_index().assign(task=lambda table: table["dataset"].map(task_of))


@dataclass(frozen=True)
class AfterEachFold:
    """What every run has found after one, two, three, ... folds: arrays with a row per run and a column per fold.

    Attributes
    ----------
    index : MultiIndex
        Data set, technique, model and run.
    scores : ndarray
        Score of the fold.
    means : ndarray
        Mean of the scores so far; the last is the mean of all folds.
    half : ndarray of shape (n_runs,)
        Half the 95 % interval of the mean of all folds.
    seconds : ndarray
        Time spent so far.
    """

    index: pd.Index
    scores: np.ndarray
    means: np.ndarray
    half: np.ndarray
    seconds: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """Mean so far minus the mean of all folds."""
        found: np.ndarray = self.means - self.means[:, -1:]
        return found

    @property
    def percent(self) -> np.ndarray:
        """Absolute difference, in percent of the mean of all folds."""
        found: np.ndarray = 100 * np.abs(self.difference) / np.abs(self.means[:, -1:])
        return found

    @property
    def inside(self) -> np.ndarray:
        """Whether the mean so far is in the interval of the mean of all folds."""
        found: np.ndarray = np.abs(self.difference) <= self.half[:, None] + 1e-12
        return found

    @property
    def saved(self) -> np.ndarray:
        """Share of the time of all folds that is not spent."""
        found: np.ndarray = 1 - self.seconds / self.seconds[:, -1:]
        return found


def after_each_fold(tables: dict[str, pd.DataFrame], *, interval_ddof: int = 1) -> AfterEachFold:
    """Return what every run has found after each number of folds; parameters as of :func:`stopped_runs`."""
    scores = score_table(tables["runs"])
    values = scores.to_numpy()
    n_folds = values.shape[1]
    half = stats.t.ppf(0.975, n_folds - 1) * values.std(axis=1, ddof=interval_ddof) / np.sqrt(n_folds)
    seconds = _seconds(tables["runs_times"]).reindex(scores.index).to_numpy().cumsum(axis=1)
    return AfterEachFold(scores.index, values, running_mean_table(values), half, seconds)


def running_mean_table(values: np.ndarray) -> np.ndarray:
    """Return the mean of the first one, two, three, ... scores of each row."""
    means: np.ndarray = np.cumsum(values, axis=1) / np.arange(1, values.shape[1] + 1)
    return means


def _seconds(times: pd.DataFrame) -> pd.DataFrame:
    both = times.assign(seconds=times["fit_seconds"] + times["predict_seconds"])
    return both.pivot(index=RUN, columns="fold", values="seconds").sort_index(axis=1)


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
    """Return the mean stop of each pair of data set and model (``ours``), its standard error, and the published one.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``model``, ``runs``, ``published``, ``ours``, ``stop_se`` (standard error of ``ours``, over
        runs) and ``difference`` (ours minus published).
    """
    grouped = stopped.groupby(["dataset", "model"], sort=False)["stop"]
    ours = grouped.agg(ours="mean", stop_se="sem", runs="size").reset_index()
    printed = published("mahlich2024_table2").rename(columns={"folds": "published"})
    table = ours.assign(name=ours["dataset"].str.split("/").str[-1]).merge(printed, on=["name", "model"], how="left")
    table["difference"] = table["ours"] - table["published"]
    return table[["dataset", "model", "runs", "published", "ours", "stop_se", "difference"]]


def example_runs(tables: dict[str, pd.DataFrame], stopped: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of three runs: stopped early inside the interval, never stopped, stopped early outside it.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``runs`` of the e-fold study.
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        A row per fold of the first run of each kind, as ``plot_stopping`` takes it; a kind that does not occur is left
        out.
    """
    early, last = stopped["stop"].min(), score_table(tables["runs"]).shape[1]
    unequal = stopped[stopped["half"] > 0]
    kinds = {
        f"stops after {early}, inside": unequal[(unequal["stop"] == early) & unequal["inside"]],
        "never stops": unequal[unequal["stop"] == last],
        f"stops after {early}, outside": unequal[(unequal["stop"] == early) & ~unequal["inside"]],
    }
    chosen = pd.concat([runs.head(1).assign(title=title) for title, runs in kinds.items()])
    wanted: pd.DataFrame = chosen[[*RUN, "title", "stop", "reference", "half"]]
    return wanted.merge(tables["runs"], on=RUN)


def stop_matrix(stops: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return mean stops as the paper's Table 2 has them: ours, and in brackets the published, with averages.

    Parameters
    ----------
    stops : DataFrame
        From :func:`stop_table`; averages are over the pairs that have both.
    task : str
        ``classification`` or ``regression``.
    """
    regression = stops["dataset"].map(task_of) == "regression"
    part = stops[(regression == (task == "regression")) & stops["published"].notna()]
    part = part.assign(dataset=part["dataset"].str.split("/").str[-1])
    ours, printed = (
        part.pivot_table(values, "dataset", "model", sort=False, margins=True, margins_name="average")
        for values in ("ours", "published")
    )
    cells = ours.map("{:.2f}".format) + " (" + printed.map("{:.2f}".format) + ")"
    return cells.where(ours.notna(), "").rename_axis(columns=None)


def savings_table(stopped: pd.DataFrame) -> pd.DataFrame:
    """Return what stopping saves, by task and in all.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`.

    Returns
    -------
    DataFrame
        A row per ``task``: ``runs``, and in percent ``fits_saved``, ``seconds_saved_mean`` (mean over runs, so that
        every run counts the same) and ``seconds_saved_total`` (of all seconds together, so that slow models and large
        sets count most).
    """
    kinds = [*stopped.groupby("task", sort=False), ("all", stopped)]
    rows = [
        {
            "task": task,
            "runs": len(part),
            "fits_saved": 100 * (1 - (part["stop"] / part["n_folds"]).mean()),
            "seconds_saved_mean": 100 * part["saved"].mean(),
            "seconds_saved_total": 100 * (part["saved"] * part["seconds"]).sum() / part["seconds"].sum(),
        }
        for task, part in kinds
    ]
    return pd.DataFrame(rows)
