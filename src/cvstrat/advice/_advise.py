"""From a data set and a number of folds to advice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn import datasets as bundled

from cvstrat import metrics
from cvstrat.advice._answer import Advice
from cvstrat.advice._recommend import recommend
from cvstrat.advice._remarks import OFTEN, count, on_features, on_rare_classes
from cvstrat.advice._structure import Column, read_structure
from cvstrat.advice._target import Target, read_target
from cvstrat.checks import check_count, check_known
from cvstrat.errors import InputError
from cvstrat.inputs import is_there, read_frame
from cvstrat.splitters import quantile_bins

METRIC_LABELS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "f1_macro": "macro F1"}
BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
_USUAL_FOLDS = 10
_GUESSED = "the target has many different whole numbers and is taken for a number; if they are classes, set the task"


def advise(
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    time: Any = None,
    n_splits: int | None = None,
    metric: str = "",
    score: float = 0.8,
    task: str = "auto",
) -> Advice:
    """Say what a number of folds means for a data set, and which folds to use.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame or None
        The attributes, text among them or not.
    y : array-like of shape (n_samples,)
        The target; rows in which it is missing are left out.
    groups, time : str or array-like of shape (n_samples,), default=None
        What says which rows belong together, and in which order rows were taken: the name of a column of `X`, or
        values. None looks for a column that looks like it.
    n_splits : int, default=None
        Number of folds; None means ten, or fewer if a class has fewer rows.
    metric : {"accuracy", "balanced_accuracy", "f1_macro"}, default=""
        Score of interest; empty means accuracy for balanced classes, else macro F1.
    score : float, default=0.8
        Probability that a row is predicted right, the same for every class; the noise of a score follows from it.
    task : {"auto", "classification", "regression"}, default="auto"
        Kind of the target; ``auto`` decides as :func:`cvstrat.advice.read_target` does.

    Returns
    -------
    Advice
        The advice; ``print`` shows it as text.

    Examples
    --------
    >>> import numpy as np
    >>> from cvstrat import advise
    >>> advice = advise(None, np.repeat(["healthy", "ill"], [180, 20]), n_splits=10)
    >>> empty = advice.classes.loc["ill", "any_fold_empty"]
    >>> advice.largest_n_splits, float(round(empty, 2))
    (20, 0.74)
    """
    target = read_target(y, task)
    n_rows = len(target.has_value)
    if metric:
        check_known("metric", metric, METRIC_LABELS)
    if not 0 < score < 1:
        raise InputError(f"score must lie between 0 and 1; it is {score}")
    frame = _frame(X, n_rows)
    if len(frame) != n_rows:
        raise InputError(f"X has {len(frame)} rows and y has {n_rows}")
    structure = read_structure(frame, groups, time)
    told = [column.name for column in (structure.groups, structure.time) if column and column.name]
    features = frame.drop(columns=[name for name in frame.columns if str(name) in told])
    notes = [*structure.notes, *on_features(features)]
    if target.n_missing:
        missing = count(target.n_missing, "row")
        notes.insert(0, f"{missing} without a target: left out here, and no use in training either")
    if target.task == "regression" and metric:
        wrong = f"{metric} is for classes, and the target is a number"
        raise InputError(f"{wrong}; if it is not, set the task to classification")
    holders = _holders(target, structure.groups)
    chosen = _folds(target, holders, structure.groups, n_splits)
    if target.task == "regression":
        found = _on_numbers(target, chosen)
        first = [_GUESSED] if target.guessed else []
    else:
        found = _on_classes(target, chosen, holders, metric, score)
        first = on_rare_classes(found["classes"], chosen, singly=not (structure.groups or structure.time))
    return Advice(
        task=target.task,
        n_rows=target.n_rows,
        n_features=int(X.shape[1]) if sparse.issparse(X) else features.shape[1],
        n_splits=chosen,
        largest_n_splits=int(holders.min()),
        warnings=(*first, *notes),
        structure=structure,
        target=str((y.name if isinstance(y, pd.Series) else "") or "y"),
        **found,
    )


def advise_file(path: str | Path, target: str = "", **options: Any) -> Advice:
    """Advise on a CSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        The file, or the name of a data set of scikit-learn: ``breast_cancer``, ``diabetes``, ``digits``, ``iris`` or
        ``wine``.
    target : str, default=""
        Column to predict; none means the last one.
    **options
        As in :func:`cvstrat.advise`.

    Returns
    -------
    Advice
        As from :func:`cvstrat.advise`, with remarks on how the file was read.
    """
    if str(path) in BUNDLED:
        X, y = getattr(bundled, f"load_{path}")(return_X_y=True, as_frame=True)
        check_known(f"target of {path}", target or y.name, [y.name])
        return advise(X, y, **options)
    if not Path(path).suffix and not is_there(path):
        check_known("file or data set", str(path), BUNDLED)
    table = read_frame(path, target)
    if any(isinstance(named, str) and named == table.target for named in (options.get("groups"), options.get("time"))):
        raise InputError(f"{table.target} is the target: it cannot say how rows hang together")
    try:
        found = advise(table.frame.drop(columns=table.target), table.frame[table.target], **options)
    except InputError as error:  # how the file was read may be why
        raise InputError("; ".join([str(error), *table.notes])) from error
    return replace(found, warnings=(*table.notes, *found.warnings))


def _frame(X: Any, n_rows: int) -> pd.DataFrame:
    """Return attributes as a frame; those of a sparse matrix, or none, as one without columns."""
    if X is None or sparse.issparse(X):
        return pd.DataFrame(index=range(n_rows))
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    names = frame.columns.map(str)
    if not names.is_unique:
        raise InputError(f"X has several columns named {names[names.duplicated()][0]!r}: give each a name of its own")
    for name, values in frame.items():
        may_hold_lists = values.dtype == object or isinstance(values.dtype, pd.ArrowDtype)
        if may_hold_lists and not values.map(pd.api.types.is_hashable).all():
            raise InputError(f"column {name!r} of X holds lists or the like: a cell must be a number or a text")
    return frame.set_axis(names, axis=1)


def _holders(target: Target, groups: Column | None) -> np.ndarray:
    """Return how many rows, or groups, hold each class; of a numeric target, how many there are."""
    codes = np.zeros(target.n_rows, dtype=np.intp) if target.task == "regression" else target.codes
    if groups is not None:
        names = groups.values[target.has_value].to_numpy()
        codes = pd.DataFrame({"class": codes, "group": names}).drop_duplicates()["class"].to_numpy()
    return np.bincount(codes)


def _folds(target: Target, holders: np.ndarray, groups: Column | None, n_splits: int | None) -> int:
    """Return the number of folds: as asked for, if there are enough rows or groups, else the usual one."""
    most, fewest = int(holders.max()), int(holders.min())
    if groups is not None and most < 2:
        few = "there is only one group" if target.task == "regression" else "each class lies in one group only"
        raise InputError(f"{few}: no folds that keep groups whole can both train on it and test it")
    if n_splits is None:
        return min(_USUAL_FOLDS, most if fewest < 2 else fewest)  # fewer folds do not help a class of one row
    check_count("the number of folds (n_splits)", n_splits, 2)
    things = "rows" if groups is None else "groups"
    n_things = target.n_rows if groups is None else groups.values[target.has_value].nunique()
    if n_splits > n_things:
        raise InputError(f"{n_splits} folds are more than the {n_things} {things}: take fewer")
    if n_splits > most:
        many = f"{n_splits} folds are more than the {things} of any class"
        raise InputError(f"{many}, of which the largest has {most}: take at most {max(2, fewest)}")
    return int(n_splits)


def _on_classes(target: Target, n_splits: int, holders: np.ndarray, metric: str, score: float) -> dict[str, Any]:
    """Return what an answer says of classes alone."""
    counts, n = target.counts, target.n_rows
    dealt = metrics.dealt_counts(counts, n_splits)
    columns = {"rows": counts, "share": counts / n, "min_rows": dealt.min(axis=0), "max_rows": dealt.max(axis=0)}
    table = pd.DataFrame(columns).assign(holders=holders)
    sizes = set(counts)
    table["fold_empty"] = counts.map({size: metrics.empty_probability(n, size, n_splits) for size in sizes})
    table["any_fold_empty"] = counts.map({size: metrics.any_empty_probability(n, size, n_splits) for size in sizes})
    index = metrics.imbalance_index(np.repeat(np.arange(len(counts)), counts))
    balance = metrics.balance_kind(index)
    used = metric or metrics.USUAL_METRIC[balance]
    often = bool((table["any_fold_empty"] > OFTEN).any())
    return {
        "imbalance": index,
        "balance": balance,
        "classes": table,
        "metric": METRIC_LABELS[used],
        "score": score,
        "noise": _noise(counts, n_splits, used, score),
        "recommendation": recommend(balance, n_splits, metric=used, stratified=often, n_rows=n),
    }


def _noise(counts: pd.Series, n_splits: int, metric: str, score: float) -> pd.DataFrame:
    """Return the standard deviation, over cuts, of the score of a fold and of the mean score of all folds."""
    recalls = np.full(len(counts), score)
    if metric == "accuracy":
        std = np.sqrt(metrics.accuracy_variance(counts, recalls, n_splits))
    else:
        column = "macro_f1" if metric == "f1_macro" else metric
        n_folds = int(np.clip(4e6 / len(counts) ** 2, 100, 4000))
        draw = partial(metrics.simulate_scores, counts, recalls, n_splits, n_folds=n_folds, random_state=0)
        scores = {"random": draw(stratified=False), "stratified": draw(stratified=True)}
        std = pd.Series({name: drawn[column].std() for name, drawn in scores.items()})
    return pd.DataFrame({"fold": std, "mean": std / np.sqrt(n_splits)})


def _on_numbers(target: Target, n_splits: int) -> dict[str, Any]:
    """Return what an answer says of a numeric target alone."""
    values, n = target.targets, target.n_rows
    bins = quantile_bins(values, n_splits)
    m = n / n_splits
    whole = values.std()
    inside = np.sqrt((pd.Series(values).groupby(bins).var(ddof=0) * np.bincount(bins)).sum() / n)
    std = pd.Series({"random": whole, "stratified": inside}) / whole * np.sqrt((n - m) / (n - 1) / m)
    return {
        "imbalance": 0.0,
        "balance": "",
        "classes": pd.DataFrame({"rows": np.bincount(bins)}).rename_axis("bin"),
        "metric": "mean of the target",
        "score": float("nan"),
        "noise": pd.DataFrame({"fold": std}),
        "recommendation": None,
    }
