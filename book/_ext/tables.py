"""Numbers the tables that cells show in the book's own series; prose refers to them as ``table-<page>-<name>``."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

_BOX = re.compile(r'\s*<(?:div|figure) class="table-box [^"]*" data-name="(?P<name>[^"]+)"')
_CAPTION = re.compile(r"<(?P<tag>(?:fig)?caption)>(?P<words>.*?)</(?P=tag)>", re.DOTALL)


class captioned_table(nodes.General, nodes.Element):  # noqa: N801  (docutils names nodes like this)
    """A table from a cell: its HTML, a name, and what a reference to it may quote."""


class FindTables(SphinxTransform):
    """Turn the HTML of captioned tables into nodes that Sphinx can number, before it collects labels."""

    default_priority = 500

    def apply(self, **_: object) -> None:
        """Replace the raw nodes of this document."""
        for raw in list(self.document.findall(nodes.raw)):
            box, caption = _BOX.match(raw.astext()), _CAPTION.search(raw.astext())
            if raw["format"] != "html" or not box or not caption:
                continue
            label = f"table-{self.env.docname.rpartition('/')[2]}-{box['name']}"
            taken = sum(
                name == label or re.fullmatch(rf"{label}-\d+", name) is not None for name in self.document.nameids
            )
            table = captioned_table("", html=raw.astext(), words=caption["words"])
            table["names"] = [f"{label}-{taken + 1}" if taken else label]
            self.document.note_explicit_target(table)
            raw.replace_self(table)


def visit_table(self: HTML5Translator, node: captioned_table) -> None:
    """Write the table, with its number before its caption."""
    before = len(self.body)
    self.add_fignumber(node)
    number = "".join(self.body[before:])
    del self.body[before:]
    words = f'<span class="caption-text">{number}{node["words"]}</span>'
    html = re.sub(r"<\w+", lambda found: f'{found[0]} id="{node["ids"][0]}"', node["html"].lstrip(), count=1)
    self.body.append(_CAPTION.sub(lambda found: f"<{found['tag']}>{words}</{found['tag']}>", html, count=1))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_enumerable_node(captioned_table, "table", lambda node: node["words"], html=(visit_table, None))
    app.add_transform(FindTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
