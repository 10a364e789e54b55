"""Differences from a reference, with their intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.figures._panels import panels


def plot_effects(effects: pd.DataFrame, *, label: str, reference: str, one_scale: bool = True) -> np.ndarray:
    """Draw differences to a reference with their intervals, a panel per value of ``panel``.

    Parameters
    ----------
    effects : DataFrame
        With columns ``panel``, ``technique``, ``difference``, ``low`` and ``high``.
    label : str
        What differs, in words, for the label of the axis.
    reference : str
        Name of the technique that the others are compared to; its value is zero.
    one_scale : bool, default=True
        Whether all panels have the same axis.
    """
    titles = list(effects["panel"].unique())
    names = list(effects["technique"].unique())
    height = 0.7 + 0.24 * len(names)
    figure, axes = panels(len(titles), height=height, margin=0.5, sharex=one_scale, sharey=True)
    for ax, title in zip(axes, titles, strict=True):
        part = effects[effects["panel"] == title].set_index("technique").reindex(names)
        places = np.arange(len(part))
        clear = (part["low"] > 0) | (part["high"] < 0)
        for chosen, colour in ((clear, "C0"), (~clear, "0.6")):
            some = part[chosen]
            ax.errorbar(
                some["difference"],
                places[chosen],
                xerr=[some["difference"] - some["low"], some["high"] - some["difference"]],
                fmt="o",
                color=colour,
                markersize=4,
                linewidth=1.2,
            )
        ax.axvline(0, color="0.3", linewidth=0.8, zorder=0)
        ax.set(yticks=places, yticklabels=names, title=title, xlabel="", ylim=(len(names) - 0.5, -0.5))
    figure.supxlabel(f"{label}, minus that of {reference}", fontsize="medium")
    return axes
