"""Every claim has a verdict, every verdict its number, and every link a target."""

import re
from pathlib import Path

import pandas as pd
import pytest

from compendium import verdicts
from compendium.spezia2025 import tables
from compendium.verdicts import _diamantidis2000, _spezia2025, _stratification
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
    assert re.search(r"at most 0\.\d\d points .* does cost on \d\d % and \d\d % of the problems", increase["found"])
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
        "it comes first alone with 1 of the 3 learners and shares the first place with RS-CV for naive Bayes."
    )


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
    assert found["batch-size"][0] == NOT
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
