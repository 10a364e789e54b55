"""Gives ``names.js`` the short names of the glossary, and what each stands for."""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

_GLOSSARY = "book/glossary"
_SHORT = re.compile(r"(?=\S*[A-Z]\S*[A-Z])\S+")  # a term with two capitals and no space, such as SCV or KFold


def meanings(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Return the glossary's short names: what each stands for (the opening of its entry), and its anchor."""
    found: dict[str, tuple[str, str]] = {}
    for glossary in env.get_doctree(_GLOSSARY).findall(addnodes.glossary):
        for entry in glossary.findall(nodes.definition_list_item):
            opening = re.split(r"[:;.](?:\s|$)", next(iter(entry.findall(nodes.definition))).astext(), maxsplit=1)[0]
            for term in entry.findall(nodes.term):
                if _SHORT.fullmatch(term.astext()):
                    found[term.astext()] = (" ".join(opening.split()), term["ids"][0])
    return found


def write_names(app: Sphinx, error: Exception | None) -> None:
    """Write the names beside the script that uses them, as a script, which a page opened from disk may load."""
    if error is None and app.builder.format == "html":
        names = meanings(app.env) if _GLOSSARY in app.env.found_docs else {}
        data = json.dumps({"glossary": f"{_GLOSSARY}.html", "names": names}, indent=1)
        Path(app.outdir, "_static", "names-data.js").write_text(f"window.shortNames = {data};\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_js_file("names-data.js")
    app.add_js_file("names.js")
    app.connect("build-finished", write_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
