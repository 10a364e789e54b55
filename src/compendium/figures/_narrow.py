"""A second drawing of each figure, for phones: panels below each other, legends and labels in lines, no small text."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib as mpl
from IPython.core.getipython import get_ipython
from IPython.core.pylabtools import print_figure
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

NARROW = "application/x-narrow-svg"  # in the outputs of a notebook; compendium.build makes a file of it
WIDTH = 4.2  # inches; on a phone of 390 pixels a point then has 1.1
SMALLEST = 8.5  # points
_FEW = 6  # panels that stand in one column; more stand in two
_CHARACTER = 0.55  # mean width of a character, in sizes of its font
_drawn: WeakKeyDictionary[Figure, dict[str, str]] = WeakKeyDictionary()


def show_narrow_variants() -> None:
    """Let every figure that this process shows in a notebook have its narrow variant beside it."""
    shell = get_ipython()
    if shell is not None and shell.display_formatter is not None:
        shell.display_formatter.mimebundle_formatter.for_type(Figure, _both)
        shell.display_formatter.formatters["image/svg+xml"].for_type(
            Figure, lambda figure: _both(figure)["image/svg+xml"]
        )


def _both(figure: Figure, include: object = None, exclude: object = None) -> dict[str, str]:
    if figure not in _drawn:
        _lay_out(figure)
        wide = _svg(figure)
        make_narrow(figure)
        _drawn[figure] = {"image/svg+xml": wide, NARROW: _svg(figure)}
    return _drawn[figure]


def _svg(figure: Figure) -> str:
    """Draw a figure that is laid out, once; left to itself, Matplotlib lays it out anew and draws it to measure it."""
    layout = figure.get_layout_engine()
    box = figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"])
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine()
    try:
        return str(print_figure(figure, "svg", bbox_inches=box, metadata={"Date": None, "Creator": None}))
    finally:
        figure.set_layout_engine(layout)


def _lay_out(figure: Figure) -> None:
    """Find the places of all that a figure holds, without drawing it."""
    layout = figure.get_layout_engine()
    if layout is not None:
        layout.execute(figure)


def make_narrow(figure: Figure) -> None:
    """Lay a drawn figure out anew in the width of a phone; it stays so."""
    axes = [ax for ax in figure.axes if ax.get_visible()]
    for unused in set(figure.axes) - set(axes):
        unused.remove()
    columns = _stack(figure, axes)
    for legend in [
        *figure.legends,
        *(one for ax in axes if (one := ax.get_legend()) is not None and _outside(ax, one)),
    ]:
        _set_in_lines(figure, legend)
    for text in figure.findobj(Text):
        text.set_fontsize(max(_size(text), SMALLEST))
    row = figure.get_figheight() / max(1, len(axes) / columns)
    for ax in axes:
        for axis, room in ((ax.xaxis, 0.8 * WIDTH / columns), (ax.yaxis, 0.8 * row)):
            _enlarge_ticks(axis)
            _wrap(axis.label, room)
        _wrap(ax.title, 0.85 * WIDTH / columns)
    for words in figure.texts:
        _wrap(words, 0.95 * WIDTH)
    if figure.get_suptitle() or figure.get_supxlabel():
        figure.suptitle(_lines(figure.get_suptitle(), 0.95 * WIDTH, 12), fontsize="medium")
        figure.supxlabel(_lines(figure.get_supxlabel(), 0.95 * WIDTH, 12), fontsize="medium")
    _lay_out(figure)
    if any([_thin_out_ticks_that_meet(ax) for ax in axes]):
        _lay_out(figure)


def _stack(figure: Figure, axes: list[Axes]) -> int:
    """Put panels that stand side by side below each other, and return in how many columns."""
    grids = {spec.get_gridspec() for ax in axes if (spec := ax.get_subplotspec()) is not None}
    rows, columns = (grid := grids.pop()).nrows, grid.ncols
    height = figure.get_figheight()
    now = min(columns, 1 if len(axes) <= _FEW else 2)
    if not grids and columns > 1 and len(axes) > 1:
        new_rows = -(-len(axes) // now)
        height = 0.5 + (height - 0.5) * new_rows / rows
        new = figure.add_gridspec(new_rows, now)
        first = {ax.get_subplotspec().rowspan.start: ax for ax in reversed(axes)}  # type: ignore[union-attr]
        for place, ax in enumerate(axes):
            if not ax.get_ylabel():
                ax.set_ylabel(first[ax.get_subplotspec().rowspan.start].get_ylabel())  # type: ignore[union-attr]
            if place % now == 0:
                ax.tick_params(axis="y", labelleft=True)
            ax.tick_params(axis="x", labelbottom=True)
            ax.set_subplotspec(new[place // now, place % now])
    figure.set_size_inches(WIDTH, height)
    return now if columns > 1 else 1


def _outside(ax: Axes, legend: Legend) -> bool:
    """Tell whether a legend stands to the right of its panel or above it."""
    anchor = legend.get_bbox_to_anchor()
    return bool(anchor.x0 >= ax.bbox.x1 or anchor.y0 >= ax.bbox.y1)


def _set_in_lines(figure: Figure, legend: Legend) -> None:
    texts = legend.get_texts()
    labels, size = [text.get_text() for text in texts], max(SMALLEST, min(10.0, _size(texts[0])))
    widest = (max(map(len, labels)) * _CHARACTER + 3.5) * size
    columns = max(1, min(len(labels), int(0.97 * WIDTH * 72 / widest)))
    bars = {one.get_label(): one for ax in figure.axes for one in ax.containers if isinstance(one, ErrorbarContainer)}
    drawn = zip(labels, legend.legend_handles, strict=True)
    handles: list[Any] = [bars.get(label, handle) for label, handle in drawn if handle is not None]
    title = legend.get_title().get_text() or None
    legend.remove()
    # A legend is filled column by column; so it reads line by line.
    order = [place for column in range(columns) for place in range(column, len(labels), columns)]
    handles, labels = [handles[place] for place in order], [labels[place] for place in order]
    figure.legend(
        handles, labels, title=title, loc="outside upper center", ncols=columns, fontsize=size, title_fontsize=size
    )


def _enlarge_ticks(axis: Axis) -> None:
    labels = axis.get_ticklabels()
    if labels and _size(labels[0]) <= SMALLEST:
        axis.set_tick_params(labelsize=SMALLEST)


def _size(text: Text) -> float:
    return float(text.get_fontsize())


def _wrap(text: Text, room: float) -> None:
    text.set_text(_lines(text.get_text(), room, _size(text)))


def _lines(words: str, room: float, size: float) -> str:
    """Break words into lines that fit into `room` inches."""
    if "\n" in words:
        return words
    width = max(8, int(room * 72 / (_CHARACTER * size)))
    return textwrap.fill(words, width, break_long_words=False, break_on_hyphens=False)


def _thin_out_ticks_that_meet(ax: Axes) -> bool:
    """Let an axis have fewer numbers if they meet; ticks that were chosen, such as names, are turned instead."""
    low, high = sorted(ax.get_xlim())
    seen = [one for one in ax.get_xticklabels() if one.get_visible() and low <= one.get_position()[0] <= high]
    boxes = [label.get_window_extent() for label in seen if label.get_text()]
    boxes = sorted((box for box in boxes if box.width), key=lambda box: box.x0)
    meet = any(left.x1 + 4 > right.x0 for left, right in pairwise(boxes))
    if meet and isinstance(ax.xaxis.get_major_locator(), MaxNLocator):
        ax.xaxis.set_major_locator(MaxNLocator(3))
    elif meet:
        ax.tick_params(axis="x", labelrotation=90)
    return meet
