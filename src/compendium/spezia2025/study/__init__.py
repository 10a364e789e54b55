"""The cluster-based study: its techniques and sets of experiments, run as they should be and as published."""

from compendium.spezia2025.study._balance import (
    COMPARED,
    SPEZIA2025_BALANCE,
)
from compendium.spezia2025.study._batches import (
    made_rows,
)
from compendium.spezia2025.study._class_shares import (
    class_counts,
    class_share_std,
    class_shares,
)
from compendium.spezia2025.study._criterion import (
    SPEZIA2025_CRITERION,
)
from compendium.spezia2025.study._cuts import (
    LINKAGES,
    RULES,
    count_clusters,
)
from compendium.spezia2025.study._displaced import (
    displaced_folds,
    folds_in_row_order,
    published_folds,
)
from compendium.spezia2025.study._future import (
    SPEZIA2025_FUTURE,
)
from compendium.spezia2025.study._models import (
    MODELS,
    SCORES,
    grid,
)
from compendium.spezia2025.study._spec import (
    AS_PUBLISHED,
    BALANCED,
    CORRECT,
    EXTRAS,
    PUBLISHED,
    SETS,
    STUDIED,
    Spezia2025Spec,
    twins,
    with_twins,
)
from compendium.spezia2025.study._study import (
    SPEZIA2025,
)
from compendium.spezia2025.study._units import (
    study_splitter,
)

STUDIES = (SPEZIA2025, SPEZIA2025_BALANCE, SPEZIA2025_CRITERION, SPEZIA2025_FUTURE)

__all__ = [
    "AS_PUBLISHED",
    "BALANCED",
    "COMPARED",
    "CORRECT",
    "EXTRAS",
    "LINKAGES",
    "MODELS",
    "PUBLISHED",
    "RULES",
    "SCORES",
    "SETS",
    "SPEZIA2025",
    "SPEZIA2025_BALANCE",
    "SPEZIA2025_CRITERION",
    "SPEZIA2025_FUTURE",
    "STUDIED",
    "STUDIES",
    "Spezia2025Spec",
    "class_counts",
    "class_share_std",
    "class_shares",
    "count_clusters",
    "displaced_folds",
    "folds_in_row_order",
    "grid",
    "made_rows",
    "published_folds",
    "study_splitter",
    "twins",
    "with_twins",
]
