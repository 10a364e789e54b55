"""The studies: how to compute them, what is on disk of them, and the results themselves."""

from cvstrat.studies._cluster_counts import summarise_cluster_counts
from cvstrat.studies._commands import (
    STUDIES,
    check_results,
    find_study,
    obtain,
    read_tables,
    report,
    results_folder,
    run,
    save_measurements,
    status,
)
from cvstrat.studies._engine import Run, describe_run
from cvstrat.studies._store import ResultError, load_result
from cvstrat.studies._study import StudyError

__all__ = [
    "STUDIES",
    "ResultError",
    "Run",
    "StudyError",
    "check_results",
    "describe_run",
    "find_study",
    "load_result",
    "obtain",
    "read_tables",
    "report",
    "results_folder",
    "run",
    "save_measurements",
    "status",
    "summarise_cluster_counts",
]
