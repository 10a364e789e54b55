"""Figures of the theory: a formula as a line, its simulation as dots on top of it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator

from compendium.figures import (
    captioned,
    offer,
    p_text,
    panels,
    plain_ticks,
    signed,
    technique_style,
    use_style,
)

__all__ = [
    "captioned",
    "offer",
    "p_text",
    "plot_fold_counts",
    "plot_formula",
    "plot_moments",
    "signed",
    "use_style",
]

_RANDOM, _STRATIFIED = (technique_style(name)["color"] for name in ("KFold", "SCV"))


def _colours(curves: list[str]) -> dict[str, str]:
    """Return a colour for each curve: those of random and of stratified folds have it in the whole book."""
    kinds = {"random": _RANDOM, "stratified": _STRATIFIED}
    others = cycle(("C1", "C2", "C4", "C9"))
    known = {curve: next((colour for word, colour in kinds.items() if curve.startswith(word)), "") for curve in curves}
    return {curve: colour or next(others) for curve, colour in known.items()}


def plot_formula(
    table: pd.DataFrame, *, x: str, y: str, logx: bool = False, logy: bool = False, level: float | None = None
) -> np.ndarray:
    """Draw values by formula as lines and by simulation as dots, a panel per value of ``panel``.

    Parameters
    ----------
    table : DataFrame
        With columns ``panel``, ``curve``, ``x``, ``kind`` (formula or simulation) and ``value``.
    x, y : str
        Labels of the axes. If `y` is empty, each panel has its name as label of the vertical axis.
    logx, logy : bool, default=False
        Whether an axis is logarithmic; values of zero are then left out.
    level : float, default=None
        Height of a thin horizontal line; None draws none.
    """
    titles = list(table["panel"].unique())
    colours = _colours(list(table["curve"].unique()))
    figure, axes = panels(len(titles), max_columns=3 if len(titles) <= 3 else 2, height=2.9, margin=0.7)
    for ax, title in zip(axes, titles, strict=True):
        part = table[(table["panel"] == title) & ((table["value"] > 0) | (not logy))]
        for curve, colour in colours.items():
            mine = part[part["curve"] == curve].sort_values("x")
            formula, simulated = (mine[mine["kind"] == kind] for kind in ("formula", "simulation"))
            dots = {"color": colour, "markersize": 4.5, "markeredgecolor": "white"}
            if len(formula):
                ax.plot(formula["x"], formula["value"], "-", color=colour, label=curve)
            if len(simulated):
                ax.plot(simulated["x"], simulated["value"], "o", label="" if len(formula) else curve, **dots)
        ax.set(title=title if y else "", xlabel=x, ylabel=y or title)
        if level is not None:
            ax.axhline(level, color="0.4", linewidth=0.8, zorder=0)
        if logy:
            ax.set_yscale("log")
            plain_ticks(ax.yaxis)
        if logx:
            ax.set_xscale("log")
            ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            plain_ticks(ax.xaxis)
        elif pd.api.types.is_integer_dtype(part["x"]):
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    shown = [ax.get_legend_handles_labels() for ax in axes]
    named = {label: handle for handles, labels in shown for handle, label in zip(handles, labels, strict=True)}
    kinds = table.groupby("curve", sort=False)["kind"].agg(set)
    if (kinds == {"formula", "simulation"}).any():  # dots on a line; a curve of dots alone has its own entry
        named["dots: simulation"] = Line2D([], [], color="0.4", marker="o", linestyle="", markersize=4.5)
    options = {"ncols": min(5, len(named)), "fontsize": "small"}
    figure.legend(list(named.values()), list(named), loc="outside lower center", **options)
    return axes


def plot_fold_counts(table: pd.DataFrame) -> np.ndarray:
    """Draw how many rows of a class a fold holds: random folds by formula and simulation, and stratified folds.

    Parameters
    ----------
    table : DataFrame
        With columns ``n_class``, ``rows``, ``formula``, ``simulation`` and ``stratified``.
    """
    sizes = list(table["n_class"].unique())
    figure, axes = plt.subplots(1, len(sizes), figsize=(7.2, 3.4), squeeze=False)
    for ax, size in zip(axes[0], sizes, strict=True):
        part = table[table["n_class"] == size]
        ax.bar(part["rows"], part["formula"], width=0.85, color=_RANDOM, alpha=0.45, label="random, formula")
        ax.plot(part["rows"], part["simulation"], "o", color=_RANDOM, markersize=4, label="random, simulation")
        dealt = part[part["stratified"] > 0]
        ax.vlines(dealt["rows"], 0, dealt["stratified"], color=_STRATIFIED, linewidth=2.5, label="stratified")
        ax.set(title=f"{size} rows in the class", xlabel="rows of the class in a fold", ylim=(0, None))
        ax.set_ylim(0, 1.6 * part["formula"].max())
    axes[0, 0].set_ylabel("share of folds")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small")
    return np.asarray(axes[0])


def plot_moments(
    table: pd.DataFrame, columns: list[str], *, labels: Mapping[str, str] = MappingProxyType({})
) -> np.ndarray:
    """Draw moments of fold scores in random and stratified folds, a panel per moment and a pair of bars per model.

    Parameters
    ----------
    table : DataFrame
        Indexed by ``model`` and ``folds``, with the moments as columns.
    columns : list of str
        The moments to draw, columns of the table.
    labels : mapping of str to str, optional
        Titles of the panels by column; a column without one is its own title.
    """
    models = list(dict.fromkeys(table.index.get_level_values("model")))
    kinds = list(dict.fromkeys(table.index.get_level_values("folds")))
    figure, axes = panels(len(columns), height=2.1)
    places = np.arange(len(models))
    for ax, column in zip(axes, columns, strict=True):
        for number, (kind, colour) in enumerate(_colours(kinds).items()):
            values = table.xs(kind, level="folds")[column].reindex(models)
            ax.bar(places + 0.4 * (number - 0.5), values, width=0.38, color=colour, label=kind)
        ax.set_title(labels.get(column, column))
        ax.set_xticks(places, [model.replace(", ", ",\n") for model in models], fontsize="small")
        ax.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
        ax.axhline(0, color="0.3", linewidth=0.8)
        ax.grid(visible=False, axis="x")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize="small")
    return axes
