"""How long a process lives. Nothing is imported that takes time, so that a new process knows its end at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_told = {"to end": False}


def end_with(parent: int) -> None:
    """Let this process end within seconds of the one that started it, also if that was killed and could not say so."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def interrupted_when_told_to_end() -> Iterator[None]:
    """Let a run end in order when it is asked to, or when its terminal is closed; not where ``nohup`` prevents that."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # not on Windows
    before = {number: signal.getsignal(number) for number in numbers}
    report = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else report(lost)  # not forgotten
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = report
        _told["to end"] = False


def _interrupt(*_: object) -> NoReturn:
    _told["to end"] = True
    raise KeyboardInterrupt


def check_told_to_end() -> None:
    """Raise if this process was told to end, for compiled code or a destructor may have lost what the signal raised."""
    if _told["to end"]:
        raise KeyboardInterrupt
