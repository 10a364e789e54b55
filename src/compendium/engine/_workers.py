"""What computes units: processes of this machine, here, or the workers of a dask scheduler, in `_cluster`."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import joblib
import pandas as pd
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError
from threadpoolctl import ThreadpoolController

from compendium.engine._store import environment
from compendium.engine._study import Skip, StudyError, Tables, Unit
from compendium.lifetime import end_with


@dataclass(frozen=True)
class Task:
    """A unit on its way to a worker."""

    number: int
    work: Callable[[Any, Unit, Tables], pd.DataFrame]
    spec: Any
    unit: Unit
    inputs: Tables


@dataclass(frozen=True)
class Outcome:
    """What became of a task: rows, or the reason why it does not apply, or why it failed."""

    number: int
    rows: pd.DataFrame
    skipped: str = ""
    failed: str = ""


def compute(task: Task) -> Outcome:
    """Compute one unit with one thread; an error is an outcome, not the end of the run."""
    none = pd.DataFrame()
    with joblib.parallel_config(backend="sequential"), _pools(len(sys.modules)).limit(limits=1):
        try:
            return Outcome(task.number, task.work(task.spec, task.unit, task.inputs))
        except Skip as reason:
            return Outcome(task.number, none, skipped=str(reason))
        except Exception as error:
            return Outcome(task.number, none, failed=f"{type(error).__name__}: {error}")


@lru_cache(maxsize=1)
def _pools(modules: int) -> ThreadpoolController:
    """Return the pools of threads of the libraries that are loaded; looked for again when a module has come."""
    return ThreadpoolController()


class Workers(Protocol):
    """Computes tasks and gives outcomes back as they are ready, in any order."""

    @property
    def count(self) -> int:
        """How many units are computed at a time."""

    def environments(self) -> list[dict[str, Any]]:
        """Return what computes: commit, versions, machine, workers."""

    def outcomes(self, tasks: list[Task], say: Callable[[str], None]) -> Generator[Outcome]:
        """Yield the outcome of each task; a worker that dies is replaced, and what it was doing is done again."""


class _Processes(Workers):
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._environment = environment(f"{count} processes")

    @property
    def count(self) -> int:
        return self._count

    def environments(self) -> list[dict[str, Any]]:
        return [self._environment]

    def outcomes(self, tasks: list[Task], say: Callable[[str], None]) -> Generator[Outcome]:
        left = {task.number: task for task in tasks}
        while left:
            before = len(left)
            parallel = joblib.Parallel(self.count, return_as="generator_unordered", batch_size=1)
            found = parallel(joblib.delayed(compute)(task) for task in list(left.values()))
            try:
                for outcome in found:
                    del left[outcome.number]
                    yield outcome
            except TerminatedWorkerError as error:
                if len(left) == before:
                    raise StudyError(
                        "a worker was killed before it finished anything; is there memory enough? Try fewer --jobs"
                    ) from error
                say(f"a worker was killed: {len(left)} units go to new ones")
            finally:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of units that a run told to end has under way
                    found.close()


@contextmanager
def processes(jobs: int | None = None) -> Iterator[Workers]:
    """Open processes of this machine: `jobs` of them, or one per core."""
    count = joblib.effective_n_jobs(-1 if jobs is None else jobs)
    try:
        with (
            warnings.catch_warnings(),
            joblib.parallel_config(
                backend="loky", inner_max_num_threads=1, initializer=end_with, initargs=(os.getpid(),)
            ),
        ):
            warnings.filterwarnings("ignore", "A worker stopped")  # which had grown: another takes its place
            yield _Processes(count)
    finally:
        if count > 1:
            get_reusable_executor().shutdown(wait=False, kill_workers=True)
