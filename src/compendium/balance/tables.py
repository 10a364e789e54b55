"""Procedures read off the stored folds, and their errors where the truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.balance.study import POOLED
from compendium.inference import bootstrap_632, bootstrap_632_plus
from cvstrat.efold import StableDeviation, stable_stops

CELL = ["problem", "n_rows", "minority", "replicate", "learner"]
METRICS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1_macro": "macro F1",
    "log_loss": "log loss",
}


def torn(table: pd.DataFrame) -> pd.Series:
    """Return which lines are of the problem whose rows come in groups, which most procedures tear."""
    return table["problem"] == "grouped"


def score(counts: pd.DataFrame, metric: str = "accuracy") -> pd.Series:
    """Return the score of each row of counts; a class that is not there counts as in scikit-learn.

    Parameters
    ----------
    counts : DataFrame
        Columns ``tested``, ``positives``, ``true_positives``, ``true_negatives`` and ``log_loss``.
    metric : str, default="accuracy"
        ``accuracy``, ``balanced_accuracy``, ``f1_macro``; or ``log_loss`` or ``auc``, which only pooled rows have.
    """
    if metric in ("log_loss", "auc"):
        return counts[metric].astype(float)
    tested, right, false = (counts[name].astype(float) for name in ("tested", "true_positives", "true_negatives"))
    if metric == "accuracy":
        return (right + false) / tested
    positives = counts["positives"].astype(float)
    negatives = tested - positives
    if metric == "balanced_accuracy":
        recalls = pd.concat(
            [(right / positives.where(positives > 0)), (false / negatives.where(negatives > 0))], axis=1
        )
        return recalls.mean(axis=1)
    said = right + (negatives - false)
    both = [2 * right / (positives + said), 2 * false / (negatives + tested - said)]
    return pd.concat(both, axis=1).mean(axis=1)  # of a class that is neither there nor predicted there is none


Partitions = tuple[np.ndarray, pd.DataFrame]  # the number of each row's partition, and the keys of all partitions


def partitions_of(folds: pd.DataFrame) -> Partitions:
    """Return which rows of `folds` belong to one partition; with several metrics it is looked up once."""
    return numbered(folds, [*CELL, "technique", "n_splits", "repeat"])


def estimates(
    folds: pd.DataFrame, metric: str = "accuracy", *, pooled: bool = False, partitions: Partitions | None = None
) -> pd.DataFrame:
    """Return the estimate of every procedure for every data set and learner, and what it cost.

    Parameters
    ----------
    folds : DataFrame
        The table of that name.
    metric : str, default="accuracy"
        As of :func:`score`.
    pooled : bool, default=False
        Score the predictions of all folds together, where a procedure has a partition, and not fold by fold.
    partitions : tuple, default=None
        From :func:`partitions_of`, if known.

    Returns
    -------
    DataFrame
        Columns of the cell, ``procedure``, ``technique``, ``n_splits``, ``estimate``, ``std`` (of the scores of folds),
        ``n_scores``, and ``cost``: rows trained on, in multiples of the data set.
    """
    pooled = pooled or metric in ("log_loss", "auc")
    scores = score(folds, metric).to_numpy()
    single = (folds["fold"] != POOLED).to_numpy()
    partition, means = partitions or partitions_of(folds)
    means = means.assign(**moments(partition[single], scores[single], len(means)))
    if pooled:
        means = means.iloc[partition[~single]].assign(estimate=scores[~single])
    dealt = means[~means["technique"].isin(["bootstrap", "apparent"])]
    first = dealt[dealt["repeat"] == 0].drop(columns="repeat")
    first = first.assign(
        procedure=first["technique"].astype(str) + " " + first["n_splits"].astype(str), cost=first["n_splits"] - 1.0
    )
    found = [first, *_repeated(dealt)]
    if not pooled:
        scored = folds[[*CELL, "technique", "n_splits", "repeat", "fold"]].assign(score=scores)
        found += [_hold_out(scored), _e_fold(scored)]
    if metric == "accuracy" and (means["technique"] == "bootstrap").any():
        found += [_bootstraps(means, folds)]
    return pd.concat(found, ignore_index=True)


def numbered(rows: pd.DataFrame, keys: list[str]) -> tuple[np.ndarray, pd.DataFrame]:
    """Return the number of each row's group, and the keys of the groups in the order in which they come."""
    codes = np.zeros(len(rows), dtype=np.int64)
    for key in keys:
        code, values = pd.factorize(rows[key])
        codes = codes * len(values) + code
    group, found = pd.factorize(codes)
    first = np.empty(len(found), dtype=np.intp)
    first[group[::-1]] = np.arange(len(rows))[::-1]
    return group, rows[keys].iloc[first].reset_index(drop=True)


def moments(group: np.ndarray, values: np.ndarray, n_groups: int) -> dict[str, np.ndarray]:
    """Return mean (``estimate``), standard deviation (``std``) and number (``n_scores``) of each group of values."""
    n = np.bincount(group, minlength=n_groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(group, values, n_groups) / n
        squares = np.bincount(group, (values - mean[group]) ** 2, n_groups)
        return {"estimate": mean, "std": np.sqrt(squares / (n - 1)), "n_scores": n}


def _repeated(partitions: pd.DataFrame) -> list[pd.DataFrame]:
    """Return stratified folds dealt several times: five times two, two times five."""
    found = []
    for k in sorted(partitions["n_splits"].unique()):
        several = partitions[partitions["n_splits"] == k]
        count = int(several["repeat"].max()) + 1
        if count > 1:
            mean = several[several["technique"] == "SCV"].groupby(CELL, observed=True, sort=False)
            frame = mean.agg({"estimate": "mean", "std": "mean", "n_scores": "sum"}).reset_index()
            name = f"SCV {count} x {k}"
            found.append(frame.assign(technique="SCV", n_splits=k, procedure=name, cost=count * (k - 1.0)))
    return found


def _hold_out(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the score of the first of five folds: a fifth of the rows tests."""
    these = (scored["n_splits"] == 5) & (scored["repeat"] == 0) & (scored["fold"] == 0) & (scored["technique"] == "SCV")
    frame = scored.loc[these, [*CELL, "score"]].rename(columns={"score": "estimate"})
    return frame.assign(technique="hold-out", n_splits=5, procedure="hold-out", n_scores=1, std=np.nan, cost=0.8)


def _e_fold(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of as many of ten folds as e-fold takes before it stops."""
    ten = (scored["technique"] == "SCV") & (scored["n_splits"] == 10) & (scored["repeat"] == 0)
    wide = scored[ten & (scored["fold"] != POOLED)].pivot_table(
        index=CELL, columns="fold", values="score", observed=True
    )
    scores = wide.to_numpy()
    stops = stable_stops(scores, StableDeviation()) if len(scores) else np.zeros(0, int)
    kept = np.where(np.arange(scores.shape[1]) < stops[:, None], scores, np.nan)
    frame = wide.index.to_frame(index=False)
    return frame.assign(
        technique="e-fold",
        n_splits=10,
        procedure="e-fold",
        estimate=np.nanmean(kept, axis=1),
        std=np.nanstd(kept, axis=1, ddof=1),
        n_scores=stops,
        cost=0.9 * stops,
    )


def _bootstraps(means: pd.DataFrame, folds: pd.DataFrame) -> pd.DataFrame:
    """Return the .632 and the .632+ estimate of Efron and Tibshirani, 1997, of accuracy."""
    wide = means[means["technique"].isin(["bootstrap", "apparent"])]
    wide = wide.pivot_table(index=CELL, columns="technique", values="estimate", observed=True)
    these = (folds["technique"] == "apparent") & (folds["fold"] == POOLED)
    fitted = folds[these].set_index(CELL).loc[wide.index]
    tested, positives, right = fitted["tested"], fitted["positives"], fitted["true_positives"]
    share, said = positives / tested, (right + tested - positives - fitted["true_negatives"]) / tested
    guess = share * said + (1 - share) * (1 - said)
    apparent, outside = wide["apparent"], wide["bootstrap"]
    found = {
        ".632": [bootstrap_632(*one) for one in zip(apparent, outside, strict=True)],
        ".632+": [bootstrap_632_plus(*one) for one in zip(apparent, outside, guess, strict=True)],
    }
    count = int(folds.loc[folds["technique"] == "bootstrap", "n_splits"].max())
    shared = {"n_splits": count, "n_scores": count, "std": np.nan, "cost": count + 1.0}
    cells = wide.index.to_frame(index=False)
    frames = [
        cells.assign(technique=name, procedure=name, estimate=np.asarray(values), **shared)
        for name, values in found.items()
    ]
    return pd.concat(frames, ignore_index=True)


def by_criterion(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of the study ``balance-criterion`` with techniques in two parts, ``criterion`` and ``balance``."""
    names = table["technique"].astype(str).str.split(" ", expand=True)
    return table.assign(criterion=names[0], balance=names[1])


def with_truth(estimated: pd.DataFrame, truths: pd.DataFrame, metric: str = "accuracy") -> pd.DataFrame:
    """Return the estimates with a column ``truth``, that of the model fitted to all rows, and ``error``, in points."""
    scale = 1.0 if metric == "log_loss" else 100.0
    known = truths.assign(truth=score(truths, metric))[[*CELL, "truth"]]
    both = estimated.merge(known, on=CELL)
    return both.assign(error=scale * (both["estimate"] - both["truth"]))


def errors(estimated: pd.DataFrame, truths: pd.DataFrame, metric: str = "accuracy") -> pd.DataFrame:
    """Return bias, standard deviation and root mean squared error of every procedure in every cell, in points.

    Returns
    -------
    DataFrame
        Columns of the cell without the replicate, ``procedure``, ``technique``, ``n_splits``, ``cost``, ``bias``,
        ``bias_se``, ``std``, ``rmse``, ``rmse_se`` and ``n``, the number of data sets.
    """
    both = with_truth(estimated, truths, metric)
    cell = [name for name in CELL if name != "replicate"]
    both = both.assign(squared=both["error"] ** 2)
    keys = [*cell, "procedure", "technique", "n_splits"]
    grouped = both.groupby(keys, observed=True, sort=False)
    table = grouped.agg(
        cost=("cost", "mean"),
        bias=("error", "mean"),
        std=("error", "std"),
        squared=("squared", "mean"),
        squared_std=("squared", "std"),
        n=("error", "size"),
    ).reset_index()
    rmse = np.sqrt(table["squared"])
    scaled: pd.DataFrame = table.assign(
        bias_se=table["std"] / np.sqrt(table["n"]),
        rmse=rmse,
        rmse_se=table["squared_std"] / np.sqrt(table["n"]) / (2 * rmse),
    )
    return scaled.drop(columns=["squared", "squared_std"])


def error_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the errors of every procedure as the page that explores results wants them: a cell is a data set."""
    found, partitions = [], partitions_of(tables["folds"])
    for metric in [name for name in METRICS if name != "log_loss"]:  # which is no percentage
        estimated = estimates(tables["folds"], metric, partitions=partitions)
        table = errors(estimated, tables["truths"], metric).assign(metric=metric)
        is_plain = table["procedure"] == table["technique"].astype(str) + " " + table["n_splits"].astype(str)
        found.append(table.assign(technique=table["technique"].astype(str).where(is_plain, table["procedure"])))
    both = pd.concat(found, ignore_index=True)
    share = (100 * both["minority"]).round().astype(int).astype(str)
    cell = both["problem"].astype(str) + ", " + both["n_rows"].astype(str) + " rows, " + share + " % in class 1"
    return both.assign(dataset=cell).rename(columns={"learner": "model"})
