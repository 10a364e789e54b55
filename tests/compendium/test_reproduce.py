"""Committed results computed again: what is the same is told to be, what is not is named."""

import shutil

import numpy as np
import pandas as pd
import pytest

from compendium.cli import main
from compendium.engine import _store as store
from compendium.engine import find_study
from compendium.reproduce import TOLERANCE, Reproduction, agree_on_average, cell_differences, recompute


def change(folder, table, column, by, kernels=""):
    """Change a number of a table by a factor, with a manifest that says so: only computing it again can tell.

    With `kernels`, the manifest says that the results come from a processor of that kind.
    """
    manifest = store.read_manifest(folder)
    tables = {name: store.read_table(folder, name, manifest) for name in manifest["tables"]}
    tables[table].loc[tables[table].index[-1], column] *= 1 + by
    for made_with in manifest["environments"] if kernels else ():
        made_with["machine"]["kernels"] = kernels
    rest = {name: value for name, value in manifest.items() if name not in ("study", "tables")}
    store.save_result(manifest["study"], tables, rest, folder)


@pytest.fixture
def again(toy, tmp_path):
    """A finished folder of the toy study, and a function that computes all of it again."""
    folder = tmp_path / "results"
    toy.run(folder, quiet=True)
    return folder, lambda: recompute([(toy.study, folder)], minutes=10, jobs=1)


def test_what_comes_out_again_is_told_in_a_table_and_a_verdict(again):
    folder, compute = again
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = compute()
    assert done.table[["table", "units", "recomputed", "cells", "differing"]].values.tolist() == [
        ["first", 3, 3, 9, 0],
        ["second", 9, 9, 90, 0],
    ]
    assert done.verdict().startswith("reproduced: 12 units computed again, 99 cells compared")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_number_that_does_not_come_out_is_named(again):
    folder, compute = again
    change(folder, "second", "value", by=1e-6)
    done = compute()
    assert done.verdict().startswith("NOT reproduced: 12 units")
    (line,) = done.wrong
    assert line.startswith("toy, second: b, 2: 1 of 10 cells differ, by up to")


def test_a_difference_within_the_tolerance_is_shown_and_accepted(again):
    folder, compute = again
    change(folder, "second", "value", by=1e-12)
    done = compute()
    assert not done.wrong and 0 < done.table["largest"].max() < TOLERANCE


@pytest.mark.parametrize(("by", "expected"), [(1e-4, "reproduced but for rounding: 12 units"), (0.5, "NOT reproduced")])
def test_another_kind_of_processor_may_round_in_another_way_but_not_change_means(again, by, expected):
    folder, compute = again
    change(folder, "second", "value", by, kernels="Abacus")
    done = compute()
    assert done.verdict().startswith(expected)
    assert [len(done.rounded), len(done.wrong)] == ([1, 0] if by < 0.1 else [0, 1])


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"score": [0.9, 0.7], "choice": [1] * 20}, True),
        ({"score": [0.9, 0.72], "choice": [1] * 20}, False),
        ({"score": [0.9, np.nan], "choice": [1] * 20}, False),
        ({"score": [0.8, 0.8], "choice": [1] * 18 + [2] * 2}, True),
        ({"score": [0.8, 0.8], "choice": [1] * 17 + [2] * 3}, False),
        ({"score": [0.8, 0.8]}, False),
        ({"score": [0.8], "choice": [1] * 10}, False),
    ],
)
def test_tables_agree_on_average_by_means_and_by_the_share_of_equal_choices(now, expected):
    before = pd.DataFrame({"score": [0.8, 0.8] * 10, "choice": [1] * 20})
    now = pd.DataFrame({name: (values * 20)[: 20 if len(now["score"]) > 1 else 10] for name, values in now.items()})
    assert agree_on_average(before, now) is expected


def test_a_unit_that_fails_is_a_difference(again, toy):
    toy.trouble("second a 1", "fail")
    done = again[1]()
    assert done.wrong == ["toy, second: a, 1: RuntimeError: out of luck"]


def test_units_of_a_real_study_come_out_again(small_run, tmp_path):
    folder = tmp_path / "small"
    shutil.copytree(small_run, folder)
    done = recompute([(find_study("spezia2025"), folder)], minutes=0.05, jobs=1)
    assert done.wrong == []
    assert set(done.table["table"]) == {"clusters", "tuning", "truth", "folds"}


def test_data_that_are_not_here_are_left_out_and_named(no_data, capsys):
    assert main(["reproduce", "diamantidis2000-counts", "--minutes", "0.01", "--jobs", "1"]) == 1
    shown = capsys.readouterr().out
    assert "27 of 27 units are on data sets that are not on this machine" in shown
    assert "nothing could be computed again: none of the data are on this machine" in shown


@pytest.mark.parametrize(
    ("without_data", "recomputed", "wrong", "rounded", "expected"),
    [
        (1, 0, 0, 0, "nothing could be computed again: give more --minutes"),
        (0, 1, 0, 0, "reproduced: 1 unit computed again, 5 cells compared, none differs beyond 1e-09"),
        (0, 2, 1, 0, "NOT reproduced: 2 units computed again, 5 cells compared, and 1 unit differs beyond 1e-09"),
        (0, 2, 1, 1, "NOT reproduced: 2 units computed again, 5 cells compared, and 1 unit differs beyond 1e-09"),
        (0, 2, 0, 2, "reproduced but for rounding: 2 units computed again, 5 cells compared; not all of the results "),
    ],
)
def test_the_verdict_reads_well_for_every_count(without_data, recomputed, wrong, rounded, expected):
    row = {"units": 3, "without_data": without_data, "recomputed": recomputed, "cells": 5, "largest": 0.0}
    done = Reproduction(pd.DataFrame([row]), ["a"] * wrong, [], ["b"] * rounded)
    assert done.verdict().startswith(expected)


@pytest.mark.parametrize("words", [["--minutes", "0"], ["--minutes", "nan"], ["no-such-study"]])
def test_wrong_use_is_told_in_a_line(words, capsys):
    assert main(["reproduce", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ([1.0, np.nan, 1e12], [1.0, np.nan, 1e12 + 1], [0, 0, 1e-12]),
        ([0.5, 0.0, np.inf], [0.25, np.nan, np.inf], [0.25, np.inf, 0]),
        ([1, 2], [1, 3], [0, np.inf]),
        (["a", None, "c"], ["a", None, "d"], [0, 0, np.inf]),
        ([True, False], [True, True], [0, np.inf]),
        ([1.0], [1.0, 1.0], [np.inf]),
    ],
)
def test_differences_of_cells(before, now, expected):
    found = cell_differences(pd.DataFrame({"x": before}), pd.DataFrame({"x": now}))
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-3)
    assert np.isinf(cell_differences(pd.DataFrame({"x": before}), pd.DataFrame({"y": before}))).all()
