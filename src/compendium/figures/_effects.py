"""Differences from a reference, with their intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from compendium.figures._colours import GREY
from compendium.figures._panels import panels

_DRAWN = ("difference", "low", "high", "joint_low", "joint_high")


def plot_effects(
    effects: pd.DataFrame,
    *,
    label: str,
    reference: str,
    one_scale: bool = True,
    hue: str = "",
    margin: float = 0.0,
    titles: bool = True,
    points: bool = False,
) -> np.ndarray:
    """Draw differences to a reference with their intervals, a panel per value of ``panel``.

    Parameters
    ----------
    effects : DataFrame
        With columns ``panel``, ``technique``, ``difference``, ``low`` and ``high``. Where ``joint_low`` and
        ``joint_high`` are there, they are drawn as thin lines, and it is they that must exclude zero for a colour.
    label : str
        What differs, in words, for the label of the axis.
    reference : str
        Name of the technique that the others are compared to; its value is zero.
    one_scale : bool, default=True
        Whether all panels have the same axis.
    hue : str, default=""
        Column whose values are drawn side by side, with a colour each and a legend; empty for none.
    margin : float, default=0.0
        Half the width of a band around zero within which differences do not matter; 0 draws none.
    titles : bool, default=True
        Whether each panel is titled by its value of ``panel``.
    points : bool, default=False
        Whether differences of scores are drawn in points (hundredths), as prose and tables have them.
    """
    if points:
        numbers = [name for name in _DRAWN if name in effects.columns]
        effects, margin = effects.assign(**100 * effects[numbers]), 100 * margin
    names = list(effects["technique"].unique())
    hues = list(effects[hue].unique()) if hue else [""]
    shown = list(effects["panel"].unique())
    height = 0.7 + 0.24 * len(names) * (1 + 0.4 * (len(hues) - 1))
    figure, axes = panels(len(shown), height=height, margin=0.5 + 0.25 * bool(hue), sharex=one_scale, sharey=True)
    for ax, title in zip(axes, shown, strict=True):
        for number, value in enumerate(hues):
            part = effects[(effects["panel"] == title) & ((effects[hue] == value) if hue else True)]
            part = part.set_index("technique").reindex(names)
            places = np.arange(len(part)) + (number - (len(hues) - 1) / 2) * 0.35
            _draw_intervals(ax, part, places, f"C{number}", GREY if not hue else f"C{number}", value)
        if margin:
            ax.axvspan(-margin, margin, color="0.93", zorder=0)
        ax.axvline(0, color="0.3", linewidth=0.8, zorder=0)
        ax.set(yticks=np.arange(len(names)), yticklabels=names, xlabel="", ylim=(len(names) - 0.5, -0.5))
        ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]) if points else MaxNLocator(4))
        if titles:
            ax.set_title(title)
    figure.supxlabel(f"{label}, minus that of {reference}{' (points)' if points else ''}", fontsize="medium")
    if hue:
        handles, words = axes[0].get_legend_handles_labels()
        figure.legend(handles, words, loc="outside upper center", ncols=len(hues), fontsize="small")
    return axes


def _draw_intervals(
    ax: Axes, part: pd.DataFrame, places: np.ndarray, colour: str, unclear_colour: str, label: str
) -> None:
    joint = "joint_low" in part.columns
    low, high = (part["joint_low"], part["joint_high"]) if joint else (part["low"], part["high"])
    clear = (low > 0) | (high < 0)
    for chosen, shade, name in ((clear, colour, ""), (~clear, unclear_colour, label)):
        some = part[chosen]
        ax.errorbar(
            some["difference"],
            places[chosen],
            xerr=[some["difference"] - some["low"], some["high"] - some["difference"]],
            fmt="o",
            color=shade,
            markersize=4,
            linewidth=2.2 if joint else 1.2,
            label=name or None,
        )
        if joint:
            ax.hlines(places[chosen], some["joint_low"], some["joint_high"], color=shade, linewidth=0.8)
