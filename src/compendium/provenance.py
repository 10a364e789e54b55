"""What a page was made from: commit, versions, data. No date, so that the same input gives the same page."""

from __future__ import annotations

import html
import re

from IPython.display import HTML, display

from compendium.datasets import loaded
from compendium.files import files_read
from compendium.versions import stamped_commit, versions

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "matplotlib")
_COMMIT = re.compile(r'(<code class="commit">)[^<]*(</code>)')


def provenance() -> None:
    """Display what this notebook was made from; the last cell of every notebook calls it."""
    lines = [
        ("Commit", f'<code class="commit">{html.escape(stamped_commit())}</code>'),
        ("Versions", html.escape(", ".join(f"{name} {version}" for name, version in versions(PACKAGES).items()))),
        ("Files read", ", ".join(f"<code>data/{html.escape(name)}</code>" for name in files_read()) or "none"),
        (
            "Data loaded",
            "<br>".join(f"{html.escape(name)} <code>{sha}</code>" for name, sha in loaded().items()) or "none",
        ),
    ]
    body = "".join(f"<dt>{title}</dt><dd>{text}</dd>" for title, text in lines)
    box = f'<details class="provenance"><summary>What this page was made from</summary><dl>{body}</dl></details>'
    display(HTML(box), metadata={"cvstrat": {"files": files_read()}})


def with_commit(text: str, current: str) -> str:
    """Return the HTML of a provenance box with the commit it stands at now."""
    return _COMMIT.sub(rf"\g<1>{html.escape(current)}\g<2>", text)
