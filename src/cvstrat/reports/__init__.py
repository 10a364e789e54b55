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
)
from cvstrat.reports._coverage import complete, coverage
from cvstrat.reports._efold import (
    control_effects,
    control_table,
    score_table,
    sensitivity_table,
    stop_table,
    stopped_runs,
    task_of,
)
from cvstrat.reports._guarantee import exceedance, true_and_bound
from cvstrat.reports._search import search_comparison
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
    "control_effects",
    "control_table",
    "cost_table",
    "coverage",
    "curve_table",
    "effects_table",
    "estimate_table",
    "estimates_of_samples",
    "exceedance",
    "fixed_effects",
    "fold_table",
    "friedman_table",
    "gain_table",
    "grid_edges",
    "kind_effects",
    "observation_table",
    "order_table",
    "rank_groups",
    "report",
    "score_table",
    "search_comparison",
    "sensitivity_table",
    "share_deviations",
    "shown_table1",
    "stop_table",
    "stopped_runs",
    "summarise_draws",
    "summary_table",
    "task_of",
    "time_table",
    "true_and_bound",
    "tuned_and_fixed",
    "wins_by_chance",
    "wins_table",
    "with_c45",
]
