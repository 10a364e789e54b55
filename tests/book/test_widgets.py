"""The interactive parts of the book in a real browser: the package's own folds, and the committed results."""

import json
import re
import warnings

import numpy as np
import pytest
from scipy import stats

from compendium.engine import read_tables
from compendium.spezia2025.tables import bias_table
from cvstrat import balance_ratio, make_splitter
from cvstrat.errors import InputError
from cvstrat.metrics import fold_numbers

TECHNIQUES = ("KFold", "SCV", "SCBCV", "DBSCV", "DOB-SCV", "Balanced")
ASSIGN = """cases => cases.map(one => {
    try {
        const found = cvstrat.assignFolds(one.technique, one);
        return [found.folds, found.ratio];
    } catch (error) {
        return error instanceof RangeError ? null : String(error);
    }
})"""


@pytest.fixture
def gallery(visit, site):
    return visit(f"{site.as_uri()}/notebooks/gallery.html")


def data_sets():
    """Yield points in the plane with classes: groups, copies of rows, a rare class, a few rows, one wide column."""
    rng = np.random.default_rng(0)
    spread = rng.normal(size=(120, 2)) * [3, 1] + 4 * rng.integers(0, 3, size=(120, 1))
    yield spread, rng.choice(list("abc"), 120)
    yield spread[rng.integers(0, 40, 90)], rng.choice(list("ab"), 90)
    yield spread[:70] * [1000, 1] + [1e6, 0], rng.choice(list("ab"), 70, p=[0.9, 0.1])
    yield spread[:11], np.array(list("aabbbbaaacc"))


def test_folds_and_balance_ratio_are_those_of_the_package(gallery):
    cases, expected = [], []
    for number, (X, y) in enumerate(data_sets()):
        for k, balance, n_clusters in ((2, 0.0, 3), (5, 0.3, 4), (10, 1.0, 2)):
            for technique in TECHNIQUES:
                names = {"nSplits": k, "seed": number + k, "nClusters": n_clusters, "balance": balance}
                cases.append({"technique": technique, "rows": X.tolist(), "names": y.tolist(), **names})
                options = {"n_splits": k, "n_clusters": n_clusters, "balance": balance, "random_state": number + k}
                splitter = make_splitter(technique, criterion="features", **options)
                expected.append(folds_and_ratio(splitter, X, y))
    found = gallery.evaluate(ASSIGN, cases)
    assert sum(one is None for one in expected) == 5, "a class too small for ten folds is met, by all but KFold"
    for case, ours, theirs in zip(cases, found, expected, strict=True):
        what = case["technique"], len(case["rows"]), case["nSplits"]
        assert (ours is None) == (theirs is None), what
        if theirs is not None:
            assert ours[0] == theirs[0], what
            assert ours[1] == pytest.approx(theirs[1], rel=1e-9), what


def folds_and_ratio(splitter, X, y):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # fewer rows of a class than folds
            folds = fold_numbers(splitter, X, y).tolist()
    except (InputError, ValueError):
        return None
    return folds, balance_ratio(folds, X, y)


def shown_folds(page):
    """Return the fold of each point as the drawing shows it."""
    marks = page.eval_on_selector_all("#deal [data-row]", "marks => marks.map(m => [+m.dataset.row, +m.dataset.fold])")
    return [fold for _, fold in sorted(marks)]


def run_shown_code(page):
    """Run the Python code that the widget shows; return the folds it makes, their balance ratio and the classes."""
    names = {"print": lambda ratio: names.update(ratio=ratio)}
    exec(page.locator("#deal code").text_content(), names)
    folds = np.empty(len(names["y"]), dtype=int)
    for fold, test in enumerate(names["tests"]):
        folds[test] = fold
    return folds, names["ratio"], names["y"]


def test_what_the_widget_shows_is_what_its_python_code_makes(gallery):
    data = gallery.eval_on_selector_all('#deal [name="data"] option', "options => options.map(o => o.value)")
    for name, technique, k in zip(
        data[:-1], ("SCBCV", "Balanced", "DOB-SCV", "SCV"), ("4", "3", "6", "10"), strict=True
    ):
        gallery.select_option('#deal [name="data"]', name)
        gallery.select_option('#deal [name="technique"]', technique)
        gallery.locator('#deal [name="n_splits"]').fill(k)
        gallery.locator('#deal [name="again"]').click()
        folds, ratio, y = run_shown_code(gallery)
        assert shown_folds(gallery) == folds.tolist()
        assert f"Balance ratio {ratio:.3f}." in gallery.locator("#deal [role=status]").inner_text()
        cells = gallery.eval_on_selector_all(
            "#deal tbody tr", "lines => lines.map(line => [...line.cells].slice(1).map(c => +c.textContent))"
        )
        counts = [[int(np.sum((folds == fold) & (y == one))) for one in "abc"] for fold in range(int(k))]
        assert cells == [[*line, sum(line)] for line in counts]


def test_the_dial_makes_folds_alike(gallery):
    gallery.select_option('#deal [name="technique"]', "Balanced")
    assert gallery.locator('#deal [name="balance_shown"]').inner_text() == "0.89"
    dial = gallery.locator('#deal [name="balance"]')
    dial.focus()
    dial.press("Home")
    assert run_shown_code(gallery)[1] < 0.2
    gallery.locator('#deal [name="unbiased"]').click()
    assert "balance=0.888888888888888" in gallery.locator("#deal code").text_content()


def test_points_can_be_drawn_by_mouse_and_by_keyboard(gallery):
    gallery.locator('#deal [name="clear"]').click()
    status = gallery.locator("#deal [role=status]")
    assert status.inner_text() == "5 folds need at least 5 points. Add points, or take fewer folds."
    plot = gallery.locator("#deal svg")
    for x in (40, 90, 150):
        plot.click(position={"x": x, "y": 60})
    gallery.locator('#deal [name="class"][value="b"]').check()
    plot.focus()
    for key in ("ArrowLeft", "Enter", "ArrowUp", "Enter", "Shift+ArrowRight", " ", "ArrowDown", "Enter", "Delete"):
        plot.press(key)
    plot.click(position={"x": 90, "y": 60})  # on a point: it goes
    assert gallery.locator('#deal [name="data"]').input_value() == "your own points"
    for name in ("n_splits", "n_clusters"):
        gallery.locator(f'#deal [name="{name}"]').evaluate(
            "field => { field.value = 2; field.dispatchEvent(new Event('input')); }"
        )
    for technique in TECHNIQUES:
        gallery.select_option('#deal [name="technique"]', technique)
        folds, _, y = run_shown_code(gallery)
        assert "".join(y) == "aabbb"
        assert shown_folds(gallery) == folds.tolist()


def test_one_fold_can_be_shown_alone_and_nothing_moves_for_those_who_do_not_want_it(visit, site):
    page = visit(f"{site.as_uri()}/notebooks/gallery.html", width=390, scheme="dark", motion="reduce")
    button = page.get_by_role("button", name="Show fold 1 alone")
    button.press("Enter")
    faint = page.eval_on_selector_all("#deal .faint", "marks => marks.map(m => +m.dataset.fold)")
    assert sorted(set(faint)) == [0, 2, 3, 4]
    assert page.evaluate("document.activeElement.textContent") == "1"
    assert page.eval_on_selector("#deal .marks path", "mark => getComputedStyle(mark).transitionDuration") == "0s"


@pytest.fixture(scope="module")
def spezia2025():
    return read_tables("spezia2025")


def intervals(text):
    """Return the numbers of a cell such as ``-0.41 [-0.94, 0.11]``."""
    return [float(number) for number in re.findall(r"-?[\d.]+", text.replace("\N{MINUS SIGN}", "-"))]


def shown_table(page):
    lines = page.eval_on_selector_all(
        "#explore tbody tr", "lines => lines.map(line => [...line.cells].map(cell => cell.textContent))"
    )
    return {name: [intervals(cell) for cell in cells] for name, *cells in lines}


def test_the_committed_results_are_whole_columns_of_numbers(site):
    script = (site / "_static" / "widgets" / "results.js").read_text(encoding="utf-8")
    content = json.loads(script.partition("cvstrat.results=")[2].rstrip(";\n"))
    assert content["studies"].keys() >= {"balance", "diamantidis2000", "spezia2025"}
    for study in content["studies"].values():
        lengths = {len(column) for column in study["rows"].values()}
        assert len(lengths) == 1
        for axis, names in study["axes"].items():
            assert set(study["rows"][axis]) == set(range(len(names)))
        assert {str(n) for n in study["rows"]["n"]} <= content["factors"].keys()


def test_a_cell_of_the_results_is_shown_as_the_tables_have_it(visit, site, spezia2025):
    page = visit(f"{site.as_uri()}/book/explore.html")
    for field, text in (
        ("dataset", "new_thyroid"),
        ("model", "decision tree"),
        ("metric", "macro F1"),
        ("n_splits", "2"),
    ):
        page.select_option(f'#explore [name="{field}"]', label=text)
    cell = "dataset == 'pmlb/new_thyroid' and model == 'DT'"
    folds = spezia2025["folds"].query(f"{cell} and n_splits == 2 and technique == 'SCV'")["f1_macro"] * 100
    truth = spezia2025["truth"].query(cell)["f1_macro"] * 100
    bias, bias_se = folds.mean() - truth.mean(), np.hypot(folds.sem(), truth.sem())
    std, n = folds.std(), len(folds)
    square = max(0, bias**2 - bias_se**2 + std**2)
    margin = stats.t.ppf(0.975, n - 1) * bias_se
    ends = [std * np.sqrt((n - 1) / stats.chi2.ppf(share, n - 1)) for share in (0.975, 0.025)]
    shown_bias, shown_std, shown_rmse = shown_table(page)["SCV"]
    assert shown_bias == pytest.approx([bias, bias - margin, bias + margin], abs=0.02)
    assert shown_std == pytest.approx([std, *ends], abs=0.02)
    assert shown_rmse[0] == pytest.approx(np.sqrt(square), abs=0.01)
    assert shown_rmse[1] < shown_rmse[0] < shown_rmse[2]
    assert f"{n} repetitions." in page.locator("#explore [role=status]").inner_text()


def test_means_are_over_the_sets_that_have_all_techniques(visit, site, spezia2025):
    page = visit(f"{site.as_uri()}/book/explore.html", width=390, scheme="dark")
    page.locator('#explore [name="none"]').click()
    assert page.locator("#explore [role=status]").inner_text() == "Tick a technique."
    techniques = ["SCV", "ROCBCV", "SCBCV-Mini, as published"]
    for name in techniques:
        page.get_by_label(name, exact=True).check()
    bias = bias_table(spezia2025, metric="accuracy").query("n_splits == 10")
    late = bias["version"] != "correct"
    bias = bias.assign(technique=bias["technique"].where(~late, bias["technique"] + ", as published"))
    chosen = bias[bias["technique"].isin(techniques)]
    pairs = chosen.groupby(["dataset", "model"])["technique"].transform("nunique") == len(techniques)
    sets = chosen[pairs].groupby(["technique", "dataset"])["bias"].mean().unstack() * 100
    found = shown_table(page)
    assert list(found) == ["SCBCV-Mini, as published", "SCV", "ROCBCV"]
    for name in techniques:
        margin = stats.t.ppf(0.975, sets.shape[1] - 1) * sets.loc[name].sem()
        mean = sets.loc[name].mean()
        assert found[name][0] == pytest.approx([mean, mean - margin, mean + margin], abs=0.02)
    text = page.locator("#explore [role=status]").inner_text()
    left_out = bias["dataset"].nunique() - sets.shape[1]
    assert f"Mean over {sets.shape[1]} data sets." in text
    assert (f"{left_out} without all of these techniques" in text) == (left_out > 0)


def test_every_study_and_every_choice_shows_something(visit, address):
    sizes = []

    def weigh(response):
        sizes.append(len(response.body()))

    page = visit(address + "book/explore.html")
    page.on("response", weigh)
    page.reload()
    page.wait_for_load_state("networkidle")
    page.remove_listener("response", weigh)
    assert sum(sizes) < 3e6
    wrong = page.evaluate("""() => {
        const lacking = [], box = document.querySelector("#explore");
        const change = (name, i) => {
            const field = box.querySelector(`[name="${name}"]`);
            field.selectedIndex = i;
            field.dispatchEvent(new Event("change"));
        };
        for (const [number, study] of Object.keys(cvstrat.results.studies).entries()) {
            change("study", number);
            for (const name of ["dataset", "model", "metric", "n_splits"]) {
                for (let i = 0; i < box.querySelector(`[name="${name}"]`).options.length; i++) {
                    change(name, i);
                    const text = box.querySelector("[role=status]").textContent;
                    const told = box.querySelectorAll("tbody tr").length || /Untick|Tick/.test(text);
                    if (!told || /NaN|undefined/.test(box.textContent)) lacking.push([study, name, i, text]);
                }
                change(name, 0);
            }
        }
        return lacking;
    }""")
    assert wrong == []
    assert {"spezia2025", "diamantidis2000"} <= set(page.evaluate("Object.keys(cvstrat.results.studies)"))
