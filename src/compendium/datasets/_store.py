"""Where files lie and how they get there; every file leaves this module verified or not at all."""

from __future__ import annotations

import hashlib
import importlib.resources
import os
import time
from pathlib import Path

from platformdirs import user_cache_path

from compendium.datasets._catalogue import Entry
from compendium.datasets._errors import CorruptData, MissingData
from compendium.datasets._limits import Limits

PMLB_URL = "https://github.com/EpistasisLab/penn-ml-benchmarks/raw/master/datasets"
LIMITS = Limits()


def cache_folder() -> Path:
    """Return the folder downloads go to: ``CVSTRAT_CACHE``, or the platform's place for caches."""
    chosen = os.environ.get("CVSTRAT_CACHE")
    return Path(chosen).expanduser() if chosen else user_cache_path("cvstrat")


def data_folder() -> Path | None:
    """Return the folder named by ``CVSTRAT_DATA``, if it is set."""
    chosen = os.environ.get("CVSTRAT_DATA")
    if not chosen:
        return None
    folder = Path(chosen).expanduser()
    if not folder.is_dir():
        raise MissingData(f"CVSTRAT_DATA names {chosen}, which is not a folder: correct it or unset it.")
    return folder


def where(entry: Entry) -> str:
    """Return where the data come from: ``scikit-learn``, ``folder``, ``cache``, ``download`` or ``nowhere``."""
    if entry.collection == "sklearn":
        return "scikit-learn"
    folder = data_folder()
    if folder and (folder / entry.path).is_file():
        return "folder"
    if (cache_folder() / entry.path).is_file():
        return "cache"
    return "download" if entry.remote else "nowhere"


def read_verified(entry: Entry, *, download: bool = True) -> tuple[str, list[bytes]]:
    """Return where the files of `entry` are, and their content after checking it against the catalogue.

    Nothing is read from a file that differs, and no other place is tried instead of it: a wrong file is an error.
    """
    place = where(entry)
    if place == "scikit-learn":
        package = importlib.resources.files("sklearn.datasets.data")
        contents = [(package / name).read_bytes() for name in entry.path.split()]
        _verify(entry, b"".join(contents), f"{entry.path} of the installed scikit-learn", "install the locked version")
        return place, contents
    if place in ("folder", "cache"):
        folder = data_folder() if place == "folder" else cache_folder()
        assert folder is not None
        remedy = "put the original file there" if place == "folder" else f"run: compendium data get {entry.id} --again"
        return place, [_read(entry, folder / entry.path, remedy)]
    if not download:
        raise MissingData(f"{entry.id} is not on this machine, and downloading is off. {_by_hand(entry)}")
    return place, [_download(entry)]


def fetch(entry: Entry, *, again: bool = False) -> Path | None:
    """Bring the file of `entry` to this machine and return its path; None if scikit-learn holds it.

    Parameters
    ----------
    entry : Entry
        The data set.
    again : bool, default=False
        Download also if the cache has it, for instance because that copy is damaged.
    """
    place = where(entry)
    if place in ("download", "nowhere") or (place == "cache" and again):
        _download(entry)
        place = "cache"
    else:
        read_verified(entry)
    if place == "scikit-learn":
        return None
    folder = data_folder() if place == "folder" else cache_folder()
    assert folder is not None
    return folder / entry.path


def _read(entry: Entry, file: Path, remedy: str) -> bytes:
    """Return the content of a file that has the right size and checksum; one of another size is not read at all."""
    size = file.stat().st_size
    if size != entry.bytes:
        raise _other_file(entry, str(file), f"it has {size} bytes instead of {entry.bytes}", remedy)
    return _verify(entry, file.read_bytes(), str(file), remedy)


def _verify(entry: Entry, content: bytes, file: str, remedy: str) -> bytes:
    if hashlib.sha256(content).hexdigest() != entry.sha256:
        raise _other_file(entry, file, "its sha256 differs", remedy)
    return content


def _other_file(entry: Entry, file: str, difference: str, remedy: str) -> CorruptData:
    return CorruptData(
        f"{file} is not the file the catalogue knows as {entry.id} ({difference}). Nothing was loaded; {remedy}."
    )


def _by_hand(entry: Entry) -> str:
    return (
        f"To provide it by hand, put the file at {entry.path} below a folder and name that folder in CVSTRAT_DATA "
        f"(origin: {entry.source})."
    )


def _download(entry: Entry) -> bytes:
    if not entry.remote:
        raise MissingData(f"{entry.id} cannot be downloaded automatically. {_by_hand(entry)}")
    import pooch  # only here: it is slow to import, and warns in notebooks

    from compendium.datasets._transfer import TransferFailed, transfer

    url = f"{os.environ.get('CVSTRAT_PMLB_URL', PMLB_URL)}/{entry.remote}/{entry.remote}.tsv.gz"
    target = cache_folder() / entry.path
    if target.is_dir():
        raise MissingData(f"{target} is a folder: remove it, or set CVSTRAT_CACHE to another place.")
    pooch.get_logger().setLevel("WARNING")
    try:
        _remove_leftovers(target.parent)
        pooch.retrieve(
            url,
            known_hash=f"sha256:{entry.sha256}",
            fname=target.name,
            path=target.parent,
            downloader=lambda url, file, _: transfer(url, Path(file), entry.bytes, LIMITS),
        )
    except TransferFailed as error:
        raise MissingData(f"{entry.id} could not be downloaded from {url} ({error}). {_by_hand(entry)}") from error
    except ValueError as error:  # too long, or the checksum differs; nothing was kept
        raise CorruptData(
            f"{url} is not the file the catalogue knows as {entry.id} ({_reason(error)}). Nothing was loaded; the file "
            f"there has changed or the transfer broke off. {_by_hand(entry)}"
        ) from error
    except OSError as error:
        raise MissingData(f"{target} cannot be written ({error}): set CVSTRAT_CACHE to a folder that can.") from error
    return _read(entry, target, "run the command again")


def _reason(error: ValueError) -> str:
    return str(error) if isinstance(error, CorruptData) else "sha256 differs"


def _remove_leftovers(folder: Path) -> None:
    """Remove what a download that was killed has left: parts that no living one can still be writing."""
    for part in folder.glob("tmp*"):
        if time.time() - part.stat().st_mtime > LIMITS.deadline:
            part.unlink(missing_ok=True)
