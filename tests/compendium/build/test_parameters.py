"""Parameters of notebooks: what fits is taken, what does not is refused before anything runs."""

import nbformat
import pytest

from compendium.build import BadParameter, parameters_of
from compendium.build._parameters import checked, fits

CELL = """
names: list[str] = ["iris"]
repeats: int = 20
share: float = 0.9
source: str = "results"
limit: int | None = None
live: bool = False
"""


def notebook(cell=CELL):
    node = nbformat.v4.new_code_cell(cell, metadata={"tags": ["parameters"]})
    return nbformat.v4.new_notebook(cells=[node])


def test_names_types_and_defaults_are_read_without_running_the_cell():
    found = parameters_of(notebook())
    assert {name: one.default for name, one in found.items()} == {
        "names": ["iris"],
        "repeats": 20,
        "share": 0.9,
        "source": "results",
        "limit": None,
        "live": False,
    }


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("names", '["iris", "sonar"]', ["iris", "sonar"]),
        ("names", "[]", []),
        ("repeats", "3", 3),
        ("share", "1", 1),
        ("share", "0.5", 0.5),
        ("source", "run", "run"),
        ("source", "3", "3"),
        ("source", '"quoted"', "quoted"),
        ("limit", "null", None),
        ("limit", "7", 7),
        ("live", "true", True),
    ],
)
def test_text_becomes_a_value_of_the_parameters_type(name, text, value):
    assert checked(notebook(), {name: text}) == {name: value}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("names", "iris"),
        ("names", "[1, 2]"),
        ("repeats", "three"),
        ("repeats", "2.5"),
        ("repeats", "true"),
        ("share", '"much"'),
        ("limit", "[]"),
        ("live", "1"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_the_type_and_the_value(name, text):
    with pytest.raises(BadParameter, match=f"'{name}' takes .*, not "):
        checked(notebook(), {name: text})


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(BadParameter, match="no parameter 'repeat': did you mean repeats"):
        checked(notebook(), {"repeat": "3"})


def test_a_notebook_without_parameters_takes_none():
    with pytest.raises(BadParameter, match="takes none"):
        checked(nbformat.v4.new_notebook(), {"x": "1"})


@pytest.mark.parametrize("cell", ["x = 1", "x: int", "print(1)", "x: int = 'text'", "x: list[int] = [1.5]"])
def test_a_cell_that_is_not_typed_literals_is_refused(cell):
    with pytest.raises(BadParameter):
        parameters_of(notebook(cell))


def test_two_parameters_cells_are_refused():
    node = notebook()
    node.cells.append(node.cells[0])
    with pytest.raises(BadParameter, match="one parameters cell"):
        parameters_of(node)


def test_dictionaries_are_checked_by_their_values():
    assert fits({"a": 1}, dict[str, int])
    assert not fits({"a": "b"}, dict[str, int])
