"""Gives every page its version and commit: in the footer, and in prose through substitutions."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.config import Config

import cvstrat
from compendium.versions import stamped_commit as commit


def stamp(app: Sphinx, config: Config) -> None:
    """Fill what the template ``stamp.html`` and the substitutions ``{{ version }}`` and ``{{ commit }}`` show."""
    facts = {"version": cvstrat.__version__, "commit": commit()}
    config.html_context["stamp"] = facts
    config.myst_substitutions = {**config.myst_substitutions, **facts}


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, before MyST reads its substitutions."""
    app.connect("config-inited", stamp, priority=1)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
