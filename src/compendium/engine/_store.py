"""Results on disk: Parquet tables and a manifest that says what they are; reading them needs no study.

A folder of results holds ``manifest.json`` and a Parquet file per table; times, which are never the same twice, are in
tables of their own. Every file is written at once or not at all, and a folder can be read at any moment of its writing.
The manifest has a checksum of each table and of itself, and names units whose rows are there, but out of date.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import platform
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
from threadpoolctl import ThreadpoolController

from compendium.files import data_file, data_root, write_atomically
from compendium.versions import commit, versions
from cvstrat.errors import CvstratError

_REMEDY = "restore it, or run the study again"
_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "joblib", "pyarrow")


class ResultError(CvstratError):
    """A result that is not there, or not what its manifest says."""


def load_result(
    study: str, table: str, *, folder: Path | None = None, where: Mapping[str, Collection[Any]] | None = None
) -> pd.DataFrame:
    """Read a table of results, if it is what its manifest says.

    Parameters
    ----------
    study : str
        Name of the study, which is that of the folder below ``data/results``.
    table : str
        Name of the table.
    folder : Path, default=None
        Another folder of results, such as that of a run of one's own.
    where : mapping of str to collection, default=None
        Columns, each with the values of the rows that are wanted: of a large table, the rest costs most of the time.

    Returns
    -------
    DataFrame
        The table.
    """
    if folder is None:
        known = sorted(path.name for path in result_folders())
        if study not in known:
            raise ResultError(f"no results of {study!r}; there are those of {', '.join(known) or 'none'}")
        folder = data_root() / "results" / study
        for name in ("manifest.json", f"{table}.parquet"):
            data_file(f"results/{study}/{name}")
    manifest = read_manifest(folder)
    if table not in manifest["tables"]:
        raise ResultError(f"{study} has no table {table!r}; it has {', '.join(manifest['tables'])}")
    return read_table(folder, table, manifest, where)


def save_result(
    study: str,
    tables: Mapping[str, pd.DataFrame],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    unchanged: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    outdated: Mapping[str, list[str]] = MappingProxyType({}),
) -> dict[str, dict[str, Any]]:
    """Write tables and their manifest; killed at any moment, the folder still holds the old tables or the new ones.

    Parameters
    ----------
    study : str
        Name of the study.
    tables : mapping of str to DataFrame
        All tables of the study.
    manifest : mapping
        What else the manifest says: spec, data, environments.
    folder : Path
        Where to write.
    unchanged : mapping of str to mapping, optional
        Tables whose files stand as they are, and what the manifest says of them.
    outdated : mapping of str to list of str, optional
        Tables, and their units that are to be computed again.

    Returns
    -------
    dict of str to dict
        What the manifest says of each table.
    """
    contents = {name: to_parquet(frame) for name, frame in tables.items() if name not in unchanged}
    listed: dict[str, dict[str, Any]] = {}
    for name, frame in tables.items():
        checksum = sha256(contents[name]) if name in contents else unchanged[name]["sha256"]
        again = {"outdated": outdated[name]} if outdated.get(name) else {}
        listed[name] = {"sha256": checksum, "rows": len(frame), **again}
    old = read_manifest(folder)["tables"] if (folder / "manifest.json").exists() else {}
    changed = [name for name in contents if old.get(name, {}).get("sha256") != listed[name]["sha256"]]
    text = {"study": study, **manifest, "tables": listed}
    if changed:
        _write_manifest(folder, text | {"replacing": {name: old.get(name) for name in changed}})
        for name in changed:
            write_atomically(folder / f"{name}.parquet", contents[name])
    _write_manifest(folder, text)
    for name in set(old) - set(listed):
        (folder / f"{name}.parquet").unlink(missing_ok=True)
    return listed


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    text = json.dumps(manifest | {"sha256": _own_checksum(manifest)}, indent=1)
    write_atomically(folder / "manifest.json", f"{text}\n".encode())


def _own_checksum(manifest: dict[str, Any]) -> str:
    return sha256(json.dumps(manifest).encode())


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder of results; of tables that were just being replaced, those that are there."""
    path = folder / "manifest.json"
    try:
        manifest: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError as error:
        raise ResultError(f"{folder} holds no results: there is no manifest.json") from error
    except ValueError as error:
        raise ResultError(f"{path} is not readable as JSON: {_REMEDY}") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("tables"), dict):
        raise ResultError(f"{path} is no manifest of results: {_REMEDY}")
    if "sha256" in manifest and manifest.pop("sha256") != _own_checksum(manifest):
        raise ResultError(f"{path} is not as it was written: {_REMEDY}")
    for name, before in manifest.pop("replacing", {}).items():
        table = folder / f"{name}.parquet"
        if not table.exists():
            del manifest["tables"][name]
        elif before is not None and sha256(table.read_bytes()) == before["sha256"]:
            manifest["tables"][name] = before
    return manifest


def result_folders() -> list[Path]:
    """Return the folders of committed results."""
    return sorted(path.parent for path in (data_root() / "results").glob("*/manifest.json"))


def check_results() -> dict[str, list[str]]:
    """Return what is wrong with each folder of committed results: an empty list where all is as its manifest says."""
    return {folder.name: check_result(folder) for folder in result_folders()}


def check_result(folder: Path) -> list[str]:
    """Return what is wrong with a folder of results: nothing, if each file is what the manifest says."""
    try:
        manifest = read_manifest(folder)
    except ResultError as error:
        return [str(error)]
    wrong = []
    for name, listed in manifest["tables"].items():
        try:
            rows = pq.read_metadata(io.BytesIO(_content(folder, name, manifest))).num_rows
            if rows != listed["rows"]:
                wrong.append(f"{folder / name}.parquet has {rows} rows, the manifest says {listed['rows']}")
        except ResultError as error:
            wrong.append(str(error))
        if "outdated" in listed:
            wrong.append(f"{len(listed['outdated'])} units of {folder / name}.parquet are out of date: {_REMEDY}")
    stray = [path for path in folder.glob("*.parquet") if path.stem not in manifest["tables"]]
    return wrong + [f"{path} is not in the manifest" for path in stray]


def read_table(
    folder: Path, table: str, manifest: Mapping[str, Any], where: Mapping[str, Collection[Any]] | None = None
) -> pd.DataFrame:
    """Return a table of a folder of results, or the rows that are wanted, if it is what the folder's manifest says."""
    wanted = [(name, "in", list(values)) for name, values in (where or {}).items()]
    return pd.read_parquet(io.BytesIO(_content(folder, table, manifest)), filters=wanted or None)


def _content(folder: Path, table: str, manifest: Mapping[str, Any]) -> bytes:
    path = folder / f"{table}.parquet"
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise ResultError(f"{path} is missing: {_REMEDY}") from error
    if sha256(content) != manifest["tables"][table]["sha256"]:
        raise ResultError(f"{path} is not what its manifest says: {_REMEDY}")
    return content


def set_aside(path: Path, folder: Path) -> Path:
    """Give a damaged file a name that says so, in a folder of results, and return it."""
    for number in itertools.count(1):
        aside = folder / f"{path.name}.damaged-{number}"
        if not aside.exists():
            break
    path.replace(aside)
    return aside


def describe(path: Path) -> dict[str, Any]:
    """Return what a manifest says of a table's file that is right; nothing if it cannot be read."""
    content = path.read_bytes()
    try:
        return {"sha256": sha256(content), "rows": len(pd.read_parquet(io.BytesIO(content)))}
    except (OSError, ValueError):
        return {}


def sha256(content: bytes) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(content).hexdigest()


def to_parquet(frame: pd.DataFrame) -> bytes:
    """Return a frame as the bytes of a Parquet file; the same frame gives the same bytes."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()


def environment(workers: str, threads: str = "1 in each worker") -> dict[str, Any]:
    """Return what results are made with: commit, versions, processor and its kernels, workers, threads."""
    return {
        "commit": commit(),
        "versions": versions(_PACKAGES),
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "kernels": kernels()},
        "workers": workers,
        "threads": threads,
    }


@cache
def kernels() -> str:
    """Return for which kind of processor linear algebra works here: another kind rounds sums in another way."""
    pools = ThreadpoolController().info()
    kinds = {pool.get("architecture", pool["internal_api"]) for pool in pools if pool["user_api"] == "blas"}
    return ", ".join(sorted(kinds)) or "unknown"


@cache
def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.*)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.exists() else []
    return names[0] if names else platform.processor() or platform.machine()
