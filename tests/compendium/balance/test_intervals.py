"""Intervals around a cross-validated accuracy: against a loop, and against what theory says they hold."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t

from compendium.balance import intervals
from compendium.balance.study import POOLED
from compendium.balance.tables import CELL, torn


def test_intervals_are_those_of_a_loop(results):
    folds = results["folds"]
    found = intervals.intervals(folds)
    keys = [*CELL, "technique", "n_splits"]
    one = found.iloc[7]
    rows = folds[(folds["fold"] != POOLED) & (folds["repeat"] == 0)]
    for name in keys:
        rows = rows[rows[name] == one[name]]
    scores = ((rows["true_positives"] + rows["true_negatives"]) / rows["tested"]).to_numpy()
    k, n = len(scores), rows["tested"].sum()
    within = np.mean([p * (1 - p) * m / (m - 1) for p, m in zip(scores, rows["tested"], strict=True)])
    student = t.ppf(0.975, k - 1) * scores.std(ddof=1)
    expected = {
        "naive": student / np.sqrt(k),
        "corrected": student * np.sqrt(1 / k + 1 / (k - 1)),
        "within": norm.ppf(0.975) * np.sqrt(within / n),
    }
    same = found[(found[keys] == one[keys]).all(axis=1)].set_index("interval")
    assert same["half"].to_dict() == pytest.approx(expected)
    assert same["estimate"].tolist() == pytest.approx([scores.mean()] * 3)


def test_coverage_counts_the_truths_inside():
    cell = {"problem": "rings", "n_rows": 60, "minority": 0.5, "learner": "LDA"}
    truths = pd.DataFrame({**cell, "replicate": range(4), "tested": 100, "positives": 50})
    truths = truths.assign(true_positives=40, true_negatives=[30, 35, 40, 45])
    found = truths[CELL].assign(technique="SCV", n_splits=2, interval="naive", estimate=0.75, half=0.06)
    (line,) = intervals.coverage(found, truths).itertuples()
    assert (line.coverage, line.width, line.n) == (75.0, pytest.approx(12.0), 4)


def test_coverage_counts_each_problem_alike_and_leaves_out_data_sets_without_a_truth():
    cell = {"n_rows": 60, "minority": 0.5, "learner": "LDA", "tested": 100, "positives": 50, "true_positives": 40}
    held = {"rings": [35, 35, 35, 35], "tails": [10, 35], "grouped": [10, 10]}
    truths = pd.DataFrame(
        [{**cell, "problem": name, "replicate": i, "true_negatives": right} for name, these in held.items()
         for i, right in enumerate(these)]
    )  # fmt: skip
    found = truths[CELL].assign(technique="SCV", n_splits=2, interval="naive", estimate=0.75, half=0.06)
    (line,) = intervals.coverage(found, truths[~torn(truths)]).itertuples()
    assert (line.coverage, line.n) == (75.0, 6)  # all of one problem, half of the other
    assert line.coverage_se == pytest.approx(50 / 2)  # of two data sets, one held; the mean of two problems
