"""A fold for each row of a file, for those who train elsewhere: in R, Spark or SQL."""

from cvstrat.assignment._split import STREAMED, Assignment, split_file
from cvstrat.assignment._write import check_identifier, check_output, write_folds, write_report

__all__ = ["STREAMED", "Assignment", "check_identifier", "check_output", "split_file", "write_folds", "write_report"]
