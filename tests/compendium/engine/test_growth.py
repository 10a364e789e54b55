"""A study grows: what a larger spec adds goes into the same folder, which ends as if it had all been there at once."""

import json

import pytest

from compendium import engine
from compendium.cli import main
from compendium.engine import StudyError
from cvstrat.errors import InputError

IRIS, WINE, DIABETES = "sklearn/iris", "sklearn/wine", "sklearn/diabetes"

# For each study fields that stay, and pairs of a smaller and a larger value: every kind of axis, counts included.
GROWING = {
    "spezia2025": (
        {"models": ("DT",), "n_holdouts": 2},
        {
            "datasets": ((WINE,), (IRIS, WINE)),
            "techniques": (("SCV", "SCBCV"), ("DOB-SCV", "SCBCV", "SCV")),
            "n_splits": ((3,), (2, 3)),
            "n_repeats": (1, 2),
        },
    ),
    "spezia2025-balance": (
        {},
        {
            "datasets": ((IRIS,), (IRIS, WINE)),
            "techniques": (("SCV",), ("SCBCV", "SCV")),
            "n_splits": ((2,), (2, 3)),
            "n_repeats": (1, 2),
        },
    ),
    "spezia2025-future": (
        {"rows": (5000,), "batch_sizes": (64,), "rules": ("Mojena 2",), "models": ("DT",), "n_holdouts": 2},
        {
            "datasets": ((WINE,), (IRIS, WINE)),
            "linkages": (("ward",), ("average", "ward")),
            "searches": (("grid",), ("random", "grid")),
            "techniques": (("SCV",), ("SCBCV", "SCV")),
            "shapes": (("cloud",), ("groups", "cloud")),
            "n_made": (1, 2),
            "n_repeats": (1, 2),
        },
    ),
    "balance": (
        {"learners": ("LDA",), "n_splits": (2,), "few_splits": (2,)},
        {"problems": (("grouped",), ("clusters near", "grouped")), "minorities": ((0.5,), (0.5, 0.2))},
    ),
    "diamantidis2000": (
        {"learners": ("Naive Bayes",), "n_splits": (2,), "n_curve": 1, "n_bootstraps": 3},
        {
            "datasets": ((IRIS,), (IRIS, WINE)),
            "techniques": (("KFold",), ("KFold", "CL-CV")),
            "estimators": (("hold-out",), ("bootstrap", "hold-out")),
            "n_samples": (1, 2),
        },
    ),
    "diamantidis2000-counts": ({}, {"datasets": ((WINE,), (IRIS, WINE)), "n_samples": (2, 4)}),
    "mahlich2024": (
        {"n_splits": 4},
        {
            "datasets": ((IRIS,), (IRIS, DIABETES)),
            "models": (("Naive Bayes",), ("Ridge", "Naive Bayes")),
            "techniques": (("plain",), ("plain", "KFold")),
            "n_runs": (4, 11),
        },
    ),
    "mahlich2024-search": ({"n_splits": 4}, {"datasets": ((IRIS,), (IRIS, WINE)), "n_runs": (1, 2)}),
    "anguita2012": ({"kind_ks": (3,)}, {"n_realizations": (1, 2), "ks": ((3,), (5, 3))}),
    "anguita2012-guarantee": ({}, {"problems": (("twonorm",), ("ringnorm", "twonorm")), "n_replicates": (1, 2)}),
}


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text())


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_kind_of_spec_is_tried():
    assert {type(engine.find_study(name).spec()) for name in GROWING} == {
        type(study.spec()) for study in engine.studies().values()
    }


@pytest.mark.parametrize("name", GROWING)
def test_every_study_grows_to_what_the_larger_spec_gives(name, tmp_path, deterministic):
    fixed, axes = GROWING[name]
    small, large = (fixed | {field: values[side] for field, values in axes.items()} for side in (0, 1))
    options = {"profile": "smoke", "jobs": 1, "quiet": True}
    before = engine.run(name, folder=tmp_path / "grown", **options, **small)
    grown = engine.run(name, folder=tmp_path / "grown", **options, **large)
    scratch = engine.run(name, folder=tmp_path / "scratch", **options, **large)
    assert deterministic(tmp_path / "grown") == deterministic(tmp_path / "scratch")
    again = {"diamantidis2000-counts": 1, "mahlich2024": 1}.get(name, 0)  # a unit that holds more samples, or runs
    assert grown.computed == scratch.computed - before.computed + again
    assert set(manifest_of(tmp_path / "grown")["history"][0]["grown"]) == set(axes)
    assert manifest_of(tmp_path / "grown")["spec"] == manifest_of(tmp_path / "scratch")["spec"]
    assert manifest_of(tmp_path / "grown")["data"] == manifest_of(tmp_path / "scratch")["data"]


@pytest.mark.parametrize("fields", [{"sets": ("d", "c", "b", "a")}, {"n": 5}, {"sets": ("a", "b", "c", "d"), "n": 4}])
def test_what_is_there_is_not_computed_again(toy, tmp_path, deterministic, fields):
    toy.run(tmp_path / "r", quiet=True)
    done = toy.run(tmp_path / "r", spec=toy.study.spec(**fields), quiet=True)
    assert (done.known, done.missing) == (12, 0)
    assert len(toy.calls()) == len(set(toy.calls())) == 12 + done.computed
    assert deterministic(tmp_path / "r") == toy.expected(**fields)


def test_units_that_hold_more_rows_are_computed_again_and_stay_until_then(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", quiet=True)
    before = deterministic(tmp_path / "r")
    large = toy.study.spec(rows=3)
    toy.trouble("second c 0", "interrupt")
    with pytest.raises(KeyboardInterrupt):
        toy.run(tmp_path / "r", spec=large, quiet=True)
    assert deterministic(tmp_path / "r") == before
    assert len(manifest_of(tmp_path / "r")["tables"]["second"]["outdated"]) == 9
    assert engine.status(toy.study, folder=tmp_path / "r", rows=3)["missing"].sum() == 9
    toy.mend()
    done = toy.run(tmp_path / "r", spec=large, quiet=True)
    assert (done.computed, done.known) == (9, 3)
    assert deterministic(tmp_path / "r") == toy.expected(rows=3)
    assert "outdated" not in manifest_of(tmp_path / "r")["tables"]["second"]


def test_the_manifest_says_how_a_study_grew(toy, tmp_path):
    toy.run(tmp_path / "r", quiet=True)
    assert manifest_of(tmp_path / "r")["history"] == []
    toy.run(tmp_path / "r", spec=toy.study.spec(n=4, sets=("d", "c", "a", "b")), quiet=True)
    (event,) = manifest_of(tmp_path / "r")["history"]
    assert event["grown"] == {"n": "3 to 4", "sets": ["d"]}
    assert manifest_of(tmp_path / "r")["data"] == dict.fromkeys("abcd", "0" * 64)


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"seed": 1, "n": 4}, ["n: 3 there, 4 here", "seed: 0 there, 1 here"]),
        ({"sets": ("a", "b", "d")}, ["sets: ['c'] only there, ['d'] only here"]),
        ({"sets": ("a", "b"), "n": 4}, ["n: 3 there, 4 here", "sets: ['c'] only there"]),
    ],
)
def test_a_spec_that_changes_something_is_refused_with_the_difference(toy, tmp_path, fields, lines):
    toy.run(tmp_path / "r", quiet=True)
    before = contents(tmp_path / "r")
    with pytest.raises(StudyError, match="another spec") as caught:
        toy.run(tmp_path / "r", spec=toy.study.spec(**fields), quiet=True)
    assert [line.strip() for line in str(caught.value).splitlines()[1:]] == lines
    assert contents(tmp_path / "r") == before


def test_growing_is_refused_where_it_would_leave_units_out(tmp_path):
    """SCBCV3 is not run beside SCBCV where that finds three clusters."""
    options = {"profile": "smoke", "folder": tmp_path / "r", "jobs": 1, "quiet": True}
    fields = {"datasets": (IRIS,), "models": ("DT",), "n_repeats": 1, "n_holdouts": 2}
    every = tuple(f"SCBCV{count}" for count in (2, 3, 4, 5))
    engine.run("spezia2025", techniques=every, **options, **fields)
    before = contents(tmp_path / "r")
    with pytest.raises(StudyError, match=r"folds: sklearn/iris, SCBCV\d, 2, 0 only there"):
        engine.run("spezia2025", techniques=("SCBCV", *every), **options, **fields)
    assert contents(tmp_path / "r") == before


def test_a_part_of_a_larger_folder_is_read_from_it(toy_command, tmp_path, capsys):
    folder = tmp_path / "r"
    toy_command.run(folder, quiet=True)
    before = contents(folder)
    place = ["toy", "--output", str(folder), "--sets", "b,a", "--n", "2"]
    status = engine.status("toy", folder=folder, sets=("b", "a"), n=2)
    assert status[["done", "missing"]].sum().tolist() == [2 + 4, 0]
    assert set(status["set"]) == {"a", "b"}
    assert main(["status", *place]) == 0
    assert main(["report", *place]) == 0
    tables = engine.read_tables("toy", folder, sets=("b", "a"), n=2)
    assert {name: len(table) for name, table in tables.items()} == {"first": 2, "second": 8, "second_times": 8}
    assert contents(folder) == before
    assert main(["run", *place, "--jobs", "1"]) == 0
    assert "0 units computed, 6 were there, 0 are missing" in capsys.readouterr().out
    assert manifest_of(folder)["spec"]["sets"] == ["c", "a", "b"]
    assert {name: content for name, content in contents(folder).items() if name != "manifest.json"} == {
        name: content for name, content in before.items() if name != "manifest.json"
    }


def test_what_is_missing_of_a_part_is_computed_for_the_larger_folder(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", only={"set": ["a"]}, quiet=True)
    done = toy.run(tmp_path / "r", spec=toy.study.spec(sets=("b",), n=1, rows=1), quiet=True)
    assert (done.computed, done.known, done.missing) == (2, 0, 0)
    assert (
        len(engine.load_result("toy", "second", folder=tmp_path / "r")) == 6 + 2
    )  # with the rows of the folder's spec
    toy.run(tmp_path / "r", quiet=True)
    assert len(toy.calls()) == 12
    assert deterministic(tmp_path / "r") == toy.expected()


def test_units_can_be_computed_again(toy_command, tmp_path, capsys, deterministic):
    toy_command.run(tmp_path / "r", quiet=True)
    place = ["run", "toy", "--output", str(tmp_path / "r"), "--jobs", "1"]
    assert main([*place, "--again", "number=1,2", "--again", "set=c"]) == 0
    assert "2 units computed, 10 were there, 0 are missing" in capsys.readouterr().out
    assert main([*place, "--again", "set=a,b"]) == 0  # and those that need them
    assert "8 units computed, 4 were there, 0 are missing" in capsys.readouterr().out
    assert len(toy_command.calls()) == 12 + 2 + 8
    assert [event["again"] for event in manifest_of(tmp_path / "r")["history"]] == [
        {"number": ["1", "2"], "set": ["c"]},
        {"set": ["a", "b"]},
    ]
    assert deterministic(tmp_path / "r") == toy_command.expected()


def test_of_a_part_only_units_of_that_part_are_computed_again(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", quiet=True)
    done = toy.run(tmp_path / "r", spec=toy.study.spec(sets=("b",)), again={"number": [0, 1]}, quiet=True)
    assert (done.computed, done.known, done.missing) == (2, 2, 0)
    assert engine.status(toy.study, folder=tmp_path / "r")["missing"].sum() == 0
    assert deterministic(tmp_path / "r") == toy.expected()


def test_a_skipped_unit_can_be_computed_again(toy, tmp_path, deterministic):
    toy.trouble("second a 1", "skip")
    toy.run(tmp_path / "r", quiet=True)
    toy.mend()
    assert toy.run(tmp_path / "r", again={"set": ["a"], "number": [1]}, quiet=True).computed == 1
    assert deterministic(tmp_path / "r") == toy.expected()
    toy.trouble("second a 1", "skip")
    toy.run(tmp_path / "r", again={"number": [1]}, quiet=True)
    assert manifest_of(tmp_path / "r")["skipped"] == {"second: a, 1": "does not apply"}
    assert len(engine.load_result("toy", "second", folder=tmp_path / "r")) == 16


@pytest.mark.parametrize(
    ("again", "message"),
    [
        ({"numbr": ["1"]}, "no axis 'numbr': did you mean number"),
        ({"number": ["7"]}, "no number '7'"),
        ({"set": ["A"]}, "no set 'A'"),
        ({"row": ["1"]}, "no axis 'row'"),
    ],
)
def test_what_cannot_be_computed_again_is_answered_with_near_names(toy, tmp_path, again, message):
    with pytest.raises(InputError, match=message):
        toy.run(tmp_path / "r", again=again, quiet=True)
    assert not (tmp_path / "r").exists()


def test_axes_that_no_table_has_together_are_refused(tmp_path):
    with pytest.raises(InputError, match="no table of spezia2025 has units told apart by technique and model"):
        engine.run("spezia2025", profile="smoke", folder=tmp_path, again={"technique": ["SCV"], "model": ["DT"]})
