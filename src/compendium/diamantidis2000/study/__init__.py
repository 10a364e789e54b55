"""The study of 2000: estimates of accuracy on samples whose truth is known, and numbers of clusters."""

from compendium.diamantidis2000.study._counts import (
    DIAMANTIDIS2000_COUNTS,
    CountsSpec,
)
from compendium.diamantidis2000.study._orders import (
    order_table,
)
from compendium.diamantidis2000.study._spec import (
    ESTIMATORS,
    LATER_TECHNIQUES,
    PAPER_TECHNIQUES,
    Diamantidis2000Spec,
    sample_size,
)
from compendium.diamantidis2000.study._study import (
    DIAMANTIDIS2000,
    DIAMANTIDIS2000_C45,
    DIAMANTIDIS2000_LETTER,
)

STUDIES = (DIAMANTIDIS2000, DIAMANTIDIS2000_C45, DIAMANTIDIS2000_LETTER, DIAMANTIDIS2000_COUNTS)

__all__ = [
    "DIAMANTIDIS2000",
    "DIAMANTIDIS2000_C45",
    "DIAMANTIDIS2000_COUNTS",
    "DIAMANTIDIS2000_LETTER",
    "ESTIMATORS",
    "LATER_TECHNIQUES",
    "PAPER_TECHNIQUES",
    "STUDIES",
    "CountsSpec",
    "Diamantidis2000Spec",
    "order_table",
    "sample_size",
]
