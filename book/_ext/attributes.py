"""Shows what a docstring describes together in one line (``low, high : float``), and names such as ``best_params_``."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_MARK = "\N{ZERO WIDTH SPACE}"  # Sphinx would take what stands before a space for a type
_FIELD = re.compile(r":(ivar|vartype|param|type) (.+?)(?<!\\):(?= |$)")


def join_parameters(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Join parameters that have come apart: those in a row with the same words and the same type."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.startswith(":param ") or (line and not line[0].isspace() and not line.startswith(":type ")):
            blocks.append([])
        blocks[-1].append(line)
    joined: list[list[str]] = []
    words_before, together = None, ""
    for block in blocks:
        field = _FIELD.match(block[0]) if block else None
        words = [_FIELD.sub("", line).strip() for line in block if line] if field and field[1] == "param" else None
        if field and words is not None and words == words_before:
            together += f", {field[2]}"
            joined[-1] = [_FIELD.sub(rf":\1 {together}:", line) for line in block]
        else:
            together = field[2] if field else ""
            joined.append(block)
        words_before = words
    lines[:] = [line for block in joined for line in block]


def keep_names(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Write names so that Sphinx takes the first of several for no type, and keeps an underscore at the end."""

    def written(field: re.Match[str]) -> str:
        if field[1] in {"param", "type"} and "," not in field[2]:
            return field[0]
        names = f",{_MARK}".join(field[2].replace("\\", "").split(", "))
        return ":{} {}:".format(field[1], names.replace("_,", "\\_,").removesuffix("_") + "\\_" * names.endswith("_"))

    lines[:] = [_FIELD.sub(written, line) for line in lines]


def put_spaces(app: Sphinx, doctree: nodes.document) -> None:
    """Write a space after each comma between names, once Sphinx has read them."""
    for text in [text for text in doctree.findall(nodes.Text) if _MARK in text]:
        text.parent.replace(text, nodes.Text(text.replace(_MARK, " ")))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, after what makes fields of docstrings."""
    app.connect("autodoc-process-docstring", join_parameters, priority=590)
    app.connect("autodoc-process-docstring", keep_names, priority=600)
    app.connect("doctree-read", put_spaces)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
