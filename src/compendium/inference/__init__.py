"""What a table of results supports: ranks, tests, intervals over data sets, and where the variance comes from."""

from compendium.inference._effects import bootstrap_interval, effects, effects_if_several
from compendium.inference._friedman import (
    critical_difference,
    friedman,
    indistinguishable,
    mean_ranks,
)
from compendium.inference._pairwise import (
    pairwise,
    wins,
)
from compendium.inference._variance import (
    beyond_noise,
    variance_shares,
)

__all__ = [
    "beyond_noise",
    "bootstrap_interval",
    "critical_difference",
    "effects",
    "effects_if_several",
    "friedman",
    "indistinguishable",
    "mean_ranks",
    "pairwise",
    "variance_shares",
    "wins",
]
