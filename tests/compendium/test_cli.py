"""The command line, as a user calls it."""

import subprocess
import sys

import pytest

from compendium.cli import main
from compendium.cli._commands import COMMANDS
from compendium.engine import load_result


def test_it_runs_as_a_program():
    words = [sys.executable, "-m", "compendium.cli", "--version"]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout.startswith("compendium ")


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "notebook" in capsys.readouterr().out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_of_a_command_has_an_example(command, capsys):
    with pytest.raises(SystemExit) as end:
        main([*command.split(), "--help"])
    assert end.value.code == 0
    assert f"examples:\n  compendium {command}" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "shown"), [([], "notebook"), (["data"], "get"), (["check"], "results")])
def test_without_a_command_it_shows_the_help(words, shown, capsys):
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith(" ".join(["usage: compendium", *words]))
    assert shown in out


def test_help_needs_nothing_heavy():
    lines = ["import sys, compendium.cli as cli", "try: cli.main(['run', '--help'])"]
    code = [*lines, "except SystemExit: print('numpy' in sys.modules)"]
    result = subprocess.run([sys.executable, "-c", "\n".join(code)], check=True, capture_output=True, text=True)
    assert result.stdout.endswith("False\n")


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


def test_parameters_of_a_notebook_are_listed_without_running_it(capsys):
    assert main(["notebook", "datasets", "--list"]) == 0
    assert "names: list[str] = ['iris'" in capsys.readouterr().out


def test_pair_check_passes_on_the_committed_notebooks(capsys):
    assert main(["pair", "--check"]) == 0
    assert "agree" in capsys.readouterr().out


def test_a_study_is_run_and_then_known(tmp_path, capsys):
    place = ["diamantidis2000-counts", "--profile", "smoke", "--output", str(tmp_path / "counts")]
    assert main(["run", *place, "--jobs", "1", "--only", "dataset=sklearn/iris"]) == 0
    assert "1 units computed, 0 were there, 1 are missing" in capsys.readouterr().out
    assert main(["status", *place]) == 0
    assert "1 units are missing; this computes them: compendium run diamantidis2000-counts" in capsys.readouterr().out
    assert main(["run", *place, "--jobs", "1"]) == 0
    assert "1 units computed, 1 were there, 0 are missing" in capsys.readouterr().out
    assert main(["status", *place]) == 0
    assert "complete" in capsys.readouterr().out
    assert main(["report", *place]) == 0
    assert "sklearn/wine" in capsys.readouterr().out


def test_fields_of_a_spec_are_options(tmp_path, capsys):
    words = ["run", "diamantidis2000-counts", "--profile", "smoke", "--output", str(tmp_path / "run"), "--jobs", "1"]
    assert main([*words, "--n-samples=3", "--datasets", '["sklearn/iris"]']) == 0
    frame = load_result("diamantidis2000-counts", "counts", folder=tmp_path / "run")
    assert len(frame) == 3
    assert main([*words, "--n-samples", "3", "--datasets", "sklearn/iris", "--random-state", "4"]) == 1
    assert "random_state: 0 there, 4 here" in capsys.readouterr().err


def test_committed_results_are_checked(capsys):
    assert main(["check", "results"]) == 0
    assert "diamantidis2000-counts: right" in capsys.readouterr().out
