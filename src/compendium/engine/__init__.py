"""Running studies: a frozen spec, pure units of work, results on disk that survive any kill.

A study lives in a folder of its own and registers itself; nothing here knows any of them by name.
"""

from compendium.engine._again import (
    Finished,
    finished_units,
)
from compendium.engine._commands import (
    has_results,
    load_or_run,
    read_tables,
    report,
    results_folder,
    run,
    save_measurements,
    status,
)
from compendium.engine._engine import (
    Run,
    describe_run,
    run_study,
)
from compendium.engine._registry import (
    find_study,
    studies,
)
from compendium.engine._repair import (
    repair_results,
)
from compendium.engine._seeds import (
    seed_of,
)
from compendium.engine._store import (
    ResultError,
    check_results,
    kernels,
    load_result,
)
from compendium.engine._study import (
    Skip,
    Study,
    StudyError,
    Table,
    Tables,
    Unit,
    unit_id,
)
from compendium.engine._values import (
    axis,
    count,
    fraction,
    seed,
)
from compendium.engine._workers import (
    Workers,
    processes,
)

__all__ = [
    "Finished",
    "ResultError",
    "Run",
    "Skip",
    "Study",
    "StudyError",
    "Table",
    "Tables",
    "Unit",
    "Workers",
    "axis",
    "check_results",
    "count",
    "describe_run",
    "find_study",
    "finished_units",
    "fraction",
    "has_results",
    "kernels",
    "load_or_run",
    "load_result",
    "processes",
    "read_tables",
    "repair_results",
    "report",
    "results_folder",
    "run",
    "run_study",
    "save_measurements",
    "seed",
    "seed_of",
    "status",
    "studies",
    "unit_id",
]
