"""The book on paper: all chapters on one page, printed the same twice, with nothing cut."""

from compendium import build
from compendium.release import _pdf


def test_all_chapters_are_on_the_one_page_that_is_printed(tmp_path):
    files = {
        "_config.yml": "title: Two chapters\n",
        "_toc.yml": "format: jb-book\nroot: notebooks/index\nchapters:\n- file: book/second\n",
        "notebooks/index.md": "# First\n\nLeads to {doc}`../book/second`.\n",
        "book/second.md": "# Second\n\nThe end.\n",
    }
    for name, text in files.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    html = build.render_single_page(tmp_path / "source", tmp_path).read_text(encoding="utf-8")
    assert "Leads to" in html and "The end." in html


def test_a_page_printed_twice_gives_one_document(tmp_path):
    page = tmp_path / "index.html"
    page.write_text(
        "<h1>One</h1><p><a href='chapter.html#two'>on</a> <a href='none.html'>off</a></p>"
        "<h1 id='two'>Two</h1><img src='https://example.org/x.png'>"
    )
    for name in ("a.pdf", "b.pdf"):
        _pdf.print_book(page, tmp_path / name, "20261130120000")
    content = (tmp_path / "a.pdf").read_bytes()
    assert content == (tmp_path / "b.pdf").read_bytes()
    assert b"/Dest" in content and b"file:" not in content
    assert b"/Outlines" in content and b"D:20261130120000+00'00'" in content


def test_a_table_that_is_wider_than_the_paper_is_made_to_fit():
    from playwright.sync_api import sync_playwright

    cells = "".join(f"<td style='min-width: 120px'>{number}</td>" for number in range(12))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_pdf.chromium(), args=_pdf._FLAGS)
        sheet = browser.new_page(viewport={"width": _pdf._WIDTH, "height": 1200})
        sheet.set_content(f"<div class='table-scroll'><table><tr>{cells}</tr></table></div>")
        width = "document.querySelector('table').getBoundingClientRect().width"
        assert sheet.evaluate(width) > _pdf._WIDTH
        sheet.evaluate(_pdf._FIT)
        assert 0.95 * _pdf._WIDTH < sheet.evaluate(width) <= _pdf._WIDTH
        browser.close()
