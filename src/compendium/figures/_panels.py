"""A figure of several panels, as wide as a page; ticks of logarithmic axes."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

_WIDTH = 7.2


def panels(
    n_panels: int, *, max_columns: int = 2, height: float, margin: float = 0.6, **options: Any
) -> tuple[Figure, np.ndarray]:
    """Return a figure and its panels, row by row; places that are left over in the last row are not shown.

    Parameters
    ----------
    n_panels : int
        Number of panels, at least 1.
    max_columns : int, default=2
        Number of panels in a row, if there are as many.
    height : float
        Height of a row, in inches.
    margin : float, default=0.6
        Height beside the rows, for legends and labels.
    **options
        Passed to ``matplotlib.pyplot.subplots``, such as ``sharex``.
    """
    columns = min(max_columns, n_panels)
    rows = -(-n_panels // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(_WIDTH, margin + height * rows), squeeze=False, **options)
    flat: np.ndarray = axes.ravel()
    for place in range(n_panels, len(flat)):
        flat[place].set_visible(False)
        flat[place - columns].tick_params(labelbottom=True)  # which it has none of its own to show
    return figure, flat[:n_panels]


def plain_ticks(axis: Axis) -> None:
    """Write the ticks of a logarithmic axis as numbers such as 0.01; matplotlib's own are formulas, which are off."""
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def short(number: int) -> str:
    """Return a round number with a letter for thousands or millions: ``300``, ``10k``, ``1M``."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:g}{letter}"
    return f"{number}"
