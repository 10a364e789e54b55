"""What the results say: bounds and test errors at every number of folds, tuned or fixed."""

from compendium.anguita2012.tables._bounds import (
    LABELS,
    bound_kinds,
    bound_table,
    cost_table,
    fixed_effects,
    grid_edges,
    kind_effects,
    summarise_draws,
    tuned_and_fixed,
    with_wider_grid,
)
from compendium.anguita2012.tables._guarantee import (
    exceedance,
    true_and_bound,
)
from compendium.anguita2012.tables._table1 import (
    compare_with_table1,
    distances_from_table1,
    impossible_spreads,
    shown_table1,
)
from compendium.anguita2012.tables._words import (
    apart_text,
    drawn_text,
    edges_text,
    joint_text,
    kinds_text,
    printed_text,
    spread_text,
    tested_text,
)

__all__ = [
    "LABELS",
    "apart_text",
    "bound_kinds",
    "bound_table",
    "compare_with_table1",
    "cost_table",
    "distances_from_table1",
    "drawn_text",
    "edges_text",
    "exceedance",
    "fixed_effects",
    "grid_edges",
    "impossible_spreads",
    "joint_text",
    "kind_effects",
    "kinds_text",
    "printed_text",
    "shown_table1",
    "spread_text",
    "summarise_draws",
    "tested_text",
    "true_and_bound",
    "tuned_and_fixed",
    "with_wider_grid",
]
