"""Tables a reader can search and sort, offline."""

from __future__ import annotations

import pandas as pd
from IPython.display import HTML
from itables import options, to_html_datatable
from itables.javascript import generate_init_offline_itables_html


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
