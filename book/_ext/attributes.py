"""Shows attributes of classes under their own names: several in a line (``low, high : float``), ``best_params_``."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_MARK = "\N{ZERO WIDTH SPACE}"  # Sphinx would take what stands before a space for a type
_FIELD = re.compile(r":(ivar|vartype) (.+?)(?<!\\):(?= |$)")


def keep_names(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Write names so that Sphinx takes the first of several for no type, and keeps an underscore at the end."""

    def written(field: re.Match[str]) -> str:
        names = f",{_MARK}".join(field[2].replace("\\", "").split(", "))
        return ":{} {}:".format(field[1], names.replace("_,", "\\_,").removesuffix("_") + "\\_" * names.endswith("_"))

    lines[:] = [_FIELD.sub(written, line) for line in lines]


def put_spaces(app: Sphinx, doctree: nodes.document) -> None:
    """Write a space after each comma between names, once Sphinx has read them."""
    for text in [text for text in doctree.findall(nodes.Text) if _MARK in text]:
        text.parent.replace(text, nodes.Text(text.replace(_MARK, " ")))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, after what makes fields of docstrings."""
    app.connect("autodoc-process-docstring", keep_names, priority=600)
    app.connect("doctree-read", put_spaces)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
