"""A reader's own table: a CSV file of numbers with a column of classes (or numbers) to predict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from compendium.datasets._dataset import Dataset
from compendium.datasets._errors import DataError
from cvstrat.inputs import read_frame


def is_csv(name: str) -> bool:
    """Whether the name of a data set is that of a CSV file, perhaps with a target column after a colon."""
    return name.rpartition(":")[0].endswith(".csv") or name.endswith(".csv")


def file_state(name: str) -> tuple[int, int] | None:
    """Return what changes when a CSV file is written anew; None for sets of the catalogue, which never change."""
    try:
        found = Path(_place(name)[0]).stat() if is_csv(name) else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found else None


def _place(name: str) -> tuple[str, str]:
    path, _, target = (name, "", "") if name.endswith(".csv") else name.rpartition(":")
    return path, target


def read_csv(name: str) -> Dataset:
    """Read a CSV file with a header as a data set.

    Parameters
    ----------
    name : str
        Path of the file; ``file.csv:column`` names the target, which is otherwise the last column.

    Returns
    -------
    Dataset
        Numeric attributes, complete; text in the target makes classes, in alphabetical order.
    """
    path, target = _place(name)
    frame, target, sha256 = read_frame(path, target)
    _refuse(path, "missing values", frame.columns[frame.isna().any()], "fill them in, or leave these rows out")
    X = frame.drop(columns=target)
    text = [column for column in X.columns if not pd.api.types.is_numeric_dtype(X[column])]
    _refuse(path, "text", text, "turn it into numbers first, for example by one-hot encoding")
    infinite = X.columns[~np.isfinite(X.to_numpy(dtype=float)).all(axis=0)]
    _refuse(path, "infinite values", infinite, "leave these rows out")
    y, task = _target(frame[target])
    if task == "classification" and len(np.unique(y)) < 2:
        raise DataError(f"{path}: every row has the same {target}; there is nothing to tell apart")
    return Dataset(
        X=X.to_numpy(dtype=np.float64),
        y=y,
        name=name,
        collection="csv",
        task=task,
        source="file",
        sha256=sha256,
        feature_names=tuple(str(column) for column in X.columns),
    )


def _target(values: pd.Series) -> tuple[np.ndarray, str]:
    if pd.api.types.is_float_dtype(values) and (values % 1 != 0).any():
        return values.to_numpy(), "regression"
    return np.unique(values.to_numpy(), return_inverse=True)[1], "classification"


def _refuse(path: str, what: str, columns: object, remedy: str) -> None:
    names = list(map(str, columns))  # type: ignore[call-overload]
    if names:
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        raise DataError(f"{path} has {what} in {shown}: {remedy}")
