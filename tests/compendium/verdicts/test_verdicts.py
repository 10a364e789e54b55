"""Every claim has a verdict, every verdict its number, and every link a target."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from compendium import verdicts
from compendium.spezia2025 import tables
from compendium.verdicts import _anguita2012, _diamantidis2000, _spezia2025, _stratification
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN
from cvstrat import imbalance_index

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
QUICK = ("mahlich2024", "anguita2012", "stratified_kfold")


@pytest.fixture(scope="module", params=QUICK)
def found(request):
    return verdicts.verdict_table(request.param)


def test_every_claim_has_a_verdict_and_a_sentence(found):
    assert set(found["verdict"]) <= {HOLDS, IN_PART, NOT, UNKNOWN}
    assert found["found"].str.match(r".*[A-Za-z0-9].*\.$").all()
    assert not found["found"].str.contains(r"nan|0\.00 %|\b1 are\b").any()


def test_claims_differ_and_point_to_what_is_there():
    claims = verdicts.claims()
    assert len(claims) >= 50
    assert not claims.duplicated(["text", "id"]).any()
    assert not claims["claim"].duplicated().any()
    for page, part in claims.groupby("page"):
        text = (NOTEBOOKS / f"{page}.md").read_text()
        for anchor in part["anchor"]:
            known = (
                f"name: {anchor}" if anchor.startswith("fig-") else f'name="{anchor.removeprefix(f"table-{page}-")}"'
            )
            assert known in text, (page, anchor)


def test_what_is_known_of_some_claims():
    anguita = verdicts.verdict_table("anguita2012").set_index("id")
    assert anguita.loc["always-tighter", "verdict"] == NOT
    assert "image (5.7 against 5.6)" in anguita.loc["always-tighter", "found"]
    assert anguita.loc["always-tighter", "found"].endswith("in ours it fails on image and splice.")
    theory = verdicts.verdict_table("stratified_kfold").set_index("id")
    assert theory.loc["four-folds", "verdict"] == NOT
    assert theory.loc["balanced-error", "verdict"] == HOLDS


def test_a_claim_is_borne_out_only_as_far_as_it_was_tested():
    efold = verdicts.verdict_table("mahlich2024").set_index("id")
    assert efold.loc["peak", "verdict"] == IN_PART  # the place is the printed one, the share of pairs is not
    assert "98 % (as printed)" in efold.loc["peak", "found"]
    assert "(printed: 28 %)" in efold.loc["peak", "found"]
    assert "7235 of 7500 runs (96.5 %) are inside, nearly the printed 7230" in efold.loc["inside", "found"]
    assert "within a point of the printed ones" in efold.loc["outliers", "found"]
    assert efold.loc["beside-five", "verdict"] == NOT
    assert "but as on pure noise (33 % and 47 %)" in efold.loc["beside-five", "found"]
    assert efold.loc["forty", "verdict"] == IN_PART
    assert "only estimated from the time" in efold.loc["forty", "found"]
    assert "an interval that holds for all four comparisons" in efold.loc["dynamic", "found"]
    anguita = verdicts.verdict_table("anguita2012").set_index("id")
    increase = anguita.loc["test-increase"]
    assert increase["verdict"] == IN_PART  # slight, but not occasional
    assert "does cost on 11 of the 13 (k = 5) and 12 of the 13 (k = 10) problems" in increase["found"]
    four = anguita.loc["k-four"]
    assert four["verdict"] == IN_PART  # the loss is clear: its interval lies above zero
    assert re.search(r"above that of the tuned number \(\+\d\.\d\d to \+\d\.\d\d", four["found"])


def test_a_shared_first_place_is_no_lead():
    wins = {"Decision tree": [3, 1, 2, 5], "Naive Bayes": [1, 4, 2, 4], "C4.5": [6, 1, 1, 2]}
    names = ["R-CV", "RS-CV", "1C-CV", "CL-CV"]
    best = pd.DataFrame(
        [(source, name, n, 28) for source, each in wins.items() for name, n in zip(names, each, strict=True)],
        columns=["source", "technique", "bias", "cases"],
    )
    verdict, said = _diamantidis2000._lead_in_wins(best.set_index(["source", "technique"]))
    assert verdict == IN_PART
    assert said.endswith(
        "CL-CV comes first alone with 1 of the 3 learners and shares the first place with RS-CV for naive Bayes."
    )
    assert "Over all learners CL-CV wins 11 cases;" in said


def test_examples_are_those_of_the_page_that_shows_them():
    text = (NOTEBOOKS / "theory_estimates.md").read_text()
    cell = next(one for one in text.split("```") if "tags: [parameters" in one)
    page: dict[str, object] = {}
    exec(cell.split("---")[-1], {}, page)
    ours = {
        "n_splits": _stratification.FOLDS,
        "n_rows": _stratification.MAJORITY_ROWS,
        "share": _stratification.MAJORITY_SHARE,
        "sizes": list(_stratification.SIZES),
        "rare_share": _stratification.RARE_SHARE,
        "recalls": list(_stratification.RECALLS),
        "n_rare": _stratification.N_RARE,
        "errors": list(_stratification.ERRORS),
        "brier_rows": _stratification.BRIER_ROWS,
        "brier_share": _stratification.BRIER_SHARE,
    }
    assert {name: page[name] for name in ours} == ours


def test_what_is_known_of_mini_batches():
    found = _spezia2025._batches()
    assert found["batch-size"][0] == IN_PART
    assert found["mini-large"][0] == IN_PART
    assert "On data with clear groups it did not, up to" in found["mini-large"][1]


def test_half_of_the_data_sets_are_not_more_than_half(monkeypatch):
    sets = [f"set {n}" for n in range(20)]
    times = [(name, "SCBCV", 2.0) for name in sets]
    for n_slower, verdict in ((9, NOT), (10, NOT), (11, IN_PART), (17, HOLDS)):
        slow = [3.0] * n_slower + [1.0] * (20 - n_slower)
        rows = times + [(name, "SCBCV-Mini", seconds) for name, seconds in zip(sets, slow, strict=True)]
        frame = pd.DataFrame(rows, columns=["dataset", "technique", "split"])
        monkeypatch.setattr(tables, "time_table", lambda *_, frame=frame, **__: frame)
        found = _spezia2025._times({"folds_times": pd.DataFrame({"n_splits": [10]})})
        assert found["mini-slower"][0] == verdict


def test_the_printed_index_of_imbalance_needs_the_other_factor():
    classes = [0] * 150 + [1] * 35 + [2] * 30  # new_thyroid
    assert imbalance_index(classes) == pytest.approx(0.30, abs=0.005)


def test_counts_are_told_in_words():
    assert verdicts.shown_counts(pd.Series([HOLDS, HOLDS, NOT])) == "2 hold and 1 does not hold"
    assert verdicts.shown_counts(pd.Series([UNKNOWN])) == "1 cannot be told"


def test_sentences_are_answered_by_who_comes_first():
    table = verdicts.sentences()
    assert set(table["answer_correct"]) <= {"yes", "no", ""}
    times = table[table["figure"] == "13"].set_index("sentence")["answer_correct"]
    assert times["SCBCV-Mini is slowest, behind SCBCV."] == "yes"
    pairs = table[table["sentence"].str.contains(" than ")]
    assert len(pairs) == 2  # compared by the paper with one other technique only, so by us too
    assert set(pairs["correct"]) | set(pairs["as_published"]) <= {"SCV", "SCBCV-Mini"}
    named = table[table["answer_correct"] == "yes"]
    assert all(
        re.search(rf"\b{re.escape(name)}\b", row.sentence) or row.figure == "8"
        for row in named.itertuples()
        for name in row.correct.split(" and ")
    )
    assert len(table) == len(tables.sentence_table.__globals__["SENTENCES"])


def test_what_tuning_costs_is_counted_by_problems_and_not_by_realizations():
    rows = [
        ("a", 0, 2, True, 10.0), ("a", 1, 2, True, 10.0), ("a", 2, 2, True, 30.0),
        ("a", 0, 5, False, 11.0), ("a", 1, 5, False, 11.0), ("a", 2, 5, False, 20.0),
        ("b", 0, 5, True, 7.0), ("b", 0, 2, False, 9.0),
    ]  # fmt: skip
    folds = pd.DataFrame(rows, columns=["dataset", "realization", "k", "tuned", "test_error"])
    costs = _anguita2012._costs(folds, 5)
    assert costs["a"] == pytest.approx((-1 - 1 + 10) / 3)  # dearer, though not in most realizations
    assert costs["b"] == 0  # tuning chose 5 there


def times_of(counts, techniques):
    """Return a table of times: each technique takes 2 seconds, the first 3 on as many sets as `counts` says."""
    one, *others = techniques
    rows = [(f"set {n}", name, 2.0) for n in range(20) for name in others]
    rows += [(f"set {n}", one, 3.0 if n < counts else 1.0) for n in range(20)]
    return pd.DataFrame(rows, columns=["dataset", "technique", "split"])


@pytest.mark.parametrize(("slower", "verdict"), [(10, NOT), (13, IN_PART), (17, HOLDS)])
def test_a_slow_rival_that_the_paper_calls_slow_too_does_not_count(slower, verdict):
    frame = times_of(slower, ["ACBCV", "KCBCV", "KCBCV-Mini", "SCBCV", "SCBCV-Mini"])
    frame.loc[frame["technique"] == "SCBCV-Mini", "split"] = 9.0
    found = _spezia2025._slower(frame.pivot(index="dataset", columns="technique", values="split"), "ACBCV")
    assert found[0] == verdict
    assert f"all three on {slower} of the 20 data sets" in found[1]
    assert found[1].endswith("which the paper itself finds slow, on 0.")


def batch_times(**seconds):
    sizes = {"kmeans": 0, "small": 64, "paper": 1024, "large": 4096}
    rows = [("groups", 1000, n, sizes[name], each[n]) for name, each in seconds.items() for n in range(4)]
    return pd.DataFrame(rows, columns=["shape", "rows", "made", "batch_size", "cut_seconds"])


def test_smaller_batches_are_compared_with_the_batch_of_the_paper():
    same = {"kmeans": [1.0] * 4, "paper": [2.0] * 4, "large": [2.2] * 4}
    verdict, said = _spezia2025._batch_size(batch_times(small=[1.5, 1.5, 1.5, 2.1], **same))
    assert verdict == IN_PART
    assert "shorter on 3 with batches of 64 (median change \N{MINUS SIGN}25 %)" in said
    assert "longer than with K-means on all 4." in said
    assert "Times of the same work differ by 10 %" in said
    assert _spezia2025._batch_size(batch_times(small=[0.9] * 4, **same))[0] == HOLDS
    assert _spezia2025._batch_size(batch_times(small=[1.5, 1.5, 2.1, 2.1], **same))[0] == NOT


def by_folds(*columns, learners=("Tree", "Bayes")):
    index = pd.MultiIndex.from_product([["a", "b", "c"], learners], names=["dataset", "learner"])
    return pd.DataFrame(dict(zip((2, 5, 10), columns, strict=True)), index=index)


def test_pessimism_is_counted_by_data_sets():
    bias = by_folds([-5.0, -5, -3, -1, -2, -2], [-2.0] * 6, [-1.0, -1, -2, -1, -3, -3])
    verdict, said = _diamantidis2000._pessimism(bias)
    assert verdict == IN_PART  # on a and b, not on c
    assert "lower with 2 folds than with 10 on 2 of the 3." in said
    assert "-3.0 points with 2 and -1.8 points with 10".replace("-", "\N{MINUS SIGN}") in said
    assert _diamantidis2000._pessimism(bias - [1.0, 0, -9])[0] == HOLDS


def test_variance_is_judged_over_all_numbers_of_folds():
    index = by_folds([0.0] * 6, [0.0] * 6, [0.0] * 6).index
    bias = by_folds([-3.0] * 6, [-2.0] * 6, [-1.0] * 6)
    dips = by_folds([3.0] * 6, [2.0] * 6, [2.5, 3.5] * 3)
    loo = {
        name: pd.DataFrame({"technique": name, "std": 1.0}, index=index).reset_index()
        for name in ("leave-one-out", "RS-CV, 10 folds")
    }
    loo["leave-one-out"]["std"] = 1.5
    beside = pd.concat(loo.values())
    verdict, said = _diamantidis2000._more_folds(bias, dips, beside)
    assert verdict == IN_PART
    assert "3.00, 2.00 and 3.00 points with 2, 5 and 10 folds" in said
    assert "in 3 of the 6 pairs of data set and learner (3 of 3 with Bayes and 0 of 3 with Tree)" in said
    assert said.endswith("it has more in all 6 pairs.")
    assert _diamantidis2000._more_folds(bias, by_folds([1.0] * 6, [2.0] * 6, [3.0] * 6), beside)[0] == HOLDS
    less = beside.assign(std=beside["std"].where(beside["technique"] != "leave-one-out", 0.5))
    assert _diamantidis2000._more_folds(by_folds([1.0] * 6, [2.0] * 6, [3.0] * 6), -bias, less)[0] == NOT


def test_a_majority_that_stratified_folds_can_lose_is_named():
    verdict, said = _stratification._majority()["majority"]
    assert verdict == IN_PART
    assert "with 101 and 99 rows one does" in said
    y = np.repeat([1, 0], [101, 99])
    parts = [np.bincount(y[train]) for train, _ in StratifiedKFold(_stratification.FOLDS).split(y, y)]
    assert [90, 90] in [part.tolist() for part in parts]


def test_the_share_that_stratification_saves_is_exact():
    found = _stratification.findings()["share-variance"]
    p, m, n = 0.27, 150, 1200
    exact = 1 - (4 * 4 / n**2) / (p * (1 - p) / m * (n - m) / (n - 1))
    assert found[1].startswith(f"{100 * exact:.2f} % of the variance")
    assert 99 < 100 * exact < 99.1


@pytest.mark.parametrize(
    ("claim", "anchor"),
    [
        ("cl-wins", "table-study2000-wins"),
        ("table4", "table-study2000-wins"),
        ("cl-variance", "fig-truth-paper"),
        ("scv-variance", "fig-truth-paper"),
        ("letter", "table-study2000-std"),
        ("few-folds", "fig-truth-paper"),
        ("more-variance", "fig-truth-paper"),
        ("four-folds", "table-theory-dealing"),
        ("smallest-class", "table-theory-dealing"),
    ],
)
def test_a_claim_leads_to_what_shows_it(claim, anchor):
    claims = verdicts.claims().set_index("id")
    assert claims.loc[claim, "anchor"] == anchor
