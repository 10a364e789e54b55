"""Counts and names in words, for sentences that read well whatever the value."""

from __future__ import annotations

from collections.abc import Sequence

# What can be said of a claim.
HOLDS, IN_PART, NOT, UNKNOWN = "holds", "holds in part", "does not hold", "cannot be told"
_NUMBERS = (
    *("Zero", "One", "Two", "Three", "Four", "Five", "Six"),
    *("Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"),
)


def listed(names: Sequence[str], none: str = "none") -> str:
    """Return names as a list in words: ``a``, ``a and b``, ``a, b and c``; `none` where there are none."""
    if not names:
        return none
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def spaced(number: float) -> str:
    """Return a whole number, its thousands apart if it has more than four digits: ``2000``, ``32 000``."""
    return f"{number:,.0f}".replace(",", "\N{NO-BREAK SPACE}" if abs(number) >= 10_000 else "")


def out_of(count: int, total: int) -> str:
    """Return ``none of the 24``, ``all 24`` and so on; of two, ``neither of the 2``, ``both``; of one, ``0 of 1``."""
    if total == 1:
        return f"{count} of 1"
    if total == 2 and count != 1:
        return "both" if count else "neither of the 2"
    if total and count == total:
        return f"all {total}"
    return f"{count or 'none'} of the {total}"


def at_least(count: int, total: int) -> str:
    """Return ``on at least 3 of the 24 data sets``, or on every one, on none; of one, ``on the data set``."""
    if count == total:
        return "on the data set" if total == 1 else "on every data set"
    return f"on at least {count} of the {total} data sets" if count else "on no data set"


def spelled(count: int) -> str:
    """Return a number as the first word of a sentence: ``One`` to ``Twelve``, beyond that in digits."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else spaced(count)
