"""What was computed from data that are not in the repository: how to compute it again, and the results themselves."""

from cvstrat.studies._cluster_based import CLUSTER_BASED
from cvstrat.studies._cluster_counts import cluster_counts, summarise_cluster_counts
from cvstrat.studies._engine import run_study
from cvstrat.studies._store import ResultError, load_result, save_result

__all__ = ["ResultError", "cluster_counts", "load_result", "save_result", "summarise_cluster_counts"]
