"""Sentences of the cluster-based study, for what they may meet."""

import pandas as pd
import pytest

from compendium.spezia2025 import tables

MINUS = "\N{MINUS SIGN}"


def effects(*lines):
    return pd.DataFrame(lines, columns=["n_splits", "technique", "difference", "finding"])


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            [(10, "SCBCV2", 0.001, "equal")],
            "With 10 folds the number of clusters does not matter (within half a point).",
        ),
        (
            [(2, "SCBCV2", 0.004, "open"), (2, "SCBCV3", 0.003, "open"), (2, "SCBCV4", 0.001, "equal")],
            "With 2 folds two or three clusters may be worse than the estimated number, by 0.3 to 0.4 points on "
            "average; that is open.",
        ),
        ([(2, "SCBCV2", -0.004, "open")], "With 2 folds two clusters may differ; that is open."),
        (
            [(2, "SCBCV2", 0.02, "larger"), (2, "mine", 0.004, "open")],
            "With 2 folds it matters: the error differs clearly for SCBCV2 (larger). There mine may be worse than the "
            "estimated number, by 0.4 points on average; that is open.",
        ),
    ],
)
def test_the_number_of_clusters_is_told_for_each_number_of_folds(lines, told):
    assert tables.clusters_text(effects(*lines)) == told


def test_zeros_of_twins_are_told():
    assert "On 3 of these sets" in (text := tables.twins_text({"a": "SCBCV4", "b": "SCBCV4", "c": "SCBCV2"}))
    assert "(SCBCV2 on 1 and SCBCV4 on 2)" in text
    assert tables.twins_text({"a": "SCBCV4"}).startswith("On one of these sets the estimated")
    assert tables.twins_text({}).startswith("On none of these sets")


def won(scv, published=None, balance="imbalanced"):
    rows = [(balance, 10, "bias", "correct", 40, scv)]
    rows += [(balance, 10, "bias", "published", 40, published)] if published is not None else []
    return pd.DataFrame(rows, columns=["balance", "n_splits", "measure", "version", "pairs", "SCV"])


@pytest.mark.parametrize(
    ("wins", "verdict", "parts"),
    [
        (
            won(17.0, 30.0),
            "cannot be told",
            ["is not there", "in 17 of 40", "model, not 30. Whether a small lead remains"],
        ),
        (won(16.5), "does not hold", ["is not there", "in 16.5 of 40 pairs of data set and model."]),
        (
            won(30.0, 30.0),
            "holds",
            ["remains once", "in 30 of 40 pairs of data set and model, and in 30 in the paper."],
        ),
        (won(30.0, balance="balanced"), "cannot be told", ["These data have no imbalanced set"]),
    ],
)
def test_what_is_left_of_a_lead(wins, verdict, parts):
    text = tables.lead_text(wins, verdict, 10)
    assert all(part in text for part in parts), text


def timed(**seconds):
    rows = [(f"set {n}", name, value) for name, values in seconds.items() for n, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["dataset", "technique", "split"])


def test_the_fastest_and_the_slowest_to_cut_are_told_with_ties():
    assert tables.cutting_text(timed(a=[0.007, 0.007, 0.008], b=[0.029, 0.029, 4.3], c=[0.0292, 0.029, 8.1])) == (
        "a cuts fastest (7 ms in the median over data sets); b and c are slowest (29 ms), with maxima of 4 and 8 "
        "seconds."
    )
    assert tables.cutting_text(timed(a=[0.007], b=[0.029])).endswith("b is slowest (29 ms).")
    assert tables.cutting_text(timed(a=[0.007])) == (
        "All take about as long to cut (7 ms in the median over data sets)."
    )


def test_the_order_of_times_is_counted():
    times = timed(SCBCV2=[1.0, 2], SCBCV3=[2.0, 1], SCBCV4=[3.0, 3])
    assert tables.order_text(times, ["SCBCV2", "SCBCV3", "SCBCV4"]) == (
        "SCBCV4 takes longer than SCBCV2 on 2 of 2 sets; from one number to the next, SCBCV3 than SCBCV2 on 1 and "
        "SCBCV4 than SCBCV3 on 2."
    )
    assert tables.order_text(times, ["SCBCV2", "SCBCV3"]) == "SCBCV3 takes longer than SCBCV2 on 1 of 2 sets."
    assert tables.order_text(times, ["SCBCV2"]) == ""


def test_clear_differences_are_described():
    two = effects((10, "SCBCV", 0.1, "larger"), (10, "SCBCV2", 0.1, "larger"))
    assert tables.clear_text(two) == (
        "All 2 clear differences are with 10 folds, and of techniques that cluster inside the classes."
    )
    assert (
        tables.clear_text(effects((2, "KCBCV", 0.1, "larger"))) == "The clear difference is with 2 folds, and of KCBCV."
    )
    assert tables.clear_text(two.iloc[:0]) == ""


@pytest.mark.parametrize(
    ("n_made", "high", "told"),
    [
        (1, 0.9, "Each size was simulated once."),
        (3, 0.7, "That holds for each of the 3 simulated sets of a size."),
        (
            3,
            1.1,
            " and not so in each of them. The time of a cut relative to K-means, where it pays in the median, is 0.40 "
            "to 1.10 at 1000 rows.",
        ),
    ],
)
def test_batches_that_pay_in_the_median_need_not_pay_on_each_set(n_made, high, told):
    line = {"shape": "cloud", "batch_size": 64, "rows": 1000, "pays": True, "cut_low": 0.4, "cut_high": high}
    assert tables.steady_text(pd.DataFrame([line | {"n_made": n_made}]), 0.75).endswith(told)
    assert tables.steady_text(pd.DataFrame([line | {"n_made": n_made, "pays": False}]), 0.75) == ""


def test_searches_that_change_the_truth_alone_are_told():
    rows = [("random", "truth", -0.026, -0.046, -0.004), ("wide", "truth", -0.01, -0.03, 0.01)]
    searches = pd.DataFrame(rows, columns=["search", "measure", "difference", "low", "high"])
    assert tables.alone_text(searches) == (
        f"Taken alone, random search is lower in truth by 2.6 points ({MINUS}4.6 to {MINUS}0.4)."
    )
    assert tables.alone_text(searches.iloc[1:]) == ""


@pytest.mark.parametrize(
    ("ratios", "start", "end"),
    [
        ([(0.5, 1.1), (0.6, 0.9)], "E", " on every data set. SCV does so on 1 of the 2 with 2 folds."),
        (
            [(0.5, 1.1), (1.6, 1.9)],
            "E",
            " on at least 1 of the 2 data sets. SCV does so on neither of the 2 with 2 folds.",
        ),
        ([(1.5, 1.1)], "Not e", ". SCV does so on 0 of 1 with 2 folds."),
    ],
)
def test_folds_closer_to_the_whole_set_are_counted(ratios, start, end):
    rows = [
        (f"set {n}", name, 2, value)
        for n, both in enumerate(ratios)
        for name, value in zip(("SCBCV", "SCV", "KFold"), (*both, 0.5), strict=True)  # one draw of random folds
    ]
    told = tables.nearer_text(pd.DataFrame(rows, columns=["dataset", "technique", "n_splits", "ratio"]))
    whole = "very technique that clusters cuts folds closer to the whole set than random ones on average"
    assert told == f"{start}{whole}{end}"


def test_the_models_that_are_there_are_named():
    assert tables.models_text(pd.DataFrame({"model": ["RF", "LR", "RF"]})) == "logistic regression and a random forest"


def test_equality_that_rests_on_the_same_folds_is_told():
    keys = {"n_splits": [2, 10, 10], "technique": ["SCBCV2", "SCBCV4", "SCBCV5"]}
    errors = pd.DataFrame(keys | {"finding": ["open", "equal", "equal"]})
    apart = pd.DataFrame(keys | {"finding": ["open", "open", "equal"]})
    assert tables.apart_text(errors, apart).endswith("without them it is open with 10 folds for four clusters.")
    assert tables.apart_text(errors, errors) == ""


def test_lines_of_the_same_folds_are_left_out():
    bias = pd.DataFrame({"dataset": ["a", "a", "b", "b"], "technique": ["SCBCV", "SCBCV4"] * 2})
    assert tables.without_twins(bias, {"a": "SCBCV4"}).index.tolist() == [0, 2, 3]
    assert len(tables.without_twins(bias, {})) == 4


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        (0.006, "on imbalanced sets with 10 folds, where SCV has +0.6 points of its +0.9 (SCBCV)."),
        (0.004, ""),
        (-0.02, ""),
    ],
)
def test_what_stratification_alone_brings_is_told(plain, told):
    rows = [("imbalanced", 10, "SCV", plain), ("imbalanced", 10, "SCBCV", 0.009)]
    effects = pd.DataFrame(rows, columns=["balance", "n_splits", "technique", "difference"])
    text = tables.stratified_text(effects)
    assert text.endswith(told) and bool(text) == bool(told)
    assert tables.stratified_text(effects.iloc[:1]) == ""
