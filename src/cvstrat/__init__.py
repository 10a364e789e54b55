"""How should a data set be cut into folds?

Fold-construction methods as scikit-learn splitters, measures of folds, e-fold and complete k-fold cross-validation, and
advice on how many folds a data set bears.
"""

from cvstrat.advice import Advice, advise
from cvstrat.clustering import estimate_eps, estimate_n_clusters
from cvstrat.complete import CompleteKFold, CompleteKFoldSearchCV, clopper_pearson_upper
from cvstrat.efold import EFoldResult, EFoldSearchCV, StableDeviation, efold_cross_validate
from cvstrat.errors import CvstratError
from cvstrat.metrics import balance_ratio, balance_spectrum, fold_report, imbalance_index
from cvstrat.splitters import (
    TECHNIQUES,
    BalancedKFold,
    CenteredClusterKFold,
    ClusterBlockKFold,
    ClusterKFold,
    NeighborhoodKFold,
    NeighborWalkKFold,
    OneCenterKFold,
    RepeatedSplits,
    StratifiedClusterKFold,
    make_splitter,
)

__version__ = "0.2.0"
__all__ = [
    "TECHNIQUES",
    "Advice",
    "BalancedKFold",
    "CenteredClusterKFold",
    "ClusterBlockKFold",
    "ClusterKFold",
    "CompleteKFold",
    "CompleteKFoldSearchCV",
    "CvstratError",
    "EFoldResult",
    "EFoldSearchCV",
    "NeighborWalkKFold",
    "NeighborhoodKFold",
    "OneCenterKFold",
    "RepeatedSplits",
    "StableDeviation",
    "StratifiedClusterKFold",
    "__version__",
    "advise",
    "balance_ratio",
    "balance_spectrum",
    "clopper_pearson_upper",
    "efold_cross_validate",
    "estimate_eps",
    "estimate_n_clusters",
    "fold_report",
    "imbalance_index",
    "make_splitter",
]
