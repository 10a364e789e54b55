"""Fold constructions: one dealer, many orders. All are scikit-learn splitters."""

from cvstrat.splitters._base import DealtKFold, FoldSplitter, deal
from cvstrat.splitters._centers import CenteredClusterKFold, OneCenterKFold
from cvstrat.splitters._classes import quantile_bins
from cvstrat.splitters._clusters import ClusterBlockKFold, ClusterKFold, StratifiedClusterKFold
from cvstrat.splitters._content import row_keys
from cvstrat.splitters._neighbors import NeighborhoodKFold, NeighborWalkKFold
from cvstrat.splitters._registry import TECHNIQUES, RepeatedSplits, Technique, make_splitter

__all__ = [
    "TECHNIQUES",
    "CenteredClusterKFold",
    "ClusterBlockKFold",
    "ClusterKFold",
    "DealtKFold",
    "FoldSplitter",
    "NeighborWalkKFold",
    "NeighborhoodKFold",
    "OneCenterKFold",
    "RepeatedSplits",
    "StratifiedClusterKFold",
    "Technique",
    "deal",
    "make_splitter",
    "quantile_bins",
    "row_keys",
]
