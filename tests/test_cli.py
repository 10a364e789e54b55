"""The command line, as a user calls it."""

import subprocess
import sys

import pytest

from cvstrat.cli import main


def test_version_and_help_run_as_a_program():
    for flag in ("--version", "--help"):
        result = subprocess.run([sys.executable, "-m", "cvstrat.cli", flag], check=True, capture_output=True, text=True)
        assert "cvstrat" in result.stdout


def test_importing_the_library_does_not_load_what_only_the_book_needs():
    code = "import cvstrat, sys; print(sorted({'papermill', 'matplotlib', 'IPython', 'jupytext'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == "[]"


def test_list_shows_the_sets_of_a_study(no_data, capsys):
    assert main(["data", "list", "--study", "diamantidis2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 7
    assert lines[1].split()[:4] == ["pmlb/breast_w", "classification", "699", "9"]


def test_check_verifies_what_is_here_and_counts_the_rest(no_data, capsys):
    assert main(["data", "check"]) == 0
    assert capsys.readouterr().out.strip() == "5 right, 0 wrong, 90 not here"


def test_check_of_a_named_set_that_is_not_here_fails(no_data, capsys):
    assert main(["data", "check", "sonar"]) == 1
    assert "pmlb/sonar: not on this machine" in capsys.readouterr().err


def test_check_finds_a_damaged_file(no_data, monkeypatch, tmp_path, capsys):
    file = tmp_path / "data" / "pmlb" / "sonar" / "sonar.tsv.gz"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"not the file")
    monkeypatch.setenv("CVSTRAT_DATA", str(tmp_path / "data"))
    assert main(["data", "check"]) == 1
    captured = capsys.readouterr()
    assert "1 wrong" in captured.out
    assert str(file) in captured.err


def test_get_says_what_comes_with_scikit_learn_and_how_to_provide_the_rest(no_data, capsys):
    assert main(["data", "get", "iris"]) == 0
    assert "sklearn/iris: comes with scikit-learn" in capsys.readouterr().out
    assert main(["data", "get", "raetsch/banana"]) == 1
    assert "CVSTRAT_DATA" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["data", "get", "sonra"], "did you mean sonar"),
        (["data", "list", "--study", "nobody"], "is not one of"),
        (["notebook", "dataset"], "did you mean datasets"),
        (["notebook", "datasets", "-p", "name", "[]"], "did you mean names"),
        (["notebook", "datasets", "-p", "names", "iris"], "takes list[str]"),
    ],
)
def test_a_mistake_is_one_line_and_no_traceback(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_parameters_of_a_notebook_are_listed_without_running_it(capsys):
    assert main(["notebook", "datasets", "--list"]) == 0
    assert "names: list[str] = ['iris'" in capsys.readouterr().out


def test_pair_check_passes_on_the_committed_notebooks(capsys):
    assert main(["pair", "--check"]) == 0
    assert "agree" in capsys.readouterr().out
