"""What a table of results supports: ranks, tests, intervals over data sets, and where the variance comes from."""

from compendium.inference._coverage import INTERVALS, coverage_table
from compendium.inference._effects import effects, effects_if_several, with_findings
from compendium.inference._exchangeable import stands_out
from compendium.inference._friedman import (
    critical_difference,
    friedman,
    indistinguishable,
    mean_ranks,
)
from compendium.inference._pairwise import (
    adjusted,
    pairwise,
    wins,
)
from compendium.inference._resamples import (
    bootstrap_632,
    bootstrap_632_plus,
    bootstrap_rows,
    no_information_accuracy,
)
from compendium.inference._studentized import GroupedMean, bootstrap_interval, detectable, grouped_mean
from compendium.inference._variance import (
    beyond_noise,
    variance_shares,
)

__all__ = [
    "INTERVALS",
    "GroupedMean",
    "adjusted",
    "beyond_noise",
    "bootstrap_632",
    "bootstrap_632_plus",
    "bootstrap_interval",
    "bootstrap_rows",
    "coverage_table",
    "critical_difference",
    "detectable",
    "effects",
    "effects_if_several",
    "friedman",
    "grouped_mean",
    "indistinguishable",
    "mean_ranks",
    "no_information_accuracy",
    "pairwise",
    "stands_out",
    "variance_shares",
    "wins",
    "with_findings",
]
