"""The studies: how to compute them, what is on disk of them, and the results themselves."""

from cvstrat.studies._centers_spec import ESTIMATORS, LATER_TECHNIQUES, PAPER_TECHNIQUES, CentersSpec, sample_size
from cvstrat.studies._cluster_based_spec import (
    AS_PUBLISHED,
    CORRECT,
    EXTRAS,
    PUBLISHED,
    SETS,
    STUDIED,
    ClusterBasedSpec,
    twins,
    with_twins,
)
from cvstrat.studies._cluster_based_units import study_splitter
from cvstrat.studies._cluster_counts import ClusterCountsSpec, summarise_cluster_counts
from cvstrat.studies._commands import (
    STUDIES,
    check_results,
    find_study,
    obtain,
    read_tables,
    results_folder,
    run,
    save_measurements,
    status,
)
from cvstrat.studies._complete_guarantee import GENERATORS, GuaranteeSpec
from cvstrat.studies._complete_study import CompleteKFoldSpec, chosen_candidates
from cvstrat.studies._data import task_and_shape as data_shape
from cvstrat.studies._displaced import displaced_folds
from cvstrat.studies._efold_study import EFoldSpec
from cvstrat.studies._engine import Run, describe_run
from cvstrat.studies._search_study import SearchSpec, search_folds, search_space
from cvstrat.studies._store import ResultError, load_result
from cvstrat.studies._study import Study, StudyError, Table

__all__ = [
    "AS_PUBLISHED",
    "CORRECT",
    "ESTIMATORS",
    "EXTRAS",
    "GENERATORS",
    "LATER_TECHNIQUES",
    "PAPER_TECHNIQUES",
    "PUBLISHED",
    "SETS",
    "STUDIED",
    "STUDIES",
    "CentersSpec",
    "ClusterBasedSpec",
    "ClusterCountsSpec",
    "CompleteKFoldSpec",
    "EFoldSpec",
    "GuaranteeSpec",
    "ResultError",
    "Run",
    "SearchSpec",
    "Study",
    "StudyError",
    "Table",
    "check_results",
    "chosen_candidates",
    "data_shape",
    "describe_run",
    "displaced_folds",
    "find_study",
    "load_result",
    "obtain",
    "read_tables",
    "results_folder",
    "run",
    "sample_size",
    "save_measurements",
    "search_folds",
    "search_space",
    "status",
    "study_splitter",
    "summarise_cluster_counts",
    "twins",
    "with_twins",
]
