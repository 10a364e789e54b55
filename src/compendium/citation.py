"""How to cite the project: ``CITATION.cff`` is the source, all other forms are made from it."""

from __future__ import annotations

import json
from typing import Any

import yaml

from compendium.files import repository, write_atomically

_LICENCES = "https://spdx.org/licenses/"


def citation() -> dict[str, Any]:
    """Return what ``CITATION.cff`` says."""
    found: dict[str, Any] = yaml.safe_load((repository() / "CITATION.cff").read_text(encoding="utf-8"))
    return found


def bibtex(commit: str) -> str:
    """Return an entry for a bibliography that names version and commit."""
    cited = citation()["preferred-citation"]
    fields = {
        "author": " and ".join(f"{{{author['name']}}}" for author in cited["authors"]),
        "title": cited["title"],
        "version": cited["version"],
        "year": str(cited["year"]),
        "url": cited["url"],
        "note": f"Commit {commit}",
        "license": citation()["license"],
    }
    lines = [f"  {name:7} = {{{text}}}" for name, text in fields.items()]
    return "@software{cvstrat,\n" + ",\n".join(lines) + "\n}"


def codemeta() -> dict[str, Any]:
    """Return the project as ``codemeta.json`` describes it."""
    said = citation()
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": "cvstrat",
        "description": said["abstract"],
        "version": said["version"],
        **_dated(said, "datePublished"),
        "license": f"{_LICENCES}{said['license']}",
        "codeRepository": said["repository-code"],
        "programmingLanguage": "Python",
        "runtimePlatform": "Python 3.11",
        "keywords": said["keywords"],
        "author": [{"@type": "Organization", "name": author["name"]} for author in said["authors"]],
        "referencePublication": [
            {"@type": "CreativeWork", "name": work["title"], "author": [name_of(one) for one in work["authors"]]}
            for work in said["references"]
        ],
    }


def zenodo() -> dict[str, Any]:
    """Return what Zenodo asks for, as ``.zenodo.json``."""
    said = citation()
    return {
        "title": said["title"],
        "description": said["abstract"],
        "version": said["version"],
        **_dated(said, "publication_date"),
        "upload_type": "software",
        "access_right": "open",
        "license": said["license"],
        "creators": [{"name": author["name"]} for author in said["authors"]],
        "keywords": said["keywords"],
        "references": [reference_text(work) for work in said["references"]],
        "related_identifiers": [{"identifier": said["repository-code"], "relation": "isSupplementTo"}],
    }


def _dated(said: dict[str, Any], name: str) -> dict[str, str]:
    return {name: str(said["date-released"])} if "date-released" in said else {}


def name_of(author: dict[str, str]) -> str:
    """Return the name of an author, family name last."""
    return author.get("name") or f"{author['given-names']} {author['family-names']}"


def reference_text(work: dict[str, Any]) -> str:
    """Return a reference as one line."""
    where = work.get("journal") or work.get("collection-title") or work.get("notes")
    year = f" ({work['year']})" if "year" in work else ""
    return f"{', '.join(map(name_of, work['authors']))}{year}: {work['title']}" + (f". {where}" if where else "")


def write_derived(*, check: bool = False) -> list[str]:
    """Write the files made from ``CITATION.cff``; return the names of those that differed. `check` only looks."""
    differing = []
    for name, content in (("codemeta.json", codemeta()), (".zenodo.json", zenodo())):
        path = repository() / name
        wanted = f"{json.dumps(content, indent=2, ensure_ascii=False)}\n".encode()
        if not path.is_file() or path.read_bytes() != wanted:
            differing.append(name)
            if not check:
                write_atomically(path, wanted)
    return differing
