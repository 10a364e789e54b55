"""Seeds from names: the randomness of a unit of work depends on what the unit is called, on nothing else."""

from __future__ import annotations

import hashlib

import numpy as np


def seed_of(root: int, *names: object) -> int:
    """Return a seed for scikit-learn and NumPy from the seed of a study and the names of the axes.

    Examples
    --------
    >>> from compendium.engine import seed_of
    >>> seed_of(0, "pmlb/iris", 3) == seed_of(0, "pmlb/iris", "3")
    True
    >>> seed_of(0, "pmlb/iris", 3) == seed_of(1, "pmlb/iris", 3)
    False
    """
    text = "\n".join(str(name) for name in names)
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), dtype=">u4")
    return int(np.random.SeedSequence([root, *words.tolist()]).generate_state(1)[0])
