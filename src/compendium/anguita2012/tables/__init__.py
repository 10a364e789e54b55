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
    shown_table1,
)

__all__ = [
    "LABELS",
    "bound_kinds",
    "bound_table",
    "compare_with_table1",
    "cost_table",
    "distances_from_table1",
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
