"""What can go wrong with data, each with a message that says what to do."""

from cvstrat.errors import DataError, InputError

__all__ = ["CorruptData", "DataError", "MissingData", "UnknownDataset"]


class UnknownDataset(InputError, DataError, LookupError):
    """No data set of that name is in the catalogue."""


class MissingData(DataError, FileNotFoundError):
    """The data set is known, but its file is not here and could not be fetched."""


class CorruptData(DataError, ValueError):
    """A file is not what the catalogue says: checksum, shape or columns differ."""
