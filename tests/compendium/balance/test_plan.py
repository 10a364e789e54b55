"""The planned comparisons: number of data sets, differences, corrections, verdicts."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from compendium.balance import plan, tables
from compendium.balance.study import is_primary


def simulated(n, errors, rng):
    """Estimates and truths of one primary cell, in which each procedure has errors of its own standard deviation."""
    cell = {"problem": "clusters near", "n_rows": 60, "minority": 0.5}
    truths = pd.DataFrame({**cell, "replicate": np.tile(np.arange(n), 2), "learner": np.repeat(["LDA", "tree"], n)})
    truths = truths.assign(tested=10_000, positives=5_000, true_positives=3_500, true_negatives=3_500)
    frames = [
        truths[tables.CELL].assign(procedure=name, estimate=0.7 + std / 100 * rng.standard_normal(2 * n))
        for name, std in errors.items()
    ]
    return pd.concat(frames), truths


def test_enough_data_sets_show_equality_as_often_as_planned():
    rng = np.random.default_rng(0)
    n = plan.n_needed(std=4.0)
    assert plan.n_needed(std=8.0) > 3.9 * n
    means = 4.0 / np.sqrt(n) * rng.standard_normal(20_000)
    shown = norm.sf((plan.MARGIN - np.abs(means)) / (4.0 / np.sqrt(n))) < plan.LEVEL
    assert shown.mean() == pytest.approx(plan.POWER, abs=0.01)


def test_differences_are_those_of_a_loop_and_verdicts_follow():
    rng = np.random.default_rng(1)
    names = sorted({name for pair in plan.COMPARISONS for name in pair})
    errors = dict.fromkeys(names, 2.0) | {"SCV 2": 6.0}
    estimated, truths = simulated(800, errors, rng)
    table = plan.compare(estimated, truths)
    assert len(table) == 2 * len(plan.COMPARISONS)
    for line in table.itertuples():
        both = estimated[estimated["learner"] == line.learner]
        squares = [
            np.mean((100 * (both.loc[both["procedure"] == name, "estimate"] - 0.7)) ** 2)
            for name in (line.first, line.second)
        ]
        assert line.difference == pytest.approx(np.sqrt(squares[0]) - np.sqrt(squares[1]))
        assert line.verdict == ("smaller" if line.second == "SCV 2" else "equal")


def test_p_values_are_held_to_the_whole_family():
    rng = np.random.default_rng(2)
    names = sorted({name for pair in plan.COMPARISONS for name in pair})
    table = plan.compare(*simulated(100, dict.fromkeys(names, 3.0), rng))
    raw = 2 * norm.sf(table["difference"].abs() / table["se"])
    for p, held in zip(raw, table["p_value"], strict=True):
        others = np.sort(raw)
        step = max(min(1.0, (len(raw) - i) * q) for i, q in enumerate(others) if q <= p)
        assert held == pytest.approx(step)


@pytest.mark.parametrize(("cell", "primary"), [(("clusters far", 200, 0.5), True), (("rings", 60, 0.5), False)])
def test_few_cells_are_primary(cell, primary):
    assert is_primary(*cell) == primary


def test_what_was_shown_is_said_in_a_sentence():
    lines = pd.DataFrame({"first": "balanced unbiased 2", "second": "SCV 10", "verdict": ["equal"] * 3})
    assert plan.sentence(lines, "balanced unbiased 2", "SCV 10") == (
        "For 11 % of the cost, two balanced folds have an error equal to that of ten stratified folds (within 0.5 "
        "points) in all 3 planned comparisons."
    )
    lines["verdict"] = ["larger", "equal", "larger"]
    assert plan.sentence(lines, "balanced unbiased 2", "SCV 10") == (
        "For 11 % of the cost, two balanced folds have an error equal to that of ten stratified folds (within 0.5 "
        "points) in 1 of the 3 planned comparisons and a larger one in 2."
    )


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        (
            ["smaller", "smaller", "equal", "not told"],
            "have a smaller error than two stratified folds in 2 of the 4 planned comparisons and an equal one (within "
            "0.5 points) in 1; 1 is open.",
        ),
        (
            ["smaller", "equal", "larger", "not told", "not told"],
            "have a smaller error than two stratified folds in 1 of the 5 planned comparisons, an equal one (within "
            "0.5 points) in 1 and a larger one in 1; 2 are open.",
        ),
        (["larger", "larger"], "have a larger error than two stratified folds in both planned comparisons."),
        (
            ["not told"] * 3,
            "and two stratified folds cannot be told apart by their error in any of the 3 planned comparisons.",
        ),
    ],
)
def test_the_sentence_reads_well_for_every_verdict(verdicts, words):
    lines = pd.DataFrame({"first": "balanced unbiased 2", "second": "SCV 2", "verdict": verdicts})
    said = plan.sentence(lines, "balanced unbiased 2", "SCV 2")
    assert said == f"At the same cost, two balanced folds {words}"


def test_repeated_folds_are_said_and_counted_in_the_cost():
    lines = pd.DataFrame({"first": "DPS 8", "second": "SCV 10 x 8", "verdict": ["smaller", "equal"]})
    assert plan.sentence(lines, "DPS 8", "SCV 10 x 8").startswith(
        "For 10 % of the cost, eight density-preserving folds have a smaller error than ten times eight stratified"
    )


@pytest.mark.parametrize(
    ("verdicts", "p_equal", "words"),
    [
        (["equal", "smaller", "equal"], 0.01, "ten times holds in all 3 planned comparisons."),
        (
            ["equal", "larger", "not told"],
            0.5,
            "holds in 1, fails in 1 and is left open in 1 of 3 planned comparisons.",
        ),
        (["larger", "equal", "larger"], 0.5, "holds in 1 and fails in 2 of 3 planned comparisons."),
        (["larger"] * 3, 0.5, "fails in all 3 planned comparisons."),
        (
            ["larger"] * 3,
            0.01,
            "In 3 of the failures a test shows that the error is larger by less than 0.5 points.",
        ),
    ],
)
def test_what_became_of_the_claim(verdicts, p_equal, words):
    lines = pd.DataFrame({"first": "DPS 8", "second": "SCV 10 x 8", "verdict": verdicts, "p_equal": p_equal})
    others = lines.assign(second="SCV 8", verdict="larger")
    assert plan.claim_sentence(pd.concat([lines, others])).endswith(words)


@pytest.mark.parametrize(
    ("rmse", "cost", "words"),
    [
        (6.0, 5.0, "errs more than five fixed folds and costs more"),
        (6.0, 3.0, "errs more than five fixed folds but costs less"),
        (4.0, 5.0, "errs less than five fixed folds but costs more"),
    ],
)
def test_e_fold_is_weighed_against_fixed_folds(rmse, cost, words):
    overall = pd.DataFrame({"rmse": [rmse, 5.0], "cost": [cost, 4.0]}, index=["e-fold", "SCV 5"])
    assert words in plan.stopping_sentence(overall)
    assert plan.stopping_sentence(overall).endswith("56 % of the rows are tested; fixed folds test all.") == (
        (rmse, cost) == (6.0, 5.0)
    )


def test_two_folds_of_each_kind_are_counted_against_two_stratified_ones():
    verdicts = {"SCBCV 2": ["smaller", "equal", "smaller"], "balanced unbiased 2": ["smaller", "larger", "not told"]}
    planned = pd.DataFrame(
        [{"first": first, "second": "SCV 2", "verdict": one} for first, these in verdicts.items() for one in these]
    )
    assert plan.two_folds_sentence(planned) == (
        "Two stratified cluster-based folds have a smaller error than two stratified ones in 2 of the 3 planned "
        "comparisons. Two balanced folds have one in 1 of the 3 and a larger one in 1."
    )
    assert plan.two_folds_sentence(planned[:0]) == ""
