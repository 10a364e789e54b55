"""Shared fixtures: no data folder, an empty cache, and small files with a catalogue entry of their own."""

import hashlib

import pytest

from compendium.datasets import Entry


@pytest.fixture
def no_data(tmp_path, monkeypatch):
    """A machine without any of the files, with an empty cache and nothing to download from; returns the cache."""
    monkeypatch.delenv("CVSTRAT_DATA", raising=False)
    monkeypatch.setenv("CVSTRAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CVSTRAT_PMLB_URL", (tmp_path / "no_such_site").as_uri())
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"


@pytest.fixture
def entry_of():
    """Return a function that writes the catalogue entry of a file's content."""

    def entry(content=b"", **fields):
        name, collection = fields.get("name", "tiny"), fields.get("collection", "pmlb")
        standard = {
            "name": name,
            "collection": collection,
            "task": "classification",
            "rows": 3,
            "features": 2,
            "classes": 2,
            "imbalance": None,
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "path": f"{collection}/{name}.gz",
            "remote": "",
            "source": "where it came from",
            "licence": "",
            "studies": (),
            "note": "",
        }
        return Entry(**standard | fields)

    return entry


@pytest.fixture
def in_folder(no_data, tmp_path, monkeypatch):
    """Return a function that puts content where CVSTRAT_DATA should have an entry's file, and returns that place."""

    def put(entry, content):
        file = tmp_path / "data" / entry.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        monkeypatch.setenv("CVSTRAT_DATA", str(tmp_path / "data"))
        return file

    return put
