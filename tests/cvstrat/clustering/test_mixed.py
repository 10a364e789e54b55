"""Mixed attributes: distances, centres and reading, against loops over single values."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from cvstrat.clustering import MixedRows, mixed_rows

quick = settings(max_examples=80)
NAN = math.nan


@st.composite
def tables(draw, max_rows=12):
    """Scaled values and codes, with missing ones; from none to three columns of each."""
    n_rows = draw(st.integers(1, max_rows))
    n_continuous, n_discrete = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    value = st.one_of(st.just(NAN), st.sampled_from([0.0, 0.25, 1.0]), st.floats(0, 1))
    code = st.integers(-1, 3)
    continuous = [[draw(value) for _ in range(n_continuous)] for _ in range(n_rows)]
    discrete = [[draw(code) for _ in range(n_discrete)] for _ in range(n_rows)]
    return (
        np.array(continuous, dtype=float).reshape(n_rows, n_continuous),
        np.array(discrete, dtype=int).reshape(n_rows, n_discrete),
    )


def squared_by_hand(continuous, discrete, other_continuous, other_discrete):
    """The sum over attributes, one row against one row."""
    total = 0.0
    for a, b in zip(continuous, other_continuous, strict=True):
        total += 1.0 if math.isnan(a) or math.isnan(b) else (a - b) ** 2
    for a, b in zip(discrete, other_discrete, strict=True):
        total += 0.0 if a == b and a != -1 else 1.0
    return total


def center_by_hand(continuous, discrete):
    means, modes = [], []
    for column in continuous.T.tolist():
        known = [value for value in column if not math.isnan(value)]
        means.append(sum(known) / len(known) if known else NAN)
    for column in discrete.T.tolist():
        known = [code for code in column if code != -1]
        modes.append(max(sorted(set(known)), key=known.count) if known else -1)
    return means, modes


class TestDistances:
    """The squared distance of each row to each other."""

    @quick
    @given(tables())
    def test_equal_a_double_loop(self, table):
        continuous, discrete = table
        rows = MixedRows(continuous, discrete)
        found = rows.squared_distance(rows[::2])
        assert found.shape == (len(rows), len(rows[::2]))
        for here in range(len(rows)):
            for place, there in enumerate(range(0, len(rows), 2)):
                expected = squared_by_hand(continuous[here], discrete[here], continuous[there], discrete[there])
                assert found[here, place] == pytest.approx(expected, rel=1e-12, abs=1e-15)

    @pytest.mark.parametrize("missing", ["here", "there"])
    def test_missing_on_one_side_only(self, missing):
        known, unknown = MixedRows(np.array([[0.5]]), np.array([[2]])), MixedRows(np.array([[NAN]]), np.array([[-1]]))
        one, other = (unknown, known) if missing == "here" else (known, unknown)
        assert one.squared_distance(other).tolist() == [[2.0]]

    def test_missing_differs_from_missing(self):
        rows = MixedRows(np.array([[NAN, 0.0]]), np.array([[-1, 1]]))
        assert rows.squared_distance(rows).tolist() == [[2.0]]

    def test_blocks_do_not_matter(self, monkeypatch):
        random = np.random.RandomState(0)
        rows = MixedRows(np.where(random.rand(23, 2) < 0.2, NAN, random.rand(23, 2)), random.randint(-1, 3, (23, 2)))
        expected = rows.squared_distance(rows)
        monkeypatch.setattr("cvstrat.clustering._mixed._BLOCK", 5)
        assert rows.squared_distance(rows).tolist() == expected.tolist()

    @quick
    @given(tables())
    def test_rows_are_taken_by_index_mask_and_slice(self, table):
        rows = MixedRows(*table)
        for chosen in (slice(1, None), np.arange(len(rows))[::-1], [0]):
            part = rows[chosen]
            np.testing.assert_array_equal(part.continuous, table[0][chosen])
            np.testing.assert_array_equal(part.discrete, table[1][chosen])


class TestCenter:
    """The mean of what is known, or the most frequent."""

    @quick
    @given(tables())
    def test_equals_a_loop(self, table):
        center = MixedRows(*table).center()
        means, modes = center_by_hand(*table)
        assert center.continuous[0].tolist() == pytest.approx(means, rel=1e-12, abs=1e-15, nan_ok=True)
        assert center.discrete[0].tolist() == modes
        assert len(center) == 1

    def test_known_values(self):
        rows = MixedRows(np.array([[0.0, NAN], [0.5, NAN], [NAN, NAN]]), np.array([[3, -1], [3, -1], [0, -1]]))
        center = rows.center()
        assert center.continuous[0, 0] == 0.25
        assert np.isnan(center.continuous[0, 1])
        assert center.discrete.tolist() == [[3, -1]]

    def test_of_equally_frequent_values_the_first_code(self):
        assert MixedRows(np.empty((4, 0)), np.array([[2], [1], [2], [1]])).center().discrete.tolist() == [[1]]


class TestValues:
    """All attributes in one array."""

    @quick
    @given(tables())
    def test_hold_every_attribute(self, table):
        expected = np.hstack([table[0], table[1].astype(float)])
        np.testing.assert_array_equal(MixedRows(*table).values(), expected)


class TestReading:
    """From arrays and data frames to mixed rows."""

    def test_numbers_are_scaled(self):
        rows = mixed_rows([[0, 10], [5, -10], [10, 0]])
        assert rows.continuous.tolist() == [[0.0, 1.0], [0.5, 0.0], [1.0, 0.5]]
        assert rows.discrete.shape == (3, 0)

    @quick
    @given(
        st.lists(
            st.one_of(st.none(), st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6)), min_size=1, max_size=15
        ).filter(lambda column: any(value is not None for value in column))
    )
    def test_any_column_is_scaled_by_its_known_values(self, column):
        known = [value for value in column if value is not None]
        low, width = min(known), max(known) - min(known)
        found = mixed_rows(pd.DataFrame({"a": pd.Series(column, dtype=float)})).continuous[:, 0]
        for value, scaled in zip(column, found.tolist(), strict=True):
            if value is None:
                assert math.isnan(scaled)
            else:
                assert scaled == pytest.approx((value - low) / width if width > 0 else 0.0, rel=1e-9, abs=1e-12)
                assert 0 <= scaled <= 1

    def test_constant_and_unknown_columns(self):
        rows = mixed_rows(np.array([[7.0, NAN, 1.0], [7.0, NAN, NAN]]))
        np.testing.assert_array_equal(rows.continuous, [[0.0, NAN, 0.0], [0.0, NAN, NAN]])

    def test_a_frame_says_itself_which_columns_are_discrete(self):
        frame = pd.DataFrame(
            {
                "word": ["b", None, "a"],
                "number": [1, 2, 3],
                "category": pd.Categorical(["x", "y", None], categories=["y", "x", "z"]),
                "flag": [True, False, True],
                "maybe": pd.array([True, pd.NA, False], dtype="boolean"),
                "string": pd.array(["q", "p", pd.NA], dtype="string"),
                "nullable": pd.array([4, pd.NA, 8], dtype="Int64"),
                "float": [0.5, NAN, 1.5],
            }
        )
        rows = mixed_rows(frame)
        np.testing.assert_array_equal(rows.continuous, [[0.0, 0.0, 0.0], [0.5, NAN, NAN], [1.0, 1.0, 1.0]])
        word, category, flag, maybe, string = rows.discrete.T.tolist()
        assert word == [1, -1, 0]
        assert category[2] == -1 and len({category[0], category[1], -1}) == 3
        assert flag == [1, 0, 1]
        assert maybe == [1, -1, 0]
        assert string == [1, 0, -1]

    @pytest.mark.parametrize("categorical", [[1, 2], [-2, -1], ["b", "c"], [False, True, True], ("c", "b")])
    def test_discrete_columns_by_name_index_or_mask(self, categorical):
        frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [5, 5, 4], "c": [0.1, 0.3, 0.2]})
        rows = mixed_rows(frame, categorical)
        assert rows.continuous.tolist() == [[0.0], [0.5], [1.0]]
        assert rows.discrete.tolist() == [[1, 0], [1, 2], [0, 1]]

    def test_a_list_given_is_the_whole_list(self):
        frame = pd.DataFrame({"flag": [True, False], "number": [3, 4]})
        assert mixed_rows(frame, []).continuous.tolist() == [[1.0, 0.0], [0.0, 1.0]]
        assert mixed_rows(frame, ["number"]).discrete.tolist() == [[0], [1]]

    def test_an_array_has_no_discrete_columns_unless_named(self):
        X = np.array([[1, 0], [0, 3]])
        assert mixed_rows(X).discrete.shape == (2, 0)
        assert mixed_rows(X, [1]).discrete.tolist() == [[0], [1]]
        assert mixed_rows(X, [0, 1]).continuous.shape == (2, 0)

    @pytest.mark.parametrize("kind", [float, np.float32, int, bool, object])
    def test_arrays_and_frames_of_numbers_read_alike(self, kind):
        X = np.random.RandomState(0).randint(-5, 6, size=(20, 3)).astype(kind)
        expected = mixed_rows(pd.DataFrame(X.astype(float)), []).continuous
        assert mixed_rows(X).continuous.tolist() == expected.tolist()
        assert mixed_rows(X.tolist()).continuous.tolist() == expected.tolist()

    def test_a_column_may_have_any_name(self):
        rows = mixed_rows(pd.DataFrame({"dtype": [1.0, 2.0], "flag": [True, False]}))
        assert rows.continuous.tolist() == [[0.0], [1.0]]
        assert rows.discrete.tolist() == [[1], [0]]

    def test_words_in_an_array(self):
        X = np.array([["a", 1.5], ["b", None], [None, 0.5]], dtype=object)
        rows = mixed_rows(X, [0])
        assert rows.discrete.tolist() == [[0], [1], [-1]]
        np.testing.assert_array_equal(rows.continuous, [[1.0], [NAN], [0.0]])

    def test_sparse(self):
        X = np.array([[0.0, 2.0], [4.0, 0.0], [1.0, 0.0]])
        assert mixed_rows(sparse.csr_matrix(X)).continuous.tolist() == mixed_rows(X).continuous.tolist()

    def test_missing_values_have_one_bit_pattern(self):
        values = np.array([[NAN], [-NAN], [np.uint64(0x7FF8000000000123).view(np.float64)], [1.0], [2.0]])
        scaled = mixed_rows(values).continuous[:3, 0].copy()
        assert len(set(scaled.view(np.uint64).tolist())) == 1

    @pytest.mark.parametrize(
        ("categorical", "message"),
        [
            ([True], "mask of 1 columns; X has 2"),
            (["z"], "names column 'z'; X has 2 columns"),
            ([2], "names column 2; X has 2 columns"),
            ([-3], "names column -3"),
            ([0.5], "names column 0.5"),
        ],
    )
    def test_discrete_columns_that_are_not_there(self, categorical, message):
        with pytest.raises(ValueError, match=message):
            mixed_rows(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), categorical)

    def test_words_in_a_continuous_column(self):
        with pytest.raises(ValueError, match="column 'a' is not numeric.*name it in categorical"):
            mixed_rows(pd.DataFrame({"a": ["x", "y"]}), [])

    def test_infinite_values(self):
        with pytest.raises(ValueError, match="column 'a' holds infinite values"):
            mixed_rows(pd.DataFrame({"a": [1.0, np.inf]}))


@pytest.mark.parametrize(
    "hold",
    [
        lambda column: column.astype(object),
        lambda column: column.map(lambda value: Decimal(str(value))),
        lambda column: pd.Series([None, *column[1:]], dtype=object),
    ],
    ids=["objects", "decimals", "objects and None"],
)
def test_numbers_held_as_objects_are_numbers(hold):
    column = hold(pd.Series([0.5, 1.5, 2.0]))
    rows = mixed_rows(pd.DataFrame({"a": column}))
    assert rows.discrete.shape[1] == 0
    expected = mixed_rows(pd.DataFrame({"a": column.astype(float)})).continuous
    assert np.array_equal(rows.continuous, expected, equal_nan=True)


def test_durations_of_arrow_are_times():
    pytest.importorskip("pyarrow")
    spans = pd.Series(pd.to_timedelta([1, 2, 4], unit="h"))
    rows = mixed_rows(pd.DataFrame({"a": spans.astype("duration[ns][pyarrow]")}))
    assert rows.continuous.tolist() == mixed_rows(pd.DataFrame({"a": spans})).continuous.tolist()
