"""What all functions of tables refuse, and what must not matter to them."""

import numpy as np
import pandas as pd
import pytest

from compendium import inference

FUNCTIONS = {
    "friedman": inference.friedman,
    "mean_ranks": inference.mean_ranks,
    "critical_difference": inference.critical_difference,
    "indistinguishable": inference.indistinguishable,
    "wins": inference.wins,
    "pairwise": inference.pairwise,
    "effects": lambda table: inference.effects(table, table.columns[0], np.arange(len(table))),
}
every_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


def table(n_blocks=12, names="abcd", seed=0):
    values = np.random.RandomState(seed).randint(0, 6, size=(n_blocks, len(names))) / 10
    return pd.DataFrame(values, columns=list(names))


def as_frame(result):
    return pd.DataFrame(result if isinstance(result, list | pd.Series | pd.DataFrame) else [result])


@every_function
class TestEveryFunction:
    """The contract of a table."""

    def test_missing_values_are_named(self, function):
        holed = table()
        holed.loc[[1, 3, 4], "b"] = np.nan
        holed.loc[3, "d"] = np.nan
        with pytest.raises(ValueError, match=r"3 blocks lack 'b', 1 block lacks 'd'; drop those blocks"):
            function(holed)
        function(holed.dropna())

    def test_infinite_values(self, function):
        endless = table()
        endless.loc[[2, 5], "a"] = [np.inf, -np.inf]
        with pytest.raises(ValueError, match="2 of 12 blocks have an infinite value; drop"):
            function(endless)

    def test_text(self, function):
        with pytest.raises(ValueError, match="not numbers, convert or drop them: 'b'"):
            function(table().assign(b="0.1"))

    def test_a_technique_twice(self, function):
        with pytest.raises(ValueError, match="rename the techniques that occur twice: 'b'"):
            function(table(names="abcb"))

    @pytest.mark.parametrize(("n_blocks", "names"), [(0, "abc"), (5, "a")])
    def test_too_small(self, function, n_blocks, names):
        with pytest.raises(ValueError, match=rf"at least 1 block .* its shape is \({n_blocks}, {len(names)}\)"):
            function(table(n_blocks, names))

    def test_order_and_names_of_blocks_do_not_matter(self, function):
        plain = table()
        named = plain.set_axis(pd.MultiIndex.from_product([list("xyz"), range(4)], names=["data", "model"]))
        pd.testing.assert_frame_equal(as_frame(function(named)), as_frame(function(plain)))
        if function is not FUNCTIONS["effects"]:  # whose groups stay where they are
            shuffled = named.sample(frac=1, random_state=1)
            pd.testing.assert_frame_equal(as_frame(function(shuffled)), as_frame(function(plain)))

    def test_noise_of_floats_does_not_matter(self, function):
        noisy = table() + np.random.RandomState(1).choice([-1e-15, 0, 1e-15], size=(12, 4))
        assert not noisy.equals(table())
        pd.testing.assert_frame_equal(as_frame(function(noisy)), as_frame(function(table())))

    def test_the_table_is_left_alone(self, function):
        given = table()
        function(given)
        pd.testing.assert_frame_equal(given, table())

    def test_integers_that_could_be_missing(self, function):
        whole = (table() * 10).round().astype("Int64")
        pd.testing.assert_frame_equal(as_frame(function(whole)), as_frame(function(whole.astype(float))))


def test_a_list_is_not_a_table():
    with pytest.raises(ValueError, match="must be a DataFrame with a column per technique; it is a list"):
        inference.mean_ranks([[1, 2], [3, 4]])
