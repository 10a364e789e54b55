"""A study is a folder: put one on the Python path, and every command knows it."""

import json
import os
import subprocess
import sys

import pytest

from compendium.engine import StudyError, find_study, report, studies
from cvstrat.errors import InputError

# All there is to a study: spec, validation, units of work, report, profiles. CONTRIBUTING shows the same.
TOY = '''
"""How often a die shows six."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from compendium.engine import Study, Table, axis, count, seed, seed_of


@dataclass(frozen=True)
class DiceSpec:
    """What is run: which dice, and how often each is thrown."""

    dice: tuple[int, ...] = axis("sides", (6, 8, 20))
    n_throws: int = count(1000)
    random_state: int = seed(0)


def _units(spec, tables):
    return ({"sides": sides} for sides in spec.dice)


def _throw(spec, unit, tables):
    rng = np.random.default_rng(seed_of(spec.random_state, unit["sides"]))
    return pd.DataFrame({"share": [np.mean(rng.integers(1, unit["sides"] + 1, spec.n_throws) == 6)]})


TOY2026 = Study(
    name="toy2026",
    summary="how often a die shows six",
    spec_type=DiceSpec,
    profiles={"paper": DiceSpec, "smoke": lambda: DiceSpec(dice=(6,), n_throws=10)},
    tables=(Table("throws", ("sides",), _units, _throw),),
    validate=lambda spec: None,
    checksums=lambda spec, wanted: {},
    report=lambda tables: {"share of sixes": tables["throws"]},
)
STUDIES = (TOY2026,)
'''


# Calls the command line again and again in one process, and prints what each call says.
CALLS = """
import contextlib, io, json, sys
from compendium.cli import main

for words in json.loads(sys.argv[1]):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(words)
    print(json.dumps([code, said.getvalue()]))
"""


@pytest.fixture
def compendium(tmp_path):
    """Return a function that gives commands where a folder of one's own is on the Python path."""
    room = tmp_path / "mine" / "compendium" / "toy2026"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text('"""A study of my own."""\n')
    (room / "study.py").write_text(TOY)

    def call(*commands):
        found = subprocess.run(
            [sys.executable, "-c", CALLS, json.dumps([command.split() for command in commands])],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path / "mine")},
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in found.stdout.splitlines()]

    return call


def test_a_folder_is_a_study_to_every_command(compendium, tmp_path):
    commands = {
        "run toy2026 --output out --jobs 2 --only sides=6,20": (0, "2 units computed, 0 were there, 1 are missing"),
        "status toy2026 --output out": (0, "1 units are missing"),
        "run toy2026 --output out --jobs 1": (0, "1 units computed, 2 were there, 0 are missing"),
        "status toy2026 --output=out": (0, "complete"),
        "report toy2026 --output out": (0, "share of sixes"),
        "run toy2026 --output out --n-throws 5": (1, "n_throws: 1000 there, 5 here"),
        "run toy2026 --output out --jobs 1 --dice 6,8,12,20": (0, "1 units computed, 3 were there, 0 are missing"),
        "run toy2026 --jobs 1 --output out": (0, "0 units computed, 3 were there, 0 are missing"),
        "run toy2026 --output new --jobs 1 --dice 6,8,12,20": (0, "4 units computed"),
        "status toy2026 --output out --dice 12": (0, "complete"),
        "report toy2026 --output out --dice 12": (0, "12 0.0"),
        "report toy2026 --output out --n-throws 5": (1, "n_throws: 1000 there, 5 here"),
        "run toy2026 --output out --jobs 1 --again sides=6,20": (0, "2 units computed, 1 were there, 0 are missing"),
        "run toy2026 --n-throws 0": (2, "give at least 1"),
        "run toy2026 --profile smoke --jobs 1": (0, "1 units computed"),
        "run toy2025": (2, "did you mean toy2026"),
    }
    for (command, (code, message)), (found, said) in zip(commands.items(), compendium(*commands), strict=True):
        assert found == code, (command, said)
        assert message in said, command
    assert (tmp_path / "runs" / "toy2026-smoke" / "throws.parquet").is_file()
    grown, new = (tmp_path / name / "throws.parquet" for name in ("out", "new"))
    assert grown.read_bytes() == new.read_bytes()


def test_studies_are_named_by_the_room_they_live_in():
    found = studies()
    assert {"spezia2025", "diamantidis2000", "mahlich2024", "anguita2012"} <= set(found)
    for name, study in found.items():
        assert type(study.spec()).__module__.startswith(f"compendium.{name.partition('-')[0]}.study")
        assert find_study(name) is study
        assert study.spec("smoke") != study.spec("paper")


def test_an_unknown_study_is_answered_with_near_names():
    with pytest.raises(InputError, match="did you mean mahlich2024"):
        find_study("mahlich2042")


def test_a_report_of_tables_that_are_not_there_says_how_to_get_them():
    with pytest.raises(StudyError, match="has no counts yet: compendium run diamantidis2000-counts"):
        report("diamantidis2000-counts", {})
