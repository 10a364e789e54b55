"""Figures of folds: which row is in which, and how alike they are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

from compendium.figures._panels import panels

MARKERS = ("o", "s", "^", "D", "P", "X")


def plot_fold_gallery(table: pd.DataFrame, *, columns: int = 3) -> np.ndarray:
    """Draw a panel per technique: the rows in the plane, coloured by test fold, marked by class.

    Parameters
    ----------
    table : DataFrame
        With columns ``technique``, ``x1``, ``x2``, ``fold`` and ``class``.
    columns : int, default=3
        Number of panels side by side, at least 1.
    """
    _, axes = panels(table["technique"].nunique(), max_columns=columns, height=2.3, margin=0.2)
    classes = sorted(table["class"].unique())
    for ax, (name, part) in zip(axes, table.groupby("technique", sort=False), strict=True):
        for label, marker in zip(classes, MARKERS, strict=False):
            rows = part[part["class"] == label]
            colours = [f"C{fold}" for fold in rows["fold"]]
            ax.scatter(rows["x1"], rows["x2"], c=colours, marker=marker, s=16, linewidths=0)
        ax.set(title=name, xticks=[], yticks=[])
    return axes


def plot_fold_shares(table: pd.DataFrame, *, by: str = "class", columns: int = 3) -> np.ndarray:
    """Draw a panel per technique: for each test fold, the share of each class (or of another grouping).

    Parameters
    ----------
    table : DataFrame
        With columns ``technique``, ``fold`` and the one named in `by`.
    by : str, default="class"
        Column with the grouping.
    columns : int, default=3
        Number of panels side by side, at least 1.
    """
    _, axes = panels(table["technique"].nunique(), max_columns=columns, height=1.7, margin=0.2)
    for ax, (name, part) in zip(axes, table.groupby("technique", sort=False), strict=True):
        shares = pd.crosstab(part["fold"], part[by], normalize="index")
        shares.plot.bar(stacked=True, ax=ax, legend=False, width=0.85, color=[f"C{i}" for i in range(shares.shape[1])])
        ax.set(title=name, xlabel="", ylim=(0, 1), yticks=[0, 0.5, 1])
        ax.tick_params(axis="x", rotation=0)
        ax.grid(visible=False)
    return axes


def plot_fold_comparison(
    comparison: pd.DataFrame, measures: list[str], *, labels: Mapping[str, str] = MappingProxyType({})
) -> np.ndarray:
    """Draw a panel per measure: a point per technique, the techniques in the order given.

    Parameters
    ----------
    comparison : DataFrame
        A row per technique, a column per measure.
    measures : list of str
        The columns to draw.
    labels : mapping of str to str, optional
        Names of the measures in words, by column; a column without one is named as it is.
    """
    _, axes = plt.subplots(1, len(measures), sharey=True, figsize=(7.2, 0.8 + 0.28 * len(comparison)))
    axes = np.atleast_1d(axes)
    for ax, measure in zip(axes, measures, strict=True):
        sns.scatterplot(x=comparison[measure].to_numpy(), y=comparison.index, ax=ax, s=50, color="C0")
        ax.set(xlabel=labels.get(measure, measure), ylabel="")
        ax.set_xlim(0, 1.1 * comparison[measure].max())
    return axes


def plot_fold_report(
    report: pd.DataFrame, measures: list[str], *, labels: Mapping[str, str] = MappingProxyType({})
) -> np.ndarray:
    """Draw a panel per measure: a bar per fold of one splitter, and a line at the mean.

    Parameters
    ----------
    report : DataFrame
        A row per fold and one, ``all``, with the means.
    measures : list of str
        The columns to draw.
    labels : mapping of str to str, optional
        Names of the measures in words, by column; a column without one is named as it is.
    """
    _, axes = plt.subplots(1, len(measures), figsize=(7.2, 2.6))
    axes = np.atleast_1d(axes)
    folds = report.drop("all")
    for ax, measure in zip(axes, measures, strict=True):
        ax.bar([str(fold) for fold in folds.index], folds[measure], color="C0")
        ax.axhline(report.loc["all", measure], color="0.3", linestyle="--", linewidth=1)
        ax.set(xlabel="fold", title=labels.get(measure, measure))
        ax.grid(visible=False, axis="x")
    return axes
