"""Refuses to render a checkout: its notebooks have no outputs. The book is rendered from the tree of executed ones."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config


def refuse_checkout(app: Sphinx, config: Config) -> None:
    """End before anything is written, so that a good book is not replaced by one without figures.

    The end of the process, and no error of Sphinx, which Jupyter Book would wrap into a page of tracebacks.
    """
    if Path(app.srcdir, "pyproject.toml").is_file():
        raise SystemExit("these notebooks are not executed: 'make book' executes them and renders the book")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, before all others."""
    app.connect("config-inited", refuse_checkout, priority=0)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
