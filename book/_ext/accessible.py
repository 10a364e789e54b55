"""Mends what the theme and its extensions write and a reader, or a screen reader, stumbles over."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

_REPAIRS = (
    # The words that are seen are the name that is heard.
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    (r'(<button class="btn search-button-field[^>]*) aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch[^>]*) title="[^"]*"', r"\1"),
    # Everything on a page belongs to a landmark.
    (r'<div id="pst-primary-sidebar" class', '<div id="pst-primary-sidebar" role="navigation" aria-label="Book" class'),
    # A list has items; the role of an entry in a bibliography has gone from the standard.
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # A table has a caption.
    (r'(<table class="autosummary[^>]*>)(?!<caption>)', r"\1<caption>Names, and what they are</caption>"),
    # The empty corner of a table is the head of nothing.
    (r"<th\b([^>]*)>(?:&nbsp;|\s|<p></p>)*</th>", r"<td\1></td>"),
    # The titles of chapters, in the navigation and in links to the next, keep k-fold on one line, as the prose does.
    (r'(<a class="reference internal" href="[^"]*">[^<]*?)(?<![\w-])(\w-fold)\b', r'\1<span class="whole">\2</span>'),
    (r'(<p class="prev-next-title">[^<]*?)(?<![\w-])(\w-fold)\b', r'\1<span class="whole">\2</span>'),
    # No line ends between a number and its sign of per cent.
    (r"(\d(?:</\w+>)*) %(?!\w)", "\\1\N{NO-BREAK SPACE}%"),
)


def repair(html: str) -> str:
    """Return a page with all repairs made; a page that has them already stays as it is."""
    for pattern, better in _REPAIRS:
        html = re.sub(pattern, better, html)
    return html


def repair_pages(app: Sphinx, error: Exception | None) -> None:
    """Repair the pages that were written, each of which is written anew when it changes."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            html = path.read_text(encoding="utf-8")
            if (repaired := repair(html)) != html:
                path.write_text(repaired, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", repair_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
