"""The studies of e-fold cross-validation: all scores of the paper's runs, on other folds, and in searches."""

from compendium.mahlich2024.study._comparison import search_comparison
from compendium.mahlich2024.study._noise import inside_share, noise_table
from compendium.mahlich2024.study._runs import (
    MAHLICH2024,
    MAHLICH2024_CLUSTERS,
    MAHLICH2024_FIVE,
    Mahlich2024Spec,
)
from compendium.mahlich2024.study._searches import MAHLICH2024_SEARCH, SearchSpec, search_folds, search_space

STUDIES = (MAHLICH2024, MAHLICH2024_CLUSTERS, MAHLICH2024_FIVE, MAHLICH2024_SEARCH)

__all__ = [
    "MAHLICH2024",
    "MAHLICH2024_CLUSTERS",
    "MAHLICH2024_FIVE",
    "MAHLICH2024_SEARCH",
    "STUDIES",
    "Mahlich2024Spec",
    "SearchSpec",
    "inside_share",
    "noise_table",
    "search_comparison",
    "search_folds",
    "search_space",
]
