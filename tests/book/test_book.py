"""The built book in a real browser: offline, without errors, readable in every theme and on a phone."""

import functools
import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "_build" / "html"
CHROMIUM = os.environ.get("CVSTRAT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves the machine
]
PATIENCE = 180_000  # milliseconds: a busy machine is no defect of a page
LOCAL = ("http://127.0.0.1:", "file:", "data:", "blob:", "about:")
APART = {"_static", "_sources", "_modules"}
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if not APART & set(path.parts))

if not PAGES or not CHROMIUM:
    reason = "the book is not built: run 'make book'" if CHROMIUM else "no Chromium here; set CVSTRAT_CHROMIUM to one"
    if os.environ.get("CVSTRAT_REQUIRE_BROWSER"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)


# Colour of each element's text, and of the nearest background behind it that is not transparent.
COLOURS = """elements => elements.map(element => {
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)" && behind.parentElement) {
        behind = behind.parentElement;
    }
    const ground = getComputedStyle(behind).backgroundColor;
    return [getComputedStyle(element).color, ground === "rgba(0, 0, 0, 0)" ? "rgb(255, 255, 255)" : ground];
})"""


def brightness(colour):
    """From 0 to 255."""
    red, green, blue = (float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
    return 0.3 * red + 0.59 * green + 0.11 * blue


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server without a log."""

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def watched(page, wrong):
    """Note whatever goes wrong on a page, and every request that would leave the machine."""
    page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on("response", lambda r: wrong.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
    page.on("request", lambda r: None if r.url.startswith(LOCAL) else wrong.append(f"outside: {r.url}"))
    return page


@pytest.fixture
def visit(browser):
    """Open pages, each as a reader who comes for the first time; whatever went wrong fails the test at its end."""
    contexts, wrong = [], []

    def go(url, width=1400, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = watched(context.new_page(), wrong)
        page.goto(url)
        page.wait_for_load_state("networkidle")
        return page

    yield go
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="module")
def reader(browser):
    """A reader who goes from page to page: what all pages share is loaded once."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_clean_in_light_dark_and_on_a_phone(name, reader, address):
    wrong = []
    page = watched(reader.new_page(), wrong)
    page.goto(address + name)
    page.wait_for_load_state("networkidle")
    for width, scheme in ((1400, "light"), (1400, "dark"), (390, "dark"), (390, "light")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"matchMedia('(prefers-color-scheme: {scheme})').matches && innerWidth === {width}")
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 1, (width, scheme)
    alts = page.eval_on_selector_all("article img", "images => images.map(image => image.alt)")
    assert all(alt.strip() and not alt.endswith((".png", ".svg")) for alt in alts)
    assert page.locator(".output.stderr").count() == 0, "a warning is on the page"
    page.close()
    assert wrong == []


def test_formulas_are_rendered_from_the_server_and_from_disk(visit, address):
    for start in (address, f"{SITE.as_uri()}/"):
        page = visit(start + "notebooks/datasets.html")
        page.wait_for_selector("mjx-container")
        assert page.locator(".math").count() == page.locator(".math mjx-container").count() > 0


def test_search_finds_a_term_from_the_server_and_from_disk(visit, address):
    for start in (address, f"{SITE.as_uri()}/"):
        page = visit(start + "search.html?q=imbalance")
        page.wait_for_selector("#search-results li a")
        assert "The data" in page.locator("#search-results").inner_text()


def test_the_catalogue_can_be_searched(visit, address):
    page = visit(f"{SITE.as_uri()}/notebooks/datasets.html")
    field = page.locator(".dt-search input")
    field.fill("sonar")
    page.wait_for_function("document.querySelectorAll('.dt-scroll-body tbody tr').length === 1")
    assert "208" in page.locator(".dt-scroll-body tbody tr").inner_text()


def test_the_theme_button_changes_the_theme(visit, address):
    page = visit(address + "book/index.html")
    seen = {page.evaluate("document.documentElement.dataset.theme")}
    for _ in range(3):
        page.locator("button.theme-switch-button").first.click()
        seen.add(page.evaluate("document.documentElement.dataset.theme"))
    assert seen == {"light", "dark"}


def test_text_stands_out_in_both_themes(visit, address):
    for scheme in ("light", "dark"):
        page = visit(address + "notebooks/datasets.html", scheme=scheme)
        page.wait_for_selector(".dt-scroll-body td")
        pairs = page.eval_on_selector_all(".cell_output td, .provenance summary, article p", COLOURS)
        assert len(pairs) > 100
        assert min(abs(brightness(text) - brightness(ground)) for text, ground in pairs) > 100


def test_each_notebook_page_tells_what_it_was_made_from(visit, address):
    page = visit(address + "notebooks/datasets.html")
    box = page.locator("details.provenance")
    box.locator("summary").click()
    text = box.inner_text()
    for expected in ("Commit", "scikit-learn", "data/catalogue.csv", "sklearn/iris"):
        assert expected in text


def test_notebooks_can_be_launched_and_downloaded(visit, address):
    page = visit(address + "notebooks/datasets.html")
    links = page.eval_on_selector_all("header a, .article-header-buttons a", "links => links.map(link => link.href)")
    assert any("mybinder.org" in link and "notebooks/datasets.ipynb" in link for link in links)
    assert any(link.endswith("_sources/notebooks/datasets.ipynb") for link in links)


def test_the_first_page_leads_on_and_every_page_says_how_to_cite(visit, address):
    page = visit(address + "index.html")
    page.wait_for_url("**/book/index.html")
    page.locator(".sd-card", has_text="Read").click()
    page.wait_for_url("**/notebooks/datasets.html")
    page.locator(".stamp a").click()
    page.wait_for_url("**/book/citing.html")
    assert "@software{cvstrat" in page.locator("article").inner_text()
