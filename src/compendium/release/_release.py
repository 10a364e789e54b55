"""Building a release into a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compendium import build
from compendium.files import repository
from compendium.release._archive import checksums, zip_folder
from compendium.release._crate import crate
from compendium.release._pdf import chromium, print_book
from compendium.release._version import check_clean
from compendium.versions import commit, git, versions
from cvstrat import __version__
from cvstrat.errors import CvstratError

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "matplotlib", "pyarrow", "jupyter-book")


def build_release(folder: Path, *, jobs: int = 2, say: build.Say = print) -> list[Path]:
    """Build all files of a release into `folder`, from the commit that is checked out; return them.

    The same commit, with the locked packages and the same Chromium, gives the same bytes: every file bears the time of
    the commit.
    """
    check_clean()
    chromium()
    root, seconds = repository(), int(git("show", "--no-patch", "--format=%ct", "HEAD"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build.build_book(jobs=jobs, say=say, anew=True)
    say("packages")
    _packages(root, folder, seconds)
    say("archives")
    stage, name = root / "_build" / "stage", f"cvstrat-{__version__}"
    zip_folder(root / "_build" / "html", folder / f"{name}-book.zip", seconds, files=_pages(root / "_build" / "html"))
    zip_folder(stage, folder / f"{name}-notebooks.zip", seconds, files=(stage / "notebooks").glob("*.ipynb"))
    committed = (root / one for one in git("ls-files", "data").splitlines())
    zip_folder(root / "data", folder / f"{name}-results.zip", seconds, files=committed)
    say("PDF")
    with tempfile.TemporaryDirectory() as scratch:
        page = build.render_single_page(stage, Path(scratch))
        print_book(page, folder / f"{name}.pdf", time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds)))
    _describe(folder, seconds)
    return sorted(folder.iterdir())


def _pages(html: Path) -> list[Path]:
    """Return what a reader of the book needs: not what Sphinx keeps for its next run."""
    return [path for path in html.rglob("*") if path.name not in (".buildinfo", "objects.inv.tmp")]


def _packages(root: Path, folder: Path, seconds: int) -> None:
    """Build wheel and source of the library; their files bear the commit's time."""
    words = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder.resolve())]
    dated = os.environ | {"SOURCE_DATE_EPOCH": str(seconds)}
    done = subprocess.run(words, cwd=root, env=dated, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CvstratError(f"the library's packages could not be built:\n{done.stdout}\n{done.stderr}")


def _describe(folder: Path, seconds: int) -> None:
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    described = crate(folder.iterdir(), commit(), date, versions(_PACKAGES))
    (folder / "ro-crate-metadata.json").write_text(f"{json.dumps(described, indent=1, ensure_ascii=False)}\n")
    (folder / "SHA256SUMS").write_text(checksums(list(folder.iterdir())))
