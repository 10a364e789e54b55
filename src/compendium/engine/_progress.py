"""How far a run is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from time import monotonic
from typing import TextIO


class Progress:
    """Tell how many units are done, what is left of the time, and which unit was last.

    `costs` are the expected durations, in any measure, of the units that are left; `done` units were done before. Where
    `stream`, by default standard error, is no terminal, there is a line every `every` seconds at most.
    """

    def __init__(
        self,
        title: str,
        costs: list[float],
        done: int,
        *,
        stream: TextIO | None = None,
        every: float = 30.0,
        quiet: bool = False,
    ) -> None:
        self._title = title
        self._stream = stream or sys.stderr
        self._every = every
        self._quiet = quiet
        self._done = done
        self._units = done + len(costs)
        self._costs = sum(costs)
        self._cost_done = 0.0
        self._start = self._last = monotonic()
        self._bar = None
        if costs and not quiet and self._stream.isatty() and find_spec("tqdm"):  # without it there are plain lines
            from tqdm import tqdm

            form = "{desc}: {n}/{total} |{bar}| {elapsed} {postfix}"
            self._bar = tqdm(total=self._units, initial=done, desc=title, file=self._stream, bar_format=form)

    def finished(self, unit: str, cost: float) -> None:
        """Count a unit."""
        self._done += 1
        self._cost_done += cost
        if self._bar is not None:
            self._bar.set_postfix_str(f"{self.remaining()} left, last {unit}", refresh=False)
            self._bar.update()
        elif monotonic() - self._last >= self._every or self._done == self._units:
            self._last = monotonic()
            self.say(f"{self._title}: {self._done}/{self._units}, {self.remaining()} left, last {unit}")

    def remaining(self) -> str:
        """Return the time that is left, as far as it can be told."""
        if self._cost_done <= 0:
            return "unknown time"
        left = max(self._costs - self._cost_done, 0.0)
        return duration((monotonic() - self._start) * left / self._cost_done)

    def say(self, text: str) -> None:
        """Print a line without disturbing the bar."""
        if self._bar is not None:
            self._bar.write(text, file=self._stream)
        elif not self._quiet:
            print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Leave the last state on the screen."""
        if self._bar is not None:
            self._bar.close()


def duration(seconds: float) -> str:
    """Return a duration for people: ``45 s``, ``12 min``, ``3 h 05 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
