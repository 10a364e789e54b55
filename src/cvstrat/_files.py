"""Where the committed data lie: in a checkout beside the sources, in an installed package inside it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_READ: set[str] = set()


def checkout() -> Path | None:
    """Return the root of the repository this package runs from, or None when it was installed elsewhere."""
    root = _PACKAGE.parents[1]
    return root if (root / "_toc.yml").is_file() and (root / "data" / "catalogue.csv").is_file() else None


def data_root() -> Path:
    """Return the folder of the committed data."""
    root = checkout()
    return root / "data" if root else _PACKAGE / "_data"


def data_file(relative: str) -> Path:
    """Return the path of a committed data file such as ``catalogue.csv`` or ``published/spezia2025_table1.csv``."""
    _READ.add(relative)
    return data_root() / relative


def files_read() -> list[str]:
    """Return the committed data files this process has asked for: what a page was made from."""
    return sorted(_READ)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that other processes see the old one or the whole new one, never a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
