"""What the splitters need to know of clusters: how many, how dense, and how far apart mixed rows are."""

from cvstrat.clustering._centered import CenteredClusters, centered_hierarchy, centered_kmeans
from cvstrat.clustering._columns import as_frame, no_numbers
from cvstrat.clustering._density import Knee, estimate_eps, k_distance_knee, nearest_neighbors
from cvstrat.clustering._mixed import MixedRows, mixed_rows
from cvstrat.clustering._mojena import (
    average_linkage,
    estimate_n_clusters,
    mojena_count,
    mojena_counts,
    mojena_threshold,
)
from cvstrat.clustering._named import COUNTED, check_clusterer, cluster, make_clusterer

__all__ = [
    "COUNTED",
    "CenteredClusters",
    "Knee",
    "MixedRows",
    "as_frame",
    "average_linkage",
    "centered_hierarchy",
    "centered_kmeans",
    "check_clusterer",
    "cluster",
    "estimate_eps",
    "estimate_n_clusters",
    "k_distance_knee",
    "make_clusterer",
    "mixed_rows",
    "mojena_count",
    "mojena_counts",
    "mojena_threshold",
    "nearest_neighbors",
    "no_numbers",
]
