"""The study of balance: problems with known truth, learners, procedures; a claim on trial, and two criteria."""

from compendium.balance.study._claim import BALANCE_DPS
from compendium.balance.study._criterion import BALANCE_CRITERION
from compendium.balance.study._learners import LEARNERS
from compendium.balance.study._problems import PROBLEMS
from compendium.balance.study._procedures import BALANCES, PUBLISHED
from compendium.balance.study._study import BALANCE, POOLED, BalanceSpec, is_primary

STUDIES = (BALANCE, BALANCE_DPS, BALANCE_CRITERION)

__all__ = [
    "BALANCE",
    "BALANCES",
    "BALANCE_CRITERION",
    "BALANCE_DPS",
    "LEARNERS",
    "POOLED",
    "PROBLEMS",
    "PUBLISHED",
    "STUDIES",
    "BalanceSpec",
    "is_primary",
]
