"""C4.5 itself, as Weka's J48 (C4.5 release 8 in Java), where Java and Weka are installed; nothing else needs them."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compendium.diamantidis2000.study._attributes import Attributes

_REMEDY = "C4.5 is Weka's J48: install Java and the package python-weka-wrapper3, or leave this learner out"


def missing_for_c45() -> str:
    """Return what is missing to run C4.5, and what to do about it; empty if nothing is."""
    if importlib.util.find_spec("jpype") is None or _jar() is None:
        return f"python-weka-wrapper3 is not installed. {_REMEDY}"
    jpype = importlib.import_module("jpype")
    try:
        jpype.getDefaultJVMPath()
    except jpype.JVMNotFoundException:
        return f"no Java is found. {_REMEDY}"
    return ""


def _jar() -> Path | None:
    found = importlib.util.find_spec("weka")
    places = [Path(folder) / "lib" / "weka.jar" for folder in (found.submodule_search_locations or [])] if found else []
    return next((place for place in places if place.exists()), None)


def _java() -> Any:
    """Return the bridge to Java, started if need be with Weka in reach."""
    jpype = importlib.import_module("jpype")
    if not jpype.isJVMStarted():
        jpype.startJVM("-Xmx1g", "--add-opens=java.base/java.lang=ALL-UNNAMED", classpath=[str(_jar())])
    return jpype


class C45:
    """Weka's J48 with its defaults, which are those of C4.5: pruned at 25 % confidence, at least two rows in a leaf.

    Discrete attributes are nominal, so that it splits into all their values; missing values are missing, which it
    handles by fractions of rows.
    """

    def __init__(self, data: Attributes) -> None:
        java = _java()
        self._list, self._instances = java.JClass("java.util.ArrayList"), java.JClass("weka.core.Instances")
        self._attribute = java.JClass("weka.core.Attribute")
        self._learner = java.JClass("weka.classifiers.trees.J48")
        row_of = java.JClass("weka.core.DenseInstance")
        table, header = np.column_stack([data.X, data.y]).astype(float), self._list()
        for number, discrete in enumerate([*data.categorical, True]):
            header.add(self._column(table, number, nominal=bool(discrete)))
        self._header = self._instances("rows", header, 0)
        self._header.setClassIndex(len(header) - 1)
        self._rows = [row_of(1.0, row) for row in table]

    def _column(self, table: np.ndarray, number: int, *, nominal: bool) -> Any:
        """Describe a column; the values of a nominal one are numbered, in place, from 0."""
        if not nominal:
            return self._attribute(f"column {number}")
        known = ~np.isnan(table[:, number])
        values, codes = np.unique(table[known, number], return_inverse=True)
        table[known, number] = codes
        names = self._list()
        for value in values:
            names.add(str(value))
        return self._attribute(f"column {number}", names)

    def _part(self, rows: np.ndarray) -> Any:
        part = self._instances(self._header, len(rows))
        for row in rows.tolist():
            part.add(self._rows[row])
        return part

    def predict(self, train: np.ndarray, tests: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Grow and prune a tree on some rows; return the classes it predicts for others."""
        tree = self._learner()
        tree.buildClassifier(self._part(train))
        return [np.array(tree.distributionsForInstances(self._part(test))).argmax(axis=1) for test in tests]
