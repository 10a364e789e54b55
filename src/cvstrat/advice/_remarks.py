"""Remarks on features and on rare classes, a sentence each."""

from __future__ import annotations

import numpy as np
import pandas as pd

OFTEN = 0.01  # probability above which a random fold without a class is worth a word
_RARE = 0.1  # share of the rows below which a class is rare
_THIN = 5  # rows of a class in a fold below which a single row decides


def on_features(frame: pd.DataFrame) -> list[str]:
    """Remark on features that are text, missing, the same twice, or more than there are rows."""
    notes = []
    text = [str(name) for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    for name in text:
        words = [repr(word) for word in _words_among_numbers(frame[name])]
        if words:
            notes.append(f"{name} holds numbers but for {some(words)}: leave those cells empty")
    if text:
        notes.append(
            f"{count(len(text), 'feature')} of {frame.shape[1]} not a number ({some(text)}): splitters that look at "
            "features need them encoded; SCV and KFold do not look at them"
        )
    holes = [str(name) for name in frame.columns[frame.isna().any()]]
    if holes:
        notes.append(
            f"{count(len(holes), 'feature')} with missing values ({some(holes)}): fill them in inside the "
            "cross-validation; of the splitters that look at features only 1C-CV and CL-CV take them"
        )
    notes += _on_same_columns(frame)[:3]
    if frame.shape[1] > len(frame):
        notes.append(
            f"{frame.shape[1]} features are more than the {len(frame)} rows: rows are then about equally far apart, "
            "so clusters and neighbours mean little; whatever selects or scales features belongs inside the folds"
        )
    return notes


def _words_among_numbers(values: pd.Series) -> list[str]:
    """Return the few words that keep a column from being numbers, such as ``?``; none if it holds text."""
    known = values.dropna()
    if values.dtype.kind in "biufcmM" or isinstance(values.dtype, pd.CategoricalDtype) or known.empty:
        return []
    words = known[pd.to_numeric(known, errors="coerce").isna()].astype(str).unique()
    return list(words) if 0 < len(words) <= 3 and known.nunique() > 2 * len(words) + 2 else []


def _on_same_columns(frame: pd.DataFrame) -> list[str]:
    """Remark on pairs of columns with the same values in every row."""
    first_of: dict[int, str] = {}
    notes = []
    for name, values in frame.items():
        key = hash(pd.util.hash_pandas_object(values, index=False).to_numpy().tobytes())
        if key in first_of and values.nunique() > 1:
            notes.append(f"{first_of[key]} and {name} hold the same values: distances count them twice; drop one")
        first_of.setdefault(key, str(name))
    return notes


def on_rare_classes(table: pd.DataFrame, n_splits: int, *, singly: bool) -> list[str]:
    """Remark on classes that have few rows in a fold, or none; `singly` says whether rows may be dealt one by one."""
    notes = []
    lacking = table[table["rows"] < n_splits]
    thin = table[(table["rows"] >= n_splits) & (table["min_rows"] < _THIN)]
    if len(lacking):
        worst = int(lacking["rows"].min())
        single = " (a class of one row is never in training and test at once: join it to another, or leave it out)"
        notes.append(
            f"{count(len(lacking), 'class')} with fewer rows than there are folds ({some(list(lacking.index))}): "
            f"however you cut, up to {n_splits - worst} folds lack one, and scores by class are biased there"
            + (single if worst == 1 else "")
        )
    if len(thin):
        rows = int(thin["min_rows"].min())
        notes.append(
            f"{count(len(thin), 'class')} with fewer than {_THIN} rows in a fold ({some(list(thin.index))}): one row "
            f"more or less right moves the recall of such a class by {1 / rows:.2f}, and a macro F1 by up to "
            f"{1 / rows / len(table):.2f}: such scores of a fold are mostly noise"
        )
    rare = pd.concat([lacking, thin])
    rare = rare[rare["rows"] >= 2]
    fewer = int(np.clip(rare["rows"].min() // _THIN, 2, n_splits)) if len(rare) else n_splits
    if singly and fewer < n_splits:
        notes.append(
            f"better than {n_splits} folds are {fewer}, repeated: "
            f"RepeatedStratifiedKFold(n_splits={fewer}, n_repeats=10, random_state=0)"
        )
    if (rare["share"] < _RARE).any():
        notes.append(
            "for a rare class take a score that looks at ranks, such as average_precision: it does not hang on a "
            "threshold and on the one or two rows that pass it"
        )
    often = table[(table["any_fold_empty"] > OFTEN) & (table["rows"] >= n_splits)]
    if singly and len(often):
        notes.append(f"random folds may well lack a class ({some(list(often.index))}): stratify")
    if len(table) > 50:
        notes.append(f"{len(table)} classes are many: is the target a number, or the name of something?")
    return notes


def count(number: int, thing: str) -> str:
    """Return a number and what is counted, in the plural where need be."""
    return f"{number} {thing}{'' if number == 1 else 'es' if thing.endswith('s') else 's'}"


def some(names: list[str]) -> str:
    """Return the first three names, and how many there are besides."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
