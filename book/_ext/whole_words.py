"""Keeps e-fold, K-means, 1-NN and ``--seed`` on one line: none ends after their hyphen."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

_WHOLE = re.compile(r"(?<![\w-])(\w-\w[\w-]*)")
_SHORT = 20  # characters of a word of code that stands on one line even on a phone
_LEFT_ALONE = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw)


def keep_whole(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Put each such word of the prose into an element of its own, whose style keeps it whole, and mark short code."""
    if app.builder.format != "html":
        return
    for code in doctree.findall(nodes.literal):
        if max(map(len, code.astext().split()), default=0) <= _SHORT:
            code["classes"].append("short")
    for text in [text for text in doctree.findall(nodes.Text) if _WHOLE.search(text)]:
        parent = text.parent
        if isinstance(parent, _LEFT_ALONE):
            continue
        pieces = _WHOLE.split(text)
        whole = [nodes.inline("", word, classes=["whole"]) for word in pieces[1::2]]
        between = [nodes.Text(words) for words in pieces[::2]]
        both = [node for pair in zip(between, whole, strict=False) for node in pair] + between[-1:]
        parent.replace(text, [node for node in both if node.astext()])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-resolved", keep_whole)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
