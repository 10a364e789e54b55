"""The checkout: where committed data lie, which of them were read, and how files are written."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cvstrat.errors import CvstratError

_ROOT = Path(__file__).resolve().parents[2]
_READ: set[str] = set()


def repository() -> Path:
    """Return the root of the checkout that the compendium runs from; it runs from nowhere else."""
    if not (_ROOT / "_toc.yml").is_file():
        raise CvstratError("the compendium runs from a clone of the repository: clone it and run 'make setup' there")
    return _ROOT


def data_root() -> Path:
    """Return the folder of the committed data."""
    return repository() / "data"


def data_file(relative: str) -> Path:
    """Return the path of a committed data file such as ``catalogue.csv`` or ``published/spezia2025_table1.csv``."""
    _READ.add(relative)
    return data_root() / relative


def files_read() -> list[str]:
    """Return the committed data files this process has asked for: what a page was made from."""
    return sorted(_READ)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that other processes, and a machine that lost power, see the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Put the names of a folder's files on disk, where the system can."""
    if os.name != "posix":  # elsewhere a folder cannot be opened
        return
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    finally:
        os.close(names)


def remove_parts(folder: Path) -> None:
    """Delete what writers that were killed left of files; only for whoever is the folder's sole writer."""
    for part in folder.glob(".*.part"):
        part.unlink(missing_ok=True)
