"""Sentences about balance, for what they may meet."""

import pandas as pd
import pytest

from compendium.balance import sentences

DIAL = {  # bias at ratios 0, 0.5 and 1, with a standard error of 0.1
    "LDA": (1.0, -1.0, -2.0),
    "tree": (0.1, 0.05, 0.3),
    "15-NN": (-1.0, -2.0, -3.0),
    "forest": (3.0, 2.0, 1.0),
    "1-NN": (0.1, -0.1, -2.0),  # changes its sign within its noise
}


def turned(names):
    lines = [(name, 2, ratio, bias, 0.1) for name in names for ratio, bias in zip((0, 0.5, 1), DIAL[name], strict=True)]
    return pd.DataFrame(lines, columns=["learner", "n_splits", "balance", "bias", "bias_se"])


def test_each_learner_has_the_ratio_at_which_its_bias_vanishes():
    assert sentences.dial_text(turned(DIAL)) == (
        "With 2 folds the bias changes its sign near a ratio of 0.25 for LDA; the law, made for a mean, has 0.67. For "
        "the tree and 1-NN it is within its noise of zero only at 0 and 0.5. For 15-NN it is below zero at every "
        "ratio. For the forest it is above zero at every ratio."
    )
    assert sentences.dial_text(turned(["15-NN"])) == "With 2 folds for 15-NN it is below zero at every ratio."


def test_learners_whose_bias_is_not_zero_at_the_ratio_of_the_law_are_named():
    line = {"n_splits": 5, "balance": 8 / 9, "bias_se": 0.1}
    many = pd.DataFrame([line | {"learner": "LDA", "bias": -0.5}, line | {"learner": "tree", "bias": 0.1}])
    assert sentences.at_law_text(many) == (
        "With 5 folds, at the law's 0.89, it is beyond its noise for LDA (\N{MINUS SIGN}0.5)."
    )
    two = pd.DataFrame([line | {"n_splits": 2, "balance": 2 / 3, "learner": "tree", "bias": -2.0}])
    assert sentences.at_law_text(pd.concat([two, many[1:]])) == (
        "With 2 folds, at the law's 0.67, it is beyond its noise for the tree (\N{MINUS SIGN}2.0). "
        "With 5 folds, at the law's 0.89, it is beyond its noise for no learner."
    )


@pytest.mark.parametrize(
    ("small", "large", "ending"),
    [
        (0.8, 0.5, " So all but SCV lower the ratio at every scale, most at large ones."),
        (0.5, 0.8, " So all but SCV lower the ratio at every scale."),
        (0.8, 1.2, ""),
    ],
)
def test_spectra_are_told_from_small_to_large_scales(small, large, ending):
    rows = [("SCV", 1, 1.0), ("SCV", 2, 0.99), ("DBSCV", 1, small), ("DBSCV", 2, large)]
    found = sentences.spectra_text(pd.DataFrame(rows, columns=["technique", "relative", "ratio"]))
    assert found.startswith("From the smallest scale to the largest, SCV goes from 1.00 to 0.99, DBSCV from")
    assert found.endswith(f"{small:.2f} to {large:.2f}.{ending}")


def test_how_flat_a_frontier_is_is_told_with_the_errors():
    rows = [("hold-out", 0.8, 10.0), ("DBSCV 2", 1, 5.0), ("SCV 2", 1, 6.0), ("SCV 5", 4, 4.8), ("SCV 10", 9, 4.5)]
    flat = pd.DataFrame(rows, columns=["procedure", "cost", "rmse"]).assign(learner="LDA")
    text = sentences.flat_text(flat)
    assert text.startswith("The line is steep up to two folds and nearly flat from there. In the mean")
    assert "10.0 points with a hold-out, 5.0 with two folds (cost 1), 4.8 up" in text
    assert text.endswith("have 6.0 with two, 4.8 with five and 4.5 with ten.")
    assert sentences.flat_text(flat.assign(rmse=[10, 9, 9, 6, 1.0])).startswith("The line falls all along")


@pytest.mark.parametrize(
    ("rmse", "told"),
    [(4.0, "and on average its error is 0.50 points smaller."), (4.5, "and on average its error is the same."),
     (5.0, "but on average its error is 0.50 points larger.")],
)  # fmt: skip
def test_ten_folds_are_told_of_only_if_they_are_never_on_the_frontier(rmse, told):
    overall = pd.DataFrame({"rmse": [rmse, 4.5], "cost": [8.0, 9.0]}, index=["SCV 2 x 5", "SCV 10"])
    assert sentences.ten_text(overall, pd.Series({"SCV 10": 5.0})) == ""
    assert sentences.ten_text(overall, pd.Series({"SCV 10": 0.0})).endswith(told)


def test_areas_are_told_for_the_fewest_rows():
    rows = [("KFold", 60, -4.0), ("KFold", 60, -5.0), ("SCV", 60, -2.0), ("SCV", 60, -2.0), ("KFold", 200, -1.0)]
    areas = pd.DataFrame(rows, columns=["technique", "n_rows", "bias"])
    assert sentences.area_text(areas) == (
        "With 60 rows its bias is, in points, \N{MINUS SIGN}5.0 to \N{MINUS SIGN}4.0 with random folds and "
        "\N{MINUS SIGN}2.0 to \N{MINUS SIGN}2.0 with stratified ones. Random folds lower the area most; stratified "
        "ones lower it less."
    )
    assert "lower" not in sentences.area_text(areas.assign(bias=[1.0, 2, 1, 0, 1]))


@pytest.mark.parametrize(
    ("biases", "told"),
    [
        ([3.0, 1.0, 0.5], "ones lower it less. Folds as alike as can be push it up instead."),
        ([3.0, -1.5, 0.5], " Folds as alike as can be push it up instead, save for 10 folds of 60 rows."),
        ([-3.0, -1.5, -0.5], "ones lower it less."),
    ],
)
def test_where_folds_as_alike_as_can_be_do_not_raise_the_area_is_said(biases, told):
    cells = [(2, 60), (10, 60), (10, 200)]
    rows = [("balanced 0", k, n, bias) for (k, n), bias in zip(cells, biases, strict=True)]
    rows += [("KFold", 2, 60, -4.0), ("SCV", 2, 60, -2.0)]
    areas = pd.DataFrame(rows, columns=["technique", "n_splits", "n_rows", "bias"])
    assert sentences.area_text(areas).endswith(told)


def test_how_often_intervals_hold_is_told_of_five_and_ten_folds():
    rows = [("corrected", 5, 94.6, 30.0), ("corrected", 10, 98.2, 30.0), ("within", 5, 93.4, 20.0),
            ("within", 10, 93.1, 22.0), ("corrected", 2, 70.0, 90.0), ("within", 2, 80.0, 20.0)]  # fmt: skip
    grouped = pd.DataFrame(rows, columns=["interval", "n_splits", "coverage", "width"])
    assert sentences.hold_text(grouped.assign(technique="SCV", n_rows=60)) == (
        "With five or ten stratified folds the corrected interval holds the truth in 95 to 98 % of cases, where 95 are "
        "promised; that of single rows, which is 30 % narrower, in 93 %."
    )


def test_an_interval_wider_than_all_accuracies_is_named():
    line = {"technique": "SCV", "n_splits": 2, "interval": "corrected", "n_rows": 60, "width": 156.0}
    assert "with 60 rows the corrected one is 156 points wide" in sentences.width_text(pd.DataFrame([line]))
    assert sentences.width_text(pd.DataFrame([line | {"width": 80.0}])) == ""
    assert sentences.width_text(pd.DataFrame([line | {"n_splits": 5}])) == ""


def test_criteria_are_compared_case_by_case_and_the_largest_difference_is_named():
    rows = [
        (60, "LDA", 2, "0", 0.1, "equal"),
        (60, "tree", 2, "0", 0.83, "higher"),
        (200, "tree", 5, "unbiased", -0.6, "lower"),
        (200, "1-NN", 5, "unbiased", 0.4, "not told"),
    ]
    compared = pd.DataFrame(rows, columns=["n_rows", "learner", "n_splits", "balance", "difference", "verdict"])
    assert sentences.criteria_text(compared) == (
        "Estimates are equal within 0.5 points in 1 of the 4 cases, higher by energy in 1, lower by energy in 1 and "
        "open in 1. The largest difference is +0.83 points, for the tree with 60 rows and 2 folds as alike as can be."
    )
    assert sentences.criteria_text(compared[:1]).startswith("Estimates are equal within 0.5 points in 1 of 1 cases.")


def test_the_bias_of_both_criteria_is_told_for_linear_models():
    rows = [(60, "LDA", 2, -0.61, -0.42), (60, "logistic regression", 2, -0.46, -0.36), (60, "tree", 2, -2.9, -2.7)]
    rows += [(60, "LDA", 5, 0.04, -0.33), (200, "LDA", 5, 0.18, -0.21)]
    lines = [
        (n, learner, k, criterion, bias, 0.2, 500)
        for n, learner, k, *both in rows
        for criterion, bias in zip(("energy", "features"), both, strict=True)
    ]
    biases = pd.DataFrame(lines, columns=["n_rows", "learner", "n_splits", "criterion", "bias", "se", "n"])
    assert sentences.truth_text(biases) == (
        "On 500 of these data sets per problem and size we know the truth, and how far the estimates of the linear "
        "models at the unbiased ratio are off. With 60 rows that is −0.6 to −0.5 with 2 folds (−0.4 by features) and "
        "0.0 with 5 folds (−0.3 by features). With 200 rows that is +0.2 with 5 folds (−0.2 by features). These are "
        "points of accuracy, with standard errors of up to 0.2."
    )


def test_what_the_ratio_explains_is_counted():
    at = ["n_rows", "n_splits", "balance"]
    cases = [(60, 2, "0", 0.8, "higher"), (60, 5, "0", -0.4, "lower"), (60, 5, "unbiased", 0.5, "higher")]
    cases += [(60, 10, "0", 0.3, "higher"), (60, 10, "unbiased", 0.1, "equal")]
    compared = pd.DataFrame(cases, columns=[*at, "difference", "verdict"])
    ratios = [(60, 2, "0", 0.04, 0.04), (60, 5, "0", 0.11, 0.07), (60, 5, "unbiased", 0.87, 0.97)]
    ratios += [(60, 10, "0", 0.2, 0.1), (60, 10, "unbiased", 0.9, 1.0)]
    reached = pd.DataFrame(ratios, columns=[*at, "energy", "features"])
    assert sentences.explained_text(compared, reached) == (
        "Of the 4 cases that differ, 2 are as the law says: the lower ratio has higher estimates. In 1 the ratios "
        "are about equal, so that they explain nothing. In 1 it is the other way round."
    )
    assert sentences.explained_text(compared[4:], reached) == ""
