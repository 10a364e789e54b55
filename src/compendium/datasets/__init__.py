"""The data sets of the studies: a typed catalogue, and one way to load any of them, verified.

Files are looked for in the folder named by ``CVSTRAT_DATA``, in scikit-learn's package, in the user's cache, and, for
PMLB sets, downloaded. Whatever the place, a file is read only if its checksum is the catalogue's.
"""

from compendium.datasets._access import (
    by_size,
    checksums,
    load_cached,
    task_and_shape,
)
from compendium.datasets._catalogue import (
    Catalogue,
    Entry,
    catalogue,
    published,
)
from compendium.datasets._compare import (
    compare_with_published,
)
from compendium.datasets._csv import (
    file_state,
    is_csv,
)
from compendium.datasets._dataset import (
    Dataset,
)
from compendium.datasets._describe import (
    describe,
)
from compendium.datasets._errors import (
    CorruptData,
    DataError,
    MissingData,
    UnknownDataset,
)
from compendium.datasets._load import (
    check,
    load,
    loaded,
)
from compendium.datasets._store import (
    cache_folder,
    fetch,
    where,
)

__all__ = [
    "Catalogue",
    "CorruptData",
    "DataError",
    "Dataset",
    "Entry",
    "MissingData",
    "UnknownDataset",
    "by_size",
    "cache_folder",
    "catalogue",
    "check",
    "checksums",
    "compare_with_published",
    "describe",
    "fetch",
    "file_state",
    "is_csv",
    "load",
    "load_cached",
    "loaded",
    "published",
    "task_and_shape",
    "where",
]
