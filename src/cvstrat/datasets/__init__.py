"""The data sets of the studies: a typed catalogue, and one way to load any of them, verified.

Files are looked for in the folder named by ``CVSTRAT_DATA``, in scikit-learn's package, in the user's cache, and, for
PMLB sets, downloaded. Whatever the place, a file is read only if its checksum is the catalogue's.
"""

from cvstrat.datasets._catalogue import Catalogue, Entry, catalogue, published
from cvstrat.datasets._compare import compare_with_published
from cvstrat.datasets._csv import file_state, is_csv, read_frame
from cvstrat.datasets._dataset import Dataset
from cvstrat.datasets._describe import describe
from cvstrat.datasets._errors import CorruptData, DataError, MissingData, UnknownDataset
from cvstrat.datasets._load import check, load, loaded
from cvstrat.datasets._store import cache_folder, fetch, where

__all__ = [
    "Catalogue",
    "CorruptData",
    "DataError",
    "Dataset",
    "Entry",
    "MissingData",
    "UnknownDataset",
    "cache_folder",
    "catalogue",
    "check",
    "compare_with_published",
    "describe",
    "fetch",
    "file_state",
    "is_csv",
    "load",
    "loaded",
    "published",
    "read_frame",
    "where",
]
