"""Boxes, the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes


def draw_boxes(
    ax: Axes, frame: pd.DataFrame, x: str, y: str, order: list[str], *, hue: str = "", hues: Sequence[str] = ("",)
) -> None:
    """Draw a horizontal box for each value of `y`, or one for each of `hues` beside each other.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    frame : DataFrame
        With the columns named in `x`, `y` and `hue`.
    x, y : str
        Column of the numbers, and column of the groups.
    order : list of str
        Values of `y`, from the top down.
    hue : str, default=""
        Column by which each group is divided; empty for none.
    hues : sequence of str, default=("",)
        Values of `hue`, a colour each.
    """
    width = 0.8 / len(hues)
    for number, name in enumerate(hues):
        part = frame[frame[hue] == name] if hue else frame
        places = np.arange(len(order)) + (number - (len(hues) - 1) / 2) * width
        boxes = ax.boxplot(
            [part.loc[part[y] == value, x].dropna() for value in order],
            positions=places,
            widths=0.85 * width,
            orientation="horizontal",
            manage_ticks=False,
            patch_artist=True,
            flierprops={"marker": "o", "markersize": 2, "markeredgecolor": "0.4"},
            medianprops={"color": "0.1"},
        )
        for box in boxes["boxes"]:
            box.set(facecolor=f"C{number}", edgecolor="0.2", linewidth=0.8)
    ax.set(yticks=np.arange(len(order)), yticklabels=order, ylim=(len(order) - 0.5, -0.5))
    ax.grid(visible=False, axis="y")
