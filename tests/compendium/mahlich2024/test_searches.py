"""What searches choose and lose, on scores whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score

from compendium import engine
from compendium.mahlich2024 import tables
from compendium.mahlich2024.study import search_folds, search_space
from cvstrat import EFoldSearchCV

SETS = ("sklearn/iris", "sklearn/breast_cancer", "sklearn/diabetes")
EARLY = [0.9, 0.91, 0.9, 0.9, *[0.1] * 6]  # stops after four folds and looks best
STEADY = [0.8, 0.81, 0.8, 0.8, *[0.8] * 6]


def fits_of(*runs, dataset="sklearn/iris"):
    """Tables of searches, one for each run, whose candidates have these scores."""
    axes = itertools.product([dataset], ["SVM"], range(1, len(runs) + 1), range(len(runs[0])), range(1, 11))
    fits = pd.DataFrame(axes, columns=["dataset", "model", "run", "candidate", "fold"])
    times = fits.assign(fit_seconds=1.0, predict_seconds=0.5)
    return {"fits": fits.assign(score=np.ravel(runs)), "fits_times": times}


def on_all(n_runs, seed=0):
    rng = np.random.default_rng(seed)
    parts = [fits_of(*rng.random((n_runs, 8, 10)), dataset=dataset) for dataset in SETS]
    return {name: pd.concat([part[name] for part in parts]) for name in ("fits", "fits_times")}


def test_searches_on_given_scores():
    found = tables.search_table(fits_of([EARLY, STEADY])).set_index("search")
    assert found.loc["e-fold", "fits"] == 40
    assert found.loc["e-fold", "seconds"] == 40
    assert found.loc["e-fold", "regret"] == pytest.approx(100 * (np.mean(STEADY) - np.mean(EARLY)))
    assert found.loc["fixed, same cost", "fits"] == 40
    assert found.loc["five folds", "fits"] == 50
    assert found.loc["five folds", "regret"] == 0
    assert found["loss"].isna().all()  # there is no other run to score the choices on


def test_losses_are_taken_from_the_folds_of_the_other_runs():
    better, worse = [0.7] * 10, [0.5] * 10
    found = tables.search_table(fits_of([EARLY, STEADY], [better, worse], [better, worse]))
    first = found[found["run"] == 1].set_index("search")
    assert first.loc["e-fold", "regret"] == pytest.approx(38)
    assert first.loc["e-fold", "loss"] == pytest.approx(-20)  # grid search was unlucky: the other is better elsewhere
    assert first.loc["grid search", ["loss", "regret"]].tolist() == [0, 0]
    assert first.loc["grid search", "below_best"] == pytest.approx(20)
    second = found[found["run"] == 2].set_index("search")
    elsewhere = [(np.mean(one) + np.mean(other)) / 2 for one, other in ((EARLY, better), (STEADY, worse))]
    assert second.loc["five folds", "below_best"] == pytest.approx(100 * (max(elsewhere) - elsewhere[0]))


def test_losses_are_those_of_plain_loops():
    results = on_all(3)
    found = tables.search_table(results).query("search == 'five folds'")
    table = results["fits"].set_index(["dataset", "run", "candidate", "fold"])["score"]
    for row in found.to_dict("records"):
        means = {
            run: np.array([[table[row["dataset"], run, one, fold] for fold in range(1, 11)] for one in range(8)])
            for run in (1, 2, 3)
        }
        own = means.pop(row["run"])
        other = np.mean([scores.mean(axis=1) for scores in means.values()], axis=0)
        chosen, grid = own[:, :5].mean(axis=1).argmax(), own.mean(axis=1).argmax()
        assert row["loss"] == row["loss_any"] == pytest.approx(100 * (other[grid] - other[chosen]))
        assert row["regret"] == pytest.approx(100 * (own.mean(axis=1).max() - own.mean(axis=1)[chosen]))


def test_of_equal_means_the_first_is_taken_whatever_the_order_of_its_folds():
    scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.15]
    equal = [scores, scores[::-1], sorted(scores), [0.9, 0.8, 0.7, *scores[:6], 0.15]]
    for order in itertools.permutations(equal):
        elsewhere = [[0.1 * number] * 10 for number in range(4)]
        found = tables.search_table(fits_of(order, elsewhere))
        grid = found[(found["run"] == 1) & (found["search"] == "grid search")].iloc[0]
        assert grid["below_best"] == pytest.approx(30)


def test_ties_broken_at_random_lose_the_mean_over_the_tied():
    tied = [[0.8] * 5 + [0.9] * 5, [0.8] * 5 + [0.7] * 5]
    found = tables.search_table(fits_of(tied, [[0.6] * 10, [0.4] * 10])).query("run == 1").set_index("search")
    assert found.loc["five folds", "loss"] == 0
    assert found.loc["five folds", "loss_any"] == pytest.approx(10)


@pytest.mark.parametrize("drop", [False, True])
def test_a_search_played_on_stored_scores_is_the_search_itself(drop):
    X, y = load_wine(return_X_y=True)
    model, settings = search_space("Decision tree", "classification", 1)
    cv = search_folds("classification", 10, 1)
    scores = [cross_val_score(clone(model).set_params(**one), X, y, cv=cv) for one in settings]
    search = EFoldSearchCV(
        model,
        [{key: [value] for key, value in one.items()} for one in settings],
        cv=cv,
        drop_hopeless=drop,
        refit=False,
    ).fit(X, y)
    found = tables.search_table(fits_of(scores)).set_index("search").loc["e-fold, dropping" if drop else "e-fold"]
    assert found["fits"] == pytest.approx(100 * search.n_fits_ / 200)
    means = np.mean(scores, axis=1)
    assert found["regret"] == pytest.approx(100 * (means.max() - means[search.best_index_]))


def test_losses_are_compared_with_grid_search_and_with_a_fixed_number_of_folds():
    searches = tables.search_table(on_all(2))
    effects = tables.search_effects(searches).set_index(["panel", "technique"])
    means = searches.groupby("search")["loss"].mean()
    whole, same = "loss against grid search", "loss against fixed, same cost"
    assert effects.loc[whole, "difference"].to_dict() == pytest.approx(means.drop("grid search").to_dict())
    assert set(effects.loc[same].index) == {"e-fold", "e-fold, dropping", "five folds"}
    difference = effects.loc[(same, "e-fold"), "difference"]
    assert difference == pytest.approx(means["e-fold"] - means["fixed, same cost"])
    assert (effects["joint_high"] - effects["joint_low"] >= effects["high"] - effects["low"]).all()


def effects_of(low, high, difference=0.2, joint=None):
    """Effects in which all rows are alike."""
    joint = joint or (low, high)
    names = ["e-fold", "e-fold, dropping", "fixed, same cost", "five folds"]
    rows = [("loss against grid search", name) for name in names]
    rows += [("loss against fixed, same cost", name) for name in names if name != "fixed, same cost"]
    ends = {"difference": difference, "low": low, "high": high, "joint_low": joint[0], "joint_high": joint[1]}
    return pd.DataFrame(rows, columns=["panel", "technique"]).assign(**ends)


def test_sentences_on_losses_say_what_was_found():
    clear, harm, open_ = effects_of(0.1, 0.3), effects_of(-0.3, -0.1, -0.2), effects_of(-0.1, 0.5)
    alone, bare = effects_of(0.1, 0.3, joint=(-0.1, 0.5)), effects_of(np.nan, np.nan)
    assert "are on average 0.20 points worse than those of grid search over all folds (95 %" in tables.answer_text(
        clear
    )
    assert "are on average 0.20 points better than" in tables.answer_text(harm)
    assert tables.answer_text(bare).endswith(
        "worse. One data set does not tell whether e-fold or a fixed number of folds is better."
    )
    assert tables.versus_text(clear) == "At the same cost, e-fold loses clearly more than a fixed number of folds."
    assert tables.versus_text(harm) == "At the same cost, e-fold loses clearly less than a fixed number of folds."
    assert tables.versus_text(open_) == tables.versus_text(alone)
    assert tables.versus_text(open_).endswith("e-fold and a fixed number of folds do not differ clearly.")
    assert tables.clear_text(clear).endswith("allowed for, they still do.")
    assert tables.clear_text(alone).endswith("lose clearly; once all seven comparisons are allowed for, none does.")
    names = "e-fold, e-fold with dropping, a fixed number at the same cost and five folds lose clearly"
    assert f"Looked at alone, {names}" in tables.clear_text(alone)
    assert tables.losses_text(bare).endswith(" at the same cost 0.20 points, and those of five folds 0.20 points.")
    assert tables.clear_text(bare) == "Intervals over data sets take two or more."
    assert tables.clear_text(open_).endswith("none loses clearly, even if looked at alone.")
    assert tables.whole_text(clear).startswith("All folds choose better candidates than the first five, by 0.20 points")
    assert tables.whole_text(open_).startswith("All folds did not choose clearly better candidates")
    assert tables.loss_text(harm, "five folds") == (
        "\N{MINUS SIGN}0.20 points (\N{MINUS SIGN}0.30 to \N{MINUS SIGN}0.10)"
    )


def test_the_largest_difference_is_named_and_the_others_without_it():
    searches = tables.search_table(on_all(2))
    effects = tables.search_effects(searches)
    losses = tables.search_losses(searches)
    gaps = (losses["e-fold"] - losses["fixed, same cost"]).droplevel("model")
    name = gaps.abs().idxmax()
    text = tables.gap_text(effects, searches)
    assert f"Of the 3 pairs of data set and model, {name.removeprefix('sklearn/')} with a support vector" in text
    assert f"{abs(gaps.drop(name).mean()):.2f}." in text


@pytest.mark.parametrize("results", [on_all(1), fits_of([EARLY, STEADY])])
def test_one_seed_has_no_other_folds_and_says_so(results):
    searches = tables.search_table(results)
    effects = tables.search_effects(searches)
    assert effects["difference"].isna().all()
    assert tables.answer_text(effects) == "One seed has no other folds to score the choices on."
    for text in (tables.luck_text(searches), tables.losses_text(effects), tables.whole_text(effects)):
        assert text == tables.answer_text(effects)
    assert tables.ties_text(searches) == tables.gap_text(effects, searches) == tables.clear_text(effects) == ""
    assert list(engine.report("mahlich2024-search", results)) == ["searches", "losses compared"]


def test_changes_by_dropping_are_counted():
    searches = tables.search_table(fits_of([EARLY, STEADY]))
    assert tables.dropping_text(searches) == "Dropping did not change the regret of the search."
    assert tables.dropping_text(tables.search_table(on_all(2))).startswith("Dropping changed the regret of ")
