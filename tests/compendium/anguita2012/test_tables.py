"""What the pages on complete k-fold say, against plain loops over draws."""

import numpy as np
import pandas as pd
import pytest

from compendium.anguita2012 import tables
from compendium.datasets import published
from compendium.inference import grouped_mean
from cvstrat import clopper_pearson_upper
from cvstrat.complete import wilson_upper

PROBLEMS = ("raetsch/heart", "raetsch/thyroid", "raetsch/titanic")
KS = (3, 5, 10)
GRID = [(C, gamma) for C in (1.0, 10.0, 100.0) for gamma in (0.01, 0.1, 1.0)]


@pytest.fixture(scope="module")
def results():
    """Candidates, estimates and kinds of three problems, made up."""
    rng = np.random.default_rng(0)
    candidates, estimates, kinds = [], [], []
    for place, name in enumerate(PROBLEMS):
        for realization in (1, 2, 3):
            for k in KS:
                cell = {"dataset": name, "realization": realization, "k": k}
                best = 0.1 + 0.05 * place + 0.01 * k + 0.001 * realization
                for number, (C, gamma) in enumerate(GRID):
                    draws = 40 if number in (3, 4, 5) else 8
                    bound = best if number == 4 else best - 0.02 if number == 0 else best + 0.01 * number + 0.01
                    candidates.append(
                        cell
                        | {"C": C, "gamma": gamma, "draws": draws, "bound": bound, "redrawn": 0, "error_rate": bound}
                    )
                for kind in ("", "random", "SCV"):
                    counts = rng.binomial(60 // k, best, size=40)
                    for errors, draws in zip(*np.unique(counts, return_counts=True), strict=True):
                        row = {"errors": errors, "draws": draws, "test_error": rng.random() / 5, "vote_error": 0.1}
                        row |= cell | {"C": 10.0, "gamma": 0.1, "tested": 60 // k}
                        (kinds if kind else estimates).append(row | ({"kind": kind} if kind else {}))
    frames = {"candidates": candidates, "estimates": estimates, "kinds": kinds}
    found = {name: pd.DataFrame(rows) for name, rows in frames.items()}
    for name in ("candidates", "estimates"):
        found[f"{name}_times"] = found[name][["dataset", "realization", "k"]].assign(fit_seconds=found[name]["k"] * 0.1)
    return found


@pytest.fixture(scope="module")
def folds(results):
    """The table behind most of the page."""
    return tables.bound_table(results)


def test_means_over_draws_are_those_of_the_draws_one_by_one(results):
    one = results["estimates"].query("dataset == 'raetsch/heart' and realization == 2 and k == 5")
    errors = np.repeat(one["errors"], one["draws"])
    bounds = [100 * clopper_pearson_upper(int(count), 12) for count in errors]
    (row,) = tables.summarise_draws(one, ["dataset", "realization", "k"]).to_dict("records")
    assert row["draws"] == 40
    assert row["bound"] == pytest.approx(np.mean(bounds))
    assert row["bound_se"] == pytest.approx(np.std(bounds) / 40**0.5)
    assert row["error_rate"] == pytest.approx(100 * np.mean(errors / 12))
    assert row["error_std"] == pytest.approx(100 * np.std(errors / 12))
    assert row["wilson"] == pytest.approx(np.mean([100 * wilson_upper(int(count), 12) for count in errors]))
    assert row["test_error"] == pytest.approx(100 * np.average(one["test_error"], weights=one["draws"]))


def test_the_best_candidate_is_sought_among_those_tried_on_all_draws(folds):
    # The first of the grid has the smallest bound, on few draws only.
    assert (folds["C"] == 10.0).all()
    assert (folds["gamma"] == 0.1).all()


def test_the_tuned_k_has_the_least_selection_bound_of_its_realization(folds):
    assert (folds.groupby(["dataset", "realization"])["tuned"].sum() == 1).all()
    assert (folds.loc[folds["tuned"], "k"] == 3).all()  # bounds were made to rise with k


def test_table_1_has_published_values_beside_ours(folds):
    both = tables.compare_with_table1(folds)
    heart = both[both["dataset"] == "raetsch/heart"]
    assert heart["folds"].tolist() == ["tuned", "5", "10"]
    assert heart["bound_published"].tolist() == [27.8, 30.7, 37.9]
    own = folds[(folds["dataset"] == "raetsch/heart") & (folds["k"] == 10)]
    assert heart["bound"].iloc[2] == pytest.approx(own["bound"].mean())
    assert heart["bound_std"].iloc[2] == pytest.approx(own["bound"].std())
    shown = tables.shown_table1(both)
    assert shown.loc[("raetsch/heart", "tuned"), ("bound, %", "published")] == "27.8 ± 1.8"
    assert shown.loc[("raetsch/heart", "10"), ("k", "ours")] == ""


def test_distances_from_the_published_table_are_in_standard_errors_of_means(folds):
    both = tables.compare_with_table1(folds)
    found = tables.distances_from_table1(both, n_realizations=4).set_index(["measure", "dataset", "folds"])
    row = both[(both["dataset"] == "raetsch/heart") & (both["folds"] == "10")].iloc[0]
    half = row["bound_spread_published"]  # of a 95 % interval over ten realizations
    se = np.sqrt(row["bound_std"] ** 2 / 4 + (half / 2.262157) ** 2)
    one = found.loc[("bound", "raetsch/heart", "10")]
    assert one["distance"] == pytest.approx(row["bound"] - 37.9)
    assert one["z"] == pytest.approx((row["bound"] - 37.9) / se)


def test_printed_spreads_are_no_standard_deviations_and_may_be_half_widths():
    table = published("anguita2012_table1")
    found = tables.impossible_spreads(table)
    assert sorted(found["name"]) == ["diabetis", "ringnorm", "thyroid", "twonorm"]
    for row in found.to_dict("records"):
        whole = [int(row["k"])] * 10
        while np.mean(whole) < row["k"] - 1e-9:  # as close together as whole numbers with this mean can be
            whole[whole.index(min(whole))] += 1
        assert row["least"] == pytest.approx(np.std(whole))
        assert row["k_spread"] + 0.05 < np.std(whole)
    tuned = table[table["folds"] == "tuned"]
    part = tuned["k"] % 1
    half = 2.262157 * np.sqrt(part * (1 - part) / 9)
    assert (half < tuned["k_spread"] + 0.05).all()
    assert tables.impossible_spreads(table.assign(k_spread=0.6)).empty


def test_fixed_numbers_of_folds_are_compared_with_the_tuned_one(folds):
    found = tables.fixed_effects(folds).set_index(["panel", "technique"])
    assert found.loc[("bound", "k = 3"), "difference"] == pytest.approx(0)  # which is the tuned one here
    wide = folds.pivot_table(index=["dataset", "realization"], columns="k", values="bound")
    assert found.loc[("bound", "k = 10"), "difference"] == pytest.approx((wide[10] - wide[3]).mean())
    gaps = (wide[10] - wide[3]).rename("gap")
    mean = grouped_mean(gaps, gaps.index.get_level_values("dataset"), 20000, 0)
    ends = found.loc[("bound", "k = 10"), ["joint_low", "joint_high"]].tolist()
    assert ends == pytest.approx(mean.interval(1 - 0.05 / 6))  # three numbers of folds, bound and test error


def test_kinds_of_draws_are_compared_with_random_ones(results):
    found = tables.kind_effects(results["kinds"])
    assert set(found["technique"]) == {"SCV"}
    assert found["panel"].nunique() == 4 * len(KS)
    varied = found[found["high"] > found["low"]]
    assert len(varied)
    assert (varied["joint_high"] - varied["joint_low"] > varied["high"] - varied["low"]).all()


def test_bounds_are_compared_by_their_distance_from_the_test_error(folds):
    found = tables.bound_kinds(folds).set_index(["kind", "k"])
    part = folds[folds["k"] == 5]
    assert found.loc[("Clopper-Pearson", 5), "looseness"] == pytest.approx((part["bound"] - part["test_error"]).mean())
    assert found.loc[("Hoeffding", 5), "bound"] > found.loc[("Clopper-Pearson", 5), "bound"]


def test_choices_at_an_edge_of_the_grid_are_told(results):
    found = tables.grid_edges(results)
    assert (found["at_edge_percent"] == 0).all()
    assert (found["inside_cost_points"] == 0).all()  # though candidates tried on fewer draws have lower bounds
    assert (found["untold"] == 0).all()
    moved = results["candidates"].assign(C=results["candidates"]["C"].replace({10.0: 100.0, 100.0: 10.0}))
    assert (tables.grid_edges({"candidates": moved})["at_edge_percent"] == 100).all()


def test_what_staying_inside_costs_is_that_of_plain_loops():
    rng = np.random.default_rng(3)
    cells = [{"dataset": name, "realization": one, "k": k} for name in PROBLEMS for one in range(1, 9) for k in KS]
    rows = []
    for cell in cells:
        finalists = set(rng.choice(len(GRID), size=3, replace=False))
        for number, (C, gamma) in enumerate(GRID):
            draws = 40 if number in finalists else 8
            rows.append(cell | {"C": C, "gamma": gamma, "draws": draws, "bound": rng.random()})
    found = tables.grid_edges({"candidates": pd.DataFrame(rows)})
    for name in PROBLEMS:
        costs = []
        for cell in (cell for cell in cells if cell["dataset"] == name):
            final = [row for row in rows if row.items() >= cell.items() and row["draws"] == 40]
            best = min(row["bound"] for row in final)
            (inside,) = [row["bound"] for row in final if (row["C"], row["gamma"]) == (10.0, 0.1)] or [None]
            chosen_inside = inside == best
            costs.append(0 if chosen_inside else None if inside is None else 100 * (inside - best))
        told = [cost for cost in costs if cost is not None]
        assert found.loc[name, "inside_cost_points"] == pytest.approx(np.mean(told))
        assert found.loc[name, "untold"] == len(costs) - len(told) > 0


def test_a_grid_without_an_inside_cannot_tell_its_cost(results):
    two = results["candidates"].query("C < 100 and gamma < 1")
    found = tables.grid_edges({"candidates": two})
    assert (found["at_edge_percent"] == 100).all()
    assert found["inside_cost_points"].isna().all()
    assert "cannot be told" in tables.edges_text(found)


def test_costs_are_multiples_of_choosing_at_the_least_k(results):
    found = tables.cost_table(results)
    assert found["choosing"].tolist() == pytest.approx([1, 5 / 3, 10 / 3])


def test_published_table_1_is_whole():
    table = published("anguita2012_table1")
    assert table.groupby("name").size().eq(3).all()
    assert table["name"].nunique() == 13
    assert (table["bound"] > table["test_error"]).all()
    tuned = table[table["folds"] == "tuned"]
    assert tuned["k"].between(3, 7).all()
    assert tuned["bound"].sum() == pytest.approx(274.3)  # added up from the print


@pytest.fixture(scope="module")
def replicates():
    """Two draws on each of four data sets, at two numbers of folds; true errors chosen by hand."""
    rows = [
        {"problem": "twonorm", "replicate": replicate, "k": k, "draw": draw, "errors": draw, "tested": 20}
        | {"true_error": 0.17 if replicate == 0 else 0.1, "vote_error": 0.1, "selection_bound": 0.2 + k / 100}
        for replicate in range(4)
        for k in (3, 5)
        for draw in range(2)
    ]
    return pd.DataFrame(rows)


def test_bounds_are_exceeded_where_the_true_error_is_above(replicates):
    low, high = (clopper_pearson_upper(errors, 20) for errors in (0, 1))
    found = tables.true_and_bound(replicates).set_index(["draws", "replicate", "k"])
    assert found.loc[("mean of all draws", 0, "3"), "bound"] == pytest.approx((low + high) / 2)
    assert found.loc[("a single draw", 0, "3"), "bound"] == pytest.approx(low)
    assert found.loc[("mean of all draws", 0, "tuned"), "bound"] == pytest.approx((low + high) / 2)
    assert bool(found.loc[("a single draw", 0, "3"), "exceeded"])  # 0.17 against 0.139
    assert not bool(found.loc[("mean of all draws", 0, "3"), "exceeded"])  # 0.17 against 0.178


def test_shares_come_with_exact_intervals(replicates):
    found = tables.exceedance(replicates, (0.05, 0.5)).set_index(["delta", "draws", "k"])
    line = found.loc[(0.05, "a single draw", "3")]
    assert line["share"] == 25
    assert line["low"] == pytest.approx(0.63, abs=0.01)
    assert line["high"] == pytest.approx(80.59, abs=0.01)
    assert found.loc[(0.5, "a single draw", "5"), "share"] == 100
