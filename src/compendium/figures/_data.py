"""The data behind a table or a figure, one click away: as CSV and as Parquet, inside the notebook itself."""

from __future__ import annotations

import base64
import io
import re
from html import escape

import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import HTML, display

_MEDIA = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
_LABELS = {"csv": "CSV", "parquet": "Parquet"}


def offer(frame: pd.DataFrame, name: str) -> None:
    """Show the figures drawn so far in this cell and, below them, links that save `frame` as CSV and as Parquet.

    Parameters
    ----------
    frame : DataFrame
        What the figure shows.
    name : str
        What it holds, in a word or two: the name of the files. The book puts the name of the page in front.
    """
    if "inline" in plt.get_backend():
        plt.show()
    display(HTML(data_line(frame, name)))


def data_line(frame: pd.DataFrame, name: str) -> str:
    """Return the line of links below a table or a figure; each holds the whole file."""
    content = {"csv": as_csv(frame), "parquet": as_parquet(frame)}
    links = [
        f'<a download="{escape(file_name(name))}.{kind}" href="data:{_MEDIA[kind]};base64,{_encoded(content[kind])}">'
        f"{_LABELS[kind]}</a>"
        for kind in _MEDIA
    ]
    return f'<p class="data-line">Data: {" · ".join(links)}</p>'


def as_csv(frame: pd.DataFrame) -> bytes:
    """Return a frame as CSV with all its digits; a named index becomes columns, any other is left out."""
    return _plain(frame).to_csv(index=False, lineterminator="\n").encode()


def as_parquet(frame: pd.DataFrame) -> bytes:
    """Return a frame as Parquet; columns of several types become text."""
    plain = _plain(frame)
    for name in plain.columns:
        if plain[name].dtype == object and plain[name].dropna().map(type).nunique() > 1:
            plain[name] = plain[name].map(str, na_action="ignore")
    buffer = io.BytesIO()
    plain.to_parquet(buffer, index=False)
    return buffer.getvalue()


def file_name(words: str, limit: int = 6) -> str:
    """Return the first words of a text as a name for a file, such as ``error-with-ten-folds``."""
    return "-".join(re.findall(r"[a-z0-9]+", words.lower())[:limit]) or "data"


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    named = [level for level, name in enumerate(frame.index.names) if name is not None]
    plain = frame.reset_index(level=named, allow_duplicates=True) if named else frame.copy()
    names = [" ".join(filter(None, map(str, name if isinstance(name, tuple) else (name,)))) for name in plain]
    plain.columns = pd.Index(
        [f"{one} {names[:n].count(one) + 1}" if one in names[:n] else one for n, one in enumerate(names)]
    )
    return plain.reset_index(drop=True)


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
