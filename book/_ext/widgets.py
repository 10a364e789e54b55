"""Interactive parts of pages: ``{widget} name`` puts the HTML of ``book/_widgets`` there, with the scripts it needs."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

_WIDGETS = {
    "deal": ("random", "content", "kmeans", "balance", "splitters", "deal"),
    "explore": ("results", "explore"),
}


class Widget(Directive):
    """A widget by its name; its scripts are plain ones, which a page opened from disk may load."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the widget's HTML and links to its style and scripts."""
        name = self.arguments[0]
        if name not in _WIDGETS:
            raise self.error(f"no widget {name!r}; there are {', '.join(_WIDGETS)}")
        env = self.state.document.settings.env
        source = Path(env.srcdir, "book", "_widgets", f"{name}.html")
        env.note_dependency(str(source))
        static = "../" * env.docname.count("/") + "_static/widgets"
        scripts = [f'<script src="{static}/{script}.js" defer></script>' for script in _WIDGETS[name]]
        lines = [f'<link rel="stylesheet" href="{static}/widgets.css">', source.read_text(encoding="utf-8"), *scripts]
        return [nodes.raw("", "\n".join(lines), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("widget", Widget)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
