"""What keeps a reader's own table from being used, all of it at once, and what can be done about it on request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from cvstrat.checks import check_known

_SHOWN = 5


class Problem(NamedTuple):
    """Something that keeps a table from being used, with a remedy, and the preparation that mends it (or none)."""

    text: str
    step: str


def problems(frame: pd.DataFrame, target: str) -> list[Problem]:
    """Return all that keeps a table from being used, each with a remedy."""
    X, y = frame.drop(columns=target), frame[target]
    numbers = X.select_dtypes(["number", "bool"])
    text = [name for name in X.columns if name not in numbers.columns]
    infinite = numbers.columns[np.isinf(numbers.to_numpy(dtype=float)).any(axis=0)]
    counts = y.value_counts()
    single = list(counts.index[counts == 1]) if _is_class(y) else []
    every = (
        ("missing values in", X.columns[X.isna().any()], "fill them in, or leave these rows out", "impute"),
        ("text in", text, "turn it into numbers, for example by one-hot encoding", "onehot"),
        ("infinite values in", infinite, "leave these rows out", "drop"),
        ("missing values in", [target] if y.isna().any() else [], "leave these rows out", "drop"),
    )
    found = [Problem(f"{what} {_some(names)}: {remedy}", step) for what, names, remedy, step in every if len(names)]
    if len(counts) < 2:
        found.append(
            Problem(f"no two classes, for every row has the same {target}: there is nothing to tell apart", "")
        )
    elif found and single:  # alone it is for a study to say whether it minds
        found.append(Problem(f"a class with one member, {_some(single)}: join it to another, or leave it out", "drop"))
    return found


def prepare(frame: pd.DataFrame, target: str, steps: str) -> tuple[pd.DataFrame, list[str]]:
    """Do what is asked for to a table.

    Parameters
    ----------
    frame : DataFrame
        The table.
    target : str
        Its target.
    steps : str
        Any of ``drop``, ``impute`` and ``onehot``, with a comma or plus between them; done in this order.

    Returns
    -------
    frame : DataFrame
        The table, prepared.
    done : list of str
        What was done, as far as there was anything to do.
    """
    wanted, done = steps_of(steps), []
    for name, step in _STEPS.items():
        if name in wanted:
            frame, what = step(frame, target)
            done += what
    return frame, done


def steps_of(text: str) -> list[str]:
    """Return the preparations that a text such as ``impute+onehot`` names."""
    steps = [step.strip() for step in re.split("[,+]", text) if step.strip()]
    for step in steps:
        check_known("preparation", step, _STEPS)
    return steps


def _drop(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    numbers = frame.select_dtypes("number")
    usable = frame[target].notna() & ~np.isinf(numbers.to_numpy(dtype=float)).any(axis=1)
    kept = frame[usable]
    if _is_class(kept[target]):
        kept = kept[kept[target].map(kept[target].value_counts()) > 1]
    n_left_out = len(frame) - len(kept)
    return kept.reset_index(drop=True), [f"{n_left_out} rows left out"] if n_left_out else []


def _impute(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    frame, done = frame.copy(), []
    for name in frame.columns[frame.isna().any()].drop(target, errors="ignore"):
        values = frame[name]
        if values.notna().any():
            number = pd.api.types.is_numeric_dtype(values)
            how = "the median" if number else "the most frequent"
            done.append(f"{values.isna().sum()} values of {name} filled in by {how}")
            frame[name] = values.fillna(values.median() if number else values.mode().iloc[0])
    return frame, done


def _onehot(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    text = [name for name in frame.columns if name != target and not pd.api.types.is_numeric_dtype(frame[name])]
    coded = pd.get_dummies(frame, columns=text, dtype=float)
    return coded, [f"{name} as {frame[name].nunique()} columns of 0 and 1" for name in text]


_STEPS: dict[str, Callable[[pd.DataFrame, str], tuple[pd.DataFrame, list[str]]]] = {
    "drop": _drop,
    "impute": _impute,
    "onehot": _onehot,
}


def _is_class(y: pd.Series) -> bool:
    known = y.dropna()
    return not (known.dtype.kind == "f" and bool((known % 1 != 0).any()))


def _some(names: Iterable[object]) -> str:
    listed = [str(name) for name in names]
    return ", ".join(listed[:_SHOWN]) + (f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else "")
