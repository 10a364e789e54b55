"""Figures and tables of the book: frames in, axes out. One style for all."""

from cvstrat.plots._datasets import plot_imbalance, plot_sizes
from cvstrat.plots._style import use_style
from cvstrat.plots._tables import searchable

__all__ = ["plot_imbalance", "plot_sizes", "searchable", "use_style"]
