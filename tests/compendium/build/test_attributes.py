"""Attributes of classes are shown under their own names on the pages made from docstrings."""

import re
import subprocess
import sys

import yaml

from compendium.files import repository


def test_several_attributes_in_a_line_and_underscores_at_the_end_are_kept(tmp_path):
    root = repository()
    ours = yaml.safe_load((root / "_config.yml").read_text())["sphinx"]["local_extensions"]
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", *(name for name in ours if name == "attributes")]
    path = f"import sys\nsys.path.insert(0, {str(root / 'book' / '_ext')!r})\n"
    (tmp_path / "conf.py").write_text(f"{path}extensions = {extensions}\nnapoleon_use_ivar = True\n")
    shown = ".. autoclass:: cvstrat.CompleteKFoldSearchCV\n\n.. autofunction:: cvstrat.metrics.energy_distance\n"
    (tmp_path / "index.rst").write_text(f"Page\n====\n\n{shown}")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "text", str(tmp_path), str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    text = re.sub("[*]", "", (tmp_path / "out" / "index.txt").read_text())
    assert "best_params_ (dict)" in text
    assert "best_k_, best_index_ (int)" in text
    assert "cv, X, y, groups -- As in" in text, "parameters described together are one entry"
    assert "max_rows (int, default=5000) -- Up to" in text
