"""One browser and one server for all tests of the built book, both of which they need."""

import functools
import http.server
import importlib.resources
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
FILES = (path for path in SITE.rglob("*.html") if not APART & set(path.parts))
PAGES = [  # small ones first: what is known of their colours need not be looked at on large ones
    path.relative_to(SITE).as_posix() for path in sorted(FILES, key=lambda path: (path.stat().st_size, path))
]


def pytest_generate_tests(metafunc):
    """A test that takes `page_name` is run for every page."""
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", PAGES)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server without a log."""

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture(scope="module")
def site():
    """The folder of the built book."""
    if not PAGES or not CHROMIUM:
        reason = "no Chromium here; set CVSTRAT_CHROMIUM to one" if PAGES else "the book is not built: run 'make book'"
        pytest.fail(reason, pytrace=False)
    return SITE


@pytest.fixture(scope="module")
def address(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser(site):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def watched():
    """Note whatever goes wrong on a page, and every request that would leave the machine."""

    def watch(page, wrong):
        page.on("console", lambda m: wrong.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.on("response", lambda r: wrong.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
        page.on("request", lambda r: None if r.url.startswith(LOCAL) else wrong.append(f"outside: {r.url}"))
        return page

    return watch


@pytest.fixture(scope="module")
def reader(browser, watched):
    """One tab for all tests, and what goes wrong in it: in a new one the first page takes seconds."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    wrong = []
    yield watched(context.new_page(), wrong), wrong
    context.close()


@pytest.fixture
def visit(reader):
    """Open pages, each as a reader who comes for the first time; whatever went wrong fails the test at its end."""
    page, wrong = reader
    wrong.clear()

    def go(url, width=1400, scheme="light", motion="no-preference"):
        leave(page)
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(url)
        page.wait_for_load_state("networkidle")
        return page

    yield go
    leave(page)
    assert wrong == []


def leave(page):
    """Go away from a page, and let it keep nothing: neither a theme that was chosen nor how far it was scrolled."""
    if page.url != "about:blank":
        page.evaluate("addEventListener('pagehide', () => { localStorage.clear(); sessionStorage.clear(); })")
        page.goto("about:blank")


@pytest.fixture(scope="module")
def axe():
    """Run axe-core, as it comes with a package of the index, on a page; return what it objects to, a line each."""
    script = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    call = (Path(__file__).parent / "accessibility.js").read_text(encoding="utf-8")

    passed = set()  # kinds of text whose contrast is known to be right: pages share nearly all of theirs

    def run(page, rules):
        if not page.evaluate("'axe' in window"):
            page.evaluate(script)
        wrong, kinds = page.evaluate(call, [rules, list(passed)])
        passed.update([] if wrong else kinds)
        return wrong

    return run
