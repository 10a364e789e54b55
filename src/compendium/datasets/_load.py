"""From a name to arrays."""

from __future__ import annotations

import numpy as np

from compendium.datasets._catalogue import Catalogue, Entry, catalogue
from compendium.datasets._csv import is_csv, read_csv
from compendium.datasets._dataset import Dataset
from compendium.datasets._errors import CorruptData
from compendium.datasets._readers import Parts, read
from compendium.datasets._store import read_verified
from cvstrat.errors import InputError
from cvstrat.metrics import imbalance_index

_LOADED: dict[str, str] = {}


def load(name: str, *, download: bool = True, known: Catalogue | None = None, prepare: str = "") -> Dataset:
    """Load a data set by its name, with its file verified.

    Parameters
    ----------
    name : str
        Full (``pmlb/iris``) or bare (``sonar``), or a CSV file of one's own (``file.csv``, or ``file.csv:target`` where
        the target is not the last column). A bare name that several collections have means the first in the
        order sklearn, pmlb, raetsch, efold: ``iris`` is scikit-learn's, two rows of which differ from PMLB's.
    download : bool, default=True
        Whether a PMLB set that is not on this machine may be downloaded.
    known : Catalogue, optional
        Another catalogue than the project's.
    prepare : str, default=""
        What to do to a CSV file that is not complete and numeric, as in ``"impute,onehot"``: ``drop`` leaves out rows
        without a target, with infinite values, or alone in their class; ``impute`` fills in medians and, of text, the
        most frequent value, from all rows; ``onehot`` makes a column of 0 and 1 of each value of a text. It may be
        part of the name, where notebooks and studies take it from: ``file.csv:target:impute+onehot``. What was done
        stands in ``source``.

    Returns
    -------
    Dataset
        Rows in the order of the file. The sets of the e-fold study are preprocessed as its paper says; problems of the
        Rätsch benchmark hold every case (repeated ones as often as the original has them) and their published splits.

    Examples
    --------
    >>> from compendium.datasets import load
    >>> load("iris")
    <Dataset sklearn/iris: 150 x 4, classification, from scikit-learn>
    """
    if is_csv(name):
        data = read_csv(name, prepare)
        _LOADED[data.name] = data.sha256
        return data
    if prepare:
        raise InputError(f"prepare={prepare!r} is for CSV files; {name} comes as its study wants it")
    entry = (known or catalogue()).find(name)
    source, contents = read_verified(entry, download=download)
    data = _assemble(entry, source, read(entry, contents))
    _LOADED[entry.id] = entry.sha256
    return data


def check(entry: Entry) -> None:
    """Compare the file of `entry` on this machine with all that the catalogue says of it; raise if anything differs."""
    source, contents = read_verified(entry, download=False)
    data = _assemble(entry, source, read(entry, contents))
    if entry.imbalance is not None:
        _expect(entry, "imbalance", f"{entry.imbalance:.4f}", f"{imbalance_index(data.y):.4f}")


def loaded() -> dict[str, str]:
    """Return full name and sha256 of every data set loaded by this process so far, for provenance."""
    return dict(sorted(_LOADED.items()))


def _assemble(entry: Entry, source: str, parts: Parts) -> Dataset:
    _expect(entry, "rows", entry.rows, parts.X.shape[0])
    _expect(entry, "features", entry.features, parts.X.shape[1])
    if entry.classes is not None:
        _expect(entry, "classes", entry.classes, np.unique(parts.y).size)
    categorical = None
    if entry.columns:
        _expect(entry, "columns", tuple(column.name for column in entry.columns), parts.names)
        categorical = np.array([column.kind == "discrete" for column in entry.columns])
    return Dataset(
        X=parts.X,
        y=parts.y,
        name=entry.name,
        collection=entry.collection,
        task=entry.task,
        source=source,
        sha256=entry.sha256,
        feature_names=parts.names,
        categorical=categorical,
        missing={column.name: column.missing for column in entry.columns if column.missing is not None},
        splits=parts.splits,
    )


def _expect(entry: Entry, what: str, wanted: object, found: object) -> None:
    if wanted != found:
        raise CorruptData(f"{entry.id} should have {what} {wanted}, the file has {found}. Nothing was loaded.")
