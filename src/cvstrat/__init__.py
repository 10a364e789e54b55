"""How should a data set be cut into folds?

Fold-construction methods as scikit-learn splitters, the data sets they were studied on, and the studies, rerun.
"""

from cvstrat import datasets
from cvstrat.diagnostics import imbalance_index

__version__ = "0.1.0"
__all__ = ["__version__", "datasets", "imbalance_index"]
