"""Keeps e-fold, K-means and 1-NN on one line: none ends after a hyphen that follows a single letter or digit."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

_WHOLE = re.compile(r"(?<![\w-])(\w-\w[\w-]*)")
_LEFT_ALONE = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw)


def keep_whole(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Put each such word of the prose into an element of its own, whose style keeps it whole."""
    if app.builder.format != "html":
        return
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
