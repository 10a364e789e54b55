"""What is running: the commit of the checkout, the source of both packages, the versions of Python and of packages."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from collections.abc import Callable, Iterable
from functools import cache

from compendium.files import repository
from cvstrat import __version__


def commit(length: int = 40) -> str:
    """Return the commit of the checkout, cut to `length` digits; the version where there is no git."""
    return git("rev-parse", f"--short={length}", "HEAD") or f"release {__version__}"


def stamped_commit() -> str:
    """Return the commit as pages show it: ten digits, and a remark when files differ from it."""
    changed = git("status", "--porcelain", "--untracked-files=no")
    return f"{commit(10)} with local changes" if changed else commit(10)


def last_changes() -> dict[str, str]:
    """Return the day of the last commit that changed each page's source, by its path; none where there is no git."""
    found: dict[str, str] = {}
    day = ""
    for line in git("log", "--format=day %cs", "--name-only", "--", "book/*.md", "notebooks/*.md").splitlines():
        if line.startswith("day "):
            day = line.removeprefix("day ")
        elif line:
            found.setdefault(line, day)
    return found


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python, of the library and of some packages."""
    found = {"python": platform.python_version(), "cvstrat": __version__}
    return found | {name: _installed(name) for name in packages}


@cache  # what a process has loaded stays, and each is a file to read and parse
def _installed(package: str) -> str:
    return importlib.metadata.version(package)


def inspector() -> Callable[[], dict[str, str]]:
    """Return a function that says what decides the results of a process: the source of both packages, and versions.

    It is made inside a function, and imports what it needs, so that it travels by value: it runs in a worker that has
    neither package. A process that has loaded a package goes on with that, whatever happens to the files; so the
    function tells what it found before.
    """
    sources, libraries = ("cvstrat", "compendium"), ("numpy", "scipy", "scikit-learn", "pandas")

    def source(package: str) -> str:
        import hashlib
        import importlib.util
        import sys
        from pathlib import Path

        found = importlib.util.find_spec(package)
        if found is None or not found.submodule_search_locations:
            return "missing"
        places = [Path(place) for place in found.submodule_search_locations]
        files = {file.relative_to(place): file for place in reversed(places) for file in place.rglob("*.py")}
        for study in (study for place in sys.path for study in Path(place, package).glob("*/study*")):
            for file in study.parent.rglob("*.py"):  # a study may lie anywhere on the path
                files.setdefault(file.relative_to(study.parents[1]), file)
        text = hashlib.sha256()
        for name in sorted(files):
            if files[name].is_file():
                text.update(f"{name.as_posix()} {hashlib.sha256(files[name].read_bytes()).hexdigest()}\n".encode())
        return text.hexdigest()[:16]

    def version(package: str) -> str:
        import importlib.metadata

        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return "missing"

    def inspect() -> dict[str, str]:
        import platform
        import sys

        known: dict[str, str] = vars(sys).get("_cvstrat_inspected", {})
        if not known or not any(package in sys.modules for package in sources):
            known = {"python": platform.python_version()}
            known |= {package: source(package) for package in sources}
            known |= {package: version(package) for package in libraries}
            vars(sys)["_cvstrat_inspected"] = known
        return known

    return inspect


def git(*words: str) -> str:
    """Return what git says of the checkout; nothing where there is no git, or it fails."""
    try:
        found = subprocess.run(["git", "-C", str(repository()), *words], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()
