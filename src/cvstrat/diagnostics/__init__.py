"""How good are these folds, and how hard is this data set to cut?"""

from cvstrat.diagnostics._folds import (
    MEASURES,
    compare_folds,
    energy_coefficient,
    fold_numbers,
    fold_report,
    fold_table,
)
from cvstrat.diagnostics._imbalance import imbalance_index

__all__ = [
    "MEASURES",
    "compare_folds",
    "energy_coefficient",
    "fold_numbers",
    "fold_report",
    "fold_table",
    "imbalance_index",
]
