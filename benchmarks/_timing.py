"""Timing two things fairly: in turn, in one process, best of several."""

import time
from collections.abc import Callable


def best_times(*jobs: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the shortest time of each job, in seconds; the jobs take turns, so that all see the same machine."""
    best = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for number, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            best[number] = min(best[number], time.perf_counter() - start)
    return best
