"""What the results of a study say: its tables in, the tables and figures' frames of a page out."""

from cvstrat.reports._bias import METRIC, balance_of, bias_table, blocks
from cvstrat.reports._sets import friedman_table, of_version, summary_table, wins_table
from cvstrat.reports._summaries import report

__all__ = [
    "METRIC",
    "balance_of",
    "bias_table",
    "blocks",
    "friedman_table",
    "of_version",
    "report",
    "summary_table",
    "wins_table",
]
