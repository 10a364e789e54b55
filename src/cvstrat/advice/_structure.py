"""How rows hang together: columns that say what they belong to or when they were taken, and rows that repeat others.

No rule can know this from a table. The rules look for what is hard to explain otherwise; a column that the caller names
is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from cvstrat.checks import did_you_mean
from cvstrat.errors import InputError


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_THINGS = _words(
    "id uid patient subject person participant individual user customer client member donor animal mouse family "
    "household couple twin student pupil school classroom teacher hospital clinic site centre center plot field farm "
    "station sensor device machine engine vehicle session visit trial experiment batch plate slide image video "
    "recording speaker author writer document group protein compound molecule scaffold company firm account"
)
_NAMING = _words("id uid uuid guid no nr number code name key index hash")
_TIMES = _words("date datetime timestamp time year month week day hour epoch period")
_OF_TIMES = _words("of the start end event visit measurement recorded created utc ms")
_DATE = re.compile(r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})")
_DAY_FIRST = re.compile(r"\s*(\d{1,2}\.|(1[3-9]|[23]\d)[-/])")
_FEW, _MANY = 5, 20  # values that a column has at least if its name says what it is, and if only its values do
_SAMPLE, _POOL, _FAR = 300, 5000, 20  # rows looked at, rows among which neighbours are sought, a neighbour far enough


@dataclass(frozen=True, eq=False)
class Column:
    """A column that says how rows hang together.

    Attributes
    ----------
    name : str
        Its name; empty where the caller gave values without one.
    values : Series
        Its values.
    given : bool
        Whether the caller named it or gave it; else it was found.
    why : str
        What was found in it.
    """

    name: str
    values: pd.Series
    given: bool
    why: str


@dataclass(frozen=True)
class Structure:
    """What was given, or found, on how rows hang together.

    Attributes
    ----------
    groups, time : Column or None
        What says which rows belong together, and in which order they were taken.
    notes : tuple of str
        Other remarks, a sentence each.
    """

    groups: Column | None = None
    time: Column | None = None
    notes: tuple[str, ...] = ()


def read_structure(frame: pd.DataFrame, groups: Any = None, time: Any = None) -> Structure:
    """Look at how rows hang together.

    Parameters
    ----------
    frame : DataFrame
        The attributes.
    groups, time : str, array-like or None, default=None
        Name of a column, or its values; None looks for one.

    Returns
    -------
    Structure
        The two columns, if there are any, and remarks.
    """
    named = {str(name): frame.iloc[:, place] for place, name in enumerate(frame.columns)}
    by_time = _given("time", time, named, len(frame))
    by_group = _given("groups", groups, named, len(frame))
    by_time = by_time or _first(_why_time, named, but=by_group)
    by_group = by_group or _first(_why_groups, named, but=by_time)
    if by_group and by_group.given and by_group.values.isna().any():
        raise InputError(f"groups has missing values, {int(by_group.values.isna().sum())}: give each row a group")
    told = {column.name for column in (by_time, by_group) if column}
    rest = {name: values for name, values in named.items() if name not in told}
    return Structure(by_group, by_time, (*_orders_and_names(rest), *_repeats(pd.DataFrame(rest))))


def _given(what: str, column: Any, named: dict[str, pd.Series], n_rows: int) -> Column | None:
    """Return the column that the caller names, or whose values the caller gives, if there is one."""
    if column is None or (isinstance(column, str) and not column):
        return None
    if isinstance(column, str):
        if column not in named:
            raise InputError(f"{what}: no column {column!r}: {did_you_mean(column, named, cutoff=0.6, max_names=8)}")
        return Column(column, named[column], True, "")
    values = pd.Series(np.asarray(column))
    if n_rows and len(values) != n_rows:
        raise InputError(f"{what} has {len(values)} values for {n_rows} rows")
    return Column("", values, True, "")


def _first(why: Callable[[str, pd.Series], str], named: dict[str, pd.Series], but: Column | None) -> Column | None:
    for name, values in named.items():
        found = "" if but and name and name == but.name else why(name, values)
        if found:
            return Column(name, values, False, found)
    return None


def _why_groups(name: str, values: pd.Series) -> str:
    """Say why a column looks like the name of what rows belong to; nothing if it does not."""
    if values.isna().any() or not _is_text_or_whole(values):
        return ""
    codes, _ = pd.factorize(values.astype(str) if values.dtype == object else values)
    counts = np.bincount(codes)
    if len(counts) < _FEW or counts.max() == 1:
        return ""
    in_blocks = (codes[1:] != codes[:-1]).sum() < 1.2 * len(counts)
    if _is_called(name, _THINGS, _NAMING):
        if counts[counts > 1].sum() < 0.1 * len(codes):
            return ""
    elif not (len(counts) >= _MANY and counts.mean() >= 2 and in_blocks and counts.var() < counts.mean() / 2):
        return ""  # a quantity by which rows are sorted has values that are more and less frequent
    rows = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    return f"{len(counts)} values, each in {rows} rows{', one after the other' if in_blocks else ''}"


def _why_time(name: str, values: pd.Series) -> str:
    """Say why a column looks like the time by which rows are ordered; nothing if it does not."""
    if values.nunique() < _FEW:
        return ""
    dates = as_dates(values)
    if dates is not None:
        return "dates, by which the rows are sorted" if _is_sorted(dates) else ""
    called = _is_number(values) and _is_called(name, _TIMES, _OF_TIMES)
    return "the rows are sorted by it" if called and _is_sorted(values) else ""


def as_dates(values: pd.Series) -> pd.Series | None:
    """Return the values as moments in time; None if they are not dates."""
    if pd.api.types.is_datetime64_any_dtype(values):
        return values
    if pd.api.types.is_numeric_dtype(values):
        return None
    known = values.dropna()
    if known.empty or not all(isinstance(value, str) and _DATE.match(value) for value in known.iloc[:50]):
        return None
    dates = pd.to_datetime(values, errors="coerce", format="mixed", utc=True, dayfirst=day_first(known))
    return dates if dates[known.index].notna().mean() > 0.95 else None


def day_first(values: pd.Series) -> bool:
    """Whether written dates begin with the day: those with points do, and those with a number above 12."""
    return bool(values.astype(str).str.match(_DAY_FIRST).any())


def _is_called(name: str, things: frozenset[str], along: frozenset[str]) -> bool:
    """Whether a name such as ``subject_id`` or ``UserID`` consists of one of the things and words that go along."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    hits = [word for word in words if word in things or (word.endswith("id") and word[:-2] in things)]
    return bool(hits) and all(word in hits or word in along for word in words)


def _is_number(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _is_text_or_whole(values: pd.Series) -> bool:
    if not _is_number(values):
        return as_dates(values) is None
    known = values.dropna().to_numpy(dtype=float)
    return bool(np.isfinite(known).all() and (known % 1 == 0).all())


def _is_sorted(values: pd.Series) -> bool:
    known = values.dropna()
    return bool(known.is_monotonic_increasing or known.is_monotonic_decreasing)


def _orders_and_names(named: dict[str, pd.Series]) -> list[str]:
    """Remark on columns that count or name the rows, that hold dates, or by which the rows are sorted."""
    notes = []
    for name, values in named.items():
        numbers = values.to_numpy(dtype=float) if _is_number(values) else None
        say_so = f"say so (--time {name})"
        if numbers is not None and len(numbers) > 2 and (np.diff(numbers) == 1).all():
            notes.append(f"{name} counts the rows: leave it out of the features")
        elif _is_called(name, _THINGS, _NAMING) and _is_text_or_whole(values) and values.is_unique:
            notes.append(f"{name} names the rows: leave it out of the features")
        elif numbers is not None and values.nunique() >= _MANY and _is_sorted(values):
            notes.append(f"the rows are sorted by {name}: if it stands for time, {say_so}; else shuffle")
        elif as_dates(values) is not None:
            notes.append(f"{name} holds dates: if later rows will be predicted from earlier ones, {say_so}")
    return notes


def _repeats(frame: pd.DataFrame) -> list[str]:
    """Remark on rows that repeat others, exactly or nearly, where chance would hardly make them do so."""
    numbers = frame.select_dtypes("number")
    n_fine = int((numbers.nunique() > len(frame) / 10).sum())
    if numbers.shape[1] < 2 or not n_fine:
        return []  # where all columns are coarse, equal rows are what one expects
    text = {name: str for name in frame.columns if frame[name].dtype == object}
    copies = frame.astype(text).groupby(list(frame.columns), dropna=False, observed=True, sort=False).size()
    copies = copies[copies > 1]
    if copies.sum() >= max(10, 0.01 * len(frame)) and (copies * (copies - 1) / 2).sum() > 10 * _equal_by_chance(frame):
        return [
            f"{copies.sum()} of {len(frame)} rows have the same features as another row: in the training part, a copy "
            "gives the row away; drop copies, or name what they are copies of (--groups)"
        ]
    share = _nearly_repeated(numbers.to_numpy(dtype=float)) if n_fine > 1 else 0.0
    if share < 0.1:
        return []
    return [
        f"about {100 * share:.0f} % of the rows nearly repeat another row: if they are measurements of one thing, name "
        "it (--groups)"
    ]


def _equal_by_chance(frame: pd.DataFrame) -> float:
    """Return the expected number of pairs of equal rows if columns did not depend on each other."""
    shares = [frame[name].value_counts(normalize=True, dropna=False).to_numpy() for name in frame.columns]
    return float(len(frame) * (len(frame) - 1) / 2 * np.prod([(share**2).sum() for share in shares]))


def _nearly_repeated(rows: np.ndarray) -> float:
    """Return the share of rows whose nearest other row is at most a twentieth as far as their twentieth nearest."""
    rng = np.random.RandomState(0)
    rows = rows[np.isfinite(rows).all(axis=1)]
    if len(rows) < 2 * _FAR:
        return 0.0
    start = rng.randint(len(rows) - _POOL) if len(rows) > _POOL else 0  # neighbours in the file are likely repeats
    rows = StandardScaler().fit_transform(rows[start : start + _POOL])
    some = rng.permutation(len(rows))[:_SAMPLE]
    distances = NearestNeighbors(n_neighbors=_FAR + 1).fit(rows).kneighbors(rows[some])[0]
    nearest = distances[:, 1]
    return float(((nearest > 0) & (nearest < 0.05 * distances[:, _FAR])).mean())
