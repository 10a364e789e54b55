"""What the results of a study say: its tables in, the frames of a page out."""

from cvstrat.reports._audit import class_counts, class_shares, share_deviations
from cvstrat.reports._bias import METRIC, balance_of, bias_table, blocks
from cvstrat.reports._coverage import complete, coverage
from cvstrat.reports._efold import (
    control_effects,
    control_table,
    score_table,
    sensitivity_table,
    stop_table,
    stopped_runs,
    task_of,
)
from cvstrat.reports._energy import estimate_energy
from cvstrat.reports._search import search_comparison
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
    "control_effects",
    "control_table",
    "coverage",
    "effects_table",
    "estimate_energy",
    "friedman_table",
    "rank_groups",
    "report",
    "score_table",
    "search_comparison",
    "sensitivity_table",
    "share_deviations",
    "stop_table",
    "stopped_runs",
    "summary_table",
    "task_of",
    "time_table",
    "wins_table",
]
