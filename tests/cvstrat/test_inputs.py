"""Own files as people have them: other encodings, words for missing values, headers that do not fit."""

import pandas as pd
import pytest

from cvstrat.errors import DataError
from cvstrat.inputs import read_frame

TEXT = "größe,ort,art\n1,Köln,a\n2,Bonn,b\n3,Ulm,a\n"


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file and returns its path."""

    def to(content, name="own.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / name

    return to


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_text_in_any_usual_encoding_is_read(write, encoding):
    table = read_frame(write(TEXT.encode(encoding)), "art")
    assert list(table.frame.columns) == ["größe", "ort", "art"]
    assert table.frame["ort"].to_list() == ["Köln", "Bonn", "Ulm"]
    assert bool(table.notes) == (encoding in ("latin-1", "cp1252"))
    assert all("Latin-1" in note for note in table.notes)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,a\n1,2,3\n4,5,6\n", "has more than one column 'a': give each a name"),
        ("a,b,y\n1,2,3\n", "a single row: there is nothing to cut into folds"),
        ("a;b;y\n1;2;3\n4;5;6\n", "columns seem to be set apart by ';': use commas"),
        (b"\x00\x01\x02,\x03\n", "bytes that are no text"),
        (b"PK\x03\x04\x00\x00", "is not a CSV file"),
    ],
)
def test_what_cannot_be_read_is_said_clearly(write, content, message):
    with pytest.raises(DataError, match=message):
        read_frame(write(content))


def test_a_word_that_is_read_as_missing_is_named(write):
    table = read_frame(write("x,y\n1,n/a\n2,b\n3,c\n4,n/a\n5,\n6,None\n"))
    assert table.frame["y"].isna().sum() == 4
    assert table.notes[0] == "'n/a' in y is read as missing (2 rows): if it is a class, rename it"
    assert "'None' in y is read as missing (1 row)" in table.notes[1]


def test_a_parquet_file_is_the_same_table(write, tmp_path):
    pytest.importorskip("pyarrow")
    table = read_frame(write(TEXT))
    table.frame.to_parquet(tmp_path / "own.parquet")
    pd.testing.assert_frame_equal(read_frame(tmp_path / "own.parquet").frame, table.frame)
    with pytest.raises(DataError, match="bad.parquet is not a Parquet file"):
        read_frame(write(TEXT, "bad.parquet"))
