"""What the commands of ``cvstrat`` do; their words are in :mod:`cvstrat_cli`, which answers a call for help at once."""

from __future__ import annotations

import argparse
import sys

from cvstrat.commands import run_command
from cvstrat_cli import main

__all__ = ["main", "run"]


def run(options: argparse.Namespace) -> int:
    """Run a command and return its exit code; a user's mistake is one line on standard error, no traceback."""
    return run_command("cvstrat", lambda: {"advise": _advise}[options.command](options))


def _advise(options: argparse.Namespace) -> int:
    from cvstrat.advice import advise_file

    names = ("groups", "time", "metric", "score", "task")
    chosen = {name: getattr(options, name) for name in names}
    print(advise_file(options.data, options.target, n_splits=options.folds, **chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
