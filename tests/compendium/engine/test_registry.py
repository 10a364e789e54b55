"""A study is a folder: put one on the Python path, and every command knows it."""

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

from compendium.engine import Study, StudyError, Table, axis, seed_of


@dataclass(frozen=True)
class DiceSpec:
    """What is run: which dice, and how often each is thrown."""

    dice: tuple[int, ...] = axis("sides", (6, 8, 20))
    n_throws: int = 1000
    random_state: int = 0


def _validate(spec):
    if spec.n_throws < 1:
        raise StudyError(f"n_throws={spec.n_throws} is too few: give at least 1")


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
    validate=_validate,
    checksums=lambda spec, wanted: {},
    report=lambda tables: {"share of sixes": tables["throws"]},
)
STUDIES = (TOY2026,)
'''


@pytest.fixture
def compendium(tmp_path):
    """Return a function that runs the command line where a folder of one's own is on the Python path."""
    room = tmp_path / "mine" / "compendium" / "toy2026"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text('"""A study of one\'s own."""\n')
    (room / "study.py").write_text(TOY)

    def call(*words):
        return subprocess.run(
            [sys.executable, "-m", "compendium.cli", *words],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path / "mine")},
            capture_output=True,
            text=True,
            check=False,
        )

    return call


def test_a_folder_is_a_study_to_every_command(compendium, tmp_path):
    place = ("--output", str(tmp_path / "out"))
    done = compendium("run", "toy2026", "--jobs", "2", "--only", "sides=6,20", *place)
    assert "2 units computed, 0 were there, 1 are missing" in done.stdout, done.stderr
    assert "1 units are missing" in compendium("status", "toy2026", *place).stdout
    assert "1 units computed, 2 were there" in compendium("run", "toy2026", "--jobs", "2", *place).stdout
    assert "complete" in compendium("status", "toy2026", *place).stdout
    assert "share of sixes" in compendium("report", "toy2026", *place).stdout
    assert "n_throws: 1000 there, 5 here" in compendium("run", "toy2026", "--n-throws", "5", *place).stderr
    assert "give at least 1" in compendium("run", "toy2026", "--n-throws", "0").stderr
    assert "1 units computed" in compendium("run", "toy2026", "--profile", "smoke").stdout
    assert "did you mean toy2026" in compendium("run", "toy2025").stderr
    assert (tmp_path / "runs" / "toy2026-smoke" / "throws.parquet").is_file()


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
