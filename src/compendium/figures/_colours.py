"""Same technique, same colour and marker in the whole book: a colour per kind of folds, a marker inside the kind."""

from __future__ import annotations

import re
from typing import Any

# Text and intervals that are not to stand out: dark enough beside the grey band, and in dark mode, which inverts it.
GREY = "#6b6b6b"

# Kinds of folds with their colour; the techniques of a kind differ by marker and by line.
_KINDS = {
    "0.45": ("KFold",),
    "C0": ("SCV",),
    "C1": ("SCBCV", "SCBCV-Mini"),
    "C3": ("KCBCV", "KCBCV-Mini", "ACBCV", "DBSCANBCV", "SpectralBCV"),
    "C4": ("1C-CV", "CL-CV"),
    "C2": ("DBSCV", "DOB-SCV"),
    "C9": ("Balanced",),
    "C5": ("ROCBCV",),
}
_SYNONYMS = {"R-CV": "KFold", "RS-CV": "SCV"}
_MARKERS, _LINES = "osD^v", ("-", "--", ":", "-.", (0, (5, 1)))
_STYLES = {
    name: {"color": colour, "marker": _MARKERS[place], "linestyle": _LINES[place]}
    for colour, names in _KINDS.items()
    for place, name in enumerate(names)
}


def technique_style(name: str) -> dict[str, Any]:
    """Return colour, marker and line of a technique, as keywords of ``Axes.plot``; black for a name that is not known.

    Parameters
    ----------
    name : str
        As the literature names it; variants such as ``SCBCV3`` look like the technique they vary.
    """
    plain = re.sub(r"(?<=CV)\d+$", "", name)
    return dict(_STYLES.get(_SYNONYMS.get(plain, plain), {"color": "0.1", "marker": "X", "linestyle": "-"}))
