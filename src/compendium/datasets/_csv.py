"""A reader's own table: a CSV file of numbers with a column of classes (or numbers) to predict."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from compendium.datasets._dataset import Dataset
from compendium.datasets._errors import DataError
from compendium.datasets._prepare import prepare, problems, steps_of
from cvstrat.inputs import read_frame

_NAME = re.compile(r"(?P<path>.+\.csv)(:(?P<target>[^:]*)(:(?P<steps>[^:]*))?)?", re.DOTALL)


def is_csv(name: str) -> bool:
    """Whether the name of a data set is that of a CSV file, perhaps with a target and preparations after colons."""
    return _NAME.fullmatch(name) is not None


def file_state(name: str) -> tuple[int, int] | None:
    """Return what changes when a CSV file is written anew; None for sets of the catalogue, which never change."""
    try:
        found = Path(_parts(name)[0]).stat() if is_csv(name) else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found else None


def same_file(name: str) -> str:
    """Return a name that all spellings of one CSV file and target share."""
    path, target, _ = _parts(name)
    return f"{Path(path).absolute()}:{target}"


def _parts(name: str) -> tuple[str, str, str]:
    found = _NAME.fullmatch(name)
    assert found
    return found["path"], found["target"] or "", found["steps"] or ""


def read_csv(name: str, more: str = "") -> Dataset:
    """Read a CSV file with a header as a data set.

    Parameters
    ----------
    name : str
        Path of the file; ``file.csv:column`` names the target, which is otherwise the last column. Preparations may
        follow: ``file.csv:column:impute+onehot`` (see :func:`compendium.datasets.load`).
    more : str, default=""
        Preparations besides those in the name.

    Returns
    -------
    Dataset
        Numeric attributes, complete; text in the target makes classes, in alphabetical order.
    """
    path, target, steps = _parts(name)
    steps = f"{steps}+{more}" if more else steps
    frame, target, sha256, _ = read_frame(path, target)
    frame, done = prepare(frame, target, steps)
    found = problems(frame, target)
    if found:
        listed = "; ".join(problem.text for problem in found)
        steps = "+".join(dict.fromkeys([*steps_of(steps), *(problem.step for problem in found)]))
        remedy = f". To have that done, call it {path}:{target}:{steps}" if all(one.step for one in found) else ""
        raise DataError(f"{path} has {listed}{remedy}")
    y = frame[target]
    is_number = y.dtype.kind == "f" and bool((y % 1 != 0).any())
    X = frame.drop(columns=target)
    return Dataset(
        X=X.to_numpy(dtype=np.float64),
        y=y.to_numpy() if is_number else np.unique(y.to_numpy(), return_inverse=True)[1],
        name=name if not more else f"{path}:{target}:{'+'.join(steps_of(steps))}",
        collection="csv",
        task="regression" if is_number else "classification",
        source="; ".join(["file", *done]),
        sha256=sha256,
        feature_names=tuple(str(column) for column in X.columns),
    )
