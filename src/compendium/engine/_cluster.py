"""The workers of a dask scheduler: units go to those that were checked; lost ones are replaced, and waited for."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

import pandas as pd
from distributed.protocol.pickle import dumps
from threadpoolctl import threadpool_limits

from compendium.engine._calls import Answer, Calls, connected
from compendium.engine._ledger import MAX_LOSSES, Ledger
from compendium.engine._progress import duration
from compendium.engine._roster import Environment, Roster, table
from compendium.engine._study import StudyError
from compendium.engine._workers import Outcome, Task, Workers, compute


@dataclass(frozen=True)
class Waits:
    """Seconds: for the scheduler to answer, for a worker before and between two messages, between two looks at all."""

    connect: float = 10.0
    first: float = 30.0
    again: float = 60.0
    look: float = 1.0


WAITS = Waits()


class Cluster(Workers):
    """Computes tasks on the workers of a dask scheduler."""

    def __init__(self, calls: Calls, roster: Roster) -> None:
        self._calls = calls
        self._roster = roster
        self._told: set[str] = set()
        self._next_look = 0.0
        self._idle_since = monotonic()
        self._next_word = self._idle_since + WAITS.first
        self._gather()

    @property
    def count(self) -> int:
        """Threads of the workers that may compute now."""
        return sum(self._roster.approved.values())

    def environments(self) -> list[Environment]:
        """Return what computes: one entry for all workers that are alike."""
        return self._roster.environments()

    def outcomes(self, tasks: list[Task], say: Callable[[str], None]) -> Generator[Outcome]:
        """Yield the outcome of each task; a worker that is lost is replaced, and what it was doing is done again."""
        self._roster.say = say
        ledger = Ledger(tasks)
        while ledger.unfinished:
            for worker, task in ledger.assign(self._roster.approved):
                self._roster.call(worker, task, dumps(functools.partial(_compute, task)))
            for answer in self._turn():
                outcome = self._settle(ledger, answer)
                if outcome is not None:
                    yield outcome
            self._leave_out()

    def _settle(self, ledger: Ledger[Task], answer: Answer) -> Outcome | None:
        """Return the outcome of a task, or None if it has to be computed again."""
        task, worker, value = answer.subject, answer.worker, answer.value
        if isinstance(value, bytes):
            outcome: Outcome = pickle.loads(value)
            failed = outcome.failed and f"{outcome.failed} (on {worker})"
        elif answer.error is not None and not answer.losses:
            failed = f"{type(answer.error).__name__}: {answer.error} (on {worker})"
        else:
            if value is not None:
                self._roster.refuse(worker, self._roster.differences(value))
            if ledger.lose(worker, task, answer.losses):
                return None
            failed = f"{MAX_LOSSES} workers were lost while they computed it"
        ledger.finish(worker, task)
        return Outcome(task.number, pd.DataFrame(), failed=failed) if failed else outcome

    def _gather(self) -> None:
        """Wait until a worker may compute and all that are there have been asked; a wrong one ends the run here."""
        while not self._roster.approved or self._roster.asked(WAITS.first):
            self._turn()
            refused = self._roster.refused
            if refused and not self._roster.asked(WAITS.first):
                raise StudyError(
                    f"workers of {self._calls.address} differ from this machine, and so would their results: bring the "
                    f"same source, versions and data there, restart the workers, and run again\n{table(refused)}"
                )
        for worker in self._roster.asked():
            self._roster.say(f"worker {worker} has not answered in {WAITS.first:.0f} s: it gets units when it does")

    def _leave_out(self) -> None:
        """Say of a worker that joined later, and is not what it should be, that it gets no units."""
        refused = self._roster.refused
        self._told &= set(refused)
        wrong = {worker: refused[worker] for worker in refused if worker not in self._told}
        if wrong:
            self._told |= set(wrong)
            self._roster.say(f"left out, since the results would differ:\n{table(wrong)}")

    def _turn(self) -> list[Answer]:
        """Look at the workers when it is time, wait a little for answers, and return those about tasks."""
        answers = []
        if monotonic() >= self._next_look:
            answers += self._roster.look()
            self._next_look = monotonic() + WAITS.look
        answers += self._calls.answers(0 if answers else WAITS.look)
        for answer in answers:
            if not isinstance(answer.subject, Task):
                self._roster.hear(answer)
        self._remind()
        return [answer for answer in answers if isinstance(answer.subject, Task)]

    def _remind(self) -> None:
        """Say from time to time that there is nobody to compute."""
        now = monotonic()
        if self._roster.approved:
            self._idle_since, self._next_word = now, now + WAITS.first
        elif now >= self._next_word:
            self._next_word = now + WAITS.again
            silent = self._roster.asked()
            answers = f" that answers (asked: {', '.join(silent)})" if silent else ""
            self._roster.say(
                f"no worker{answers} for {duration(now - self._idle_since)}: waiting; start some with: "
                f"dask worker {self._calls.address} --nthreads 1"
            )


@contextmanager
def cluster(
    address: str, data: dict[str, str], checksums: Callable[[], dict[str, str]], say: Callable[[str], None]
) -> Iterator[Cluster]:
    """Open the workers of the scheduler at an address, and check them."""
    with connected(address, WAITS.connect) as calls:
        yield Cluster(calls, Roster(calls, data, checksums, say))


def _compute(task: Task) -> Outcome:
    """Compute a unit; runs on a worker, where other threads may compute others: all keep to one thread for good."""
    threadpool_limits(1)
    return compute(task)
