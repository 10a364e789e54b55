"""What cannot be done as asked is refused before any work: exit code 2, one line, nothing written."""

import os
import subprocess
import sys

import pytest

from compendium.cli import main

SMOKE = ["run", "spezia2025", "--profile", "smoke"]
CURVE = ["run", "diamantidis2000", "--profile", "smoke"]
BOUNDS = ["run", "anguita2012", "--profile", "smoke"]
DEEP = "[" * 5000 + "2" + "]" * 5000


def outcome(words):
    """The exit code of a command, however it ends."""
    try:
        return main(words)
    except SystemExit as end:
        return end.code


@pytest.fixture
def answer(tmp_path, monkeypatch, capsys):
    """Return a function from words to exit code and message; that must be one line, and nothing may be written."""
    monkeypatch.chdir(tmp_path)

    def ask(words):
        before = sorted(tmp_path.rglob("*"))
        code = outcome(words)
        captured = capsys.readouterr()
        assert captured.err.count("\n") == 1
        assert captured.out == ""
        assert sorted(tmp_path.rglob("*")) == before
        return code, captured.err

    return ask


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["data", "get", "sonra"], "did you mean sonar"),
        (["data", "list", "--study", "nobody"], "is not one of"),
        (["data", "lost"], "invalid choice: 'lost'"),
        (["data", "list", "--collections", "pmlb", "--verbose"], "unrecognized arguments: --collections --verbose"),
        (["notebook", "dataset"], "did you mean datasets"),
        (["notebook", "datasets", "-p", "name", "[]"], "did you mean names"),
        (["notebook", "datasets", "-p", "names", "iris"], "takes list[str]"),
        (["notebook", "datasets", "-p", "names", DEEP], "cannot be read"),
        (["notebook", "efold", "-p", "tolerance", "NaN"], "NaN is not a finite number"),
        (["notebook", "datasets", "-p", "names", '["\udcff.csv"]'], "cannot be read"),
        (["notebook", "n" * 300 + ".md"], "no notebook"),
        (["notebook", "datasets", "--output", "o" * 300], "File name too long"),
        (["notebook", "datasets", "--output", os.devnull], "it is a file"),
        (["report", "spezia2025", "--output", "two\x1dlines"], r"'two\x1dlines' cannot be a folder"),
        (["report", "spezia2025", "--output", "two\nlines"], r"'two\nlines' cannot be a folder"),
        (["run", "spezia2024"], "did you mean spezia2025"),
        (["run", "mahlich2024-serch"], "did you mean mahlich2024-search"),
        (["run", "spezia2025\x1b[31m\n"], r"\x1b[31m\n"),
        (["run", "spezia2025", "--profile", "papers"], "did you mean paper"),
        (["run", "spezia2025", "--n-repeat", "3"], "did you mean n_repeats"),
        (["run", "spezia2025", "--n-repeats"], "options come in pairs"),
        ([*SMOKE, "--output", ""], "it has no name that can be shown"),
        ([*SMOKE, "--jobs", "1e20"], "give 1 to 1024"),
        ([*SMOKE, "--jobs", "100000000000"], "give 1 to 1024"),
        ([*SMOKE, "--jobs", "0"], "give 1 to 1024"),
        ([*SMOKE, "--techniques", "SCBV"], "did you mean SCBCV"),
        ([*SMOKE, "--techniques", ""], "techniques is empty"),
        ([*SMOKE, "--models", "XGB"], "no model 'XGB'"),
        ([*SMOKE, "--models", "DT,DT"], "DT is given twice"),
        ([*SMOKE, "--datasets", "irs"], "did you mean iris"),
        ([*SMOKE, "--datasets", ""], "datasets is empty"),
        ([*SMOKE, "--datasets", "[None]"], "give a value such as"),
        ([*SMOKE, "--datasets", "sklearn/iris,iris"], "sklearn/iris and iris are one data set"),
        ([*SMOKE, "--only", "data=iris"], "did you mean dataset"),
        ([*SMOKE, "--only=--"], "'--' is no value"),
        ([*SMOKE, "--only", "dataset=iris"], "did you mean sklearn/iris"),
        ([*SMOKE, "--n-splits", "(2)"], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", "[[2]]"], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", "[None]"], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", "[2.7]"], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", "[True, 2]"], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", "{2: 3}"], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", DEEP], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", DEEP * 5], "give a value such as (2,)"),
        ([*SMOKE, "--n-splits", "1,2"], "n_splits: 1 is too small: give at least 2"),
        ([*SMOKE, "--n-repeats", "many"], "give a value such as 2"),
        ([*SMOKE, "--n-repeats", "0"], "n_repeats=0 is too small: give at least 1"),
        ([*SMOKE, "--n-repeats", "99999999999"], "n_repeats=99999999999 makes 3,999,999,999,970 units of work"),
        ([*SMOKE, "--n-repeats", "9" * 5000], "cannot be read"),
        ([*SMOKE, "--test-size", "inf"], "test_size=inf: give a finite number"),
        ([*SMOKE, "--test-size", "nan"], "test_size=nan: give a finite number"),
        ([*SMOKE, "--test-size", "1"], "test_size=1.0: give a share between 0 and 1"),
        ([*SMOKE, "--test-size", "2"], "test_size=2.0: give a share between 0 and 1"),
        ([*SMOKE, "--truth-seed", "-1"], "truth_seed=-1 is too small: give at least 0"),
        ([*SMOKE, "--model-seed", "-5"], "model_seed=-5 is too small: give at least 0"),
        ([*SMOKE, "--splitter-seed", "4294967296"], "give at most 4294967295"),
        ([*CURVE, "--n-curve", "99999999999"], "n_curve=99999999999 is too large"),
        ([*CURVE, "--holdout-share", "1"], "give a share between 0 and 1"),
        (
            ["run", "mahlich2024", "--profile", "smoke", "--n-runs", "99999999999"],
            "n_runs=99999999999: at most 10,000,000",
        ),
        ([*BOUNDS, "--delta", "-1"], "delta=-1.0: give a share between 0 and 1"),
        ([*BOUNDS, "--precision", "1e-300"], "takes too many draws"),
        ([*BOUNDS, "--log-costs", "400"], "powers of ten from -30 to 30"),
    ],
)
def test_wrong_use_has_exit_code_2(words, message, answer):
    code, line = answer(words)
    assert code == 2
    assert message in line
    assert len(line) < 3000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["status", "spezia2025", "--profile", "smoke"], "compendium run spezia2025 makes them"),
        (["report", "spezia2025", "--profile", "smoke"], "holds no results"),
        ([*SMOKE, "--datasets", "missing.csv"], "missing.csv cannot be read: No such file"),
        ([*SMOKE, "--datasets", "twice.csv"], "more than one column 'x'"),
        ([*SMOKE, "--datasets", "folder.csv"], "folder.csv is a folder"),
        ([*SMOKE, "--datasets", "pipe.csv"], "pipe.csv is a pipe"),
        ([*SMOKE, "--datasets", "zero.csv"], "zero.csv is a device"),
        ([*SMOKE, "--datasets", "two\nlines.csv"], r"'two\nlines.csv' has characters that cannot be shown"),
        ([*SMOKE, "--datasets", "huge.csv"], "huge.csv has 2,199,023,255,552 bytes"),
        (["notebook", "folder.md"], "folder.md is a folder"),
        (["notebook", "pipe.md", "--list"], "pipe.md is a pipe"),
        (["notebook", "bytes.md", "--list"], "cannot be read as a text notebook"),
        (["notebook", "kernel.md", "--list"], "'display_name' is a required property"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_failure_and_named(words, message, answer, tmp_path):
    (tmp_path / "twice.csv").write_text("x,x,y\n1,2,a\n3,4,b\n")
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "kernel.md").write_text("---\nkernelspec: {name: python3}\n---\n\n```{code-cell}\n1\n```\n")
    for suffix in (".csv", ".md"):
        (tmp_path / f"folder{suffix}").mkdir()
        os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    with (tmp_path / "huge.csv").open("wb") as file:
        file.truncate(2**41)  # holes: it takes no room
    code, line = answer(words)
    assert code == 1
    assert message in line


def test_a_link_that_leads_in_a_circle_is_no_folder(answer, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    code, line = answer(["report", "spezia2025", "--output", "loop"])
    assert code == 2
    assert "a link to nothing" in line


def test_a_bad_value_is_found_by_a_notebook_before_its_work(no_data, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["notebook", "practice", "-p", "source", "run", "-p", "n_splits", "[1]"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "compendium: practice.md: n_splits: 1 is too small: give at least 2\n"


@pytest.mark.parametrize("redirect", ["| head -n 1", "> /dev/full"])
def test_a_reader_who_stops_reading_ends_it_quietly(redirect):
    program = f"{sys.executable} -m compendium.cli data list {redirect}"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", program], capture_output=True, text=True, check=False)
    full = "full" in redirect
    assert done.returncode == full
    assert done.stderr == ("compendium: the output cannot be written: No space left on device\n" if full else "")
