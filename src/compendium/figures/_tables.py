"""Tables as HTML: what stands in them is text, never markup; with a caption, or with a search field, offline."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML
from itables import options, to_html_datatable
from itables.javascript import generate_init_offline_itables_html
from pandas.io.formats.style import Styler

from compendium.figures._data import data_line, file_name

LONG, FIRST = 15, 10  # a table with more rows than the first shows as many as the second, the others on a click
NAME = 17  # characters from which on a cell may break on a phone
SENTENCE = 30  # characters from which on a cell is broken into lines
ROOM = 90  # characters of text in a row from which on it is shown as a card on a phone
# Words of a cell in which no line ends, such as 1-NN, p-value and DOB-SCV.
_CELL, _WHOLE = re.compile(r"(?<=<t[hd])([^>]*>)([^<]*)"), re.compile(r"(?<![\w-])((?:\w|[A-Z\d]+)-[\w-]+)")
MINUS = "\N{MINUS SIGN}"
# What pandas' template writes as it is.
_FROM_FRAMES = ("c.display_value", "caption", "caption[0]")
_ESCAPE = "|e|replace('&amp;nbsp;', '&nbsp;')"  # pandas itself puts that into headings that are blank


def escape_styled_tables() -> None:
    """Let every ``frame.style`` of this process escape its cells, headings and caption, whatever their format.

    The escape of pandas itself has to be asked for in each call of ``format``, and leaves names of indices as they are.
    """
    source, _, _ = Styler.loader.get_source(Styler.env, "html_table.tpl")
    for name in _FROM_FRAMES:
        if "{{" + name + "}}" not in source:
            raise RuntimeError(f"the template of tables has no {name}: this version of pandas is not known here")
        source = source.replace(
            "{{" + name + "}}", "{{" + name + "|e|replace('&amp;nbsp;', '&nbsp;')}}"
        )  # pandas' blank
    Styler.template_html_table = Styler.env.from_string(source)


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign, a true minus among them; zero has none, and what is missing is empty."""
    if math.isnan(value):
        return ""
    text = f"{value:+.{digits}f}".replace("-", MINUS)
    return text if float(text[1:]) else text[1:]


def p_text(value: float) -> str:
    """Return a p-value with three digits, ``< 0.001`` below that; empty where it is missing."""
    if math.isnan(value):
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


class CaptionedTable(Styler):
    """A styled table in a box of its own, with its data below; see :func:`captioned`."""

    def __init__(self, frame: pd.DataFrame, name: str = "") -> None:
        # The name of the index stands in the corner, above the index; left to pandas, it has a row of its own.
        simple = frame.index.nlevels == frame.columns.nlevels == 1
        super().__init__(frame.set_axis(frame.columns.rename(frame.index.name), axis=1) if simple else frame)
        self.frame, self.name = frame, name
        self.indexed = any(level is not None for level in frame.index.names)
        if not self.indexed:
            self.hide(axis="index")
        elif simple:
            self.hide(axis="index", names=True)

    def _repr_html_(self) -> str:
        n_rows = len(self.frame)
        kind = ("indexed" if self.indexed else "plain") + (" long" if n_rows > LONG else "")
        kind += " sentences" if _is_card(self.frame) else ""
        words = (f"Show all {n_rows} rows", f"Show the first {FIRST} rows only")
        more = "<details><summary>" + "".join(f"<span>{word}</span>" for word in words) + "</summary></details>"
        return (
            f'<div class="table-box {kind}" data-name="{file_name(self.name)}">'
            f'<div class="table-scroll" tabindex="0">{_CELL.sub(_kept_whole, self.to_html())}</div>'
            f"{more if n_rows > LONG else ''}{data_line(self.frame, self.name)}</div>"
        )


def captioned(
    frame: pd.DataFrame, caption: str, formats: Mapping[str, Any] | None = None, *, name: str = ""
) -> CaptionedTable:
    """Return a table with a caption, and with links below that save its data as CSV and Parquet.

    Numbers stand to the right and have two digits, whole ones none, and a true minus; p-values, which are told by the
    heading, have three. Of a table with more than 15 rows the first ten are shown, the others on a click.

    Parameters
    ----------
    frame : DataFrame
        Its index, if it has a name, is shown in front.
    caption : str
        What the table shows, with units. The book puts its number in front.
    formats : mapping of str to format or function, default=None
        How the values of a column are written, such as :func:`signed`.
    name : str, default=""
        What it holds, in a word or two: the name of the files, and, as ``table-<page>-<name>``, the label by which
        prose refers to it; the first words of the caption if empty.
    """
    numbers = set(frame.select_dtypes("number"))
    given: dict[Any, Any] = dict(formats or {})
    known: dict[Any, Any] = {column: how for column, how in given.items() if column in frame.columns}
    known |= {column: _true_minus(given.get(column, _default(column))) for column in numbers}
    styles: Any = [{"selector": f".col{n}", "props": _props(frame.iloc[:, n])} for n in range(frame.shape[1])]
    for n, heading in enumerate(frame.columns if _is_card(frame) else ()):
        first = "; --first: var(--label)" if _is_number(frame.iloc[:, n]) else ""
        styles[n]["props"] += f"; --label: '{_label(heading)} '{first}"
    table = CaptionedTable(frame, name or caption)
    table.format(known, na_rep="").set_caption(_ended(caption)).set_table_styles(styles)
    return table


def _kept_whole(cell: re.Match[str]) -> str:
    return cell[1] + _WHOLE.sub(r'<span class="whole">\1</span>', cell[2])


def _ended(caption: str) -> str:
    return caption if caption.endswith((".", "?", "!")) else f"{caption}."


def _props(column: pd.Series) -> str:
    """Return how a column is set: numbers to the right, sentences in lines of a readable length, text so on a phone."""
    if _is_number(column):
        return "text-align: right"
    length = _length(column)
    long, name = "min-width: 16em; white-space: normal", "--phone: normal; min-width: 8.5em" if length > NAME else ""
    return "text-align: left; " + (long if length > SENTENCE else name)


def _is_card(frame: pd.DataFrame) -> bool:
    """Tell whether a row has more text than a phone has room for."""
    lengths = [_length(frame.iloc[:, n]) for n in range(frame.shape[1])]
    return sum(lengths) > ROOM and max(lengths) > SENTENCE


def _label(heading: Hashable) -> str:
    """Return a heading as it stands in front of a value; as it may stand between quotation marks in a style sheet."""
    text = re.sub(r"[^\w ,.%?()/=+-]", " ", str(heading))
    return text if text.endswith("?") else f"{text}:"


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _length(column: pd.Series) -> int:
    """Return the number of characters of the longest text in a column; 0 for numbers."""
    return 0 if _is_number(column) or column.empty else int(column.map(str).str.len().max())


def _default(column: Hashable) -> Callable[[Any], str]:
    """Return how the numbers below a heading are written if nobody says."""
    if re.fullmatch(r"p|p[-_ ,].*", str(column)):
        return p_text
    return lambda value: f"{value:.2f}" if isinstance(value, float | np.floating) else str(value)


def _true_minus(how: str | Callable[[Any], str]) -> Callable[[Any], str]:
    """Let a format write a true minus, and none before a zero."""

    def written(value: Any) -> str:
        text = how.format(value) if isinstance(how, str) else how(value)
        text = re.sub(r"-(?=[\d.])", MINUS, str(text))
        return text.removeprefix(MINUS) if re.fullmatch(rf"{MINUS}0(\.0*)?", text) else text

    return written


def searchable(frame: pd.DataFrame, caption: str, *, name: str = "", rows: int = 10) -> HTML:
    """Return `frame` as a table with a search field; its script is part of the page (about 1 MB, so one or two a page).

    Parameters
    ----------
    frame : DataFrame
        Shown without its index.
    caption : str
        What the table shows. The book puts its number in front.
    name : str, default=""
        As in :func:`captioned`.
    rows : int, default=10
        Lines shown at a time.
    """
    table = to_html_datatable(
        frame,
        connected=False,
        showIndex=False,
        pageLength=rows,
        lengthMenu=[rows, 25, 100],
        scrollX=True,
        maxBytes=0,
        table_id="searchable",
        classes="display compact",
    )
    return HTML(
        f'<figure class="table-box searched" data-name="{file_name(name or caption)}">'
        f"<figcaption>{escape(_ended(caption))}</figcaption>"
        f"{generate_init_offline_itables_html(options.dt_bundle)}{table}{data_line(frame, name or caption)}</figure>"
    )
