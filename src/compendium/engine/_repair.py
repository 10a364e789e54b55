"""Damaged files of committed results: set aside, so that the rest can be read and the study run again."""

from __future__ import annotations

from pathlib import Path

from compendium.engine import _store as store
from compendium.engine._folder import sole_writer
from compendium.engine._registry import studies
from compendium.engine._results import Results
from compendium.engine._specs import from_json


def repair_results() -> dict[str, list[str]]:
    """Set aside damaged files of committed results, and return what was done in each folder that needed it."""
    found = {}
    for folder in store.result_folders():
        if store.check_result(folder):
            with sole_writer(folder):
                found[folder.name] = _repair_study(folder) if folder.name in studies() else _repair_tables(folder)
    return found


def _repair_study(folder: Path) -> list[str]:
    study = studies()[folder.name]
    try:
        spec, data = from_json(study.spec_type, store.read_manifest(folder)["spec"]), None
    except store.ResultError:  # what the damaged manifest must say, if it is of the paper's protocol
        spec = study.spec()
        data = study.checksums(spec, ())
    results = Results(study, spec, folder, data, mend=True)
    results.save()
    left = sum(not results.has(table, unit) for table in study.tables for unit in results.units(table))
    return [*results.damaged, f"{left} units are missing; this computes them: compendium run {study.name}"]


def _repair_tables(folder: Path) -> list[str]:
    """Repair tables that no study computes; a manifest of theirs cannot be made again."""
    try:
        manifest = store.read_manifest(folder)
    except store.ResultError as error:
        return [f"{error}; no study makes these tables"]
    said, tables = [], {}
    for name in manifest["tables"]:
        path = folder / f"{name}.parquet"
        try:
            tables[name] = store.read_table(folder, name, manifest)
        except store.ResultError:
            aside = f"set aside as {store.set_aside(path, folder).name}" if path.exists() else "missing"
            said.append(f"{path.name} is {aside}: measure it again")
    rest = {name: value for name, value in manifest.items() if name not in ("study", "tables")}
    store.save_result(manifest["study"], tables, rest, folder, unchanged=manifest["tables"])
    return said
