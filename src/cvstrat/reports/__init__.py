"""What the results of a study say: its tables in, the frames of a page out."""

from cvstrat.reports._audit import class_counts, class_shares, share_deviations
from cvstrat.reports._bias import METRIC, balance_of, bias_table, blocks
from cvstrat.reports._coverage import complete, coverage
from cvstrat.reports._efold import (
    example_runs,
    savings_table,
    score_table,
    stop_matrix,
    stop_table,
    stopped_runs,
    task_of,
)
from cvstrat.reports._efold_clusters import technique_effects, technique_table
from cvstrat.reports._efold_control import (
    control_by_dataset,
    control_effects,
    control_runs,
    control_table,
    sensitivity_table,
)
from cvstrat.reports._efold_noise import inside_share, noise_table
from cvstrat.reports._energy import estimate_energy
from cvstrat.reports._search import search_comparison, search_effects, search_table
from cvstrat.reports._sets import both_versions, effects_table, friedman_table, rank_groups, summary_table, wins_table
from cvstrat.reports._summaries import report
from cvstrat.reports._time import time_table

__all__ = [
    "METRIC",
    "balance_of",
    "bias_table",
    "blocks",
    "both_versions",
    "class_counts",
    "class_shares",
    "complete",
    "control_by_dataset",
    "control_effects",
    "control_runs",
    "control_table",
    "coverage",
    "effects_table",
    "estimate_energy",
    "example_runs",
    "friedman_table",
    "inside_share",
    "noise_table",
    "rank_groups",
    "report",
    "savings_table",
    "score_table",
    "search_comparison",
    "search_effects",
    "search_table",
    "sensitivity_table",
    "share_deviations",
    "stop_matrix",
    "stop_table",
    "stopped_runs",
    "summary_table",
    "task_of",
    "technique_effects",
    "technique_table",
    "time_table",
    "wins_table",
]
