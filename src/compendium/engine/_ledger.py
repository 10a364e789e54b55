"""Who computes which unit: every worker has enough to do, and a unit over which workers were lost runs alone."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


T = TypeVar("T", bound=_Numbered)

MAX_LOSSES = 3


class Ledger(Generic[T]):
    """Tasks that wait, and tasks that workers have.

    A worker has as many tasks as threads, and one more while plenty wait, so that it is never idle. When it is lost,
    any of them may be the reason. Each is then tried again on a worker that has nothing else, so that a task which
    kills workers takes no other with it, and none but such a task is lost `MAX_LOSSES` times.

    Parameters
    ----------
    tasks : iterable of task
        What is to be done, in this order; each has a number of its own.
    """

    def __init__(self, tasks: Iterable[T]) -> None:
        self._waiting = deque(tasks)
        self._suspects: deque[T] = deque()
        self._held: dict[str, set[int]] = defaultdict(set)
        self._losses: Counter[int] = Counter()

    @property
    def unfinished(self) -> bool:
        """Whether any task waits or is with a worker."""
        return bool(self._waiting or self._suspects or any(self._held.values()))

    def assign(self, workers: dict[str, int]) -> list[tuple[str, T]]:
        """Return who gets what next, given the workers and their threads."""
        assigned: list[tuple[str, T]] = []
        able = [worker for worker in workers if not any(self._losses[number] for number in self._held[worker])]
        able.sort(key=lambda worker: len(self._held[worker]))
        reserved, rest = able[: len(self._suspects)], able[len(self._suspects) :]
        for worker in reserved:
            if not self._held[worker]:
                assigned.append((worker, self._hand(worker, self._suspects)))
        for extra in (0, 1):
            enough = extra * sum(workers.values())
            for worker in rest:
                while len(self._waiting) > enough and len(self._held[worker]) < workers[worker] + extra:
                    assigned.append((worker, self._hand(worker, self._waiting)))
        return assigned

    def _hand(self, worker: str, tasks: deque[T]) -> T:
        task = tasks.popleft()
        self._held[worker].add(task.number)
        return task

    def finish(self, worker: str, task: T) -> None:
        """Take a task from a worker."""
        self._held[worker].discard(task.number)

    def lose(self, worker: str, task: T, losses: int) -> bool:
        """Take a task from a worker that did not finish it, and keep it for another; False if too many were lost."""
        self.finish(worker, task)
        self._losses[task.number] += losses
        if self._losses[task.number] >= MAX_LOSSES:
            return False
        if self._losses[task.number]:
            self._suspects.append(task)
        else:
            self._waiting.appendleft(task)
        return True
