"""The study of balance: problems with known truth, learners, procedures; and a claim on trial."""

from compendium.balance.study._claim import BALANCE_DPS
from compendium.balance.study._learners import LEARNERS
from compendium.balance.study._problems import PROBLEMS
from compendium.balance.study._procedures import BALANCES, PUBLISHED
from compendium.balance.study._study import BALANCE, POOLED, BalanceSpec, is_primary

STUDIES = (BALANCE, BALANCE_DPS)

__all__ = [
    "BALANCE",
    "BALANCES",
    "BALANCE_DPS",
    "LEARNERS",
    "POOLED",
    "PROBLEMS",
    "PUBLISHED",
    "STUDIES",
    "BalanceSpec",
    "is_primary",
]
