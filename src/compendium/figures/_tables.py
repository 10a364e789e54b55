"""Tables as HTML: what stands in them is text, never markup; with a caption, or with a search field, offline."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from IPython.display import HTML
from itables import options, to_html_datatable
from itables.javascript import generate_init_offline_itables_html
from pandas.io.formats.style import Styler

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
    text = f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text if float(text[1:]) else text[1:]


def p_text(value: float) -> str:
    """Return a p-value with three digits, ``< 0.001`` below that; empty where it is missing."""
    if math.isnan(value):
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def captioned(frame: pd.DataFrame, caption: str, formats: Mapping[str, Any] | None = None) -> Styler:
    """Return a table with a caption.

    Parameters
    ----------
    frame : DataFrame
        Its index, if it has a name, is shown in front.
    caption : str
        What the table shows, with units.
    formats : mapping of str to format or function, default=None
        How the values of a column are written, such as :func:`signed`; others have two digits.
    """
    known = {name: how for name, how in (formats or {}).items() if name in frame.columns}
    numbers = [frame.columns.get_loc(name) for name in frame.select_dtypes("number")]
    right: list[Any] = [{"selector": f".col{place}", "props": "text-align: right"} for place in numbers]
    styled = frame.style.format(known, precision=2, na_rep="").set_caption(caption).set_table_styles(right)
    return styled if any(name is not None for name in frame.index.names) else styled.hide(axis="index")


def searchable(frame: pd.DataFrame, *, rows: int = 10) -> HTML:
    """Return `frame` as a table with a search field; its script is part of the page (about 1 MB, so one or two a page).

    Parameters
    ----------
    frame : DataFrame
        Shown without its index.
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
    return HTML(generate_init_offline_itables_html(options.dt_bundle) + table)
