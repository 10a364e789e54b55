"""What the README shows works as it stands: its blocks are taken out of it and run."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_wine

from compendium.cli._parser import make_parser
from compendium.engine import studies
from cvstrat_cli import main

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S | re.M)
PYTHON = [text for language, text in BLOCKS if language == "python"]
LINES = [line for language, text in BLOCKS if language == "bash" for line in text.splitlines()]


def commands(program):
    """Return the words of every line that starts a program, without the program."""
    return [shlex.split(line, comments=True)[1:] for line in LINES if line.split()[:1] == [program]]


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: re.findall(r"import (\w+)", block)[-1])
def test_python_runs(block):
    exec(compile(block, "README.md", "exec"), {})


def test_there_is_something_to_run():
    assert len(PYTHON) >= 4
    assert len(commands(".venv/bin/cvstrat")) >= 2 and len(commands(".venv/bin/compendium")) >= 6


def test_commands_of_the_library_run(tmp_path, monkeypatch, capsys):
    X, y = load_wine(return_X_y=True, as_frame=True)
    X.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    monkeypatch.chdir(tmp_path)
    for words in commands(".venv/bin/cvstrat"):
        assert main(words) == 0, words
    assert pd.read_csv("folds.csv")["fold"].value_counts().max() == 18
    assert "Splitter" in capsys.readouterr().out


@pytest.mark.parametrize("words", commands(".venv/bin/compendium"), ids=" ".join)
def test_commands_of_the_research_have_words_that_are_known(words):
    options, rest = make_parser().parse_known_args(words)
    assert options.command and not rest


def test_targets_of_make_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for (target,) in commands("make"):
        assert f"\n{target}:" in makefile


@pytest.mark.skipif(os.name != "posix", reason="the block is for bash")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["cvstrat", ""], {"advise", "split"}),
        (["cvstrat", "sp"], {"split"}),
        (["cvstrat", "advise", "data.csv", "--ta"], {"--target", "--task"}),
        (["compendium", "data", "g"], {"get"}),
    ],
)
def test_the_tab_key_completes(words, completed):
    (block,) = [text for language, text in BLOCKS if language == "bash" and "complete -" in text]
    typed = " ".join(f'"{word}"' for word in words)
    script = f'{block}\nCOMP_WORDS=({typed}) COMP_CWORD={len(words) - 1}\n_cvstrat\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True
    )
    assert completed <= set(done.stdout.split())
    assert all(word.startswith(words[-1]) for word in done.stdout.split())


@pytest.mark.parametrize("page", ["rerun", "reviewers"])
def test_commands_on_pages_are_known_and_no_line_of_code_is_cut(page):
    text = (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")
    blocks = [block for _, block in re.findall(r"^```(bash|yaml)\n(.*?)^```$", text, flags=re.S | re.M)]
    lines = [line for block in blocks for line in block.splitlines()]
    assert [line for line in lines if len(line) > 78] == []  # what a page of 1400 pixels shows
    found = re.findall(r"^(?:\.venv/bin/)?compendium (.*)$", "\n".join(blocks).replace("\\\n", ""), flags=re.M)
    assert len(found) >= 6
    for command in found:
        options, rest = make_parser().parse_known_args(shlex.split(command, comments=True))
        fields = {word for word in rest if word.startswith("--")}  # of the spec, which `run` takes as options
        assert options.command and fields <= {"--n-repeats"} and (options.command == "run" or not rest), command


def test_reviewers_find_every_claim_of_the_front_page():
    claims = re.compile(r"^\*\*(\d\. .*?)\.?\*\*", flags=re.M)
    front, page = ((ROOT / name).read_text(encoding="utf-8") for name in ("notebooks/index.md", "book/reviewers.md"))
    assert claims.findall(page) == claims.findall(front) != []


@pytest.mark.parametrize("page", ["README.md", "book/compendium.md"])
def test_every_study_is_listed(page):
    rows = [line for line in (ROOT / page).read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert [name for name in studies() if not any(f"`{name}`" in row for row in rows)] == []
