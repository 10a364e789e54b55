"""What a table of results supports: ranks, tests, intervals over data sets, and where the variance comes from."""

from cvstrat.statistics._effects import bootstrap_interval, effects
from cvstrat.statistics._friedman import critical_difference, friedman, indistinguishable, mean_ranks, nemenyi
from cvstrat.statistics._pairwise import pairwise, wins
from cvstrat.statistics._variance import beyond_noise, standard_error, variance_shares

__all__ = [
    "beyond_noise",
    "bootstrap_interval",
    "critical_difference",
    "effects",
    "friedman",
    "indistinguishable",
    "mean_ranks",
    "nemenyi",
    "pairwise",
    "standard_error",
    "variance_shares",
    "wins",
]
