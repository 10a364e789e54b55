"""From a data set and a number of folds to advice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn import datasets as bundled

from cvstrat import metrics
from cvstrat.advice._answer import Advice
from cvstrat.advice._recommend import recommend
from cvstrat.advice._target import Target, read_target
from cvstrat.checks import check_count, check_known
from cvstrat.errors import InputError
from cvstrat.inputs import read_frame
from cvstrat.splitters import quantile_bins

METRIC_LABELS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "f1_macro": "macro F1"}
BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
_USUAL_FOLDS = 10
_OFTEN = 0.01


def advise(
    X: Any,
    y: Any,
    *,
    n_splits: int | None = None,
    metric: str = "",
    score: float = 0.8,
    task: str = "auto",
) -> Advice:
    """Say what a number of folds means for a data set, and which folds to use.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame or None
        The attributes, text among them or not. They are only looked at for text and missing values.
    y : array-like of shape (n_samples,)
        The target; rows in which it is missing are left out.
    n_splits : int, default=None
        Number of folds; None means ten, or fewer if a class has fewer rows.
    metric : {"accuracy", "balanced_accuracy", "f1_macro"}, default=""
        Score of interest; empty means accuracy for balanced classes, else macro F1.
    score : float, default=0.8
        Probability that a row is predicted right, between 0 and 1 and the same for every class; the noise of a fold's
        score follows from it.
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
    >>> advice.largest_n_splits, float(round(advice.classes.loc["ill", "any_fold_empty"], 2))
    (20, 0.74)
    """
    target = read_target(y, task)
    chosen = _folds(target, n_splits)
    if metric:
        check_known("metric", metric, METRIC_LABELS)
    if not 0 < score < 1:
        raise InputError(f"score must lie between 0 and 1; it is {score}")
    notes, n_features = _features(X)
    if target.n_missing:
        notes.insert(
            0, f"{_count(target.n_missing, 'row')} without a target: left out here, and no use in training either"
        )
    if target.task == "regression":
        if metric:
            raise InputError(
                f"{metric} is for classes, and the target is a number; if it is not, set the task to classification"
            )
        return _advise_regression(target, chosen, n_features, notes)
    return _advise_classification(target, chosen, n_features, notes, metric, score)


def advise_file(path: str | Path, target: str = "", **options: Any) -> Advice:
    """Advise on a CSV file with a header.

    Parameters
    ----------
    path : str or Path
        Path of the file, or the name of a data set that scikit-learn brings: ``breast_cancer``, ``diabetes``,
        ``digits``, ``iris`` or ``wine``.
    target : str, default=""
        Column to predict; none means the last one.
    **options
        As in :func:`cvstrat.advise`.

    Returns
    -------
    Advice
        As from :func:`cvstrat.advise`.
    """
    if str(path) in BUNDLED:
        X, y = getattr(bundled, f"load_{path}")(return_X_y=True)
        return advise(X, y, **options)
    if not Path(path).suffix and not Path(path).exists():
        check_known("file or data set", str(path), BUNDLED)
    frame, column, _ = read_frame(path, target)
    return advise(frame.drop(columns=column), frame[column], **options)


def _folds(target: Target, n_splits: int | None) -> int:
    max_splits = target.n_rows if target.task == "regression" else int(target.counts.iloc[0])
    if n_splits is None:
        rarest = max_splits if target.task == "regression" else metrics.largest_n_splits(target.counts)
        return min(_USUAL_FOLDS, max_splits if rarest < 2 else rarest)  # fewer folds do not help a class of one row
    check_count("the number of folds (n_splits)", n_splits, 2)
    if n_splits > target.n_rows:
        raise InputError(f"{n_splits} folds are more than the {target.n_rows} rows: take fewer")
    if n_splits > max_splits:
        rarest = metrics.largest_n_splits(target.counts)
        raise InputError(
            f"{n_splits} folds are more than the rows of any class, of which the largest has {max_splits}: "
            f"take at most {max(2, rarest)}"
        )
    return int(n_splits)


def _features(X: Any) -> tuple[list[str], int]:
    if X is None:
        return [], 0
    if sparse.issparse(X):
        return [], int(X.shape[1])
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    notes = []
    text = [str(name) for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    if text:
        notes.append(
            f"{_count(len(text), 'feature')} of {frame.shape[1]} not a number ({_some(text)}): splitters that look at "
            "features need them encoded; SCV and KFold do not look at them"
        )
    holes = frame.isna().sum()
    holes = holes[holes > 0]
    if len(holes):
        notes.append(
            f"{_count(len(holes), 'feature')} with missing values ({_some([str(name) for name in holes.index])}): "
            "fill them in inside the cross-validation; of the splitters that look at features only 1C-CV and CL-CV "
            "take them"
        )
    return notes, frame.shape[1]


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 'es' if thing.endswith('s') else 's'}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _advise_classification(
    target: Target, n_splits: int, n_features: int, notes: list[str], metric: str, score: float
) -> Advice:
    counts, n = target.counts, target.n_rows
    dealt = metrics.dealt_counts(counts, n_splits)
    columns = {"rows": counts, "share": counts / n, "min_rows": dealt.min(axis=0), "max_rows": dealt.max(axis=0)}
    table = pd.DataFrame(columns)
    sizes = sorted(set(counts))
    table["fold_empty"] = counts.map({size: metrics.empty_probability(n, size, n_splits) for size in sizes})
    table["any_fold_empty"] = counts.map({size: metrics.any_empty_probability(n, size, n_splits) for size in sizes})
    index = metrics.imbalance_index(np.repeat(np.arange(len(counts)), counts))
    balance = metrics.balance_kind(index)
    used = metric or metrics.USUAL_METRIC[balance]
    often = bool((table["any_fold_empty"] > _OFTEN).any())
    found = recommend(balance, n_splits, metric=used, stratified=often, n_rows=n)
    return Advice(
        task="classification",
        n_rows=n,
        n_features=n_features,
        n_splits=n_splits,
        largest_n_splits=metrics.largest_n_splits(counts),
        imbalance=index,
        balance=balance,
        classes=table,
        metric=METRIC_LABELS[used],
        score=score,
        noise=_noise(counts, n_splits, used, score),
        recommendation=found,
        warnings=tuple([*_rare(table, n_splits), *notes]),
    )


def _noise(counts: pd.Series, n_splits: int, metric: str, score: float) -> pd.DataFrame:
    """Return the standard deviation, over cuts, of the score of a fold and of the mean score of all folds."""
    recalls = np.full(len(counts), score)
    if metric == "accuracy":
        std = np.sqrt(metrics.accuracy_variance(counts, recalls, n_splits))
    else:
        n_folds = int(np.clip(4e6 / len(counts) ** 2, 100, 4000))
        kinds = {"random": False, "stratified": True}
        options = {"n_folds": n_folds, "random_state": 0}
        column = "macro_f1" if metric == "f1_macro" else metric
        std = pd.Series(
            {
                name: metrics.simulate_scores(counts, recalls, n_splits, stratified=kind, **options)[column].std()
                for name, kind in kinds.items()
            }
        )
    return pd.DataFrame({"fold": std, "mean": std / np.sqrt(n_splits)})


def _rare(table: pd.DataFrame, n_splits: int) -> list[str]:
    notes = []
    lacking = table[table["rows"] < n_splits]
    thin = table[(table["rows"] >= n_splits) & (table["min_rows"] < 5)]
    if len(lacking):
        worst = int(lacking["rows"].min())
        single = " (a class of one row is never in training and test at once: join it to another, or leave it out)"
        notes.append(
            f"{_count(len(lacking), 'class')} with fewer rows than there are folds ({_some(list(lacking.index))}): "
            f"however you cut, up to {n_splits - worst} folds lack one, and scores by class are biased there"
            + (single if worst == 1 else "")
        )
    if len(thin):
        notes.append(
            f"{_count(len(thin), 'class')} with fewer than 5 rows in a fold ({_some(list(thin.index))}): one row "
            f"more or less right moves the recall of such a class by {1 / max(1, int(thin['min_rows'].min())):.2f}"
        )
    often = table[(table["any_fold_empty"] > _OFTEN) & (table["rows"] >= n_splits)]
    if len(often):
        notes.append(f"random folds may well lack a class ({_some(list(often.index))}): stratify")
    if len(table) > 50:
        notes.append(f"{len(table)} classes are many: is the target a number, or the name of something?")
    return notes


def _advise_regression(target: Target, n_splits: int, n_features: int, notes: list[str]) -> Advice:
    values, n = target.targets, target.n_rows
    bins = quantile_bins(values, n_splits)
    m = n / n_splits
    whole = values.std()
    inside = np.sqrt((pd.Series(values).groupby(bins).var(ddof=0) * np.bincount(bins)).sum() / n)
    std = pd.Series({"random": whole, "stratified": inside}) / whole * np.sqrt((n - m) / (n - 1) / m)
    if target.guessed:
        notes.insert(
            0,
            "the target has many different whole numbers and is taken for a number; if they are classes, set the task",
        )
    return Advice(
        task="regression",
        n_rows=n,
        n_features=n_features,
        n_splits=n_splits,
        largest_n_splits=n,
        imbalance=0.0,
        balance="",
        classes=pd.DataFrame({"rows": np.bincount(bins)}).rename_axis("bin"),
        metric="mean of the target",
        score=float("nan"),
        noise=pd.DataFrame({"fold": std}),
        recommendation=None,
        warnings=tuple(notes),
    )
