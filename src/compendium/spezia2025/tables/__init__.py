"""What the results say: bias and standard deviation of every technique, and the paper's tables beside ours."""

from compendium.spezia2025.tables._advice import (
    advice_table,
    write_advice,
)
from compendium.spezia2025.tables._audit import (
    closest_shares,
    dataset_gaps,
    exchangeable_table,
    random_draws,
    reference_folds,
    share_variance,
)
from compendium.spezia2025.tables._balance import (
    balance_and_bias,
    law_table,
    one_of_each,
    rank_correlations,
    scales_followed,
)
from compendium.spezia2025.tables._bias import (
    balance_of,
    bias_table,
    blocks,
)
from compendium.spezia2025.tables._coverage import (
    complete,
    coverage,
)
from compendium.spezia2025.tables._criterion import (
    criterion_table,
    criterion_text,
)
from compendium.spezia2025.tables._effects import (
    MARGIN,
    clear_without,
    count_findings,
    effects_table,
    metrics_table,
    signs_table,
)
from compendium.spezia2025.tables._errors import (
    error_table,
)
from compendium.spezia2025.tables._future import (
    INERTIA_MARGIN,
    RATIO_MARGIN,
    STUDY_RULE,
    TIME_MARGIN,
    batch_table,
    distance_table,
    linkage_folds,
    linkage_table,
    search_table,
    silhouette_correlations,
    silhouettes_and_distances,
)
from compendium.spezia2025.tables._future_texts import (
    alone_text,
    batch_text,
    nearer_text,
    pays_from,
    steady_text,
)
from compendium.spezia2025.tables._labels import (
    LABELS,
)
from compendium.spezia2025.tables._sentences import (
    sentence_table,
)
from compendium.spezia2025.tables._set_texts import (
    apart_text,
    clear_text,
    clusters_text,
    cutting_text,
    lead_text,
    order_text,
    stratified_text,
    twins_text,
    without_twins,
)
from compendium.spezia2025.tables._sets import (
    both_versions,
    friedman_table,
    rank_groups,
    summary_table,
    wins_table,
)
from compendium.spezia2025.tables._time import (
    time_table,
)
from compendium.spezia2025.tables._verdicts import (
    verdict_on_equality,
    verdict_on_lead,
    verdict_table,
)
from compendium.spezia2025.tables._words import (
    findings_text,
    friedman_text,
    models_text,
    shown_signs,
)
from compendium.words import (
    at_least,
    listed,
    out_of,
)

__all__ = [
    "INERTIA_MARGIN",
    "LABELS",
    "MARGIN",
    "RATIO_MARGIN",
    "STUDY_RULE",
    "TIME_MARGIN",
    "advice_table",
    "alone_text",
    "apart_text",
    "at_least",
    "balance_and_bias",
    "balance_of",
    "batch_table",
    "batch_text",
    "bias_table",
    "blocks",
    "both_versions",
    "clear_text",
    "clear_without",
    "closest_shares",
    "clusters_text",
    "complete",
    "count_findings",
    "coverage",
    "criterion_table",
    "criterion_text",
    "cutting_text",
    "dataset_gaps",
    "distance_table",
    "effects_table",
    "error_table",
    "exchangeable_table",
    "findings_text",
    "friedman_table",
    "friedman_text",
    "law_table",
    "lead_text",
    "linkage_folds",
    "linkage_table",
    "listed",
    "metrics_table",
    "models_text",
    "nearer_text",
    "one_of_each",
    "order_text",
    "out_of",
    "pays_from",
    "random_draws",
    "rank_correlations",
    "rank_groups",
    "reference_folds",
    "scales_followed",
    "search_table",
    "sentence_table",
    "share_variance",
    "shown_signs",
    "signs_table",
    "silhouette_correlations",
    "silhouettes_and_distances",
    "steady_text",
    "stratified_text",
    "summary_table",
    "time_table",
    "twins_text",
    "verdict_on_equality",
    "verdict_on_lead",
    "verdict_table",
    "wins_table",
    "without_twins",
    "write_advice",
]
