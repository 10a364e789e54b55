"""The book's first figure as README shows it: a drawing for light pages and one for dark ones."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib.pyplot as plt

from compendium.balance.figures import plot_law, use_style
from compendium.engine import read_tables
from compendium.files import write_atomically
from compendium.spezia2025 import tables

FIGURES = {"light": Path("book/_static/law-light.svg"), "dark": Path("book/_static/law-dark.svg")}
_INK = {"light": ("#ffffff", "#24292f", "#dddddd"), "dark": ("#0d1117", "#e6edf3", "#30363d")}  # paper, ink, grid


def draw_first_figure() -> dict[str, bytes]:
    """Return the drawings."""
    bias = tables.bias_table(read_tables("spezia2025"), metric="accuracy")
    pairs = tables.balance_and_bias(bias, read_tables("spezia2025-balance")["ratios"])
    points = tables.law_table(tables.one_of_each(pairs))
    drawn = {}
    for theme, (paper, ink, grid) in _INK.items():
        with plt.rc_context():
            use_style()
            plt.rcParams.update(dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), paper))
            plt.rcParams.update(dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), ink))
            plt.rcParams.update(dict.fromkeys(("grid.color", "axes.edgecolor"), grid))
            figure = plot_law(points)[0].figure
            content = io.BytesIO()
            figure.savefig(content, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
            plt.close(figure)
        drawn[theme] = content.getvalue()
    return drawn


def write_first_figure(root: Path) -> None:
    """Write the drawings below `root`, where README looks for them."""
    for theme, content in draw_first_figure().items():
        write_atomically(root / FIGURES[theme], content)
