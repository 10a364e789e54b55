"""The one style: colour-blind safe, crisp, the same bytes each time, and names are text, never markup."""

from __future__ import annotations

import matplotlib as mpl
import seaborn as sns
from matplotlib_inline.backend_inline import set_matplotlib_formats

from compendium.figures._narrow import show_narrow_variants
from compendium.figures._tables import escape_styled_tables

PALETTE = "colorblind"


def use_style() -> None:
    """Set fonts, grid, palette and output format for all figures drawn after this call, and escape all tables.

    Names of files, columns and classes come from outside. In figures a dollar sign stands for itself and starts no
    formula; in tables, ``<`` stands for itself and starts no tag.
    """
    escape_styled_tables()
    sns.set_theme(context="notebook", style="whitegrid", palette=PALETTE)
    mpl.rcParams.update(
        {
            "figure.constrained_layout.use": True,
            "figure.figsize": (7.2, 4.2),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlepad": 4,
            "axes.titlesize": "medium",
            "figure.constrained_layout.h_pad": 0.1,  # a title belongs to the panel below it
            "figure.constrained_layout.w_pad": 0.07,
            "grid.color": "0.9",
            "legend.frameon": False,
            "svg.hashsalt": "cvstrat",
            "text.parse_math": False,
        }
    )
    set_matplotlib_formats("svg", metadata={"Date": None, "Creator": None})
    show_narrow_variants()
