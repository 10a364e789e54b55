"""Tables as HTML: what stands in a cell or a heading is text, never markup; one kind can be searched, offline."""

from __future__ import annotations

import pandas as pd
from IPython.display import HTML
from itables import options, to_html_datatable
from itables.javascript import generate_init_offline_itables_html
from pandas.io.formats.style import Styler

# What pandas' template writes as it is.
_FROM_FRAMES = ("c.display_value", "caption", "caption[0]")


def escape_styled_tables() -> None:
    """Let every ``frame.style`` of this process escape its cells, headings and caption, whatever their format.

    The escape of pandas itself has to be asked for in each call of ``format``, and leaves names of indices as they are.
    """
    source, _, _ = Styler.loader.get_source(Styler.env, "html_table.tpl")
    for name in _FROM_FRAMES:
        if "{{" + name + "}}" not in source:
            raise RuntimeError(f"the template of tables has no {name}: this version of pandas is not known here")
        source = source.replace("{{" + name + "}}", "{{" + name + "|e}}")
    Styler.template_html_table = Styler.env.from_string(source)


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
