"""What the commands of ``cvstrat`` do; their words are in :mod:`cvstrat_cli`, which answers a call for help at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from cvstrat.commands import run_command
from cvstrat.errors import InputError


def run(options: argparse.Namespace) -> int:
    """Run a command and return its exit code; a user's mistake is one line on standard error, no traceback."""
    return run_command("cvstrat", lambda: {"advise": _advise, "split": _split}[options.command](options))


def _advise(options: argparse.Namespace) -> int:
    from cvstrat.advice import advise_file

    chosen = {name: getattr(options, name) for name in ("groups", "time", "metric", "score", "task")}
    print(advise_file(options.data, options.target, n_splits=options.folds, **chosen))
    return 0


def _split(options: argparse.Namespace) -> int:
    from cvstrat.assignment import check_identifier, check_output, split_file, write_folds, write_report

    outputs = [Path(options.output), *([Path(options.report)] if options.report else [])]
    if len({path.resolve() for path in (Path(options.data), *outputs)}) <= len(outputs):
        raise InputError("the data, the folds and the report cannot be in one file: name a file for each")
    check_identifier(options.id)
    check_output(outputs[0], force=options.force)
    for path in outputs[1:]:
        check_output(path, force=options.force, kinds=(".csv",))
    names = ("groups", "technique", "n_splits", "n_clusters", "seed", "stream")
    chosen = {name: getattr(options, name) for name in names}
    ignore = (*options.ignore, options.id) if options.id and options.id != options.groups else options.ignore
    found = split_file(options.data, options.target, ignore=ignore, **chosen)
    write_folds(found, outputs[0], options.id)
    if options.report:
        write_report(found.report, outputs[1])
    print(found)
    print(f"\nwritten: {', '.join(map(str, outputs))}")
    return 0
