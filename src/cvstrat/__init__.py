"""How should a data set be cut into folds?

Fold-construction methods as scikit-learn splitters, the data sets they were studied on, and the studies, rerun.
"""

from typing import TYPE_CHECKING, Any

from cvstrat import datasets
from cvstrat.clustering import estimate_eps, estimate_n_clusters
from cvstrat.diagnostics import fold_report, imbalance_index
from cvstrat.procedures import (
    CompleteKFold,
    CompleteKFoldSearchCV,
    EFoldResult,
    EFoldSearchCV,
    StableDeviation,
    clopper_pearson_upper,
    efold_cross_validate,
)
from cvstrat.splitters import (
    TECHNIQUES,
    CenteredClusterKFold,
    ClusterBlockKFold,
    ClusterKFold,
    NeighborhoodKFold,
    NeighborWalkKFold,
    OneCenterKFold,
    Repeated,
    StratifiedClusterKFold,
    make_splitter,
)

if TYPE_CHECKING:
    from cvstrat.advice import Advice, advise

__version__ = "0.1.0"
__all__ = [
    "TECHNIQUES",
    "Advice",
    "CenteredClusterKFold",
    "ClusterBlockKFold",
    "ClusterKFold",
    "CompleteKFold",
    "CompleteKFoldSearchCV",
    "EFoldResult",
    "EFoldSearchCV",
    "NeighborWalkKFold",
    "NeighborhoodKFold",
    "OneCenterKFold",
    "Repeated",
    "StableDeviation",
    "StratifiedClusterKFold",
    "__version__",
    "advise",
    "clopper_pearson_upper",
    "datasets",
    "efold_cross_validate",
    "estimate_eps",
    "estimate_n_clusters",
    "fold_report",
    "imbalance_index",
    "make_splitter",
]


def __getattr__(name: str) -> Any:
    """Import the advice when it is asked for: it brings the studies along, which a splitter does not need."""
    if name in ("Advice", "advise"):
        from cvstrat import advice

        return getattr(advice, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
