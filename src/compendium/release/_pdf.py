"""The whole book as one PDF: rendered as a single page, then printed by Chromium."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

from cvstrat.errors import CvstratError

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_FOOTER = (
    '<div style="width:100%;font:8px sans-serif;text-align:center;color:#555">'
    '<span class="pageNumber"></span> / <span class="totalPages"></span></div>'
)
_PAPER = """
  .bd-sidebar, .bd-sidebar-primary, .bd-sidebar-secondary, .bd-header, .bd-header-article, .bd-footer, .header-article,
  .prev-next-footer, .search-button, .headerlink, .skip-link, .copybtn, #pst-back-to-top, dialog,
  .run-box, .cell:has(.provenance), .cite-page, .viewcode-link, details.hide > summary { display: none !important; }
  details.sd-dropdown { margin: 0.8rem 0 0 !important; }
  .bd-main, .bd-content, .bd-article-container, .bd-container { max-width: none !important; display: block !important; }
  figure, .cell_output img, .admonition, .table-box:not(.long), tr { break-inside: avoid; }
  img, svg, table { max-width: 100% !important; }
  .cell_output, .table-scroll { overflow: visible !important; max-height: none !important; container-type: normal; }
  .table-scroll :is(td, th) { white-space: normal !important; overflow-wrap: break-word; position: static !important; }
  .table-scroll caption .caption-text { max-width: none; }
  span[id^="document-"] { display: block; break-before: page; }  /* where links to a chapter lead */
  .toctree-wrapper { margin: 0 !important; }  /* or an empty page may follow a full one */
  h1, h2, h3, h4 { break-after: avoid; }
  h1 { font-size: 1.8rem; }  h2 { font-size: 1.5rem; }  h3 { font-size: 1.2rem; }
  pre { white-space: pre-wrap; }
  #deal > *, #explore > * { display: none !important; }
  :is(#deal, #explore)::before { content: "This part works on the page in a browser."; font-style: italic; }
"""
_OPEN = "document.querySelectorAll('details.sd-dropdown, details.hide').forEach(one => { one.open = true; })"
_LINK = """document.querySelectorAll("a[href]").forEach(link => {
  if (link.protocol !== "file:") return;  // else it names a page of the book, all of which is here
  if (document.getElementById(decodeURIComponent(link.hash.slice(1)))) link.setAttribute("href", link.hash);
  else link.removeAttribute("href");
})"""
_SCALE = 0.8  # as if the paper were a quarter wider: most tables fit
_WIDTH = 840  # pixels between the margins at that scale
_FIT = """document.querySelectorAll(".table-scroll").forEach(box => {
  const table = box.querySelector("table");
  const room = table ? box.clientWidth / table.offsetWidth : 1;
  if (room < 1) table.style.zoom = Math.floor(50 * room) / 50;  // in steps, so that a pixel makes no difference
})"""
_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}[^)]*\)")
_NODES = re.compile(rb"\(node(\d{8})\)")


def chromium() -> str:
    """Return the path of the browser that prints; none is an error."""
    found = os.environ.get("CVSTRAT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        raise CvstratError("the PDF is printed by Chromium, which is not found: install it, or set CVSTRAT_CHROMIUM")
    return found


def print_book(page: Path, target: Path, stamp: str) -> None:
    """Print a page as a PDF with outline and numbered pages; nothing is asked of the net.

    Parameters
    ----------
    page : Path
        The book as a single page.
    target : Path
        The PDF.
    stamp : str
        The date that it gets, as 14 digits; the moment of printing is taken out.
    """
    from playwright.sync_api import sync_playwright  # not needed for anything else than releases and tests

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_FLAGS)
        try:
            sheet = browser.new_page(color_scheme="light")
            sheet.set_default_timeout(600_000)
            sheet.route("**/*", _stay_here)
            sheet.goto(page.resolve().as_uri())
            sheet.add_style_tag(content=_PAPER)
            sheet.wait_for_function("!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)")
            sheet.evaluate(_OPEN)
            sheet.evaluate(_LINK)
            sheet.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
            sheet.wait_for_function("Array.from(document.images).every(image => image.complete)")
            sheet.emulate_media(media="print", color_scheme="light")
            sheet.set_viewport_size({"width": _WIDTH, "height": 1200})
            sheet.evaluate("document.fonts.ready.then(() => true)")
            sheet.evaluate(_FIT)
            sheet.pdf(
                path=str(target),
                format="A4",
                scale=_SCALE,
                margin={"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=_FOOTER,
                outline=True,
                tagged=True,
                print_background=False,
            )
        finally:
            browser.close()
    target.write_bytes(reproducible(target.read_bytes(), stamp))


def reproducible(content: bytes, stamp: str) -> bytes:
    """Return a PDF without what differs between two printings of a page: its dates, and where the count of tags began.

    Names of tags keep their order and their length, so that lists of them stay sorted and all offsets stay right.
    """
    dated = _DATES.sub(rb"/\1 (D:" + stamp.encode() + rb"+00'00')", content)
    place = {name: b"(node%08d)" % number for number, name in enumerate(sorted(set(_NODES.findall(dated))))}
    return _NODES.sub(lambda found: place[found[1]], dated)


def _stay_here(route: Any) -> None:
    if route.request.url.startswith(("file:", "data:", "blob:")):
        route.continue_()
    else:
        route.abort()
