"""Pages are read and written by all cores. Jupyter Book has no option for it; the pages are the same."""

from __future__ import annotations

import os

from sphinx.application import Sphinx


def vouch(app: Sphinx) -> None:
    """Say of an extension of Jupyter Book what it does not say itself: it numbers chapters when all pages are read."""
    if "sphinx_multitoc_numbering" in app.extensions:
        app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.parallel = os.cpu_count() or 1
    app.connect("builder-inited", vouch)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
