"""What the results say: where the rule stops, what that saves, and what rules of equal cost do."""

from compendium.mahlich2024.tables._claims import (
    differences_by_complexity,
    differences_by_size,
    five_fold_effects,
    five_fold_table,
    inside_shares,
    rank_correlation,
)
from compendium.mahlich2024.tables._controls import (
    control_by_dataset,
    control_effects,
    control_runs,
    control_table,
    control_text,
    fixed_table,
    sensitivity_table,
)
from compendium.mahlich2024.tables._labels import LABELS
from compendium.mahlich2024.tables._searches import (
    search_effects,
    search_table,
)
from compendium.mahlich2024.tables._stops import (
    example_runs,
    savings_table,
    score_table,
    stop_matrix,
    stop_table,
    stopped_runs,
    task_of,
)
from compendium.mahlich2024.tables._techniques import (
    technique_effects,
    technique_table,
)
from compendium.mahlich2024.tables._words import (
    PRINTED_PEAK,
    distances_text,
    far_text,
    inside_text,
    limits_hold,
    limits_text,
    looking_text,
    peak_text,
    six_text,
    stops_text,
)

__all__ = [
    "LABELS",
    "PRINTED_PEAK",
    "control_by_dataset",
    "control_effects",
    "control_runs",
    "control_table",
    "control_text",
    "differences_by_complexity",
    "differences_by_size",
    "distances_text",
    "example_runs",
    "far_text",
    "five_fold_effects",
    "five_fold_table",
    "fixed_table",
    "inside_shares",
    "inside_text",
    "limits_hold",
    "limits_text",
    "looking_text",
    "peak_text",
    "rank_correlation",
    "savings_table",
    "score_table",
    "search_effects",
    "search_table",
    "sensitivity_table",
    "six_text",
    "stop_matrix",
    "stop_table",
    "stopped_runs",
    "stops_text",
    "task_of",
    "technique_effects",
    "technique_table",
]
