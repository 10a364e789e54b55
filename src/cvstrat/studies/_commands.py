"""The studies by name: run one, see how far it is, have its summary, get its tables."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from cvstrat._files import checkout, data_root
from cvstrat.studies import _store as store
from cvstrat.studies._centers_study import UNSUPERVISED, UNSUPERVISED_C45
from cvstrat.studies._cluster_based import CLUSTER_BASED
from cvstrat.studies._cluster_counts import CLUSTER_COUNTS
from cvstrat.studies._complete_guarantee import GUARANTEE
from cvstrat.studies._complete_study import COMPLETE_IMAGE, COMPLETE_K_FOLD
from cvstrat.studies._efold_study import EFOLD, EFOLD_CLUSTERS
from cvstrat.studies._engine import Run, run_study
from cvstrat.studies._results import Results
from cvstrat.studies._search_study import EFOLD_SEARCH
from cvstrat.studies._study import Study, StudyError, Tables, choose

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        CLUSTER_BASED,
        CLUSTER_COUNTS,
        EFOLD,
        EFOLD_CLUSTERS,
        EFOLD_SEARCH,
        UNSUPERVISED,
        UNSUPERVISED_C45,
        COMPLETE_K_FOLD,
        COMPLETE_IMAGE,
        GUARANTEE,
    )
}


def find_study(name: str) -> Study:
    """Return a study by its name; an unknown one is answered with near names."""
    choose("study", name, STUDIES)
    return STUDIES[name]


def results_folder(study: str, profile: str = "paper") -> Path:
    """Return where results of a study go: the repository's own for the paper's profile, ``runs`` for any other."""
    find_study(study)
    if profile == "paper" and checkout() is not None:
        return data_root() / "results" / study
    return Path("runs") / f"{study}-{profile}"


def run(
    study: str,
    *,
    profile: str = "paper",
    folder: Path | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    only: Mapping[str, Iterable[Any]] | None = None,
    quiet: bool = False,
    **fields: Any,
) -> Run:
    """Compute what is missing of a study; what is on disk is not computed again.

    Parameters
    ----------
    study : str
        A key of ``STUDIES``.
    profile : str, default="paper"
        ``paper`` is the paper's protocol; ``smoke`` takes seconds on data that scikit-learn brings.
    folder : Path, default=None
        Where the results go; None means ``data/results`` for the paper's profile, ``runs`` for any other.
    jobs : int, default=None
        Processes on this machine; None means one per core.
    scheduler : str, default=None
        Address of a dask scheduler whose workers do the work instead.
    only : mapping of str to iterable, default=None
        Values of axes, such as ``{"dataset": ["pmlb/iris"]}``: the rest is left for another time.
    quiet : bool, default=False
        Whether to keep silent about progress.
    **fields
        Other values for fields of the spec.

    Returns
    -------
    Run
        How much was computed, what was skipped or failed and why, and the efficiency.
    """
    chosen = find_study(study)
    spec = chosen.spec(profile, **fields)
    target = folder or results_folder(study, profile)
    return run_study(chosen, spec, target, jobs=jobs, scheduler=scheduler, only=only, quiet=quiet)


def status(study: str, *, profile: str = "paper", folder: Path | None = None, **fields: Any) -> pd.DataFrame:
    """Return how far a study is.

    Parameters
    ----------
    study, profile, folder, **fields
        As in :func:`cvstrat.studies.run`.

    Returns
    -------
    DataFrame
        A row per table and data set: units done, skipped, failed, missing.
    """
    chosen = find_study(study)
    spec = chosen.spec(profile, **fields)
    target = folder or results_folder(study, profile)
    if not (target / "manifest.json").exists():
        raise StudyError(f"{target} holds no results of {study} yet: cvstrat run {study} makes them")
    results = Results(chosen, spec, target)
    states = pd.DataFrame(
        [
            {"table": table.name, table.axes[0]: unit[table.axes[0]], "state": results.state(table, unit)}
            for table in chosen.tables
            for unit in results.units(table)
        ]
    )
    by = [name for name in states.columns if name != "state"]
    counted = states.groupby(by, sort=False)["state"].value_counts().unstack(fill_value=0)
    return counted.reindex(columns=["done", "skipped", "failed", "missing"], fill_value=0).reset_index()


def read_tables(study: str, folder: Path | None = None) -> Tables:
    """Return all tables of a study: the committed ones, or those of another folder."""
    place = folder or data_root() / "results" / study
    names = store.read_manifest(place)["tables"]
    return {name: store.load_result(study, name, folder=folder) for name in names}


def obtain(study: str, source: str = "results", **fields: Any) -> Tables:
    """Return the tables of a study for a page: read the committed results, or compute anew.

    Parameters
    ----------
    study : str
        A key of ``STUDIES``.
    source : str, default="results"
        ``results`` reads what is committed, ``run`` computes now, with the paper's protocol but for `fields`.
    **fields
        Fields of the spec; empty or zero ones mean: as in the paper. With ``results`` they choose rows.

    Returns
    -------
    dict of str to DataFrame
        The tables.
    """
    choose("source", source, ["results", "run"])
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items() if value
    }
    if source == "results":
        return {name: _chosen(frame, given) for name, frame in read_tables(study).items()}
    with tempfile.TemporaryDirectory() as folder:
        done = run(study, folder=Path(folder), quiet=True, **given)
        if done.failed:
            raise StudyError("; ".join(f"{name}: {reason}" for name, reason in done.failed.items()))
        return read_tables(study, Path(folder))


_COLUMNS = {
    "datasets": "dataset",
    "models": "model",
    "learners": "learner",
    "techniques": "technique",
    "n_splits": "n_splits",
    "ks": "k",
    "problems": "problem",
}
_COUNTS = {
    "n_repeats": "repeat",
    "n_holdouts": "holdout",
    "n_samples": "sample",
    "n_replicates": "replicate",
    "n_draws": "draw",
}
_SEEDS = {"n_runs": "run", "n_realizations": "realization"}  # counted from one


def _chosen(frame: pd.DataFrame, given: Mapping[str, Any]) -> pd.DataFrame:
    for field, column in _COLUMNS.items():
        if field in given and column in frame.columns:
            frame = frame[frame[column].isin(_stored(given[field], frame[column]))]
    for field, column in _COUNTS.items():
        if field in given and column in frame.columns:
            frame = frame[frame[column] < given[field]]
    for field, column in _SEEDS.items():
        if field in given and column in frame.columns:
            frame = frame[frame[column] <= given[field]]
    return frame.reset_index(drop=True)


def _stored(values: Iterable[Any], column: pd.Series) -> set[Any]:
    """Return the values of a column that are meant: a bare name such as ``iris`` means the set that the study has."""
    known = {str(value): value for value in column.unique()}
    bare = {text.rpartition("/")[2]: value for text, value in known.items()}
    for value in values:
        if str(value) not in known and str(value) not in bare:
            choose(str(column.name), str(value), known)
    return {known.get(str(value), bare.get(str(value))) for value in values}


def check_results() -> dict[str, list[str]]:
    """Return what is wrong with each folder of committed results: an empty list where all is as its manifest says."""
    return {folder.name: store.check_result(folder) for folder in store.result_folders()}


def save_measurements(name: str, tables: Mapping[str, pd.DataFrame], spec: Mapping[str, Any]) -> None:
    """Keep tables that were measured outside a study, such as benchmarks; other tables of that name stay."""
    if checkout() is None:
        raise store.ResultError("results are kept in the repository: run this from a clone of it")
    folder = data_root() / "results" / name
    known = (folder / "manifest.json").exists()
    old = read_tables(name, folder) if known else {}
    before = store.read_manifest(folder)["environments"] if known else []
    manifest = {"spec": dict(spec), "data": {}, "environments": _environments(before, list(old), list(tables))}
    store.save_result(name, {**old, **tables}, manifest, folder)


def _environments(before: list[dict[str, Any]], old: list[str], new: list[str]) -> list[dict[str, Any]]:
    """Return where each table was measured: those that stay keep their environment."""
    left = [one | {"tables": [name for name in one.get("tables", old) if name not in new]} for one in before]
    here = store.environment("this process", "as each benchmark sets them")
    same = [one for one in left if one == here | {"tables": one["tables"]}]
    names = sorted([*new, *(name for one in same for name in one["tables"])])
    return [*(one for one in left if one["tables"] and one not in same), here | {"tables": names}]
