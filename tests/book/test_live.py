"""Chapters of the studies computed anew, on small settings, as a reader would."""

import nbformat
import pytest

from compendium.build import NotebookFailed, find_notebook
from compendium.build._execute import execute
from compendium.build._rerun import render_pages


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """A page computes with all cores; that their number does not matter is shown elsewhere, and starting some costs."""
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")


def glued(path):
    """What a page shows in its prose."""
    found = {}
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                text = next(value for kind, value in output["data"].items() if kind.endswith("text/plain"))
                found[name.rpartition(":")[2]] = text.strip("'")
    return found


def run(name, settings, folder):
    """Execute a chapter and return what it shows in its prose; making a page of it is another test's business."""
    execute(find_notebook(name), settings, folder / f"{name}.ipynb", cwd=folder)
    return glued(folder / f"{name}.ipynb")


def test_a_set_runs_live_on_a_data_set_of_choice(no_data, tmp_path):
    settings = {"source": "run", "datasets": '["iris"]', "models": '["DT"]', "n_repeats": "2"}
    shown = run("set2", settings, tmp_path)
    assert shown["datasets"] == "1"
    assert shown["pairs"] == "1"


@pytest.mark.parametrize(("name", "more"), [("study2000", {}), ("study2000_truth", {"learners": '["Naive Bayes"]'})])
def test_the_study_of_2000_runs_live_on_data_sets_of_choice(name, more, no_data, tmp_path):
    settings = {"source": "run", "datasets": '["iris", "wine"]', "n_samples": "2"}
    shown = run(name, settings | more, tmp_path)
    assert {"study2000": "clusters_sets", "study2000_truth": "few"}[name] in shown
    assert "2" in (shown.get("clusters_sets"), shown.get("few"))


def test_a_bad_file_of_ones_own_is_named(no_data, tmp_path):
    (tmp_path / "bad.csv").write_text("x,y,kind\n1,,a\n2,3,b\n")
    with pytest.raises(NotebookFailed, match="missing values in y"):
        run("practice", {"source": "run", "datasets": f'["{tmp_path}/bad.csv"]'}, tmp_path)


def test_chapters_of_e_fold_run_live_on_data_sets_of_choice(no_data, tmp_path):
    chapters = {
        "efold": {"datasets": '["iris", "diabetes"]', "models": '["Naive Bayes", "Ridge"]', "n_runs": "12"},
        "efold_clusters": {"datasets": '["iris"]', "models": '["Naive Bayes"]', "n_runs": "4"},
        "efold_search": {"datasets": '["iris", "wine"]', "models": '["Decision tree"]', "n_runs": "2"},
    }
    for name, settings in chapters.items():
        assert run(name, {"source": "run", **settings}, tmp_path), name
    for page in render_pages([tmp_path / f"{name}.ipynb" for name in chapters], tmp_path / "pages"):
        assert "e-fold" in page.read_text(encoding="utf-8"), page.name


def test_chapters_of_complete_k_fold_run_live_on_a_file_of_ones_own(no_data, tmp_path):
    rows = "\n".join(f"{i % 7},{i * 13 % 11},{'ab'[i % 7 + i * 13 % 11 > 7]}" for i in range(80))
    (tmp_path / "mine.csv").write_text(f"x,y,kind\n{rows}\n")
    settings = {"source": "run", "datasets": f'["{tmp_path}/mine.csv"]', "n_realizations": "2", "ks": "[3, 4]"}
    shown = run("complete", settings, tmp_path)
    assert (shown["problems"], shown["realizations"]) == ("1", "2")
    settings = {"source": "run", "problems": '["twonorm"]', "n_replicates": "2", "n_draws": "3"}
    shown = run("complete_guarantee", settings, tmp_path)
    assert (shown["n_replicates"], shown["n_drawn"]) == ("2", "3")
