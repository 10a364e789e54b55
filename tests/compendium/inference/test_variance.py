"""Shares of variance and noise, against sums of squares in plain loops and a published analysis."""

import math
from itertools import product
from statistics import mean

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compendium.inference import beyond_noise, variance_shares

# Crampton (1947), as in R's ToothGrowth: length of teeth by supplement and dose, ten animals each.
TEETH = {
    ("VC", 0.5): [4.2, 11.5, 7.3, 5.8, 6.4, 10, 11.2, 11.2, 5.2, 7],
    ("VC", 1.0): [16.5, 16.5, 15.2, 17.3, 22.5, 17.3, 13.6, 14.5, 18.8, 15.5],
    ("VC", 2.0): [23.6, 18.5, 33.9, 25.5, 26.4, 32.5, 26.7, 21.5, 23.3, 29.5],
    ("OJ", 0.5): [15.2, 21.5, 17.6, 9.7, 14.5, 10, 8.2, 9.4, 16.5, 9.7],
    ("OJ", 1.0): [19.7, 23.3, 23.6, 26.4, 20, 25.2, 25.8, 21.2, 14.5, 27.3],
    ("OJ", 2.0): [25.5, 26.4, 22.4, 24.5, 24.8, 30.9, 26.4, 27.3, 29.4, 23],
}


def teeth():
    lines = [(supplement, dose, length) for (supplement, dose), lengths in TEETH.items() for length in lengths]
    return pd.DataFrame(lines, columns=["supplement", "dose", "length"])


@st.composite
def designs(draw):
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    cells = list(product(*(range(size) for size in sizes))) * draw(st.integers(1, 2))
    values = draw(st.lists(st.integers(-9, 9), min_size=len(cells), max_size=len(cells)))
    assume(len(set(values)) > 1)
    frame = pd.DataFrame(cells, columns=["one", "two", "three"][: len(sizes)]).assign(value=values)
    return frame.sample(frac=1, random_state=draw(st.integers(0, 99)))


def sums_by_hand(frame, factors, interactions):
    """Of each line, the square of how far its factor's mean (or its pair's, less both factors') is from the mean."""
    lines = frame.to_dict("records")

    def marginal(line, names):
        return mean([float(o["value"]) for o in lines if all(o[name] == line[name] for name in names)])

    sums = {one: sum((marginal(line, [one]) - marginal(line, [])) ** 2 for line in lines) for one in factors}
    if interactions:
        for number, one in enumerate(factors):
            for two in factors[number + 1 :]:
                sums[f"{one}:{two}"] = sum(
                    (marginal(x, [one, two]) - marginal(x, [one]) - marginal(x, [two]) + marginal(x, [])) ** 2
                    for x in lines
                )
    total = sum((line["value"] - marginal(line, [])) ** 2 for line in lines)
    return sums | {"residual": total - sum(sums.values())}, total


class TestVarianceShares:
    """The shares of factors."""

    @settings(max_examples=60)
    @given(designs(), st.booleans())
    def test_equal_sums_of_squares(self, frame, interactions):
        factors = [name for name in frame if name != "value"]
        found = variance_shares(frame, "value", factors, interactions)
        sums, total = sums_by_hand(frame, factors, interactions)
        assert found["factor"].tolist() == list(sums)
        assert found["share"].tolist() == pytest.approx([part / total for part in sums.values()], abs=1e-9)
        assert found["share"].sum() == pytest.approx(1)
        assert found["share"].min() >= 0
        levels = {name: frame[name].nunique() - 1 for name in factors}
        parts = [math.prod(levels[name] for name in term.split(":")) for term in found["factor"][:-1]]
        assert found["df"].tolist() == [*parts, len(frame) - 1 - sum(parts)]

    def test_published_analysis(self):
        found = variance_shares(teeth(), "length", ["supplement", "dose"], interactions=True)
        total = 205.35 + 2426.43 + 108.32 + 712.11
        assert found["factor"].tolist() == ["supplement", "dose", "supplement:dose", "residual"]
        assert (found["share"] * total).tolist() == pytest.approx([205.35, 2426.43, 108.32, 712.11], abs=0.02)
        assert found["df"].tolist() == [1, 2, 2, 54]

    def test_interactions_stay_in_the_residual_unless_wanted(self):
        without = variance_shares(teeth(), "length", ["supplement", "dose"]).set_index("factor")
        apart = variance_shares(teeth(), "length", ["supplement", "dose"], interactions=True).set_index("factor")
        assert list(without.index) == ["supplement", "dose", "residual"]
        assert without.loc["residual"].tolist() == pytest.approx(apart[2:].sum().tolist())

    def test_additive_values_leave_nothing(self):
        frame = pd.DataFrame(list(product([0, 1, 5], [0, 2])), columns=["a", "b"]).assign(
            value=lambda f: f["a"] + f["b"]
        )
        assert variance_shares(frame, "value", ["a", "b"]).loc[2].tolist() == ["residual", pytest.approx(0), 2]

    @pytest.mark.parametrize("shift", [0.0, 1e6])
    def test_order_of_factors_and_origin_do_not_matter(self, shift):
        frame = teeth().assign(length=lambda f: f["length"] + shift)
        turned = variance_shares(frame, "length", ["dose", "supplement"]).set_index("factor")
        straight = variance_shares(teeth(), "length", ["supplement", "dose"]).set_index("factor")
        pd.testing.assert_frame_equal(turned.loc[straight.index], straight)

    def test_categories_that_do_not_occur(self):
        kinds = pd.CategoricalDtype(["VC", "OJ", "none"])
        frame = teeth().astype({"supplement": kinds})
        pd.testing.assert_frame_equal(
            variance_shares(frame, "length", ["supplement", "dose"]),
            variance_shares(teeth(), "length", ["supplement", "dose"]),
        )

    @pytest.mark.parametrize("cell", [("VC", 1.0), ("OJ", 2.0)])
    def test_a_missing_combination_is_named(self, cell):
        supplement, dose = cell
        frame = teeth().query("not (supplement == @supplement and dose == @dose)")
        with pytest.raises(ValueError, match=f"no line with supplement='{supplement}', dose={dose}; drop a level"):
            variance_shares(frame, "length", ["supplement", "dose"])

    def test_an_unbalanced_combination_is_named(self):
        with pytest.raises(
            ValueError, match="9 lines with supplement='VC', dose=0.5, 10 with supplement='VC', dose=1.0"
        ):
            variance_shares(teeth().drop(index=3), "length", ["supplement", "dose"])

    @pytest.mark.parametrize(
        ("factors", "message"),
        [
            ([], r"factors must be a list of different columns, without 'length'; it is \[\]"),
            ("dose", "factors must be a list of different columns, without 'length'; it is 'dose'"),
            (["dose", "dose"], "factors must be a list of different columns"),
            (["dose", "length"], "factors must be a list of different columns"),
            (["dose", "sex"], r"no column 'sex'; it has \['supplement', 'dose', 'length'\]"),
        ],
    )
    def test_bad_factors(self, factors, message):
        with pytest.raises(ValueError, match=message):
            variance_shares(teeth(), "length", factors)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"length": 0.1}, "no variance to share out: 'length' is 0.1 in all 60 lines"),
            ({"length": [np.nan, np.inf] + [1.0] * 58}, "2 of 60 lines have no finite 'length'; drop them"),
            ({"length": "long"}, "'length' must hold numbers"),
            ({"dose": [None] * 3 + [1.0] * 57}, "3 lines have no 'dose'; drop them"),
        ],
    )
    def test_bad_values(self, change, message):
        with pytest.raises(ValueError, match=message):
            variance_shares(teeth().assign(**change), "length", ["supplement", "dose"])

    def test_no_lines(self):
        with pytest.raises(ValueError, match="no lines"):
            variance_shares(teeth()[:0], "length", ["dose"])


class TestBeyondNoise:
    """Differences larger than their standard errors."""

    @given(st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 10)), min_size=1), st.sampled_from([1, 2.5, 3]))
    def test_equals_comparing(self, pairs, z):
        differences, errors = zip(*pairs, strict=True)
        expected = [abs(difference) > z * error for difference, error in pairs]
        assert beyond_noise(differences, errors, z).tolist() == expected

    def test_two_standard_errors_unless_told(self):
        found = beyond_noise(np.array([1.95, 1.97, -1.97, -1.95]), 1.0)
        assert found.dtype == bool
        assert found.tolist() == [False, True, True, False]

    def test_noise_of_floats_is_no_difference(self):
        assert beyond_noise([0.1 + 0.2 - 0.3, 1e-6], [0.0, 0.0]).tolist() == [False, True]

    def test_nothing_is_known_without_an_error(self):
        assert beyond_noise([5.0, 5.0], [np.nan, 0.1]).tolist() == [False, True]

    def test_series_must_match(self):
        difference, error = pd.Series([1.0, 5.0], index=["a", "b"]), pd.Series([2.0, 0.1], index=["b", "a"])
        with pytest.raises(ValueError, match="different indices; reindex"):
            beyond_noise(difference, error)
        assert beyond_noise(difference, error.reindex(difference.index)).tolist() == [True, True]

    def test_negative_errors(self):
        with pytest.raises(ValueError, match="cannot be negative; the smallest is -0.5"):
            beyond_noise([1, 2], [-0.5, np.nan])
