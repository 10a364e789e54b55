"""A folder of results as a run finds it: who may write to it, whose results it holds, and which files are damaged."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from compendium.engine import _store as store
from compendium.engine._specs import as_json, differences, from_json, relate
from compendium.engine._study import Study, StudyError, Tables
from compendium.files import remove_parts


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold a folder of results, so that no second run writes to it; the system lets go when the process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Whoever may write to the folder may hold it: its lock has the same permissions, not those of the first user.
        with FileLock(folder / ".lock", timeout=0, mode=0o600 | folder.stat().st_mode & 0o066):
            remove_parts(folder)
            remove_parts(folder / "shards")
            yield
    except Timeout as error:
        raise StudyError(f"another run is writing to {folder}: wait for it, or choose another folder") from error
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(folder: Path, error: OSError) -> StudyError:
    """Return what to tell of a folder that cannot be written."""
    why = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or str(error)
    return StudyError(f"{folder} cannot be written ({why}); what was finished before is kept: mend this and run again")


def refused(folder: Path, changed: list[str]) -> StudyError:
    """Return what to tell of a folder that holds other results than those asked for."""
    return StudyError(
        f"{folder} holds results of another spec; choose another folder (--output), or remove it. A spec may only add "
        "values to axes, or only ask for some of those there are:\n  " + "\n  ".join(changed)
    )


@dataclass
class Found:
    """What is in a folder of results.

    Attributes
    ----------
    spec : spec of a study
        What its results were computed with.
    data, more_data : dict of str to str
        Names and checksums of the data of that spec, and of the one that is asked for.
    tables : dict of str to DataFrame
        The tables.
    listed : dict of str to dict
        What the manifest says of each.
    skipped, failed : dict of str to str
        Units and the reasons.
    environments, history : list of dict
        What the results were made with, and what else happened to them.
    damaged : list of str
        What was wrong with files that had to be set aside.
    """

    spec: Any
    data: dict[str, str]
    more_data: dict[str, str]
    tables: Tables = field(default_factory=dict)
    listed: dict[str, dict[str, Any]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    environments: list[dict[str, Any]] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def set_aside(self, path: Path, folder: Path, why: str) -> None:
        """Give a damaged file a name that says so, and remember it."""
        aside = store.set_aside(path, folder).name if path.exists() else ""
        self.damaged.append(f"{why}, set aside as {aside}" if aside else why)
        self.history.append({"damaged": why, "set aside": aside})


def read_folder(
    study: Study[Any], spec: Any, folder: Path, data: dict[str, str] | None = None, *, mend: bool = False
) -> Found:
    """Return what a folder holds of a study; see :class:`compendium.engine._results.Results` for the parameters."""
    found = Found(spec, data or {}, data or {})
    if not (folder / "manifest.json").exists():
        return found
    try:
        manifest = store.read_manifest(folder)
    except store.ResultError:
        if not mend:
            raise
        manifest = _salvaged(study, found, folder)
    _check(study, manifest, found, folder)
    found.spec, found.data = from_json(study.spec_type, manifest["spec"]), dict(manifest["data"])
    found.skipped, found.failed = dict(manifest["skipped"]), dict(manifest["failed"])
    found.environments = list(manifest["environments"])
    found.history = [*manifest.get("history", []), *found.history]
    for name in manifest["tables"]:
        try:
            found.tables[name] = store.read_table(folder, name, manifest)
            found.listed[name] = manifest["tables"][name]
        except store.ResultError:
            if not mend:
                raise
            path = folder / f"{name}.parquet"
            why = "not what its manifest says" if path.exists() else "missing"
            found.set_aside(path, folder, f"{path.name} is {why}")
    return found


def _check(study: Study[Any], manifest: dict[str, Any], found: Found, folder: Path) -> None:
    """Raise if a folder's results are neither a part of those asked for nor the other way round."""
    there, here = manifest["spec"], as_json(found.spec)
    relation = relate(study.spec_type, there, here)
    changed = [] if relation.grows or relation.within else differences(there, here)
    both = set(manifest["data"]) & set(found.more_data)
    changed += differences(*({name: data[name] for name in both} for data in (manifest["data"], found.more_data)))
    if manifest["study"] != study.name:
        changed.insert(0, f"study: {manifest['study']} there, {study.name} here")
    if changed:
        raise refused(folder, changed)


def _salvaged(study: Study[Any], found: Found, folder: Path) -> dict[str, Any]:
    """Set a damaged manifest aside, and return one of what it still proves.

    Where spec and data stand in it word for word, a table is kept if the manifest has its checksum. All else is set
    aside, too: nothing says what it is.
    """
    path = folder / "manifest.json"
    text = path.read_text(errors="replace")
    found.set_aside(path, folder, f"{path.name} is damaged")
    manifest: dict[str, Any] = {"study": study.name, "spec": as_json(found.spec), "data": found.more_data}
    proven = all(_stands_in(text, {name: manifest[name]}) for name in manifest)
    tables = {}
    for name in (name for table in study.tables for name in table.files):
        file = folder / f"{name}.parquet"
        if file.exists():
            entry = store.describe(file)
            if proven and entry and _stands_in(text, {name: entry}, depth=1):
                tables[name] = entry
            else:
                found.set_aside(file, folder, f"{file.name} is in no manifest that can be read")
    return manifest | {"skipped": {}, "failed": {}, "environments": [], "tables": tables}


def _stands_in(text: str, value: dict[str, Any], depth: int = 0) -> bool:
    """Whether a manifest that was written has this part, whole."""
    lines = json.dumps(value, indent=1).splitlines()[1:-1]
    return "\n".join(" " * depth + line for line in lines) in text
