"""Which workers of a scheduler may compute: those with the same source, versions and data as here; others are named."""

from __future__ import annotations

import functools
import pickle
import platform
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, TypeAlias

from distributed.protocol.pickle import dumps

from compendium.engine._calls import Answer, Calls
from compendium.engine._store import environment
from compendium.versions import inspector
from cvstrat.errors import CvstratError

Differences: TypeAlias = list[tuple[str, str, str]]
Environment: TypeAlias = dict[str, Any]

_PYTHON, _GREETING = "its Python", "its greeting"


class Roster:
    """The workers of a scheduler.

    A worker is asked when it appears, first for its Python, since nothing else can be sent to another one, then for the
    rest. What it computes later is guarded in the same way, as another process may have taken its address.

    Parameters
    ----------
    calls : Calls
        The way to the workers.
    data : dict of str to str
        Names and checksums of the data here.
    checksums : callable
        Returns the same on a worker.
    say : callable
        Where messages go.
    """

    def __init__(
        self,
        calls: Calls,
        data: dict[str, str],
        checksums: Callable[[], dict[str, str]],
        say: Callable[[str], None],
    ) -> None:
        self.say = say
        self.approved: dict[str, int] = {}
        self.refused: dict[str, Differences] = {}
        self._calls = calls
        self._data = data
        self._here = inspector()()
        self._question = dumps(functools.partial(_greet, checksums))
        self._guard = _PickledOnce(_guarded(self._here))
        self._asked: dict[str, float] = {}
        self._threads: dict[str, int] = {}
        self._environments: dict[str, Environment] = {}

    def look(self) -> list[Answer]:
        """Ask workers that are new; return the calls that are lost with workers that are gone."""
        self._threads = self._calls.workers()
        lost = []
        for worker in {*self._asked, *self.approved, *self.refused} - set(self._threads):
            lost += self._calls.lose(worker)
            if self.approved.pop(worker, None):
                left = "" if self.approved else "; no other is left, waiting for new ones"
                self.say(f"worker {worker} is gone: what it was doing is done again{left}")
            self._asked.pop(worker, None)
            self.refused.pop(worker, None)
        for worker in self._threads:
            if worker not in self._asked and worker not in self.approved and worker not in self.refused:
                self._ask(worker)
        return lost

    def _ask(self, worker: str) -> None:
        self._asked[worker] = monotonic()
        self._calls.call(worker, _PYTHON, platform.python_version)

    def hear(self, answer: Answer) -> None:
        """Take the answer of a worker that was asked."""
        worker, value = answer.worker, answer.value
        if worker not in self._asked:
            return
        if answer.error is not None:
            self.refuse(worker, [("check", "", f"{type(answer.error).__name__}: {answer.error}")])
        elif value is None:
            del self._asked[worker]
        elif answer.subject == _PYTHON and value == self._here["python"]:
            self.call(worker, _GREETING, self._question)
        elif answer.subject == _PYTHON:
            self.refuse(worker, [("python", self._here["python"], value)])
        elif isinstance(value, dict):
            self.refuse(worker, self.differences(value))
        else:
            made_with, data = pickle.loads(value)
            differences = _of_data(self._data, data)
            if differences:
                self.refuse(worker, differences)
            else:
                del self._asked[worker]
                self.approved[worker] = self._threads[worker]
                self._environments[worker] = made_with

    def call(self, worker: str, subject: Any, payload: bytes) -> None:
        """Have a worker call what is pickled in `payload`, if it is then what it should be."""
        self._calls.call(worker, subject, self._guard, payload)

    def refuse(self, worker: str, differences: Differences) -> None:
        """Give a worker nothing (more) to do."""
        self._asked.pop(worker, None)
        self.approved.pop(worker, None)
        self.refused[worker] = differences

    def differences(self, there: dict[str, str]) -> Differences:
        """Return in what a worker differs: what, here, there."""
        return [(what, here, there[what]) for what, here in self._here.items() if there[what] != here]

    def asked(self, seconds: float = inf) -> list[str]:
        """Return the workers that have not answered yet and were asked within some seconds."""
        return [worker for worker, since in self._asked.items() if monotonic() - since < seconds]

    def environments(self) -> list[Environment]:
        """Return what computed here so far: one entry for all workers that are alike."""
        source = {name: self._here[name] for name in ("cvstrat", "compendium")}
        kinds: list[Environment] = []
        counts: list[int] = []
        for made_with in self._environments.values():
            if made_with not in kinds:
                kinds.append(made_with)
                counts.append(0)
            counts[kinds.index(made_with)] += 1
        return [
            kind | {"workers": f"{count} dask worker{'s' if count > 1 else ''}", "source": source}
            for kind, count in zip(kinds, counts, strict=True)
        ]


def table(refused: dict[str, Differences]) -> str:
    """Return the differences of workers as lines: worker, what, here, there."""
    rows = [("worker", "what", "here", "there")]
    rows += [(worker, *difference) for worker, differences in refused.items() for difference in differences]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows
    ]
    return "\n".join(f"  {line}" for line in lines)


class _PickledOnce:
    """A function that is sent many times, and pickled by value, which takes long, only the first time."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function, self._pickled = function, dumps(function)

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        return pickle.loads, (self._pickled,)


def _guarded(here: dict[str, str]) -> Callable[[bytes], bytes | dict[str, str]]:
    """Return a function that travels by value and calls what it is given only where all is as it is here."""
    inspect = inspector()

    def attend(payload: bytes) -> bytes | dict[str, str]:
        import pickle

        found = inspect()
        return pickle.dumps(pickle.loads(payload)()) if found == here else found

    return attend


def _greet(checksums: Callable[[], dict[str, str]]) -> tuple[Environment, dict[str, str] | str]:
    """Return the environment and the data of a worker, or what is wrong with the data; runs there."""
    try:
        return environment(""), checksums()
    except CvstratError as error:
        return environment(""), str(error)


def _of_data(here: dict[str, str], there: dict[str, str] | str) -> Differences:
    if isinstance(there, str):
        return [("data", "all there", there)]
    return [
        (f"data {name}", here.get(name, "missing")[:16], there.get(name, "missing")[:16])
        for name in sorted({*here, *there})
        if here.get(name) != there.get(name)
    ]
