"""Tables of the data chapter: what the papers print beside what the files hold."""

from __future__ import annotations

import pandas as pd

from compendium.datasets._catalogue import Entry, catalogue, published

_FIELDS = {"instances": "rows", "attributes": "features"}
_COLUMNS = {
    "spezia2025_table1": ("instances", "attributes", "classes", "imbalance"),
    "diamantidis2000_table1": ("instances", "attributes", "classes"),
    "mahlich2024_table1": ("instances", "features", "classes"),
}


def compare_with_published(table: str) -> pd.DataFrame:
    """Return a row per data set and printed column: the published value, ours, and whether they agree.

    Parameters
    ----------
    table : str
        ``spezia2025_table1``, ``diamantidis2000_table1`` or ``mahlich2024_table1``. A value of ours is rounded to the
        decimals the paper prints (two for the imbalance index, none for counts).
    """
    printed = published(table)
    lines = []
    for row in printed.to_dict("records"):
        entry = catalogue().find(f"{row.get('collection', 'pmlb')}/{row['name']}")
        for column in _COLUMNS[table]:
            if pd.notna(row[column]):
                lines.append((entry.id, column, float(row[column]), _rounded(entry, column)))
    frame = pd.DataFrame(lines, columns=["name", "column", "published", "ours"])
    return frame.assign(agrees=frame["published"] == frame["ours"])


def _rounded(entry: Entry, column: str) -> float:
    value = getattr(entry, _FIELDS.get(column, column))
    return round(float(value), 2)
