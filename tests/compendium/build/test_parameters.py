"""Parameters of notebooks: what fits is taken, what does not is refused before anything runs."""

import nbformat
import pytest

from compendium.build import BadParameter, parameters_of
from compendium.build._parameters import checked
from compendium.parameters import fits

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


HOSTILE_TYPES = [
    "__import__('os').system('touch trap')",
    "(lambda: 1)()",
    "[x for x in ().__class__.__base__.__subclasses__()]",
    "().__class__.__bases__[0].__subclasses__()",
    "list[().__class__]",
    "list.__class__",
    "str.format",
    "dict[int, str]",
    "dict[str]",
    "dict",
    "list",
    "tuple[int]",
    "object",
    "print('x')",
    "f'{open}'",
    "int if open else str",
    "(y := int)",
    "'int'",
    "1 | 2",
    "int & str",
    "list[int][0]",
    "list[*[int]]",
    "list[" * 60 + "evil" + "]" * 60,
]
HOSTILE_DEFAULTS = [
    "__import__('os').getcwd()",
    "open('trap', 'w')",
    "[].append",
    "(lambda: 3)()",
    "[x for x in [1]]",
    "f'{1}'",
    "n",
    "10 ** 10 ** 10",
    "'a' * 10 ** 9",
    "[" * 300 + "]" * 300,
]
HOSTILE_CELLS = [
    "import os",
    "n: int = 1; open('trap', 'w')",
    "n = 1",
    "n: int",
    "n += 1",
    "self.n: int = 1",
    "def f(): pass",
    "class A: x: int = 1",
    "n: int = 1\nn: int = 2",
    "n: int = (",
    "n: int = 1\n\0",
    "%run other.py",
    "!touch trap",
    "n: int = " + "-" * 5000 + "1",
    "n: int = 1  #" + "x" * 30_000,
]


@pytest.mark.parametrize(
    "cell",
    [f"n: {one} = 1" for one in HOSTILE_TYPES] + [f"n: int = {one}" for one in HOSTILE_DEFAULTS] + HOSTILE_CELLS,
    ids=lambda cell: ascii(cell[:40]),
)
def test_a_hostile_cell_is_refused_and_nothing_of_it_runs(cell, tmp_path, monkeypatch):
    given = notebook(cell)  # which a library checks that compiles its rules at first use
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.eval", None)
    monkeypatch.setattr("builtins.exec", None)
    with pytest.raises(BadParameter):
        parameters_of(given)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        ("dict[str, list[int] | None]", "{'a': [1], 'b': None}"),
        ("str | int | None", "3"),
        ("list[list[float]]", "[[1.5]]"),
    ],
)
def test_every_known_form_of_type_is_read(annotation, default):
    assert parameters_of(notebook(f"n: {annotation} = {default}"))["n"].annotation == annotation
