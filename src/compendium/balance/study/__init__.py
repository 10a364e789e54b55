"""The study of balance: problems with known truth, learners, procedures."""

from compendium.balance.study._learners import LEARNERS
from compendium.balance.study._problems import PROBLEMS
from compendium.balance.study._procedures import BALANCES, PUBLISHED
from compendium.balance.study._study import BALANCE, POOLED, BalanceSpec, is_primary

STUDIES = (BALANCE,)

__all__ = ["BALANCE", "BALANCES", "LEARNERS", "POOLED", "PROBLEMS", "PUBLISHED", "STUDIES", "BalanceSpec", "is_primary"]
