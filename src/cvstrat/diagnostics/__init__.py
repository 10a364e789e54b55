"""How good are these folds, and how hard is this data set to cut?"""

from cvstrat.diagnostics._imbalance import imbalance_index

__all__ = ["imbalance_index"]
