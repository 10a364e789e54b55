"""Results on disk: Parquet tables, loose shards of units just finished, and a manifest that says what all of it is.

A folder of results holds ``manifest.json``, a Parquet file per table (times, which are never the same twice, in a file of
their own), and, while a study runs, ``shards/`` with one small file per finished unit. Reading needs no study.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import os
import platform
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from cvstrat._files import checkout, data_file, data_root, write_atomically

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "joblib", "pyarrow")
_SHARD = b"cvstrat"


class ResultError(Exception):
    """A result that is not there, or not what its manifest says."""


def default_folder(study: str, profile: str) -> Path:
    """Return where results go: the repository's own for the paper's profile, ``runs`` for any other."""
    if profile == "paper" and checkout() is not None:
        return data_root() / "results" / study
    return Path("runs") / f"{study}-{profile}"


def load_result(study: str, table: str, *, folder: Path | None = None) -> pd.DataFrame:
    """Read a table of results, if it is what its manifest says.

    Parameters
    ----------
    study : str
        Name of the study, which is that of the folder below ``data/results``.
    table : str
        Name of the table.
    folder : Path, default=None
        Another folder of results, such as that of a run of one's own.

    Returns
    -------
    DataFrame
        The table.
    """
    if folder is None:
        known = sorted(path.parent.name for path in (data_root() / "results").glob("*/manifest.json"))
        if study not in known:
            raise ResultError(f"no results of {study!r}; there are those of {', '.join(known) or 'none'}")
        manifest = json.loads(data_file(f"results/{study}/manifest.json").read_text())
        path = data_file(f"results/{study}/{table}.parquet")
    else:
        manifest = read_manifest(folder)
        path = folder / f"{table}.parquet"
    if table not in manifest["tables"]:
        raise ResultError(f"{study} has no table {table!r}; it has {', '.join(manifest['tables'])}")
    return _verified(path, manifest["tables"][table])


def save_result(study: str, tables: dict[str, pd.DataFrame], manifest: dict[str, Any], folder: Path) -> None:
    """Write the tables of a study and its manifest; each file at once or not at all, the manifest last."""
    listed = {}
    for name, frame in tables.items():
        content = to_parquet(frame)
        listed[name] = {"sha256": hashlib.sha256(content).hexdigest(), "rows": len(frame)}
        path = folder / f"{name}.parquet"
        if not path.exists() or path.read_bytes() != content:
            write_atomically(path, content)
    text = json.dumps({"study": study, **manifest, "tables": listed}, indent=1) + "\n"
    write_atomically(folder / "manifest.json", text.encode())


def check_result(folder: Path) -> list[str]:
    """Return what is wrong with a folder of results: nothing, if each file is what the manifest says."""
    try:
        manifest = read_manifest(folder)
    except ResultError as error:
        return [str(error)]
    wrong = []
    for name, listed in manifest["tables"].items():
        try:
            _verified(folder / f"{name}.parquet", listed)
        except ResultError as error:
            wrong.append(str(error))
    listed = {f"{name}.parquet" for name in manifest["tables"]}
    wrong += [f"{path} is not in the manifest" for path in folder.glob("*.parquet") if path.name not in listed]
    return wrong


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder of results."""
    path = folder / "manifest.json"
    try:
        manifest: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError as error:
        raise ResultError(f"{folder} holds no results: there is no manifest.json") from error
    except ValueError as error:
        raise ResultError(f"{path} is not readable as JSON: restore it, or run the study again") from error
    return manifest


def _verified(path: Path, listed: dict[str, Any]) -> pd.DataFrame:
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise ResultError(f"{path} is missing: restore it, or run the study again") from error
    if hashlib.sha256(content).hexdigest() != listed["sha256"]:
        raise ResultError(f"{path} is not what its manifest says: restore it, or run the study again")
    return pd.read_parquet(io.BytesIO(content))


def to_parquet(frame: pd.DataFrame) -> bytes:
    """Return a frame as the bytes of a Parquet file; the same frame gives the same bytes."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()


def environment(workers: str) -> dict[str, Any]:
    """Return what a run was made with: commit, versions, processor, threads."""
    return {
        "commit": _commit(),
        "versions": {"python": platform.python_version(), "cvstrat": importlib.metadata.version("cvstrat")}
        | {package: importlib.metadata.version(package) for package in _PACKAGES},
        "machine": {"processor": _processor(), "cores": os.cpu_count()},
        "workers": workers,
        "threads": "1 in each worker",
    }


def _commit() -> str:
    root = checkout()
    if root is None:
        return "not from a checkout"
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "not from a checkout"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return re.sub(r"\s+", " ", line.split(":", 1)[1]).strip()
    return platform.processor() or platform.machine()


class Shards:
    """Units that are finished but not yet in a table: one Parquet file each, signed with spec and unit.

    Parameters
    ----------
    folder : Path
        Folder of results.
    spec : str
        Checksum of the spec.
    """

    def __init__(self, folder: Path, spec: str) -> None:
        self.folder = folder / "shards"
        self.spec = spec

    def path(self, unit: str) -> Path:
        """Return the file of a unit: a readable name, made unique by a checksum."""
        readable = re.sub(r"[^\w.-]+", "_", unit)[-80:]
        return self.folder / f"{readable}-{hashlib.sha256(unit.encode()).hexdigest()[:8]}.parquet"

    def write(self, unit: str, frame: pd.DataFrame, skipped: str = "") -> None:
        """Write what a unit gave: rows, or the reason why it does not apply."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pandas(frame, preserve_index=False)
        signature = json.dumps({"spec": self.spec, "unit": unit, "skipped": skipped}).encode()
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), _SHARD: signature})
        buffer = io.BytesIO()
        pq.write_table(table, buffer, compression="zstd")
        write_atomically(self.path(unit), buffer.getvalue())

    def read(self, unit: str) -> tuple[pd.DataFrame, str] | None:
        """Return rows and reason of a finished unit; None if there is no shard; raise if it is not the unit's."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path(unit)
        if not path.exists():
            return None
        try:
            table = pq.read_table(io.BytesIO(path.read_bytes()))
        except (pa.ArrowException, OSError) as error:
            raise ResultError(f"{path.name} is damaged") from error
        signature = json.loads((table.schema.metadata or {}).get(_SHARD, b"{}"))
        if (signature.get("spec"), signature.get("unit")) != (self.spec, unit):
            raise ResultError(f"{path.name} is of another run")
        return table.to_pandas(), signature["skipped"]

    def remove(self, units: Iterable[str]) -> None:
        """Delete the shards of units whose rows are in the tables now."""
        for unit in units:
            self.path(unit).unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()
