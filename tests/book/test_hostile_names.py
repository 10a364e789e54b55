"""Names of files, columns and classes are text on a page, whatever they hold; looked at in a real browser.

One chapter here; with CVSTRAT_SOAK=1, every chapter that takes a file of one's own (ten minutes).
"""

import json
import os

import pytest

from compendium.build import notebooks, parameters_of, rerun

FILE = "<img src=x class=hostile onerror=alert(1)> $\\frac{$ \\(\\href{javascript:alert(5)}{z}\\) '\"&amp;.csv"
COLUMN = "<b class=hostile onclick=alert(2)>x</b> $y$"
TARGET = "</script><script class=hostile>alert(3)</script>"
LABELS = ("<i class=hostile>a</i>", "b'\"</td></table><svg class=hostile onload=alert(4)>")

SMALL = {"source": "run", "models": ["DT"], "n_repeats": 2, "n_splits": [2]}
ONE_RUN = {"source": "run", "models": ["Naive Bayes", "Decision tree"], "n_runs": 4}
# How each chapter is given the file, and what keeps it small. A chapter that compares needs a second set.
SETTINGS = {
    "advice": {"dataset": "FILE"},
    "audit": {"dataset": "FILE", "n_seeds": 3},
    "balance": {"source": "run", "datasets": ["FILE", "iris"], "n_repeats": 2, "dataset": "FILE", "n_simulated": 3},
    "cluster_parameters": {"example": "FILE"},
    "complete": {"source": "run", "datasets": ["FILE"], "n_realizations": 2, "ks": [3, 4]},
    "datasets": {"names": ["FILE", "iris"]},
    "efold": {**ONE_RUN, "datasets": ["FILE", "diabetes"], "models": ["Naive Bayes", "Ridge"], "n_runs": 12},
    "efold_clusters": {**ONE_RUN, "datasets": ["FILE"], "models": ["Naive Bayes"]},
    "efold_search": {**ONE_RUN, "datasets": ["FILE", "wine"], "models": ["Decision tree"], "n_runs": 2},
    "future": {"source": "run", "datasets": ["FILE", "iris"], "rows": [300]},
    "gallery": {"names": ["FILE", "iris"]},
    "practice": {**SMALL, "datasets": ["FILE"], "techniques": ["SCV", "KFold", "SCBCV"]},
    "protocol": {**SMALL, "datasets": ["FILE"], "techniques": ["SCV", "KFold", "SCBCV"]},
    "set1": {**SMALL, "datasets": ["FILE"]},
    "set2": {**SMALL, "datasets": ["FILE"]},
    "set3": {**SMALL, "datasets": ["FILE"]},
    "study2000": {"source": "run", "datasets": ["FILE", "wine"], "n_samples": 2},
    "study2000_truth": {"source": "run", "datasets": ["FILE", "wine"], "n_samples": 2},
}
EXPOSED = ("protocol",)
TAKES_FILES = {"dataset", "datasets", "example", "names"}


def test_every_chapter_that_takes_a_file_is_among_them():
    found = {one.name for one in notebooks() if TAKES_FILES & set(parameters_of(one.read()))}
    assert found == set(SETTINGS)


@pytest.fixture
def hostile_file(no_data, tmp_path, monkeypatch):
    """A table whose name, columns and classes would be markup if they were not escaped; as a notebook is given it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    rows = [f'{i % 7},{i * 13 % 11},"{LABELS[i * 5 % 3 > 0]}"'.replace("b'\"<", 'b\'""<') for i in range(60)]
    (tmp_path / FILE).write_text("\n".join([f"x,{COLUMN},{TARGET}", *rows, ""]))
    return f"{FILE}:{TARGET}"


@pytest.mark.parametrize("name", sorted(SETTINGS) if os.environ.get("CVSTRAT_SOAK") else EXPOSED)
def test_names_from_outside_are_text_on_the_page(name, hostile_file, browser, tmp_path):
    settings = json.loads(json.dumps(SETTINGS[name]).replace('"FILE"', json.dumps(hostile_file)))
    _, page_file = rerun(name, settings, tmp_path / "out")
    dialogs, errors = [], []
    page = browser.new_page()
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(page_file.as_uri())
    page.wait_for_load_state("networkidle")
    assert page.locator(".hostile").count() == 0
    assert (dialogs, errors) == ([], [])
    box = page.locator("details.provenance")
    box.locator("summary").click()
    assert hostile_file in box.inner_text()
    assert page.locator("article").inner_text().count(FILE) >= {"datasets": 2, "protocol": 3}.get(name, 1)
    page.close()
