"""How long the engine takes around the work itself: to start, to collect, to find that all is done."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pandas as pd

from compendium.engine import Study, Table, Unit, axis, run_study
from compendium.engine._results import Results
from compendium.engine._shards import Shards
from compendium.engine._specs import digest
from compendium.engine._study import unit_id

UNITS = (10_000, 50_000, 100_000)
MOST_SHARDS = 50_000


@dataclass(frozen=True)
class Spec:
    """Numbers, each a unit of two rows."""

    groups: tuple[str, ...] = axis("group", tuple("abcdefghij"))
    n: int = axis("number", 10)


def _units(spec: Spec, _: object) -> list[Unit]:
    return [{"group": group, "number": number} for group in spec.groups for number in range(spec.n)]


def _work(spec: Spec, unit: Unit, _: object) -> pd.DataFrame:
    return pd.DataFrame({"row": [0, 1], "value": [0.5, 1.5], "fit_seconds": [0.1, 0.1]})


TABLE = Table("values", ("group", "number"), _units, _work, keys=("row",), measured=("fit_seconds",))
STUDY = Study(
    "scale", "", Spec, {"paper": Spec}, (TABLE,), lambda spec: None, lambda spec, wanted: {}, lambda tables: {}
)


def run() -> pd.DataFrame:
    """Return a row per step and number of units: seconds on the clock, and of this process."""
    return pd.concat([_measured(count) for count in UNITS], ignore_index=True)


def _measured(count: int) -> pd.DataFrame:
    spec = STUDY.spec(n=count // 10)
    found = {}
    with tempfile.TemporaryDirectory() as place:
        if count <= MOST_SHARDS:
            loose = Path(place, "loose")
            Results(STUDY, spec, loose).save()
            _leave_shards(spec, loose)
            found["start with loose shards"] = _timed(lambda: Results(STUDY, spec, loose).save())
        folder = Path(place, "tables")
        results = Results(STUDY, spec, folder)
        _finish(results)
        found["collect"] = _timed(lambda: results.collect(TABLE, {}))
        found["nothing to do"] = _timed(lambda: run_study(STUDY, spec, folder, jobs=1, quiet=True))
    lines = [(step, count, *times) for step, times in found.items()]
    return pd.DataFrame(lines, columns=["step", "units", "seconds", "cpu_seconds"])


def _rows(unit: Unit) -> pd.DataFrame:
    rows = _work(Spec(), unit, None)
    rows.insert(0, "group", unit["group"])
    rows.insert(1, "number", unit["number"])
    return rows


def _leave_shards(spec: Spec, folder: Path) -> None:
    """Leave all units as shards, as if the run had been killed; not synced to disk, which takes longest."""
    shards = Shards(folder, digest(spec))
    with mock.patch("os.fsync"):
        for unit in _units(spec, None):
            shards.write(unit_id(TABLE, unit), _rows(unit))


def _finish(results: Results) -> None:
    """Let all units be finished, but not yet in the tables."""
    with mock.patch.object(Shards, "write"):
        for unit in results.units(TABLE):
            results.keep(TABLE, unit, _work(results.spec, unit, None))


def _timed(job: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    job()
    return time.perf_counter() - wall, time.process_time() - cpu
