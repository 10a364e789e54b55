"""Calls of functions on single workers of a dask scheduler; an answer always comes: a value, an error, or a loss."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError

from compendium.engine._study import StudyError
from cvstrat.errors import InputError

_LOGGERS = ("distributed", "distributed.client", "distributed.core", "distributed.comm", "tornado", "asyncio")


@dataclass(frozen=True)
class Answer:
    """What became of a call: a value, an error, or nothing; `losses` tells how many workers were lost over it."""

    subject: Any
    worker: str
    value: Any = None
    error: Exception | None = None
    losses: int = 0


class Calls:
    """Calls that are under way.

    Each is bound to one worker, so that it is known who has which; the scheduler never moves it.

    Parameters
    ----------
    client : distributed.Client
        A client of the scheduler.
    address : str
        The scheduler's address, as it was given.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.address = address
        self._client = client
        self._open: dict[str, tuple[Any, str, Future[Any]]] = {}
        self._ready: SimpleQueue[str] = SimpleQueue()

    def workers(self) -> dict[str, int]:
        """Return the workers there are, by address, with their numbers of threads."""
        with self._scheduler():
            found: dict[str, int] = self._client.nthreads()
        return found

    def call(self, worker: str, subject: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function on a worker; the answer will name the subject."""
        key = f"cvstrat-{uuid.uuid4()}"
        with self._scheduler():
            future = self._client.submit(function, *arguments, key=key, workers=[worker], pure=False)
            self._open[key] = (subject, worker, future)
            future.add_done_callback(lambda _: self._ready.put(key))

    def answers(self, seconds: float) -> list[Answer]:
        """Return the answers that came, after waiting for the first one, but not longer than some seconds."""
        keys = []
        try:
            keys.append(self._ready.get(timeout=seconds))
            while True:
                keys.append(self._ready.get_nowait())
        except Empty:
            pass
        with self._scheduler():
            found = [self._answer(key, seconds) for key in keys if key in self._open]
        return [answer for answer in found if answer is not None]

    def _answer(self, key: str, seconds: float) -> Answer | None:
        subject, worker, future = self._open[key]
        with self._scheduler():
            if future.status == "finished":
                try:
                    answer = Answer(subject, worker, value=future.result(timeout=seconds))
                except TimeoutError:  # the worker may have died with the value: the next look at the workers tells
                    self._ready.put(key)
                    return None
            elif future.status == "error":
                error = future.exception()
                killed = isinstance(error, KilledWorker)
                answer = Answer(subject, worker, error=error, losses=error.allowed_failures + 1 if killed else 0)
            elif future.status == "cancelled":
                answer = Answer(subject, worker)
            else:  # the value was lost after it had been announced
                future.add_done_callback(lambda _: self._ready.put(key))
                return None
        del self._open[key]
        return answer

    def lose(self, worker: str) -> list[Answer]:
        """Give up the calls of a worker that is gone."""
        lost = {key: call for key, call in self._open.items() if call[1] == worker}
        for key, (_, _, future) in lost.items():
            del self._open[key]
            with self._scheduler():
                future.cancel()
        return [Answer(subject, worker, losses=1) for subject, _, _ in lost.values()]

    def give_up(self) -> None:
        """Forget all calls; what runs, runs to its end, and nobody hears of it."""
        futures = [future for _, _, future in self._open.values()]
        self._open.clear()
        if futures and self._client.status == "running":
            with self._scheduler():
                self._client.cancel(futures)

    @contextmanager
    def _scheduler(self) -> Iterator[None]:
        """Say in one line that the scheduler is gone, in whatever way that shows."""
        try:
            yield
            gone = self._client.status != "running"
        except (FutureCancelledError, OSError):
            gone = True
        if gone:
            raise StudyError(
                f"the dask scheduler at {self.address} is gone; what was finished is kept: start it and its workers "
                "again, and the same command (with the address it has then) goes on from there"
            ) from None


class _Client(Client):
    """A client that is closed once, not tried, and waited for, again when it is forgotten."""

    def __del__(self) -> None:
        pass


@contextmanager
def connected(address: str, seconds: float) -> Iterator[Calls]:
    """Open a scheduler; dask's own log is silent meanwhile, since all that matters is said in errors and messages."""
    if not re.fullmatch(r"((tcp|tls|ucx|ws|wss)://)?[^/\s]+:\d{1,5}/?", address):
        raise InputError(f"{address!r} is no address of a dask scheduler: give one such as tls://host:8786")
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        try:
            client = _Client(address, timeout=seconds, set_as_default=False)
        except (OSError, TypeError) as error:
            raise StudyError(f"no dask scheduler answers at {address!r}: {error}") from error
        calls = Calls(client, address)
        try:
            yield calls
        finally:
            try:
                calls.give_up()
            finally:
                # If the scheduler died in mid-sentence, its client may wait, or be connecting again in its own thread.
                with suppress(OSError, AssertionError, RuntimeError):
                    client.close(timeout=seconds)
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
