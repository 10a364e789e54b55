"""Results on disk: a table, and beside it a manifest that says what it was made from and what it must hash to."""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import os
import platform
from collections.abc import Mapping
from typing import Any

import pandas as pd

from cvstrat._files import checkout, data_file, data_root, write_atomically

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn")


class ResultError(Exception):
    """A result that is not there, or not what its manifest says."""


def save_result(name: str, frame: pd.DataFrame, spec: dict[str, Any], *, data: Mapping[str, str] | None = None) -> None:
    """Write a result and its manifest below ``data/results``.

    Parameters
    ----------
    name : str
        Name of the result.
    frame : DataFrame
        Written as CSV, without its index.
    spec : dict
        What was run; goes into the manifest with versions and machine.
    data : mapping of str to str, default=None
        Names and checksums of the data sets it was computed from.
    """
    if checkout() is None:
        raise ResultError("results are kept in the repository: run this from a clone of it")
    content = frame.to_csv(index=False, lineterminator="\n").encode()
    manifest = {
        "spec": spec,
        "sha256": hashlib.sha256(content).hexdigest(),
        "rows": len(frame),
        "versions": {"python": platform.python_version()}
        | {package: importlib.metadata.version(package) for package in _PACKAGES},
        "machine": {"processor": platform.machine(), "cores": os.cpu_count()},
        "data": dict(data or {}),
    }
    folder = data_root() / "results"
    write_atomically(folder / f"{name}.csv", content)
    write_atomically(folder / f"{name}.json", (json.dumps(manifest, indent=1) + "\n").encode())


def load_result(name: str) -> pd.DataFrame:
    """Read a committed result, if it is what its manifest says."""
    known = sorted(path.stem for path in (data_root() / "results").glob("*.json"))
    if name not in known:
        raise ResultError(f"no result {name!r}; there are {', '.join(known) or 'none'}")
    manifest = json.loads(data_file(f"results/{name}.json").read_text())
    content = data_file(f"results/{name}.csv").read_bytes()
    if hashlib.sha256(content).hexdigest() != manifest["sha256"]:
        raise ResultError(f"data/results/{name}.csv is not what its manifest says: restore it, or run the study again")
    return pd.read_csv(io.BytesIO(content))
