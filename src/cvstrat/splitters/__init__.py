"""Fold constructions: one dealer, many orders. All are scikit-learn splitters."""

from cvstrat.splitters._balanced import BalancedKFold
from cvstrat.splitters._base import DealtKFold, FoldSplitter
from cvstrat.splitters._cards import Cards
from cvstrat.splitters._centers import CenteredClusterKFold, OneCenterKFold
from cvstrat.splitters._classes import quantile_bins
from cvstrat.splitters._clusters import ClusterBlockKFold, ClusterKFold, StratifiedClusterKFold
from cvstrat.splitters._content import row_keys
from cvstrat.splitters._dealer import deal, deal_whole, imbalance
from cvstrat.splitters._neighbors import NeighborhoodKFold, NeighborWalkKFold
from cvstrat.splitters._plain import PlainKFold, PlainStratifiedKFold
from cvstrat.splitters._registry import TECHNIQUES, RepeatedSplits, Technique, make_splitter
from cvstrat.splitters._stream import streamed_folds

__all__ = [
    "TECHNIQUES",
    "BalancedKFold",
    "Cards",
    "CenteredClusterKFold",
    "ClusterBlockKFold",
    "ClusterKFold",
    "DealtKFold",
    "FoldSplitter",
    "NeighborWalkKFold",
    "NeighborhoodKFold",
    "OneCenterKFold",
    "PlainKFold",
    "PlainStratifiedKFold",
    "RepeatedSplits",
    "StratifiedClusterKFold",
    "Technique",
    "deal",
    "deal_whole",
    "imbalance",
    "make_splitter",
    "quantile_bins",
    "row_keys",
    "streamed_folds",
]
