"""What the results say: bounds and test errors at every number of folds, tuned or fixed."""

from compendium.anguita2012.tables._bounds import (
    LABELS,
    bound_kinds,
    bound_table,
    compare_with_table1,
    cost_table,
    fixed_effects,
    grid_edges,
    kind_effects,
    shown_table1,
    summarise_draws,
    tuned_and_fixed,
    with_wider_grid,
)
from compendium.anguita2012.tables._guarantee import (
    exceedance,
    true_and_bound,
)

__all__ = [
    "LABELS",
    "bound_kinds",
    "bound_table",
    "compare_with_table1",
    "cost_table",
    "exceedance",
    "fixed_effects",
    "grid_edges",
    "kind_effects",
    "shown_table1",
    "summarise_draws",
    "true_and_bound",
    "tuned_and_fixed",
    "with_wider_grid",
]
