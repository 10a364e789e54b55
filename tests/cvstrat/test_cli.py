"""The command line of the library, as a user calls it."""

import subprocess
import sys
from pathlib import Path

import pytest

import cvstrat_cli
from cvstrat import TECHNIQUES, advice, assignment
from cvstrat_cli import main


def test_it_runs_as_a_program():
    words = [str(Path(sys.executable).with_name("cvstrat")), "--version"]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout.startswith("cvstrat ")


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "advise" in capsys.readouterr().out


def test_bare_it_shows_the_help(capsys):
    assert main([]) == 0
    assert "advise" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["advise", "split"])
def test_help_of_a_command_has_an_example(command, capsys):
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert f"examples:\n  cvstrat {command} " in capsys.readouterr().out


def test_help_and_wrong_words_need_nothing_heavy():
    code = "import sys, cvstrat_cli\ntry: cvstrat_cli.main({})\nexcept SystemExit: print('numpy' in sys.modules)"
    for words in (["--help"], ["advise", "--help"], ["advice"]):
        result = subprocess.run([sys.executable, "-c", code.format(words)], check=True, capture_output=True, text=True)
        assert result.stdout.endswith("False\n")


def test_choices_are_those_of_the_library():
    assert set(cvstrat_cli.TECHNIQUES) == set(TECHNIQUES)
    assert cvstrat_cli.TASKS == advice.TASKS
    assert set(assignment.STREAMED) <= set(cvstrat_cli.TECHNIQUES)
    assert set(cvstrat_cli.METRICS) == set(advice.METRIC_LABELS)


def test_importing_the_library_does_not_load_what_only_the_research_needs():
    research = {"papermill", "matplotlib", "IPython", "jupytext", "dask", "distributed", "compendium"}
    code = f"import cvstrat, cvstrat.cli, sys; print(sorted({research} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == "[]"


def test_advice_is_printed(tmp_path, capsys):
    table = tmp_path / "mine.csv"
    table.write_text("a,b,ill\n" + "".join(f"{row},{row % 7},{row % 4 == 0}\n" for row in range(80)))
    assert main(["advise", str(table), "--folds", "5"]) == 0
    assert "80 rows, 2 features, 2 classes" in capsys.readouterr().out
    assert main(["advise", "iris"]) == 0
    assert "150 rows, 4 features, 3 classes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no_such_file.csv"], "no_such_file.csv cannot be read"),
        (["folder.csv"], "folder.csv is a folder"),
        (["/dev/zero"], "/dev/zero is a device"),
        (["uneven.csv"], "Expected 1 fields in line 3, saw 2"),
        (["twice.csv"], "more than one column 'x'"),
        (["n" * 300 + ".csv"], "File name too long"),
        (["iris", "--folds", "51"], "51 folds are more than the rows of any class"),
        (["irish"], "did you mean iris"),
        (["n" * 300], "no file or data set"),
        (["iris", "--folds", "1"], "an integer of at least 2"),
        (["iris", "--folds", "9" * 5000], "an integer of at least 2"),
        (["iris", "--score", "inf"], "a number between 0 and 1"),
        (["iris", "--score", "nan"], "a number between 0 and 1"),
        (["iris", "--metric", "acuracy"], "invalid choice: 'acuracy'"),
    ],
)
def test_a_mistake_is_one_line_and_no_traceback(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "uneven.csv").write_text("x\n1\n1,2\n")
    (tmp_path / "twice.csv").write_text("x,x,y\n1,2,a\n3,4,b\n")
    try:
        code = main(["advise", *words])
    except SystemExit as end:
        code = end.code
    assert code == 1 + ("iris" in words[0] or "." not in words[0] + "." * ("/" in words[0]))
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required: data"),
        (["iris", "--metric", "acuracy"], "choose from 'accuracy', 'balanced_accuracy', 'f1_macro'"),
        (["iris", "--score", "2"], "argument --score: it must be a number between 0 and 1; it is 2"),
        (["iris", "--score", "nan"], "it is nan"),
        (["iris", "--folds", "1"], "argument --folds: it must be an integer of at least 2; it is 1"),
        (["iris", "--folds", "ten"], "it is ten"),
        (["iris", "--fold-count", "5"], "unrecognized arguments: --fold-count 5"),
    ],
)
def test_words_that_no_data_could_make_right_are_wrong_use(words, message, capsys):
    with pytest.raises(SystemExit) as end:
        main(["advise", *words])
    assert end.value.code == 2
    assert message in capsys.readouterr().err


def test_a_bug_is_not_hidden_in_a_line(monkeypatch):
    def broken(*_, **__):
        raise ValueError("a mistake of ours")

    monkeypatch.setattr("cvstrat.advice.advise_file", broken)
    with pytest.raises(ValueError, match="a mistake of ours"):
        main(["advise", "iris"])


@pytest.mark.parametrize(
    ("name", "message"),
    [("n" * 300 + ".csv", "File name too long"), ("two\nlines.csv", "characters that cannot be shown")],
)
def test_a_name_that_no_file_can_have_is_refused_in_a_line(name, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["split", "iris", "--output", name]) in (1, 2)
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_name_as_long_as_a_file_can_have_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("x,y\n" + "".join(f"{row},{row % 2}\n" for row in range(20)))
    assert main(["split", "mine.csv", "--output", "n" * 250 + ".csv"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.csv", "n" * 250 + ".csv"]
