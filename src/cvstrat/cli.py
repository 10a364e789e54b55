"""What the commands of ``cvstrat`` do; their words are in :mod:`cvstrat_cli`, which answers a call for help at once."""

from __future__ import annotations

import argparse
import sys

from cvstrat.errors import CvstratError
from cvstrat_cli import main

__all__ = ["main", "run"]


def run(options: argparse.Namespace) -> int:
    """Run a command and return its exit code; a user's mistake is one line on standard error, no traceback."""
    try:
        {"advise": _advise}[options.command](options)
    except KeyboardInterrupt:
        print("cvstrat: interrupted", file=sys.stderr)
        return 130
    except CvstratError as error:
        print(f"cvstrat: {error}", file=sys.stderr)
        return 1
    return 0


def _advise(options: argparse.Namespace) -> None:
    from cvstrat.advice import advise_file

    names = ("groups", "time", "metric", "score", "task")
    chosen = {name: getattr(options, name) for name in names}
    print(advise_file(options.data, options.target, n_splits=options.folds, **chosen))


if __name__ == "__main__":
    sys.exit(main())
