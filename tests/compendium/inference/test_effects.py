"""Intervals over groups, tests and effects, against resamples put together by hand and against other packages."""

import itertools
import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired

from compendium.inference import (
    bootstrap_interval,
    coverage_table,
    detectable,
    effects,
    effects_if_several,
    grouped_mean,
    stands_out,
)

grouped_values = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(-50, 50)), min_size=2, max_size=30).filter(
    lambda pairs: len({group for group, _ in pairs}) > 1
)


def mean(numbers):
    return sum(numbers) / len(numbers)


def members_by_hand(values, groups):
    members = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(value)
    return list(members.values())


def mean_and_se_by_hand(members):
    """The mean over all values; how far sums of groups are from what their sizes promise gives its standard error."""
    center = mean([value for own in members for value in own])
    squares = [sum(value - center for value in own) ** 2 for own in members]
    n_groups, total = len(members), sum(len(own) for own in members)
    return center, math.sqrt(n_groups / (n_groups - 1) * sum(squares)) / total


def resampled_by_hand(values, groups, n_resamples, seed):
    """Each resample written out: a group as often as it was drawn; those whose groups agree have no ratio."""
    members = members_by_hand(values, groups)
    draws = np.random.RandomState(seed).multinomial(len(members), [1 / len(members)] * len(members), size=n_resamples)
    center, whole_se = mean_and_se_by_hand(members)
    ratios = []
    for draw in draws:
        drawn, se = mean_and_se_by_hand([own for times, own in zip(draw, members, strict=True) for _ in range(times)])
        if se > 1e-6 * whole_se:
            ratios.append((drawn - center) / se)
    return ratios


def quantile_by_hand(numbers, share):
    ordered, place = sorted(numbers), share * (len(numbers) - 1)
    low = min(int(place), len(numbers) - 2)
    return ordered[low] + (place - low) * (ordered[low + 1] - ordered[low])


def interval_by_hand(values, groups, n_resamples, level, seed):
    center, se = mean_and_se_by_hand(members_by_hand(values, groups))
    if se < 1e-7:
        return [center, center, center]
    student = stats.t(len(set(groups)) - 1).interval(level)[1]
    ratios = resampled_by_hand(values, groups, n_resamples, seed)
    ends = (
        [quantile_by_hand(ratios, share) for share in ((1 - level) / 2, (1 + level) / 2)] if len(ratios) > 1 else [0, 0]
    )
    return [center, center - max(ends[1], student) * se, center - min(ends[0], -student) * se]


def study(seed=0, n_datasets=8, n_models=3):
    random = np.random.RandomState(seed)
    index = pd.MultiIndex.from_product(
        [[f"d{i}" for i in range(n_datasets)], [f"m{i}" for i in range(n_models)]], names=["dataset", "model"]
    )
    values = random.randint(0, 5, size=(len(index), 3)) / 10 + random.rand(n_datasets).repeat(n_models)[:, None].round(
        1
    )
    return pd.DataFrame(values.round(1), index=index, columns=pd.Index(["plain", "new", "other"], name="technique"))


class TestInterval:
    """The interval of a mean over groups."""

    @settings(max_examples=60)
    @given(pairs=grouped_values, seed=st.integers(0, 99), level=st.sampled_from([0.5, 0.9, 0.95]))
    def test_equals_resamples_by_hand(self, pairs, seed, level):
        groups, values = zip(*pairs, strict=True)
        found = bootstrap_interval(values, groups, n_resamples=30, level=level, random_state=seed)
        assert found.tolist() == pytest.approx(interval_by_hand(values, groups, 30, level, seed), abs=1e-6)
        assert list(found.index) == ["estimate", "low", "high"]

    def test_more_of_the_same_in_each_group_does_not_narrow_it(self):
        values, groups = np.random.RandomState(0).rand(20), np.arange(20) % 5
        once = bootstrap_interval(values, groups)
        often = bootstrap_interval(np.repeat(values, 10), np.repeat(groups, 10))
        alone = bootstrap_interval(np.repeat(values, 10), np.arange(200))
        assert often.tolist() == pytest.approx(once.tolist())
        assert alone["high"] - alone["low"] < 0.8 * (once["high"] - once["low"])

    @pytest.mark.parametrize("n_groups", [2, 3, 7])
    def test_reaches_at_least_as_far_as_students(self, n_groups):
        values = np.random.RandomState(n_groups).rand(n_groups)
        found = bootstrap_interval(values, range(n_groups))
        low, high = stats.ttest_1samp(values, 0).confidence_interval()
        assert found["low"] <= low + 1e-12
        assert found["high"] >= high - 1e-12

    @pytest.mark.parametrize("draw", ["standard_normal", "standard_exponential"])
    def test_misses_about_as_often_as_promised_where_students_misses_a_skewed_mean_twice_as_often(self, draw):
        random = np.random.default_rng(1)
        truth = {"standard_normal": 0, "standard_exponential": 1}[draw]
        samples = getattr(random, draw)((800, 10))
        ends = [grouped_mean(sample, range(10), 2000).interval(0.95) for sample in samples]
        missed = np.mean([not low <= truth <= high for low, high in ends])
        student = stats.ttest_1samp(samples, truth, axis=1).pvalue < 0.05
        assert 0.02 < missed < 0.08
        assert draw == "standard_normal" or student.mean() > 0.09

    def test_defaults(self):
        values, groups = np.random.RandomState(2).rand(30), np.arange(30) // 4
        drawn = bootstrap_interval(values, groups, n_resamples=200_000, level=0.95, random_state=0)
        assert bootstrap_interval(values, groups).to_numpy() == pytest.approx(drawn.to_numpy(), abs=0.002)

    def test_all_resamples_of_few_groups_are_listed_with_their_probabilities(self):
        values, groups = np.array([0.1, 0.9, 0.4, 0.7, 0.2, 0.6]), np.array([0, 0, 1, 2, 2, 3])
        ratios, center = [], values.mean()
        members = [values[groups == one] for one in range(4)]
        for drawn in itertools.product(range(4), repeat=4):  # each with the same probability
            mean, se = mean_and_se_by_hand([members[one] for one in drawn])
            if se > 1e-6:
                ratios.append((mean - center) / se)
        found = grouped_mean(values, groups)
        assert len(found.resampled) == 35 - 4  # multisets of four of four, less those of one group
        assert np.sort(np.unique(found.resampled.round(9))) == pytest.approx(np.unique(np.round(ratios, 9)))
        for cut in np.linspace(-3, 3, 13):
            share = found.weights[found.resampled >= cut].sum()
            assert share == pytest.approx(np.mean(np.array(ratios) >= cut))
        assert grouped_mean(values, groups, random_state=1).interval(0.9) == found.interval(0.9)

    def test_random_state(self):
        values, groups = np.random.RandomState(2).rand(30), np.arange(30)
        state = np.random.RandomState(5)
        first, second = (bootstrap_interval(values, groups, random_state=state) for _ in range(2))
        assert first.equals(bootstrap_interval(values, groups, random_state=5))
        assert not first.equals(second)

    @pytest.mark.parametrize(
        ("values", "groups", "options", "message"),
        [
            ([1, 2], ["a", "b"], {"n_resamples": 0}, "n_resamples must be at least 1; it is 0"),
            ([1, 2], ["a", "b"], {"level": 95}, "level must lie between 0 and 1; it is 95"),
            ([1, 2, 3], ["a", "b"], {}, r"one group for each value; there are 2 for shape \(3,\)"),
            ([[1, 2]], ["a"], {}, r"one group for each value; there are 1 for shape \(1, 2\)"),
            ([1, 2], ["a", "a"], {}, r"at least 2 groups; there is only \['a'\]"),
            ([1, np.nan, np.inf], ["a", "b", "c"], {}, "2 of 3 values are missing, infinite or without a group; drop"),
            ([1, 2, 3], ["a", None, "c"], {}, "1 of 3 values are missing, infinite or without a group; drop"),
        ],
    )
    def test_bad_input(self, values, groups, options, message):
        with pytest.raises(ValueError, match=message):
            bootstrap_interval(values, groups, **options)


class TestPValues:
    """Tests of a mean over groups: of no difference, and of none that matters."""

    @settings(max_examples=60)
    @given(pairs=grouped_values, value=st.integers(-20, 20), seed=st.integers(0, 9))
    def test_are_shares_of_resamples_and_at_least_students(self, pairs, value, seed):
        groups, values = zip(*pairs, strict=True)
        center, se = mean_and_se_by_hand(members_by_hand(values, groups))
        assume(se > 1e-6)
        ratio, ratios = (center - value) / se, resampled_by_hand(values, groups, 30, seed)
        assume(all(abs(abs(other) - abs(ratio)) > 1e-9 for other in ratios))
        df = len(set(groups)) - 1
        above = max(
            (1 + sum(other >= ratio for other in ratios)) / (1 + len(ratios)) if ratios else 0, stats.t.sf(ratio, df)
        )
        below = max(
            (1 + sum(other <= ratio for other in ratios)) / (1 + len(ratios)) if ratios else 0, stats.t.cdf(ratio, df)
        )
        found = grouped_mean(values, groups, 30, seed)
        assert found.p_above(value) == pytest.approx(above)
        assert found.p_below(value) == pytest.approx(below)
        assert found.p_value(value) == pytest.approx(min(1, 2 * above, 2 * below))

    @pytest.mark.parametrize("seed", range(4))
    def test_come_near_students_for_many_groups(self, seed):
        values = np.random.default_rng(seed).normal(0.1, 1, size=200)
        found = grouped_mean(values, range(200))
        assert found.p_value() == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=0.2, abs=0.005)
        equal, *_ = ttost_paired(values, np.zeros(200), -0.25, 0.25)
        assert found.p_equivalent(0.25) == pytest.approx(equal, rel=0.2, abs=0.005)

    def test_agree_with_the_intervals(self):
        """A test at 5 % and an interval at 95 % say the same; equivalence at 5 % is an interval at 90 % inside."""
        for seed in range(60):
            values = np.random.default_rng(seed).exponential(size=8) - 0.6
            found = grouped_mean(values, range(8), 4000)
            low, high = found.interval(0.95)
            assert (found.p_value() < 0.05) == (not low <= 0 <= high) or 0.045 < found.p_value() < 0.055
            low, high = found.interval(0.9)
            p = found.p_equivalent(0.8)
            assert (p < 0.05) == (low > -0.8 and high < 0.8) or 0.045 < p < 0.055

    def test_groups_that_agree_leave_no_doubt(self):
        found = grouped_mean([0.5, 0.5, 0.5], [1, 2, 3])
        assert (found.p_value(), found.p_equivalent(0.6), found.p_equivalent(0.4)) == (0, 0, 1)
        assert grouped_mean([0.0, 0.0], [1, 2]).p_value() == 1

    @pytest.mark.parametrize(
        ("n", "level", "power"), [(7, 0.95, 0.8), (10, 0.999, 0.8), (20, 0.95, 0.9), (20, 0.999, 0.8)]
    )
    def test_the_smallest_detectable_mean_is_that_of_statsmodels(self, n, level, power):
        expected = TTestPower().solve_power(nobs=n, alpha=1 - level, power=power)
        assert detectable(1 / math.sqrt(n), n, level, power) == pytest.approx(expected, rel=1e-4)

    def test_a_power_that_a_test_always_has_is_refused(self):
        with pytest.raises(ValueError, match=r"power must lie between 1 - level = 0.05 and 1; it is 0.01"):
            detectable(1, 10, power=0.01)


class TestCoverage:
    """The simulation that chooses among intervals."""

    def test_counts_intervals_that_miss_the_mean(self):
        population = np.random.default_rng(0).lognormal(size=400)
        found = coverage_table([population], (6, 12), n_runs=150).set_index(["n_groups", "interval"])
        rng, missed = np.random.default_rng(0), 0
        for _ in range(150):
            sample = rng.choice(population, 6)
            missed += stats.ttest_1samp(sample, population.mean()).pvalue < 0.05
            stats.bootstrap((sample,), np.mean, n_resamples=999, method="BCa", rng=rng)
        assert found.loc[(6, "Student's t")].to_list() == pytest.approx([missed / 150, missed / 150, 1])
        ours = found.xs("studentised bootstrap", level="interval")
        assert (ours["missed"] < found.xs("Student's t", level="interval")["missed"]).all()
        assert (ours["width"] > 1).all()

    def test_skews_of_both_signs_do_not_cancel(self):
        skewed = np.random.default_rng(0).lognormal(size=20)
        alone = coverage_table([skewed], (10,), n_runs=300)
        both = coverage_table([skewed, -skewed], (10,), n_runs=300)
        mixed = coverage_table([np.concatenate([skewed - skewed.mean(), skewed.mean() - skewed])], (10,), n_runs=300)
        student = [one.set_index("interval")["missed"]["Student's t"] for one in (alone, both, mixed)]
        assert student[1] == pytest.approx(student[0], abs=0.04)
        assert student[2] < student[0] - 0.05
        assert (both["most"] >= both["missed"]).all()


class TestStandsOut:
    """One draw among others."""

    @pytest.mark.parametrize("seed", range(3))
    def test_equals_all_assignments_by_hand(self, seed):
        rng = np.random.default_rng(seed)
        table = pd.DataFrame(rng.normal(size=(4, 3)), columns=["a", "b", "new"])
        table.loc[1, "a"] = np.nan
        blocks = [row[~np.isnan(row)] for row in table.to_numpy()]
        gaps = [[value - np.delete(row, place).mean() for place, value in enumerate(row)] for row in blocks]
        observed = mean([row[-1] for row in gaps])
        possible = [mean(chosen) for chosen in product(*gaps)]
        found = stands_out(table, "new", n_resamples=20000)
        share = mean([abs(value) >= abs(observed) - 1e-12 for value in possible])
        assert found["difference"] == pytest.approx(observed)
        assert found["p_value"] == pytest.approx(share, abs=0.015)

    def test_a_draw_like_the_others_seldom_stands_out_and_another_does(self):
        rng = np.random.default_rng(0)
        p_values = [
            stands_out(pd.DataFrame(rng.normal(size=(8, 5))), 2, n_resamples=199)["p_value"] for _ in range(300)
        ]
        assert 0.01 < np.mean(np.array(p_values) <= 0.05) < 0.1
        other = pd.DataFrame(rng.normal(size=(8, 5))).assign(new=5.0)
        found = stands_out(other, "new")
        assert found["p_value"] < 0.001
        assert (found["rank"], found["n_draws"]) == (6, 6)

    def test_bad_input(self):
        table = pd.DataFrame({"a": [1.0, 2], "b": [np.nan, 1]})
        with pytest.raises(ValueError, match=r"one of \['a', 'b'\]; it is 'c'"):
            stands_out(table, "c")
        for reference in "ab":
            with pytest.raises(ValueError, match=f"each block needs '{reference}' and another draw"):
                stands_out(table, reference)


class TestEffects:
    """Differences from a reference."""

    @pytest.mark.parametrize("seed", range(5))
    def test_equal_counting(self, seed):
        table = study(seed)
        found = effects(table, "plain", "dataset", n_resamples=50, level=0.9, random_state=seed)
        assert {"difference", "low", "high", "rank_biserial", "share_smaller"} <= set(found.columns)
        assert list(found.index) == ["new", "other"]
        assert found.index.name == "technique"
        groups = [dataset for dataset, _ in table.index]
        for name, line in found.iterrows():
            differences = [round(a - b, 6) for a, b in zip(table[name], table["plain"], strict=True)]
            assert 0 in differences
            sizes = [abs(difference) for difference in differences]
            ranks = [sum(o < s for o in sizes) + (sum(o == s for o in sizes) + 1) / 2 for s in sizes]
            up = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
            down = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference < 0)
            smaller = sum(1.0 if d < 0 else 0.5 if d == 0 else 0 for d in differences) / len(differences)
            columns = ["difference", "low", "high", "rank_biserial", "share_smaller"]
            assert line[columns].tolist() == pytest.approx(
                [*interval_by_hand(differences, groups, 50, 0.9, seed), (up - down) / sum(ranks), smaller]
            )
            joint = interval_by_hand(differences, groups, 50, 1 - 0.1 / 2, seed)
            assert line[["difference", "joint_low", "joint_high"]].tolist() == pytest.approx(joint)

    def test_joint_intervals_hold_for_as_many_comparisons_as_are_made(self):
        table = study()
        few, many = effects(table, "plain", "dataset"), effects(table, "plain", "dataset", n_comparisons=40)
        alone = effects(table, "plain", "dataset", level=1 - 0.05 / 40)
        assert many[["joint_low", "joint_high"]].to_numpy() == pytest.approx(alone[["low", "high"]].to_numpy())
        assert (many["joint_high"] > few["joint_high"]).all()
        assert (few["joint_high"] > few["high"]).all()
        assert (many["detectable"] > few["detectable"]).all()

    def test_tests_are_those_of_the_mean_over_groups(self):
        table = study()
        found = effects(table, "plain", "dataset", margin=0.2).loc["new"]
        alone = grouped_mean((table["new"] - table["plain"]).round(12), table.index.get_level_values("dataset"))
        assert found["p_value"] == alone.p_value()
        assert found["p_equivalent"] == alone.p_equivalent(0.2)
        assert found["detectable"] == pytest.approx(detectable(alone.se, 8, 1 - 0.05 / 2))
        assert np.isnan(effects(table, "plain", "dataset").loc["new", "p_equivalent"])

    def test_extremes(self):
        table = pd.DataFrame({"reference": [1.0, 2, 3, 4]})
        table = table.assign(below=table["reference"] - 0.5, above=table["reference"] + [1, 2, 3, 4])
        table = table.assign(same=table["reference"])
        found = effects(table, "reference", [0, 0, 1, 1])
        assert found["rank_biserial"].to_dict() == {"below": -1, "above": 1, "same": 0}
        assert found["share_smaller"].to_dict() == {"below": 1, "above": 0, "same": 0.5}
        assert found.loc["same", ["difference", "low", "high"]].tolist() == [0, 0, 0]
        assert found.loc["below", ["difference", "low", "high"]].tolist() == [-0.5, -0.5, -0.5]
        half = 1 * stats.t(1).interval(0.95)[1]  # of 1.5 and 3.5, the two groups
        assert found.loc["above", ["difference", "low", "high"]].tolist() == pytest.approx(
            [2.5, 2.5 - half, 2.5 + half]
        )

    def test_groups_by_name_or_by_value(self):
        table = study()
        by_name = effects(table, "new", "dataset")
        pd.testing.assert_frame_equal(by_name, effects(table, "new", [dataset for dataset, _ in table.index]))
        assert not by_name.equals(effects(table, "new", "model"))

    def test_noise_does_not_break_ties(self):
        table = pd.DataFrame({"a": [0.1 + 0.2, 1.0], "b": [0.3, 1.0]})
        assert effects(table, "a", [0, 1]).loc["b", ["rank_biserial", "share_smaller"]].tolist() == [0, 0.5]

    def test_unknown_reference(self):
        with pytest.raises(ValueError, match=r"one of \['plain', 'new', 'other'\]; it is 'old'"):
            effects(study(), "old", "dataset")

    def test_unknown_level(self):
        with pytest.raises(
            ValueError, match=r"level of the table's index, one of \['dataset', 'model'\]; it is 'data'"
        ):
            effects(study(), "plain", "data")

    def test_too_few_groups(self):
        with pytest.raises(ValueError, match=r"one group for each value; there are 3"):
            effects(study(), "plain", [1, 2, 3])


class TestOneGroup:
    """A single data set has a difference, and no interval."""

    def test_bare_differences_where_there_is_one_group(self):
        index = pd.MultiIndex.from_product([["iris"], ["tree", "svm"]], names=["dataset", "model"])
        table = pd.DataFrame({"plain": [3.0, 4.0], "new": [2.0, 4.0]}, index=index)
        found = effects_if_several(table, "plain", "dataset")
        assert found["difference"].to_dict() == {"new": -0.5}
        assert found[["low", "high"]].isna().all(axis=None)
        assert effects_if_several(table, "plain", "model").equals(effects(table, "plain", "model"))
