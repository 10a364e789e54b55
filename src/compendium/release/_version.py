"""The version: dated in the changelog and the citation, then tagged."""

from __future__ import annotations

import datetime
import re

from compendium.citation import citation, write_derived
from compendium.files import repository, write_atomically
from compendium.versions import git
from cvstrat import __version__
from cvstrat.errors import CvstratError, InputError

_OPEN = "## Unreleased\n"


def prepare(date: str) -> list[str]:
    """Date the version in changelog and citation, write what is made from them; return the names of the files.

    Parameters
    ----------
    date : str
        The day, as ``2026-11-30``.
    """
    try:
        datetime.date.fromisoformat(date)
    except ValueError as error:
        raise InputError(f"{date!r} is no day: give it as 2026-11-30") from error
    root = repository()
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if f"## {__version__}, " in changes:
        changes = re.sub(rf"(?m)^## {re.escape(__version__)}, .*$", f"## {__version__}, {date}", changes)
    elif _OPEN in changes:
        changes = changes.replace(_OPEN, f"{_OPEN}\n## {__version__}, {date}\n", 1)
    else:
        raise CvstratError("CHANGELOG.md has no heading 'Unreleased'")
    said = (root / "CITATION.cff").read_text(encoding="utf-8")
    said = re.sub(r"(?m)^date-released: .*\n", "", said)
    said = re.sub(r"(?m)^(version: .*)$", rf"\1\ndate-released: {date}", said, count=1)
    write_atomically(root / "CHANGELOG.md", changes.encode())
    write_atomically(root / "CITATION.cff", said.encode())
    return ["CHANGELOG.md", "CITATION.cff", *write_derived()]


def check_clean() -> None:
    """Raise if files differ from the commit: a release is what a commit says."""
    if not git("rev-parse", "HEAD"):
        raise CvstratError("a release is built from a clone of the repository; this folder is none")
    if git("status", "--porcelain", "--untracked-files=no"):
        raise CvstratError("files differ from the commit: commit or undo the changes first")


def tag() -> str:
    """Tag the commit with the version, if changelog and citation are dated; return the tag."""
    check_clean()
    name, said = f"v{__version__}", citation()
    heading = f"## {__version__}, {said.get('date-released')}"
    if heading not in (repository() / "CHANGELOG.md").read_text(encoding="utf-8").splitlines():
        raise CvstratError(f"version {__version__} is not dated: 'compendium release --date YYYY-MM-DD', then commit")
    if git("tag", "--list", name):
        raise CvstratError(f"the tag {name} is there already: give the project another version")
    git("tag", "--annotate", name, "--message", f"cvstrat {__version__}")
    return name
