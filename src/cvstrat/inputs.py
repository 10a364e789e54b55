"""A reader's own table: a CSV file with a header, read as it is."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path

import pandas as pd

from cvstrat.checks import did_you_mean
from cvstrat.errors import DataError


def read_frame(path: str | Path, target: str = "") -> tuple[pd.DataFrame, str, str]:
    """Read a CSV file with a header as it is: any kind of columns, values missing or not.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str, default=""
        Name of the target; none means the last column.

    Returns
    -------
    frame : DataFrame
        All columns.
    target : str
        The column of the target.
    sha256 : str
        Of the file.
    """
    try:
        content = Path(path).read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows longer than the header would be cut off
            frame = pd.read_csv(io.BytesIO(content), index_col=False, low_memory=False)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise DataError(f"{path} is not a CSV file with a header: {error}") from error
    columns = [str(column) for column in frame.columns]
    if len(columns) < 2 or frame.empty:
        raise DataError(
            f"{path} has {len(frame)} rows and {len(columns)} columns; a data set needs attributes and a target"
        )
    target = target or columns[-1]
    if target not in columns:
        alike = [column for column in columns if column.strip().lower() == target.strip().lower()]
        raise DataError(
            f"{path} has no column {target!r}: {did_you_mean(target, alike or columns, cutoff=0.6, max_names=8)}"
        )
    return frame, target, hashlib.sha256(content).hexdigest()
