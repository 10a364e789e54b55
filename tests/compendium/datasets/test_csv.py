"""A reader's own table as a data set."""

import hashlib

import numpy as np
import pytest

from compendium import datasets

TABLE = "width,height,kind\n1,2.5,b\n3,4,a\n5,6e1,b\n"


@pytest.fixture
def csv(tmp_path):
    """Return a function that writes a CSV file and returns its name."""

    def write(text, name="own.csv"):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(tmp_path / name)

    return write


def test_the_last_column_is_the_target(csv):
    name = csv(TABLE)
    data = datasets.load(name)
    assert data.X.tolist() == [[1, 2.5], [3, 4], [5, 60]]
    assert data.X.dtype == np.float64
    assert data.y.tolist() == [1, 0, 1]
    assert data.feature_names == ("width", "height")
    assert (data.task, data.collection, data.name) == ("classification", "csv", name)
    assert data.sha256 == hashlib.sha256(TABLE.encode()).hexdigest()


def test_a_column_after_a_colon_is_the_target(csv):
    name = csv("kind,width,height\nb,1,2\na,3,4\n")
    data = datasets.load(f"{name}:kind")
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.y.tolist() == [1, 0]
    assert data.feature_names == ("width", "height")


def test_names_of_columns_may_have_spaces_or_be_numbers(csv):
    name = csv("0,the kind,2\n5,1,6\n7,2,8\n")
    assert datasets.load(f"{name}:the kind").X.tolist() == [[5, 6], [7, 8]]
    assert datasets.load(f"{name}:0").X.tolist() == [[1, 6], [2, 8]]


@pytest.mark.parametrize(
    ("values", "y", "task"),
    [
        (["no", "yes", "no"], [0, 1, 0], "classification"),
        (["10", "9", "10"], [1, 0, 1], "classification"),
        (["1.0", "2.0", "1.0"], [0, 1, 0], "classification"),
        (["-1", "1", "1"], [0, 1, 1], "classification"),
        (["True", "False", "True"], [1, 0, 1], "classification"),
        (["1.5", "2", "2"], [1.5, 2, 2], "regression"),
    ],
)
def test_whole_numbers_and_text_are_classes_and_fractions_are_numbers(csv, values, y, task):
    data = datasets.load(csv("a,target\n" + "".join(f"{i},{value}\n" for i, value in enumerate(values))))
    assert data.y.tolist() == y
    assert data.task == task


def test_what_was_read_is_on_record(csv):
    name = csv(TABLE)
    datasets.load(name)
    assert datasets.loaded()[name] == hashlib.sha256(TABLE.encode()).hexdigest()


def test_a_changed_file_is_read_anew(csv):
    name = csv(TABLE)
    before = datasets.load(name)
    csv(TABLE.replace("2.5", "7.5"))
    after = datasets.load(name)
    assert after.X[0, 1] == 7.5
    assert after.sha256 != before.sha256


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n1,,0\n2,3,1\n", "missing values in b: fill them in"),
        ("a,b,c\n1,2,0\n2,3,\n", "missing values in c"),
        ("a,b,c\n1,2,0\n2,3\n", "missing values in c"),
        ("a,b,c\n1,red,0\n2,blue,1\n", "text in b: turn it into numbers"),
        ("a,b,c\n1,inf,0\n2,3,1\n", "infinite values in b"),
        ("a,b,c\n1,2,0\n2,3,0\n", "every row has the same c"),
        ("a,b\n", "0 rows and 2 columns"),
        ("a\n1\n2\n", "2 rows and 1 columns"),
        ("a;b;c\n1;2;0\n2;3;1\n", "2 rows and 1 columns"),
        ("", "is not a CSV file with a header"),
        ("a,b,c\n1,2,0\n1,2,3,4,5\n", "is not a CSV file with a header"),
        (b"\xff\xfe\x00\x01", "is not a CSV file with a header"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_name_and_the_reason(csv, text, message):
    name = csv(text)
    with pytest.raises(datasets.DataError) as caught:
        datasets.load(name)
    assert name in str(caught.value)
    assert message in str(caught.value)


MESSY = "a,b,town,kind\n1,,Rome,x\n2,3,,y\n3,inf,Oslo,x\n4,5,Rome,z\n5,6,Oslo,\n6,7,Rome,y\n7,9,Oslo,x\n"


def test_all_problems_of_a_file_are_in_one_refusal(csv):
    name = csv(MESSY)
    with pytest.raises(datasets.DataError) as caught:
        datasets.load(f"{name}:kind")
    said = str(caught.value)
    for problem in (
        "missing values in b, town: fill them in",
        "text in town: turn it into numbers",
        "infinite values in b: leave these rows out",
        "missing values in kind: leave these rows out",
        "a class with one member, z: join it to another",
        f"To have that done, call it {name}:kind:impute+onehot+drop",
    ):
        assert problem in said
    assert "\n" not in said


def test_a_messy_file_is_prepared_on_request_and_says_so(csv):
    name = csv(MESSY)
    data = datasets.load(f"{name}:kind:impute+onehot+drop")
    # rows 3 (infinite), 4 (alone in its class) and 5 (no class) are left out; b is 3, 7, 9 in the others
    assert data.feature_names == ("a", "b", "town_Oslo", "town_Rome")
    assert data.X.tolist() == [[1, 7, 0, 1], [2, 3, 0, 1], [6, 7, 0, 1], [7, 9, 1, 0]]
    assert data.y.tolist() == [0, 1, 1, 0]
    for done in ("3 rows left out", "1 values of b filled in by the median", "town as 2 columns of 0 and 1"):
        assert done in data.source
    assert datasets.loaded()[f"{name}:kind:impute+onehot+drop"] == data.sha256


def test_preparations_may_be_an_argument(csv):
    name = csv(MESSY)
    data = datasets.load(f"{name}:kind", prepare="drop, impute,onehot")
    assert data.name == f"{name}:kind:drop+impute+onehot"
    assert data.X.tolist() == datasets.load(data.name).X.tolist()
    with pytest.raises(
        datasets.DataError, match="text in town: [^.]*[.] To have that done, call it .*:kind:impute.onehot"
    ):
        datasets.load(csv("a,town,kind\n1,Rome,x\n,Oslo,y\n"), prepare="impute")
    with pytest.raises(ValueError, match="no preparation 'inpute': did you mean impute"):
        datasets.load(f"{name}:kind:inpute")
    with pytest.raises(ValueError, match="prepare='impute' is for CSV files"):
        datasets.load("iris", prepare="impute")


def test_a_complete_file_is_not_changed_by_preparations(csv):
    name = csv(TABLE)
    assert datasets.load(f"{name}:kind:impute+onehot").X.tolist() == datasets.load(name).X.tolist()
    assert datasets.load(f"{name}::impute").source == "file"


@pytest.mark.parametrize("rows", ["1,2,3,x\n4,5,6,y\n", "0,2,3,x\n1,5,6,y\n", "p,2,3,x\nq,5,6,y\n"])
def test_rows_longer_than_the_header_are_refused(csv, rows):
    name = csv("a,b,kind\n" + rows)
    with pytest.raises(datasets.DataError, match="own.csv"):
        datasets.load(name)


def test_many_columns_at_fault_are_not_all_listed(csv):
    columns = [f"c{number}" for number in range(9)]
    name = csv(",".join(columns) + ",y\n" + "x," * 9 + "0\n" + "x," * 9 + "1\n")
    with pytest.raises(datasets.DataError, match="text in c0, c1, c2, c3, c4 and 4 more:"):
        datasets.load(name)


def test_an_unknown_target_is_answered_with_near_names(csv):
    with pytest.raises(datasets.DataError, match="no column 'hieght': did you mean height"):
        datasets.load(csv(TABLE) + ":hieght")


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(datasets.DataError, match="none.csv cannot be read: No such file"):
        datasets.load(str(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(datasets.DataError, match="folder.csv is a folder"):
        datasets.load(str(tmp_path / "folder.csv"))
