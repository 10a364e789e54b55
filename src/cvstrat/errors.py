"""What can go wrong that a user can mend. The command line shows these in one line; anything else is a bug."""


class CvstratError(Exception):
    """Base of all errors raised on purpose."""


class InputError(CvstratError, ValueError):
    """A value, a name or an option that cannot be used; the message says which and what to do."""


class DataError(CvstratError):
    """A data set or a file that cannot be found, read or used."""
