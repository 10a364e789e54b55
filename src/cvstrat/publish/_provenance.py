"""What a page was made from: commit, versions, data. No date, so that the same input gives the same page."""

from __future__ import annotations

import html
import importlib.metadata
import platform
import re
import subprocess
from collections.abc import Iterable

from IPython.display import HTML, display

import cvstrat
from cvstrat._files import checkout, files_read
from cvstrat.datasets import loaded

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "matplotlib")
_COMMIT = re.compile(r'(<code class="commit">)[^<]*(</code>)')


def commit() -> str:
    """Return the commit of the checkout, marked when files differ from it; the version where there is no git."""
    root = checkout()
    try:
        if root is None:
            raise FileNotFoundError
        short = _git(root, "rev-parse", "--short=10", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return f"release {cvstrat.__version__}"
    return f"{short} with local changes" if changed else short


def _git(root: object, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True).stdout.strip()


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Return the versions of Python, of this package and of what it computes with."""
    found = {"Python": platform.python_version(), "cvstrat": cvstrat.__version__}
    return found | {name: importlib.metadata.version(name) for name in packages}


def provenance() -> None:
    """Display what this notebook was made from; the last cell of every notebook calls it."""
    lines = [
        ("Commit", f'<code class="commit">{html.escape(commit())}</code>'),
        ("Versions", ", ".join(f"{name} {version}" for name, version in versions().items())),
        ("Files read", ", ".join(f"<code>data/{html.escape(name)}</code>" for name in files_read()) or "none"),
        ("Data loaded", "<br>".join(f"{name} <code>{sha}</code>" for name, sha in loaded().items()) or "none"),
    ]
    body = "".join(f"<dt>{title}</dt><dd>{text}</dd>" for title, text in lines)
    box = f'<details class="provenance"><summary>What this page was made from</summary><dl>{body}</dl></details>'
    display(HTML(box), metadata={"cvstrat": {"files": files_read()}})


def with_commit(text: str, current: str) -> str:
    """Return the HTML of a provenance box with the commit it stands at now."""
    return _COMMIT.sub(rf"\g<1>{html.escape(current)}\g<2>", text)
