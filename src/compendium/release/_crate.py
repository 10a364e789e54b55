"""The release described for machines, as an RO-Crate: files, software, data, authors, licences, the texts."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from compendium import datasets
from compendium.citation import citation, name_of

_WORDS = {
    ".whl": "The library, to be installed",
    ".tar.gz": "The library's source",
    ".pdf": "The book, to be printed",
    "-book.zip": "The book as pages; open index.html",
    "-notebooks.zip": "The chapters as executed notebooks",
    "-results.zip": "The results of the studies as Parquet, each with its manifest, and the papers' tables",
}


def crate(files: Iterable[Path], commit: str, date: str, packages: dict[str, str]) -> dict[str, Any]:
    """Return the content of ``ro-crate-metadata.json``.

    Parameters
    ----------
    files : iterable of Path
        Files of the release.
    commit, date : str
        The commit, and the day of it.
    packages : dict of str to str
        What the results were made with, and in which versions.
    """
    said, parts = citation(), [_file(path) for path in sorted(files)]
    authors = [
        {"@id": f"#{_slug(one['name'])}", "@type": "Organization", "name": one["name"]} for one in said["authors"]
    ]
    texts = [
        {"@id": f"#{_slug(work['title'])}", "@type": "ScholarlyArticle", "name": work["title"]}
        | {"author": [name_of(author) for author in work["authors"]]}
        | ({"datePublished": str(work["year"])} if "year" in work else {})
        for work in said["references"]
    ]
    software = [
        {"@id": f"#software-{name}", "@type": "SoftwareApplication", "name": name, "softwareVersion": version}
        for name, version in sorted(packages.items())
    ]
    data = [_data(entry) for entry in datasets.catalogue()]
    licence = {"@id": f"https://spdx.org/licenses/{said['license']}", "@type": "CreativeWork", "name": said["license"]}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": said["title"],
        "description": said["abstract"],
        "version": said["version"],
        "identifier": f"{said['repository-code']}/tree/{commit}",
        "datePublished": date,
        "keywords": said["keywords"],
        "license": {"@id": licence["@id"]},
        "author": _ids(authors),
        "hasPart": _ids(parts),
        "isBasedOn": _ids([*texts, *data]),
        "mentions": _ids(software),
    }
    head = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    graph = [head, root, licence, *authors, *parts, *texts, *data, *software]
    return {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}


def _ids(entities: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"@id": one["@id"]} for one in entities]


def _slug(text: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in text.lower()).split())


def _file(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    words = next((words for end, words in _WORDS.items() if path.name.endswith(end)), path.name)
    return {
        "@id": path.name,
        "@type": "File",
        "name": words,
        "contentSize": str(len(content)),
        "encodingFormat": mimetypes.guess_type(path.name)[0] or "application/octet-stream",
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _data(entry: datasets.Entry) -> dict[str, Any]:
    """Return a data set of the catalogue: named, not contained."""
    return {
        "@id": f"#data-{entry.id}",
        "@type": "Dataset",
        "name": entry.id,
        "description": f"{entry.rows} rows, {entry.features} columns; from {entry.source}; not part of the release",
        "license": entry.licence or "as its publisher says",
        "sha256": entry.sha256,
    }
