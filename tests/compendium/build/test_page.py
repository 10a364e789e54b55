"""What a page of the book has that its notebook has not: one page, executed and rendered for real."""

import base64
import io
import re

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from compendium.build import rerun
from compendium.build._page import DATA, page_of

TEXT = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# One page

{numref}`table-one-shares` and {numref}`fig-one`.

```{code-cell} ipython3
:tags: [parameters]

n: int = 2
names: list[str] = []  # such as ["a b"]; none means all
```

```{code-cell} ipython3
:tags: [hide-input]

n_plumbing = n
```

```{code-cell} ipython3
n_taught = n
```

:::{dropdown} Run this page yourself
Words of the page.
:::

```{code-cell} ipython3
:tags: [remove-cell]

import pandas as pd

from compendium import figures
from compendium.provenance import provenance

figures.use_style()
frame = pd.DataFrame({"share": [0.1, 1 / 3], "name": ["a", "b"]})
```

```{code-cell} ipython3
---
mystnb:
  figure:
    name: fig-one
    caption: A figure.
  image:
    alt: Two panels.
tags: [remove-input]
---
_, axes = figures.panels(n, height=2)
axes[0].plot(frame["share"])
figures.offer(frame, "the shares")
```

```{code-cell} ipython3
:tags: [remove-input]

figures.captioned(frame, "Shares of the folds.", name="shares")
```

```{code-cell} ipython3
:tags: [remove-input]

provenance()
```
"""


@pytest.fixture(scope="module")
def folder(made_once):
    def fill(folder):
        folder.mkdir()
        (folder / "one.md").write_text(TEXT)
        rerun(str(folder / "one.md"), {"n": 3}, folder / "out")

    return made_once("page", fill) / "out"


@pytest.fixture(scope="module")
def page(folder):
    return BeautifulSoup((folder / "one.html").read_text(), "html.parser").select_one("article")


def test_below_a_figure_is_its_data(folder, page):
    figure = page.find("figure")
    assert len(page.find_all("figure")) == 1
    line = figure.find_next(class_="data-line")
    files = {link.get_text(): folder / link["href"] for link in line.find_all("a")}
    expected = pd.DataFrame({"share": [0.1, 1 / 3], "name": ["a", "b"]})
    assert {name: path.name for name, path in files.items()} == {
        "CSV": "one-the-shares.csv",
        "Parquet": "one-the-shares.parquet",
    }
    pd.testing.assert_frame_equal(pd.read_csv(files["CSV"]), expected, check_exact=True)
    pd.testing.assert_frame_equal(pd.read_parquet(files["Parquet"]), expected, check_exact=True)


def test_a_table_has_a_number_in_the_books_series_by_which_prose_refers_to_it(page):
    assert page.find("caption").get_text() == "Table 1 Shares of the folds."
    assert [link.get_text() for link in page.select("a.reference.internal .std-numref")] == ["Table 1", "Fig. 1"]
    assert page.select_one("#table-one-shares table td") is not None


def test_a_phone_gets_a_drawing_of_its_own(folder, page):
    picture = page.select_one("figure picture")
    source = picture.find("source")
    assert source["media"] == "(max-width: 600px)"
    (wide, height), (narrow, tall) = (
        [float(part) for part in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', (folder / path).read_text()).groups()]
        for path in (picture.find("img")["src"], source["srcset"])
    )
    assert narrow < 0.65 * wide
    assert tall > 1.3 * height  # three panels below each other


def test_parameters_and_commands_are_in_one_box_at_the_end(folder, page):
    boxes = page.select("details.run-box, .run-box details")
    assert [box.find("summary").get_text().strip() for box in boxes] == ["Run this page yourself"]
    text = boxes[0].get_text()
    assert text.index(".venv/bin/compendium notebook one") < text.index("Words of the page.")
    for expected in (
        "Words of the page.",
        ".venv/bin/compendium notebook one -p names '[\"a b\"]'",
        ".venv/bin/papermill notebooks/one.ipynb out.ipynb -y 'names: [\"a b\"]'",
        "n: int = 2",
        "n = 3",
    ):
        assert expected in text
    assert page.get_text().count("n: int = 2") == 1
    link = boxes[0].find("a", download="one.ipynb")
    assert nbformat.read(folder / link["href"], as_version=4).cells
    assert boxes[0].find_next(class_="provenance") is not None


def test_code_that_teaches_is_shown_and_no_other(page):
    shown = [cell.get_text().strip() for cell in page.select(".cell_input")]
    assert shown == ["n_taught = n"]
    assert page.select("details.hide") == []


def test_the_notebook_of_a_page_can_be_executed_again(folder):
    node = nbformat.read(folder / "_sources" / "one.ipynb", as_version=4)
    nbformat.validate(node)
    space = {}
    for cell in node.cells[:-1]:
        if cell.cell_type == "code" and "figure" not in cell.metadata.get("mystnb", {}):
            exec(cell.source, space)
    assert (space["n_taught"], space["n"]) == (3, 3)


def test_files_of_one_name_and_different_content_are_kept_apart():
    def link(content):
        return f'<a download="a.csv" href="data:text/csv;base64,{base64.b64encode(content).decode()}">CSV</a>'

    cells = [
        nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", {"text/html": link(content)})])
        for content in (b"x\n1\n", b"x\n2\n", b"x\n1\n")
    ]
    node, files = page_of(nbformat.v4.new_notebook(cells=cells), "p")
    assert {path.name: pd.read_csv(io.BytesIO(content))["x"][0] for path, content in files.items()} == {
        "p-a.csv": 1,
        "p-a-2.csv": 2,
    }
    assert all(path.parent == DATA for path in files)
    assert [cell.outputs[0].data["text/html"].split('"')[3] for cell in node.cells if "outputs" in cell] == [
        "../_static/data/p-a.csv",
        "../_static/data/p-a-2.csv",
        "../_static/data/p-a.csv",
    ]
