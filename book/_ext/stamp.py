"""Gives every page its version and commit, how to cite it, and when it was changed last."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

import cvstrat
from compendium.citation import bibtex
from compendium.versions import last_changes
from compendium.versions import stamped_commit as commit


def stamp(app: Sphinx, config: Config) -> None:
    """Fill the template ``stamp.html``, and the substitutions ``{{ version }}``, ``{{ commit }}``, ``{{ bibtex }}``."""
    facts = {"version": cvstrat.__version__, "commit": commit()}
    config.html_context["stamp"] = facts
    config.html_context["last_changes"] = last_changes()
    entry = f"```bibtex\n{bibtex(facts['commit'])}\n```"
    config.myst_substitutions = {**config.myst_substitutions, **facts, "bibtex": entry}


def tell_source(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Tell the template which file of the repository a page is made from, and when that was changed."""
    changes = context["last_changes"]
    context["source_file"] = f"{page}.md" if f"{page}.md" in changes else ""
    context["last_change"] = changes.get(f"{page}.md", "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, before MyST reads its substitutions."""
    app.connect("config-inited", stamp, priority=1)
    app.connect("html-page-context", tell_source)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
