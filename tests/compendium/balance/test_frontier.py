"""Error against cost, and the choice of a learner, against loops."""

import itertools

import numpy as np
import pandas as pd
import pytest

from compendium.balance import frontier, tables

CELL = {"problem": "rings", "n_rows": 60, "minority": 0.5, "learner": "LDA"}


def made(points):
    """Errors of one cell: name, cost and error of each procedure."""
    lines = pd.DataFrame(points, columns=["procedure", "cost", "rmse"])
    return lines.assign(**CELL, technique=lines["procedure"], n_splits=2, bias=0.0, bias_se=0.1, rmse_se=0.1)


def test_what_is_beaten_at_its_cost_or_below_is_not_on_the_frontier():
    points = [("a", 1, 5.0), ("b", 1, 6.0), ("c", 2, 5.0), ("d", 4, 3.0), ("e", 3, 4.0), ("f", 9, 3.5)]
    found = frontier.frontier(made(points))
    assert found["procedure"].tolist() == ["a", "e", "d"]


def test_shares_and_excess_are_those_of_a_loop(results):
    errors = tables.errors(tables.estimates(results["folds"]), results["truths"])
    found = frontier.shares_on_frontier(errors).set_index("procedure")
    for name in ("SCV 2", "hold-out", "balanced 0 5"):
        on, excess = [], []
        for _, cell in errors.groupby(["problem", "n_rows", "minority", "learner"], observed=True):
            mine = cell[cell["procedure"] == name].iloc[0]
            others = cell[cell["procedure"] != name]
            beaten = (others["cost"] < mine["cost"]) & (others["rmse"] <= mine["rmse"])
            beaten |= (others["cost"] == mine["cost"]) & (others["rmse"] < mine["rmse"])
            on.append(not beaten.any())
            excess.append(100 * (mine["rmse"] / cell["rmse"].min() - 1))
        assert found.loc[name, "excess"] == pytest.approx(np.mean(excess))
        assert found.loc[name, "on_frontier"] <= 100 * np.mean(on)  # of equal ones the first counts
        assert found.loc[name, "cells"] == len(on)


def test_means_over_problems_carry_their_standard_errors():
    lines = pd.concat([made([("a", 1, 5.0)]), made([("a", 1, 7.0)]).assign(problem="grouped", rmse_se=0.2)])
    (line,) = frontier.mean_over_problems(lines).itertuples()
    assert (line.rmse, line.cells) == (6.0, 2)
    assert line.rmse_se == pytest.approx(np.hypot(0.1, 0.2) / 2)


def test_the_dial_knows_what_was_aimed_at():
    lines = made([("balanced 0.25 2", 1, 5.0), ("balanced unbiased 2", 1, 5.0), ("SCV 2", 1, 5.0)])
    lines["technique"] = lines["procedure"].str.rpartition(" ")[0]
    assert frontier.dial(lines)["balance"].tolist() == pytest.approx([0.25, 2 / 3])


def test_choices_are_those_of_a_loop(results):
    estimated, truths = tables.estimates(results["folds"]), results["truths"]
    found = frontier.choices(estimated, truths).set_index(["n_rows", "procedure"])
    right, lost = [], []
    known = truths.assign(truth=tables.score(truths))
    for unit, rows in known.groupby(["problem", "n_rows", "minority", "replicate"], observed=True):
        given = estimated[estimated["procedure"] == "SCV 5"]
        for name, value in zip(["problem", "n_rows", "minority", "replicate"], unit, strict=True):
            given = given[given[name] == value]
        score, truth = given.set_index("learner")["estimate"], rows.set_index("learner")["truth"]
        for one, other in itertools.combinations([name for name in truth.index if name != "forest"], 2):
            difference, real = score[one] - score[other], truth[one] - truth[other]
            loss = abs(real) * 100
            right.append(0.5 if difference == 0 else float(difference * real > 0))
            lost.append(loss * (1 - right[-1]))
    assert found.loc[(40, "SCV 5"), "right"] == pytest.approx(100 * np.mean(right))
    assert found.loc[(40, "SCV 5"), "lost"] == pytest.approx(np.mean(lost))


def test_the_cost_of_choices_is_that_of_the_other_tables(results):
    """A cell with more data sets counts no more than another, here as in the means over problems."""
    estimated, truths = tables.estimates(results["folds"]), results["truths"]
    problem = estimated["problem"].iloc[0]
    other = pd.concat([estimated, estimated[estimated["problem"] == problem].assign(problem="more")])
    other.loc[other["problem"] == "more", "cost"] = 3.0
    more = other[other["problem"] == "more"]
    other = pd.concat([other, *(more.assign(replicate=more["replicate"] + 1000 * n) for n in range(1, 4))])
    known = pd.concat([truths, truths[truths["problem"] == problem].assign(problem="more")])
    cells = other.groupby(["problem", "n_rows", "minority", "learner", "procedure"], observed=True)["cost"].mean()
    wanted = cells.groupby(["n_rows", "procedure"]).mean()
    found = frontier.choices(other, known).set_index(["n_rows", "procedure"])["cost"]
    assert found.to_dict() == pytest.approx(wanted.to_dict())
    assert found.to_dict() != pytest.approx(
        other.groupby(["n_rows", "procedure"], observed=True)["cost"].mean().to_dict()
    )


def test_choices_count_each_problem_alike_and_leave_out_data_sets_without_a_truth(results):
    estimated, truths = tables.estimates(results["folds"]), results["truths"]
    alone = {
        name: frontier.choices(estimated, part).set_index(["n_rows", "procedure"])
        for name, part in truths.groupby(["problem", "minority"], observed=True)
    }
    few = truths[(truths["problem"] != "grouped") | (truths["replicate"] == 0)]  # unequally many data sets
    alone[("grouped", 0.5)] = frontier.choices(estimated, few[tables.torn(few)]).set_index(["n_rows", "procedure"])
    found = frontier.choices(estimated, few).set_index(["n_rows", "procedure"])
    line = (40, "SCV 5")
    for name in ("right", "lost"):
        assert found.loc[line, name] == pytest.approx(np.mean([one.loc[line, name] for one in alone.values()]))
    without = frontier.choices(estimated, truths[~tables.torn(truths)])
    apart = frontier.choices(estimated[~tables.torn(estimated)], truths[~tables.torn(truths)])
    pd.testing.assert_frame_equal(without, apart)
