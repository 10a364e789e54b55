"""Tables measured outside a study: each keeps the machine and the commit it was measured with."""

import pandas as pd
import pytest

from compendium import engine
from compendium.engine import _commands as commands
from compendium.engine import _store as store

FRAME = pd.DataFrame({"seconds": [1.0, 2.0]})


@pytest.fixture
def save(tmp_path, monkeypatch):
    """Return a function that saves tables as if measured on some machine, and returns which tables each has."""
    monkeypatch.setattr(commands, "data_root", lambda: tmp_path)

    def save_on(machine, **tables):
        monkeypatch.setattr(store, "environment", lambda *given: {"machine": machine})
        engine.save_measurements("speed", tables, {"benchmarks": sorted(tables)})
        manifest = store.read_manifest(tmp_path / "results" / "speed")
        return {one["machine"]: one["tables"] for one in manifest["environments"]}

    return save_on


def test_a_table_that_stays_keeps_its_machine(save, tmp_path):
    assert save("old", a=FRAME, b=FRAME) == {"old": ["a", "b"]}
    before = (tmp_path / "results" / "speed" / "a.parquet").read_bytes()
    assert save("new", c=FRAME) == {"old": ["a", "b"], "new": ["c"]}
    assert save("new", b=FRAME * 2) == {"old": ["a"], "new": ["b", "c"]}
    assert (tmp_path / "results" / "speed" / "a.parquet").read_bytes() == before
    assert save("new", a=FRAME * 2) == {"new": ["a", "b", "c"]}
    assert store.check_result(tmp_path / "results" / "speed") == []


def test_a_manifest_that_does_not_say_means_all_tables(save, tmp_path):
    folder = tmp_path / "results" / "speed"
    store.save_result("speed", {"a": FRAME, "b": FRAME}, {"environments": [{"machine": "old"}]}, folder)
    assert save("new", b=FRAME * 2) == {"old": ["a"], "new": ["b"]}
