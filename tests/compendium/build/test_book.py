"""A book is rendered again if anything that it is made from has changed, and only then."""

import pytest

from compendium.build._book import _made_from

FILES = ("requirements.lock", "src/cvstrat/one.py", "_build/stage/notebooks/page.ipynb", "_build/html/page.html")


@pytest.fixture
def tree(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    return tmp_path


@pytest.mark.parametrize("name", FILES[:3])
def test_what_has_changed_is_noticed(tree, name):
    before = _made_from(tree)
    assert _made_from(tree) == before
    (tree / name).write_text("other text")
    assert _made_from(tree) != before


def test_a_page_that_is_gone_is_noticed_and_bytecode_is_not(tree):
    before = _made_from(tree)
    (tree / "src/cvstrat/__pycache__").mkdir()
    (tree / "src/cvstrat/__pycache__/one.py").touch()
    assert _made_from(tree) == before
    (tree / "_build/html/page.html").unlink()
    assert _made_from(tree) != before
