"""From a file to folds and a report of how good they are."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import PredefinedSplit

from cvstrat.assignment._source import Source, numbers_of, open_source
from cvstrat.checks import check_known
from cvstrat.errors import InputError
from cvstrat.inputs import find_column, is_parquet
from cvstrat.metrics import fold_numbers, fold_report
from cvstrat.splitters import TECHNIQUES, make_splitter, streamed_folds

STREAMED = ("KCBCV-Mini", "SCBCV-Mini")
_WITHOUT_FEATURES = ("KFold", "SCV")
_MIXED = ("1C-CV", "CL-CV")
_IN_MEMORY = 25_000_000  # values of features
_REPORTED = 20_000  # rows
_MAX_CLASSES = 1000  # more values of a target are quantities


@dataclass(frozen=True, eq=False)
class Assignment:
    """The fold of each row of a file.

    Attributes
    ----------
    source : Source
        The file.
    folds : ndarray of int
        The fold of each row, from 0.
    report : DataFrame
        How good the folds are, as :func:`cvstrat.fold_report` says it, on a sample of large files; number of rows and
        class gap are always those of all rows.
    notes : tuple of str
        How it was done, a sentence each.
    """

    source: Source = field(repr=False)
    folds: np.ndarray
    report: pd.DataFrame
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([*self.notes, "", self.report.to_string(float_format="{:.4f}".format, na_rep="")])


def split_file(
    path: str | Path,
    target: str = "",
    *,
    groups: str = "",
    technique: str = "SCBCV-Mini",
    n_splits: int = 10,
    n_clusters: int | None = None,
    seed: int = 0,
    ignore: tuple[str, ...] = (),
    stream: str = "auto",
) -> Assignment:
    """Give each row of a file its fold.

    Parameters
    ----------
    path : str or Path
        A CSV file with a header, or a Parquet file.
    target : str, default=""
        Column to predict; none means the last one.
    groups : str, default=""
        Column whose values say which rows stay together.
    technique : str, default="SCBCV-Mini"
        A key of ``TECHNIQUES``.
    n_splits, n_clusters : int
        Number of folds; of clusters, None to estimate it.
    seed : int, default=0
        The ``random_state``.
    ignore : tuple of str, default=()
        Columns that are no features, such as an identifier.
    stream : {"auto", "always", "never"}, default="auto"
        Whether a Parquet file is read in batches, so that memory is bounded: SCBCV-Mini and KCBCV-Mini then cluster by
        :func:`cvstrat.splitters.streamed_folds`, and the folds differ from those in memory. ``auto`` does so above
        25 million values.

    Returns
    -------
    Assignment
        The folds, a report, and notes on how they were made.
    """
    check_known("technique", technique, TECHNIQUES)
    check_known("way to stream", stream, ("auto", "always", "never"))
    source, target = open_source(path, target)
    named = [find_column(path, source.columns, name) for name in (*ignore, groups) if name]
    if target in named:
        raise InputError(f"{target} is the target: it cannot name groups or be left out")
    features = [name for name in source.columns if name not in (target, *named, *source.index)]
    text = [name for name in features if name in source.text]
    if not features and technique not in _WITHOUT_FEATURES:
        raise InputError(f"{technique} goes by features, and no column is left: ignore fewer, or take SCV")
    streamed = _is_streamed(path, technique, source.n_rows * len(features), stream)
    if text and technique not in (*_WITHOUT_FEATURES, *_MIXED):
        raise InputError(
            f"{technique} needs numbers, and there is text in {', '.join(text[:3])}{' and others' * (len(text) > 3)}: "
            "turn it into numbers, leave the columns out (--ignore), or take CL-CV, which takes text"
        )
    y = source.column(target)
    if y.isna().any():
        missing = f"{target} is missing in {int(y.isna().sum())} rows: leave them out"
        raise InputError("; ".join([missing, *source.notes]))
    if pd.api.types.is_float_dtype(y) and np.isinf(y.to_numpy(dtype=np.float64)).any():
        raise InputError(f"{target} has infinite values: leave these rows out")
    group_of_row = source.column(groups) if groups else None
    splitter = make_splitter(technique, n_splits=n_splits, n_clusters=n_clusters, random_state=seed)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        if technique not in _WITHOUT_FEATURES and not streamed:
            folds = splitter.fold_of_each_row(source.frame(features), y, group_of_row)
        else:
            told = _quantities(y), None if group_of_row is None else _codes(group_of_row)
            if streamed:
                folds = streamed_folds(splitter, lambda: map(numbers_of, source.batches(features)), *told)
            else:
                folds = fold_numbers(splitter, np.zeros((source.n_rows, 1)), *told)
    how = "read in batches, clusters by partial_fit" if streamed else "in memory"
    notes = [f"{source.n_rows} rows in {n_splits} folds by {technique}, {how}: {time.perf_counter() - start:.1f} s"]
    if group_of_row is not None:
        notes.append(f"{group_of_row.nunique()} groups of {groups}, each in one fold")
    notes += [f"{name} is an index of the table, and no feature" for name in source.index if name not in named]
    notes += [*source.notes]
    notes += dict.fromkeys(str(one.message) for one in caught)
    report, more = _report(source, [name for name in features if name not in text], folds, y, seed)
    return Assignment(source, folds, report, (*notes, *more))


def _is_streamed(path: str | Path, technique: str, n_values: int, stream: str) -> bool:
    """Whether the file is to be read in batches; raise if it cannot be."""
    large = is_parquet(path) and n_values > _IN_MEMORY
    if technique in _WITHOUT_FEATURES or stream == "never" or not (large or stream == "always"):
        return False
    if technique not in STREAMED:
        raise InputError(
            f"{technique} needs all rows in memory: take {' or '.join(STREAMED)}, which read in batches, KFold or SCV, "
            "which read the target alone, or insist with --stream never"
        )
    if not is_parquet(path):
        raise InputError(f"{path} is not a Parquet file: only those are read in batches")
    return True


def _codes(values: pd.Series) -> np.ndarray:
    """Return values as an array without text, which would take memory."""
    if pd.api.types.is_numeric_dtype(values):
        return values.to_numpy()
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.cat.reorder_categories(values.cat.categories.sort_values())
    codes = pd.factorize(values, sort=True)[0]
    return np.where(codes < 0, np.nan, codes) if (codes < 0).any() else codes


def _quantities(target: pd.Series) -> np.ndarray:
    """Return a target as an array in which dates, which are quantities, are dates, and text is codes."""
    kind = target.cat.categories.dtype if isinstance(target.dtype, pd.CategoricalDtype) else target.dtype
    if kind.kind not in "mM":
        return _codes(target)
    times = target.astype(kind)
    return (times.dt.tz_convert(None) if isinstance(kind, pd.DatetimeTZDtype) else times).to_numpy()


def _report(
    source: Source, numbers: list[str], folds: np.ndarray, y: pd.Series, seed: int
) -> tuple[pd.DataFrame, list[str]]:
    """Return a report on the folds, and what must be known to read it."""
    codes, n_splits = _codes(y), int(folds.max()) + 1
    some, sampled = np.arange(len(folds)), len(folds) > _REPORTED
    if sampled:
        some = np.sort(np.random.RandomState(seed).choice(len(folds), _REPORTED, replace=False))
    X = source.frame(numbers, some)
    complete = [name for name in numbers if np.isfinite(numbers_of(X[[name]])).all()]
    notes = [f"the report leaves out {name}, which has missing values" for name in numbers if name not in complete]
    if complete:
        report = fold_report(PredefinedSplit(folds[some]), numbers_of(X[complete]), codes[some]).drop(columns="seconds")
    else:
        notes.append("the report is on the target alone: no feature is a complete column of numbers")
        report = pd.DataFrame(index=pd.Index([*range(n_splits), "all"], name="fold"))
    if sampled:
        notes.append(f"the report is on {len(some)} rows drawn at random, but for rows and class_gap, which are on all")
        report = report.drop(columns="balance", errors="ignore")  # of a sample it tells of the sampling
    sizes = np.bincount(folds, minlength=n_splits)
    report["rows"] = [*sizes, sizes.sum()]
    classes, found = pd.factorize(codes)
    if len(found) <= _MAX_CLASSES:
        counts = np.bincount(folds * len(found) + classes, minlength=n_splits * len(found)).reshape(n_splits, -1)
        gap = np.abs(counts / sizes[:, None] - counts.sum(axis=0) / sizes.sum()).max(axis=1)
        report["class_gap"] = [*gap, gap.mean()]
    first = [name for name in ("rows", "class_gap") if name in report]
    return report[[*first, *report.columns.difference(first, sort=False)]], notes
