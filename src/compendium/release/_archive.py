"""Archives and checksums that depend on nothing but the files and one date."""

from __future__ import annotations

import hashlib
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path


def zip_folder(folder: Path, target: Path, seconds: int, *, files: Iterable[Path] | None = None) -> Path:
    """Pack a folder, or some of its files, so that the same files always give the same bytes.

    Parameters
    ----------
    folder : Path
        Names in the archive are relative to it, below a folder named as the archive.
    target : Path
        The archive.
    seconds : int
        The time that all files get, in seconds since 1970.
    files : iterable of Path, optional
        Which files; None means all of them.
    """
    date = time.gmtime(max(seconds, 315532800))[:6]  # an archive knows no year before 1980
    chosen = sorted(path for path in (files if files is not None else folder.rglob("*")) if path.is_file())
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in chosen:
            entry = zipfile.ZipInfo(f"{target.stem}/{path.relative_to(folder).as_posix()}", date)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(entry, path.read_bytes())
    return target


def checksums(files: Iterable[Path]) -> str:
    """Return the checksums of files, a line each, as ``sha256sum --check`` reads them."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(files))
