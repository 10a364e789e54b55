"""What the results of a study say: its tables in, the frames of a page out."""

from cvstrat.reports._audit import class_counts, class_shares, share_deviations
from cvstrat.reports._bias import METRIC, balance_at, balance_of, bias_table, blocks
from cvstrat.reports._center_claims import gain_table, observation_table
from cvstrat.reports._center_orders import order_table
from cvstrat.reports._centers import (
    accuracy_table,
    beside_published,
    best_table,
    center_effects,
    cluster_table,
    comparable,
    curve_table,
    estimate_table,
    estimates_of_samples,
    wins_by_chance,
    with_c45,
)
from cvstrat.reports._complete import (
    bound_kinds,
    compare_with_table1,
    cost_table,
    fixed_effects,
    fold_table,
    grid_edges,
    kind_effects,
    shown_table1,
    summarise_draws,
    tuned_and_fixed,
    with_wider_grid,
)
from cvstrat.reports._coverage import complete, coverage
from cvstrat.reports._efold import (
    example_runs,
    savings_table,
    score_table,
    stop_matrix,
    stop_table,
    stopped_runs,
    task_of,
)
from cvstrat.reports._efold_clusters import technique_effects, technique_table
from cvstrat.reports._efold_control import (
    control_by_dataset,
    control_effects,
    control_runs,
    control_table,
    sensitivity_table,
)
from cvstrat.reports._efold_noise import inside_share, noise_table
from cvstrat.reports._energy import estimate_energy
from cvstrat.reports._guarantee import exceedance, true_and_bound
from cvstrat.reports._search import search_comparison, search_effects, search_table
from cvstrat.reports._sets import both_versions, effects_table, friedman_table, rank_groups, summary_table, wins_table
from cvstrat.reports._summaries import report
from cvstrat.reports._time import time_table

__all__ = [
    "METRIC",
    "accuracy_table",
    "balance_at",
    "balance_of",
    "beside_published",
    "best_table",
    "bias_table",
    "blocks",
    "both_versions",
    "bound_kinds",
    "center_effects",
    "class_counts",
    "class_shares",
    "cluster_table",
    "comparable",
    "compare_with_table1",
    "complete",
    "control_by_dataset",
    "control_effects",
    "control_runs",
    "control_table",
    "cost_table",
    "coverage",
    "curve_table",
    "effects_table",
    "estimate_energy",
    "estimate_table",
    "estimates_of_samples",
    "example_runs",
    "exceedance",
    "fixed_effects",
    "fold_table",
    "friedman_table",
    "gain_table",
    "grid_edges",
    "inside_share",
    "kind_effects",
    "noise_table",
    "observation_table",
    "order_table",
    "rank_groups",
    "report",
    "savings_table",
    "score_table",
    "search_comparison",
    "search_effects",
    "search_table",
    "sensitivity_table",
    "share_deviations",
    "shown_table1",
    "stop_matrix",
    "stop_table",
    "stopped_runs",
    "summarise_draws",
    "summary_table",
    "task_of",
    "technique_effects",
    "technique_table",
    "time_table",
    "true_and_bound",
    "tuned_and_fixed",
    "wins_by_chance",
    "wins_table",
    "with_c45",
    "with_wider_grid",
]
