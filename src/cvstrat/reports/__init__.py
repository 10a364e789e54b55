"""What the results of a study say: its tables in, the tables and figures' frames of a page out."""

from cvstrat.reports._bias import METRIC, balance_of, bias_table, blocks
from cvstrat.reports._coverage import coverage
from cvstrat.reports._sets import friedman_table, of_version, summary_table, wins_table
from cvstrat.reports._summaries import report
from cvstrat.reports._time import time_table

__all__ = [
    "METRIC",
    "balance_of",
    "bias_table",
    "blocks",
    "coverage",
    "friedman_table",
    "of_version",
    "report",
    "summary_table",
    "time_table",
    "wins_table",
]
