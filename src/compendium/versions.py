"""What is running: the commit of the checkout, and the versions of Python and of packages."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from collections.abc import Iterable

from compendium.files import repository
from cvstrat import __version__


def commit(length: int = 40) -> str:
    """Return the commit of the checkout, cut to `length` digits; the version where there is no git."""
    return _git("rev-parse", f"--short={length}", "HEAD") or f"release {__version__}"


def stamped_commit() -> str:
    """Return the commit as pages show it: ten digits, and a remark when files differ from it."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return f"{commit(10)} with local changes" if changed else commit(10)


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python, of the library and of some packages."""
    found = {"python": platform.python_version(), "cvstrat": __version__}
    return found | {name: importlib.metadata.version(name) for name in packages}


def _git(*words: str) -> str:
    try:
        found = subprocess.run(["git", "-C", str(repository()), *words], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()
