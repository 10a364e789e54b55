"""The built book in a real browser: offline, without errors, readable in every theme and on a phone."""

import re
import urllib.parse

import pandas as pd

from cvstrat import TECHNIQUES

# Colour of each element's text, and of the nearest background behind it that is not transparent.
COLOURS = """elements => elements.map(element => {
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)" && behind.parentElement) {
        behind = behind.parentElement;
    }
    const ground = getComputedStyle(behind).backgroundColor;
    return [getComputedStyle(element).color, ground === "rgba(0, 0, 0, 0)" ? "rgb(255, 255, 255)" : ground];
})"""

# Short names in prose and tables that do not say on hover what they stand for.
BARE = """names => {
    const pattern = new RegExp(`(?<![\\\\w-])(${names.join("|")})(?!\\\\w)`);
    const walker = document.createTreeWalker(document.querySelector("article") ?? document.body, NodeFilter.SHOW_TEXT);
    const bare = [];
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        const exempt = parentElement.closest("abbr, code, dt, pre, script, select, svg, [role=status]");
        if (pattern.test(data) && !exempt) bare.push(data);
    }
    return bare;
}"""
SHORT = [name for name in TECHNIQUES if sum(letter.isupper() for letter in name) > 1]


def brightness(colour):
    """From 0 to 255."""
    red, green, blue = (float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
    return 0.3 * red + 0.59 * green + 0.11 * blue


def smallest_text(page, site):
    """Return the height of the smallest text in the drawings of a page as it is shown, in pixels."""
    shown = page.eval_on_selector_all("article img", "all => all.map(one => [one.currentSrc, one.clientWidth])")
    sizes = [float("inf")]
    for source, width in shown:
        path = site / urllib.parse.urlsplit(source).path.lstrip("/")
        text = path.read_text() if path.suffix == ".svg" and path.is_file() else ""
        scales = [float(scale) for scale in re.findall(r"scale\(([\d.]+) -[\d.]+\)", text)]
        if scales and width:
            sizes.append(100 * min(scales) * width / float(re.search(r'viewBox="0 0 ([\d.]+)', text)[1]))
    return min(sizes)


def test_a_page_is_clean_in_light_dark_and_on_a_phone(page_name, visit, address, site, axe):
    page = visit(address + page_name, motion="reduce")
    for width, scheme in ((1400, "light"), (1400, "dark"), (390, "dark"), (390, "light")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"matchMedia('(prefers-color-scheme: {scheme})').matches && innerWidth === {width}")
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 1, (width, scheme)
        page.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
        if scheme == "light":
            page.wait_for_function(f"document.documentElement.dataset.reachable === '{width}'")
        rules = {(1400, "light"): "all", (1400, "dark"): "colours", (390, "light"): "width"}.get((width, scheme))
        assert rules is None or axe(page, rules) == [], (width, scheme)
    assert page.evaluate(BARE, SHORT) == []
    assert smallest_text(page, site) >= 9, "a phone shows text that cannot be read"
    boxes = page.eval_on_selector_all(".table-scroll", "all => all.map(one => getComputedStyle(one).overflowX)")
    assert set(boxes) <= {"auto"}, "a table is cut"
    alts = page.eval_on_selector_all("article img", "images => images.map(image => image.alt)")
    assert all(alt.strip() and not alt.endswith((".png", ".svg")) for alt in alts)
    assert page.locator(".output.stderr").count() == 0, "a warning is on the page"
    words = page.eval_on_selector_all("article :is(p, li, td, th)", "all => all.map(one => one.textContent)")
    assert [text for text in words if re.search(r"\bnp\.(int|float|str)\w*\(", text)] == [], "a value as code shows it"
    assert [text for text in words if re.search(r"\$\\", text)] == [], "a formula as its source"


NEIGHBOURS = ("Rahimi", "Rätsch", "Rousseeuw", "Sander")


def test_entries_of_the_bibliography_stand_out_by_their_first_line(visit, address):
    page = visit(f"{address}book/bibliography.html")
    first, *others = page.eval_on_selector(
        ".citation > p",
        """entry => {
            const range = document.createRange();
            range.selectNodeContents(entry);
            return [...range.getClientRects()].map(piece => piece.left);
        }""",
    )
    assert first < min(others)


def test_a_short_name_says_what_it_stands_for_and_leads_to_the_glossary(visit, address):
    page = visit(address + "notebooks/set2.html")
    meanings = dict(page.eval_on_selector_all("article abbr", "all => all.map(one => [one.textContent, one.title])"))
    assert meanings["SCV"] == "Stratified cross-validation"
    assert meanings["SCBCV-Mini"] == "Stratified cluster-based cross-validation, with Mini-Batch K-means"
    first = page.locator("article :is(p, li) abbr", has_text=re.compile("^SCV$")).first
    first.click()
    page.wait_for_url("**/book/glossary.html#term-SCV")
    assert page.locator("#term-SCV").inner_text().startswith("SCV")


def test_the_keyboard_is_seen_and_nothing_moves_that_should_not(visit, address):
    page = visit(address + "notebooks/index.html", motion="reduce")
    look = "one => { const { outline, boxShadow } = getComputedStyle(one); return outline + boxShadow; }"
    seen = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        focused = page.evaluate_handle("document.activeElement").as_element()
        with_focus = focused.evaluate(look)
        seen.add(focused.evaluate("one => { one.blur(); return one.tagName; }"))
        assert focused.evaluate(look) != with_focus
    assert seen >= {"A", "BUTTON"}
    moving = "all => all.filter(one => parseFloat(getComputedStyle(one).transitionDuration) > 0).length"
    assert page.eval_on_selector_all("*", moving) == 0


def test_formulas_are_rendered_from_the_server_and_from_disk(visit, address, site):
    for start in (address, f"{site.as_uri()}/"):
        page = visit(start + "notebooks/datasets.html")
        page.wait_for_selector("mjx-container")
        assert page.locator(".math").count() == page.locator(".math mjx-container").count() > 0


def test_search_finds_a_term_from_the_server_and_from_disk(visit, address, site):
    for start in (address, f"{site.as_uri()}/"):
        page = visit(start + "search.html?q=imbalance")
        page.wait_for_selector("#search-results li a")
        assert "The data" in page.locator("#search-results").inner_text()


def test_the_catalogue_can_be_searched(visit, address, site):
    page = visit(f"{site.as_uri()}/notebooks/datasets.html")
    field = page.locator(".dt-search input")
    field.fill("sonar")
    page.wait_for_function("document.querySelectorAll('.dt-scroll-body tbody tr').length === 1")
    assert "208" in page.locator(".dt-scroll-body tbody tr").inner_text()


def test_the_theme_button_changes_the_theme(visit, address):
    page = visit(address + "notebooks/index.html")
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
    page.locator(".cite-page summary").click()
    entry = page.locator(".cite-page pre").inner_text()
    commit = re.search(r"[0-9a-f]{10}", page.locator(".provenance .commit").text_content())[0]
    assert entry.startswith("@misc{cvstrat_datasets,")
    assert f"commit {commit}" in entry
    assert re.search(r"last changed on \d{4}-\d\d-\d\d", page.locator(".stamp").inner_text())


def test_the_data_below_a_table_can_be_saved_from_disk(visit, site):
    page = visit(f"{site.as_uri()}/notebooks/speed.html")
    box = page.locator(".table-box").first
    saved = {}
    for kind in ("CSV", "Parquet"):
        with page.expect_download() as download:
            box.locator(".data-line a", has_text=kind).click()
        assert download.value.suggested_filename.startswith("speed-")
        saved[kind] = download.value.path()
    frame = pd.read_parquet(saved["Parquet"])
    pd.testing.assert_frame_equal(pd.read_csv(saved["CSV"]), frame, check_dtype=False)
    assert box.locator("tbody tr").count() == len(frame)


def test_no_line_ends_between_a_number_and_its_per_cent(site):
    pages = {path.name: path.read_text() for folder in ("notebooks", "book") for path in (site / folder).glob("*.html")}
    assert sum(text.count("\N{NO-BREAK SPACE}%") for text in pages.values()) > 100
    assert [name for name, text in pages.items() if re.search(r"\d(</\w+>)* %(?!\w)", text)] == []


def test_every_link_to_data_leads_to_a_file(site):
    links = [
        page.parent / link
        for page in site.rglob("*.html")
        for link in re.findall(r'href="([^"]+/_static/data/[^"]+)"', page.read_text())
    ]
    assert links
    assert [str(link) for link in links if not link.is_file()] == []


def test_tables_are_numbered_in_one_series(visit, site):
    page = visit(f"{site.as_uri()}/notebooks/set2.html", width=390)
    numbers = [int(words.split()[1]) for words in page.locator("table .caption-number").all_text_contents()]
    assert len(numbers) > 2
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_the_other_rows_of_a_long_table_come_on_a_click(visit, site):
    page = visit(f"{site.as_uri()}/notebooks/set1.html")
    page.eval_on_selector_all("details.above-output", "boxes => boxes.forEach(box => box.open = true)")
    box = page.locator(".table-box.long").first
    rows = box.locator("tbody tr")
    assert rows.locator("visible=true").count() == 10
    box.locator("summary").press("Enter")
    assert rows.locator("visible=true").count() == rows.count() > 15


def test_notebooks_can_be_launched_and_downloaded(visit, address):
    page = visit(address + "notebooks/datasets.html")
    links = page.eval_on_selector_all("header a, .article-header-buttons a", "links => links.map(link => link.href)")
    assert any("mybinder.org" in link and "notebooks/datasets.ipynb" in link for link in links)
    assert any(link.endswith("_sources/notebooks/datasets.ipynb") for link in links)


def test_the_first_page_leads_on_and_every_page_says_how_to_cite(visit, address):
    page = visit(address + "index.html")
    page.wait_for_url("**/notebooks/index.html")
    page.locator(".sd-card", has_text="I evaluate models").click()
    page.wait_for_url("**/notebooks/advice.html")
    page.locator(".stamp a", has_text="how to cite").click()
    page.wait_for_url("**/book/citing.html")
    assert "@software{cvstrat" in page.locator("article").inner_text()


def test_words_with_a_letter_before_the_hyphen_stay_on_one_line(visit, address):
    page = visit(address + "notebooks/efold.html", width=390)
    lines = page.eval_on_selector_all(".whole", "all => all.map(one => [one.textContent, one.getClientRects().length])")
    assert ["e-fold", 1] in lines
    assert [word for word, count in lines if count > 1] == []
    names = page.eval_on_selector_all(".prev-next-area a", "all => all.map(one => one.scrollWidth - one.clientWidth)")
    assert max(names) <= 0, "the name of the page before or after is cut"


def test_the_bibliography_goes_by_letters_whatever_their_accents(visit, address):
    entries = visit(address + "book/bibliography.html").locator(".citation > p").all_text_contents()
    order = [next(place for place, entry in enumerate(entries) if name in entry[:40]) for name in NEIGHBOURS]
    assert order == list(range(order[0], order[0] + len(NEIGHBOURS)))
