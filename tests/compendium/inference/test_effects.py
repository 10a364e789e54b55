"""Intervals over groups and effects, against putting resamples together by hand."""

import math
from itertools import product
from statistics import mean, median

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from compendium.inference import bootstrap_interval, effects, effects_if_several

STATISTICS = {"mean": mean, "median": median}
grouped_values = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(-50, 50)), min_size=2, max_size=30).filter(
    lambda pairs: len({group for group, _ in pairs}) > 1
)


def members_by_hand(values, groups):
    members = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(value)
    return members


def quantile_by_hand(numbers, share):
    ordered, place = sorted(numbers), share * (len(numbers) - 1)
    low = min(int(place), len(numbers) - 2)
    return ordered[low] + (place - low) * (ordered[low + 1] - ordered[low])


def tail_by_hand(n_groups, level):
    """Where a normal mean would be as far out as the ends of Student's interval, its variance shrunk by resampling."""
    student = stats.t(n_groups - 1).interval(level)[1]
    return stats.norm.sf(student / math.sqrt(1 - 1 / n_groups))


def interval_by_hand(values, groups, statistic, n_resamples, level, seed):
    """Each resample written out: the values of a group as often as it was drawn."""
    members = members_by_hand(values, groups)
    draws = np.random.RandomState(seed).multinomial(len(members), [1 / len(members)] * len(members), size=n_resamples)
    found = []
    for draw in draws:
        sample = []
        for times, own in zip(draw, members.values(), strict=True):
            sample += own * int(times)
        found.append(STATISTICS[statistic](sample))
    tail = tail_by_hand(len(members), level)
    return [STATISTICS[statistic](values), quantile_by_hand(found, tail), quantile_by_hand(found, 1 - tail)]


def study(seed=0, n_datasets=8, n_models=3):
    random = np.random.RandomState(seed)
    index = pd.MultiIndex.from_product(
        [[f"d{i}" for i in range(n_datasets)], [f"m{i}" for i in range(n_models)]], names=["dataset", "model"]
    )
    values = random.randint(0, 5, size=(len(index), 3)) / 10 + random.rand(n_datasets).repeat(n_models)[:, None].round(
        1
    )
    return pd.DataFrame(values.round(1), index=index, columns=pd.Index(["plain", "new", "other"], name="technique"))


class TestBootstrap:
    """The interval of a statistic."""

    @pytest.mark.parametrize("statistic", STATISTICS)
    @settings(max_examples=40)
    @given(pairs=grouped_values, seed=st.integers(0, 99), level=st.sampled_from([0.5, 0.9, 0.95]))
    def test_equals_resamples_by_hand(self, statistic, pairs, seed, level):
        groups, values = zip(*pairs, strict=True)
        found = bootstrap_interval(values, groups, statistic, n_resamples=30, level=level, random_state=seed)
        assert found.tolist() == pytest.approx(interval_by_hand(values, groups, statistic, 30, level, seed))
        assert list(found.index) == ["estimate", "low", "high"]

    @pytest.mark.parametrize("statistic", STATISTICS)
    def test_comes_near_all_possible_resamples(self, statistic):
        """Four groups can be drawn in 256 ways, all as likely."""
        members = {"a": [1, 2, 2], "b": [5], "c": [3, 9, 4, 4], "d": [12, 0]}
        values = [value for own in members.values() for value in own]
        groups = [group for group, own in members.items() for _ in own]
        possible = [
            STATISTICS[statistic]([value for group in drawn for value in members[group]])
            for drawn in product(members, repeat=4)
        ]
        found = bootstrap_interval(values, groups, statistic, n_resamples=20000, level=0.8)
        tail = tail_by_hand(4, 0.8)
        assert found["low"] == pytest.approx(quantile_by_hand(possible, tail), abs=0.1)
        assert found["high"] == pytest.approx(quantile_by_hand(possible, 1 - tail), abs=0.1)

    @pytest.mark.parametrize("statistic", STATISTICS)
    def test_more_of_the_same_in_each_group_does_not_narrow_it(self, statistic):
        values, groups = np.random.RandomState(0).rand(20), np.arange(20) % 5
        once = bootstrap_interval(values, groups, statistic)
        often = bootstrap_interval(np.repeat(values, 10), np.repeat(groups, 10), statistic)
        alone = bootstrap_interval(np.repeat(values, 10), np.arange(200), statistic)
        assert often.tolist() == pytest.approx(once.tolist())
        assert alone["high"] - alone["low"] < 0.8 * (once["high"] - once["low"])

    @pytest.mark.parametrize("n_groups", [5, 10, 40])
    def test_covers_the_truth_about_as_often_as_promised(self, n_groups):
        random, covered = np.random.RandomState(1), 0
        for number in range(300):
            values = random.randn(n_groups).repeat(5) + random.randn(5 * n_groups)
            interval = bootstrap_interval(values, np.arange(n_groups).repeat(5), n_resamples=2000, random_state=number)
            covered += interval["low"] <= 0 <= interval["high"]
        assert 0.91 <= covered / 300 <= 0.985

    def test_defaults(self):
        values, groups = np.random.RandomState(2).rand(30), np.arange(30) // 4
        expected = interval_by_hand(values.tolist(), groups, "mean", 10000, 0.95, seed=0)
        assert bootstrap_interval(values, groups).tolist() == pytest.approx(expected)

    def test_random_state(self):
        values, groups = np.random.RandomState(2).rand(30), np.arange(30)
        state = np.random.RandomState(5)
        first, second = (bootstrap_interval(values, groups, random_state=state) for _ in range(2))
        assert first.equals(bootstrap_interval(values, groups, random_state=5))
        assert not first.equals(second)

    @pytest.mark.parametrize(
        ("values", "groups", "options", "message"),
        [
            ([1, 2], ["a", "b"], {"statistic": "mode"}, "statistic must be 'mean' or 'median'; it is 'mode'"),
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


class TestEffects:
    """Differences from a reference."""

    @pytest.mark.parametrize("seed", range(5))
    def test_equal_counting(self, seed):
        table = study(seed)
        found = effects(table, "plain", "dataset", n_resamples=50, level=0.9, random_state=seed)
        assert list(found.columns) == ["difference", "low", "high", "rank_biserial", "share_smaller"]
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
            assert line.tolist() == pytest.approx(
                [*interval_by_hand(differences, groups, "mean", 50, 0.9, seed), (up - down) / sum(ranks), smaller]
            )

    def test_extremes(self):
        table = pd.DataFrame({"reference": [1.0, 2, 3, 4]})
        table = table.assign(below=table["reference"] - 0.5, above=table["reference"] + [1, 2, 3, 4])
        table = table.assign(same=table["reference"])
        found = effects(table, "reference", [0, 0, 1, 1])
        assert found["rank_biserial"].to_dict() == {"below": -1, "above": 1, "same": 0}
        assert found["share_smaller"].to_dict() == {"below": 1, "above": 0, "same": 0.5}
        assert found.loc["same", ["difference", "low", "high"]].tolist() == [0, 0, 0]
        assert found.loc["below", ["difference", "low", "high"]].tolist() == [-0.5, -0.5, -0.5]
        assert found.loc["above", ["difference", "low", "high"]].tolist() == [2.5, 1.5, 3.5]

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
