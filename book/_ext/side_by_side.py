"""Pages are read and written by all cores. Jupyter Book has no option for it; the pages are the same."""

from __future__ import annotations

import os

from sphinx.application import Sphinx

# Parts of Jupyter Book that do not say themselves that they keep nothing from page to page: one numbers chapters when
# all pages are read, the other works for LaTeX alone.
_SILENT = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")


def vouch(app: Sphinx) -> None:
    """Say it for them."""
    for name in app.extensions.keys() & set(_SILENT):
        app.extensions[name].parallel_read_safe = True


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.parallel = os.cpu_count() or 1
    app.connect("builder-inited", vouch)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
