"""Shows the narrow variant of a figure on a narrow screen, and opens any figure by itself on a click."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_FIGURE = re.compile(r'<img (?P<words>[^>]*?)src="(?P<up>[^"]*)_images/(?P<name>[0-9a-f]{64}\.svg)"(?P<rest>[^>]*)>')
MEDIA = "(max-width: 600px)"


def show_variants(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Put figures that have a narrow variant into a picture of two sources, each of which can be opened by itself."""

    def picture(found: re.Match[str]) -> str:
        narrow = f"_static/narrow/{found['name']}"
        if not Path(app.srcdir, "book", narrow).is_file():
            return found[0]
        source = f'<source media="{MEDIA}" srcset="{found["up"]}{narrow}">'
        return f"<picture>{source}{found[0]}</picture>"

    if "body" in context:
        context["body"] = _FIGURE.sub(picture, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", show_variants)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
