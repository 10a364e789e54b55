"""What can be done with a study: run it, see how far it is, have its summary, get its tables."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from compendium.engine import _store as store
from compendium.engine._engine import Run, run_study
from compendium.engine._folder import refused
from compendium.engine._registry import find_study
from compendium.engine._results import Results
from compendium.engine._specs import as_json, differences
from compendium.engine._study import Study, StudyError, Tables
from compendium.engine._values import axis_fields
from compendium.files import data_root
from cvstrat.checks import check_known


def results_folder(study: str | Study[Any], profile: str = "paper") -> Path:
    """Return where results of a study go: the repository's own for the paper's profile, ``runs`` for any other."""
    name = find_study(study).name
    return data_root() / "results" / name if profile == "paper" else Path("runs") / f"{name}-{profile}"


def has_results(study: str | Study[Any]) -> bool:
    """Whether results of a study are committed."""
    return (results_folder(study) / "manifest.json").is_file()


def run(
    study: str | Study[Any],
    *,
    profile: str = "paper",
    folder: Path | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    only: Mapping[str, Iterable[Any]] | None = None,
    again: Mapping[str, Iterable[Any]] | None = None,
    quiet: bool = False,
    **fields: Any,
) -> Run:
    """Compute what is missing of a study; what is on disk is not computed again.

    A folder with results of a smaller spec, to which this one adds values of axes, grows; one with results of a larger
    spec gets what is missing of this part of it.

    Parameters
    ----------
    study : str or Study
        The study, or its name.
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
    again : mapping of str to iterable, default=None
        Values of axes, such as ``{"technique": ["ACBCV"]}``: units of tables that have all these axes are computed
        again, with those that need their rows. Killed, the run goes on without this option.
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
    target = folder or results_folder(chosen, profile)
    return run_study(chosen, spec, target, jobs=jobs, scheduler=scheduler, only=only, again=again, quiet=quiet)


def status(
    study: str | Study[Any], *, profile: str = "paper", folder: Path | None = None, **fields: Any
) -> pd.DataFrame:
    """Return how far a study is.

    Parameters
    ----------
    study, profile, folder, **fields
        As in :func:`compendium.engine.run`.

    Returns
    -------
    DataFrame
        A row per table and data set: units done, skipped, failed, missing.
    """
    chosen = find_study(study)
    spec = chosen.spec(profile, **fields)
    target = folder or results_folder(chosen, profile)
    if not (target / "manifest.json").exists():
        raise StudyError(f"{target} holds no results of {chosen.name} yet: compendium run {chosen.name} makes them")
    results = Results(chosen, spec, target)
    results.grow()
    states = pd.DataFrame(
        [
            {"table": table.name, table.axes[0]: unit[table.axes[0]], "state": results.state(table, unit)}
            for table in chosen.tables
            for unit in results.units(table)
        ]
    )
    by = [name for name in states.columns if name != "state"]
    states = states.fillna("")  # tables whose units begin with another axis
    counted = states.groupby(by, sort=False)["state"].value_counts().unstack(fill_value=0)
    return counted.reindex(columns=["done", "skipped", "failed", "missing"], fill_value=0).reset_index()


def report(study: str | Study[Any], tables: Tables) -> dict[str, pd.DataFrame]:
    """Return the summary of a study's results as frames by their titles; tables that are not there yet are an error."""
    chosen = find_study(study)
    lacking = [table.name for table in chosen.tables if table.name not in tables]
    if lacking:
        raise StudyError(f"{chosen.name} has no {', '.join(lacking)} yet: compendium run {chosen.name} computes them")
    return chosen.report(tables)


def read_tables(study: str, folder: Path | None = None, **fields: Any) -> Tables:
    """Return all tables of a study, the committed ones or those of another folder; fields of its spec choose rows."""
    place = folder or data_root() / "results" / study
    manifest = store.read_manifest(place)
    tables = {name: store.load_result(study, name, folder=folder) for name in manifest["tables"]}
    if not fields:
        return tables
    chosen = find_study(study)
    axes = {field.name for field in axis_fields(chosen.spec_type)}
    fixed = {
        name: value for name, value in as_json(chosen.spec(**fields)).items() if name in fields and name not in axes
    }
    changed = differences({name: manifest["spec"].get(name) for name in fixed}, fixed)
    if changed:
        raise refused(place, changed)
    return {name: chosen.chosen_rows(frame, fields) for name, frame in tables.items()}


def load_or_run(study: str | Study[Any], source: str = "results", **fields: Any) -> Tables:
    """Return the tables of a study for a page: read the committed results, or compute anew.

    Parameters
    ----------
    study : str or Study
        The study, or its name.
    source : str, default="results"
        ``results`` reads what is committed, ``run`` computes now, with the paper's protocol but for `fields`.
    **fields
        Fields of the spec; empty or zero ones mean: as in the paper. With ``results`` they choose rows.

    Returns
    -------
    dict of str to DataFrame
        The tables.
    """
    check_known("source", source, ["results", "run"])
    chosen = find_study(study)
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items() if value
    }
    if source == "results":
        return {name: chosen.chosen_rows(frame, given) for name, frame in read_tables(chosen.name).items()}
    with tempfile.TemporaryDirectory() as folder:
        done = run(chosen, folder=Path(folder), quiet=True, **given)
        if done.failed:
            raise StudyError("; ".join(f"{name}: {reason}" for name, reason in done.failed.items()))
        return read_tables(chosen.name, Path(folder))


def save_measurements(name: str, tables: Mapping[str, pd.DataFrame], spec: Mapping[str, Any]) -> None:
    """Keep tables that were measured outside a study, such as benchmarks; other tables of that name stay."""
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
