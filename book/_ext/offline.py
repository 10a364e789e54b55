"""Keeps the book on the reader's machine: MathJax from a package, icons from fonts, no live code."""

from __future__ import annotations

import importlib.metadata
import shutil
from pathlib import Path

import sphinx_thebe
from sphinx.application import Sphinx
from sphinx.config import Config

MATHJAX = "mathjax/tex-svg-full.js"


def use_local_mathjax(app: Sphinx, config: Config) -> None:
    """Point Sphinx at the copy that :func:`copy_mathjax` brings; the SVG output needs no font files."""
    config.mathjax_path = MATHJAX
    config.mathjax3_config = {"options": {"enableMenu": False}}


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Copy the one script of MathJax beside the pages."""
    if error is None and app.builder.format == "html":
        package = importlib.metadata.distribution("sphinx-mathjax-offline")
        source = package.locate_file("sphinx-mathjax-offline/static/mathjax/tex-svg-full.js")
        target = Path(app.outdir, "_static", MATHJAX)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(source), target)


def empty_icon_script(app: Sphinx, error: Exception | None) -> None:
    """Empty the theme's script that draws icons: it is 1.5 MB for each page, and the theme's fonts draw them too."""
    script = Path(app.outdir, "_static", "scripts", "fontawesome.js")
    if error is None and script.is_file():
        script.write_text("")


def silence_thebe(app: Sphinx) -> None:
    """Disconnect sphinx-thebe, which adds a foreign address and a script error to each page even when it is off."""
    for event in app.events.listeners.values():
        event[:] = [listener for listener in event if listener.handler.__module__ != sphinx_thebe.__name__]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", use_local_mathjax)
    app.connect("builder-inited", silence_thebe, priority=0)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", empty_icon_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
