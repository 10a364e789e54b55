"""What the commands do."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compendium import datasets, engine
from compendium.lifetime import interrupted_when_told_to_end
from cvstrat.commands import run_command
from cvstrat.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from compendium.engine import Study


def run(options: argparse.Namespace) -> int:
    """Run a command and return its exit code; a user's mistake is one line on standard error, no traceback."""
    kept = "interrupted; what was finished is kept, and the same command goes on from there"
    return run_command("compendium", lambda: COMMANDS[options.command](options), kept)


def _chosen(options: argparse.Namespace) -> list[datasets.Entry]:
    known = datasets.catalogue()
    chosen = known.select(study=options.study, collection=options.collection)
    if not options.names:
        return list(chosen)
    named = [known.find(name) for name in options.names]
    return [entry for entry in named if entry in chosen]


def _data_list(options: argparse.Namespace) -> int:
    chosen = _chosen(options)
    print(f"{'name':34}{'task':16}{'rows':>7}{'features':>10}{'classes':>9}{'imbalance':>11}  comes from")
    for entry in chosen:
        classes = "" if entry.classes is None else entry.classes
        imbalance = "" if entry.imbalance is None else f"{entry.imbalance:.2f}"
        print(
            f"{entry.id:34}{entry.task:16}{entry.rows:>7}{entry.features:>10}{classes:>9}{imbalance:>11}  "
            f"{datasets.where(entry)}"
        )
    return 0


def _data_get(options: argparse.Namespace) -> int:
    failed = 0
    for entry in _chosen(options):
        try:
            path = datasets.fetch(entry, again=options.again)
            print(f"{entry.id}: {path or 'comes with scikit-learn'}")
        except datasets.DataError as error:
            failed += 1
            print(f"{entry.id}: {error}", file=sys.stderr)
    return min(failed, 1)


def _data_check(options: argparse.Namespace) -> int:
    counts = {"right": 0, "wrong": 0, "not here": 0}
    for entry in _chosen(options):
        if datasets.where(entry) in ("download", "nowhere"):
            counts["not here"] += 1
            if options.names:
                print(f"{entry.id}: not on this machine", file=sys.stderr)
            continue
        try:
            datasets.check(entry)
            counts["right"] += 1
        except datasets.DataError as error:
            counts["wrong"] += 1
            print(f"{entry.id}: {error}", file=sys.stderr)
    print(", ".join(f"{number} {word}" for word, number in counts.items()))
    return int(counts["wrong"] > 0 or (bool(options.names) and counts["not here"] > 0))


def _fields(study: Study[Any], options: argparse.Namespace) -> dict[str, Any]:
    """Turn ``--n-repeats 3`` into ``{"n_repeats": 3}``, by the types of the study's spec."""
    words = [part for word in options.fields for part in (word.split("=", 1) if word.startswith("--") else [word])]
    if len(words) % 2 or not all(word.startswith("--") for word in words[::2]):
        raise InputError(f"options come in pairs such as --n-repeats 3; there is {' '.join(options.fields)}")
    names = [word[2:].replace("-", "_") for word in words[::2]]
    return {name: study.parse(options.profile, name, text) for name, text in zip(names, words[1::2], strict=True)}


def _run(options: argparse.Namespace) -> int:
    study = engine.find_study(options.study)
    with interrupted_when_told_to_end():
        done = engine.run(
            study.name,
            profile=options.profile,
            folder=options.output,
            jobs=options.jobs,
            scheduler=options.scheduler,
            only=_axis_values(options.only),
            again=_axis_values(options.again),
            **_fields(study, options),
        )
    print(engine.describe_run(done))
    return int(bool(done.failed))


def _axis_values(texts: list[str]) -> dict[str, list[str]]:
    """Turn ``technique=SCV,KFold`` into ``{"technique": ["SCV", "KFold"]}``."""
    found: dict[str, list[str]] = {}
    for text in texts:
        axis, _, values = text.partition("=")
        found.setdefault(axis, []).extend(values.split(","))
    return found


def _status(options: argparse.Namespace) -> int:
    study = engine.find_study(options.study)
    table = engine.status(study.name, profile=options.profile, folder=options.output, **_fields(study, options))
    print(_printed(table))
    left = int(table[["failed", "missing"]].to_numpy().sum())
    place = ["--output", str(options.output)] if options.output else []
    profile = ["--profile", options.profile] if options.profile != "paper" else []
    again = shlex.join(["compendium", "run", study.name, *profile, *place, *options.fields])
    print(f"{left} units are missing; this computes them: {again}" if left else "complete")
    return 0


def _report(options: argparse.Namespace) -> int:
    study = engine.find_study(options.study)
    folder = options.output or engine.results_folder(study.name, options.profile)
    tables = engine.read_tables(study.name, folder, **_fields(study, options))
    for title, table in engine.report(study.name, tables).items():
        print(f"{title}\n{_printed(table)}\n")
    return 0


def _printed(table: pd.DataFrame) -> str:
    return table.to_string(index=False, float_format="{:.4f}".format)


def _check_results(options: argparse.Namespace) -> int:
    for name, done in (engine.repair_results() if options.repair else {}).items():
        print(f"{name}: {'; '.join(done)}")
    found = engine.check_results()
    for name, wrong in found.items():
        print(f"{name}: {'right' if not wrong else '; '.join(wrong)}", file=sys.stderr if wrong else sys.stdout)
    return int(any(found.values()))


def _reproduce(options: argparse.Namespace) -> int:
    from compendium.reproduce import reproduce

    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    time = f"{options.minutes:g} minute{'s' * (options.minutes != 1)}"
    print(f"a random sample of the committed units (--seed {seed}), computed again for {time}")
    with interrupted_when_told_to_end():
        done = reproduce(options.names, minutes=options.minutes, jobs=options.jobs, seed=seed)
    for title, lines in (("left out", done.left_out), ("rounded", done.rounded), ("differs", done.wrong)):
        for line in lines:
            print(f"{title}: {line}")
    if len(done.table):
        print(done.table.to_string(index=False, float_format="{:g}".format))
    print(done.verdict())
    return int(bool(done.wrong) or not len(done.table) or not done.table["recomputed"].sum())


def _write_advice(options: argparse.Namespace) -> int:
    from compendium.spezia2025.tables import write_advice

    current = write_advice(check=options.check)
    print("the table is current" if current else "the table differs from the results" if options.check else "written")
    return int(options.check and not current)


def _notebook(options: argparse.Namespace) -> int:
    from compendium import build

    notebook = build.find_notebook(options.name)
    if options.list:
        for parameter in build.parameters_of(notebook.read()).values():
            print(f"{parameter.name}: {parameter.annotation} = {parameter.default!r}")
        return 0
    folder = options.output or Path("runs", notebook.name)
    executed, page = build.rerun(options.name, dict(options.parameter), folder)
    print(f"executed notebook: {executed}\npage:              {page}")
    return 0


def _book(options: argparse.Namespace) -> int:
    from compendium import build

    page = build.build_book(jobs=options.jobs)
    print(f"The book is at {page}")
    return 0


def _release(options: argparse.Namespace) -> int:
    from compendium import release

    if options.date:
        print(f"dated: {', '.join(release.prepare(options.date))}; look at them, and commit")
        return 0
    if options.tag:
        print(f"tagged as {release.tag()}")
        return 0
    for path in release.build_release(options.output or Path("dist"), jobs=options.jobs):
        print(f"{path.stat().st_size:>12,}  {path}")
    return 0


def _pair(options: argparse.Namespace) -> int:
    from compendium import build

    differing = build.pair(check=options.check)
    for notebook in differing:
        print(f"{notebook.twin.name}: {'differs from its text half' if options.check else 'written'}")
    if not differing:
        print("the halves of all notebooks agree")
    return int(options.check and bool(differing))


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "status": _status,
    "report": _report,
    "data list": _data_list,
    "data get": _data_get,
    "data check": _data_check,
    "check results": _check_results,
    "advice": _write_advice,
    "reproduce": _reproduce,
    "notebook": _notebook,
    "book": _book,
    "release": _release,
    "pair": _pair,
}
