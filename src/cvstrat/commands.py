"""How a command ends, for both command lines: one line for a mistake, exit codes, and readers who stop reading.

Exit codes: 0 if all went well, 2 for a command that cannot be carried out as written, 1 for one that failed.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import select
import sys
from collections.abc import Callable
from pathlib import Path

from cvstrat.errors import CvstratError, InputError
from cvstrat_cli import one_line


def run_command(name: str, command: Callable[[], int], interrupted: str = "interrupted") -> int:
    """Run a command and return its exit code; an error raised on purpose is a line on standard error, no traceback.

    `name` is that of the program, for messages; `interrupted` is what to say when the user ends it.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a text file: captured, or closed from the start
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = command()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"{name}: {interrupted}", file=sys.stderr)
        return 130
    except InputError as error:
        print(f"{name}: {one_line(error)}", file=sys.stderr)
        return 2
    except CvstratError as error:
        print(f"{name}: " + "\n".join(map(one_line, str(error).strip().split("\n"))), file=sys.stderr)
        return 1
    except BrokenPipeError:
        if not _drop_unread():
            raise
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(f"{name}: the output cannot be written: {error.strerror}", file=sys.stderr)
        _drop_unread()
        return 1


def _drop_unread() -> bool:
    """Send what is left for a stream that takes no more nowhere, and return whether there is one."""
    found = False
    for stream in (sys.stdout, sys.stderr):
        try:
            descriptor = stream.fileno()
            poll = select.poll()
            poll.register(descriptor, select.POLLOUT)
            gone = any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
            stream.flush()
        except (AttributeError, io.UnsupportedOperation):  # closed from the start, or no file of the system
            continue
        except OSError:
            gone = True
        if gone:
            found = True
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), descriptor)
    return found
