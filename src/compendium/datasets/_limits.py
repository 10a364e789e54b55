"""How patient a download is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How patient a download is.

    Attributes
    ----------
    silence : float
        Seconds without a byte after which an attempt is given up.
    deadline : float
        Seconds that all attempts may take together.
    attempts : int
        How often to try: a server that fails or breaks off may do better the next time.
    pause : float
        Seconds before the second attempt; doubled before each further one.
    """

    silence: float = 30.0
    deadline: float = 600.0
    attempts: int = 4
    pause: float = 1.0
