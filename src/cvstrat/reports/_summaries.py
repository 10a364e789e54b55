"""The summary that ``cvstrat report`` prints."""

from __future__ import annotations

import pandas as pd

from cvstrat.reports._bias import bias_table
from cvstrat.reports._centers import accuracy_table, best_table, cluster_table, estimate_table, estimates_of_samples
from cvstrat.reports._complete import compare_with_table1, fold_table
from cvstrat.reports._efold import stop_table, stopped_runs
from cvstrat.reports._efold_clusters import technique_effects, technique_table
from cvstrat.reports._efold_control import control_table
from cvstrat.reports._guarantee import exceedance
from cvstrat.reports._search import search_effects, search_table
from cvstrat.reports._sets import friedman_table, summary_table, wins_table
from cvstrat.studies import EXTRAS, SETS, STUDIED, StudyError, summarise_cluster_counts


def report(study: str, tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the summary of a study's results as named frames.

    Parameters
    ----------
    study : str
        Name of the study.
    tables : dict of str to DataFrame
        Its tables.

    Returns
    -------
    dict of str to DataFrame
        Titles and frames.
    """
    if study == "cluster-counts":
        return {"numbers of clusters": summarise_cluster_counts(tables["counts"])}
    if study == "e-fold-search":
        searches = search_table(tables)
        means = searches.groupby(["dataset", "search"], sort=False)[["fits", "seconds", "regret"]].mean().reset_index()
        return {"searches": means, "regret against a fixed number of folds": search_effects(searches)}
    if study == "e-fold-clusters":
        table = technique_table(tables)
        references = [name for name in ("KFold", "SCV") if (table["technique"] == name).any()]
        found = {f"in percent of {name}": technique_effects(table, name) for name in references}
        return {"folds of each technique": table, **found}
    if study == "e-fold":
        stopped = stopped_runs(tables)
        return {"mean number of folds": stop_table(stopped), "against controls": control_table(tables, stopped)}
    if study in ("complete-k-fold", "complete-k-fold-image"):
        return {"bounds and test errors, beside Table 1": compare_with_table1(fold_table(tables))}
    if study == "complete-k-fold-guarantee":
        return {
            "how often the true error is above the bound, percent": exceedance(tables["replicates"], deltas=(0.05,))
        }
    if study.startswith("unsupervised") and "estimators" in tables:
        estimates = estimate_table(estimates_of_samples(tables))
        return {
            "numbers of clusters": cluster_table(tables),
            "estimates, in percent": estimates,
            "how often best": best_table(accuracy_table(estimates)),
        }
    if "folds" not in tables or "truth" not in tables:
        raise StudyError(f"{study} has no folds yet: cvstrat run {study} computes them")
    bias = bias_table(tables)
    paper = [name for name in STUDIED if name not in EXTRAS]
    found = {
        "mean bias, absolute bias and deviation": summary_table(bias, paper),
        "the same, with the techniques beyond the paper": summary_table(bias, STUDIED),
    }
    for experiment, techniques in SETS.items():
        found[f"{experiment}: p-values of Friedman's test"] = friedman_table(bias, techniques, experiment)
        found[f"{experiment}: how often closest to zero"] = wins_table(bias, techniques, experiment)
    return found
