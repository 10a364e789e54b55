"""The words of the command line. Nothing heavy is imported here, so that help is there at once."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cvstrat_cli import Parser

COLLECTIONS = ("sklearn", "pmlb", "raetsch", "efold")
_MAX_JOBS = 1024


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; each sets ``command``, its words, by which it is found."""
    parser = Parser(
        prog="compendium",
        description="The studies behind cvstrat, rerun.",
        epilog="'compendium COMMAND --help' explains a command and shows an example.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    parser.set_defaults(command=None, parser=parser, takes_fields=False)
    commands = parser.add_subparsers(metavar="COMMAND")
    _add_studies(commands)
    _add_data(commands)
    _add_committed(commands)
    _add_reproduce(commands)
    _add_pages(commands)
    return parser


class _Version(argparse.Action):
    """Print the version, which only the library knows."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from cvstrat import __version__

        print(f"compendium {__version__}")
        parser.exit()


def _folder(text: str) -> Path:
    """Return the folder that an option names; it need not be there yet."""
    try:
        free = not Path(text).is_symlink() and not Path(text).exists()
        shown = bool(text) and text.isprintable()
        if shown and (free or Path(text).is_dir()):
            return Path(text)
        reason = "it is a file, or a link to nothing" if shown else "it has no name that can be shown"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise argparse.ArgumentTypeError(f"{text!r} cannot be a folder: {reason}")


def _jobs(text: str) -> int:
    """Return a number of processes that a machine can have."""
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text[:9]) <= _MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: give 1 to {_MAX_JOBS}")
    return int(text[:9])


def _add(commands: Any, words: str, text: str, more: str, *examples: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        words.rpartition(" ")[2],
        help=text,
        description=f"{text[0].upper()}{text[1:]}.\n\n{more}".strip(),
        epilog="\n  ".join(["examples:", *examples]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(command=words)
    return command


def _add_family(commands: Any, word: str, text: str) -> Any:
    family = commands.add_parser(word, help=text, description=f"{text[0].upper()}{text[1:]}.")
    family.set_defaults(parser=family)
    return family.add_subparsers(metavar="COMMAND")


def _add_studies(commands: Any) -> None:
    fields = "Any field of the study's spec is an option too, such as --n-repeats 3 or --datasets iris,wine."
    run = _add(
        commands,
        "run",
        "compute what is missing of a study",
        "What is finished is on disk at once. Stopped or killed, the same command goes on from there and\n"
        "ends in the same files. Values added to an axis, such as another technique, go into the same folder.\n"
        f"{fields}",
        "compendium run spezia2025 --profile smoke",
        "compendium run spezia2025 --only dataset=pmlb/iris --jobs 2",
        "compendium run spezia2025 --again technique=ACBCV,DBSCANBCV",
        "compendium run spezia2025 --datasets iris,mine.csv:class --n-repeats 3 --output my-run",
    )
    status = _add(
        commands,
        "status",
        "how far a study is, and the command that completes it",
        f"A line per table and data set: units done, skipped, failed, missing.\n{fields}",
        "compendium status spezia2025",
    )
    report = _add(
        commands,
        "report",
        "the summary of a study's results",
        f"The tables of its chapters, in short.\n{fields}",
        "compendium report spezia2025",
        "compendium report spezia2025 --datasets iris",
    )
    for command in (run, status, report):
        command.add_argument(
            "study", help="citation key of a text, such as spezia2025 or mahlich2024-search; an unknown one lists all"
        )
        command.add_argument(
            "--profile",
            default="paper",
            help="paper, its full protocol (default), or smoke, which takes seconds on data of scikit-learn",
        )
        command.add_argument("--output", type=_folder, metavar="FOLDER", help="folder of the results")
        command.set_defaults(takes_fields=True)
    run.add_argument("--jobs", type=_jobs, help="processes on this machine (default: one per core)")
    run.add_argument("--scheduler", metavar="ADDRESS", help="a dask scheduler whose workers do the work")
    run.add_argument("--only", action="append", default=[], metavar="AXIS=VALUE,...", help="such as dataset=pmlb/iris")
    run.add_argument(
        "--again",
        action="append",
        default=[],
        metavar="AXIS=VALUE,...",
        help="compute these units again, such as technique=ACBCV, and those that need them",
    )


def _add_data(commands: Any) -> None:
    data = _add_family(commands, "data", "list, get and check data sets")
    place = "Files are looked for in the folder named by CVSTRAT_DATA, in scikit-learn, and in the cache."
    found = (
        ("list", "what there is, and where each set would come from", "", "compendium data list --study spezia2025"),
        ("get", "bring data sets to this machine", "Sets of PMLB are downloaded.", "compendium data get sonar iris"),
        ("check", "verify files that are here", "Checksum, shape, classes, imbalance.", "compendium data check"),
    )
    for name, text, more, example in found:
        command = _add(data, f"data {name}", text, f"{more}\n{place}".strip(), example)
        command.add_argument("names", nargs="*", metavar="NAME", help="such as sonar or pmlb/iris (default: all)")
        command.add_argument("--study", help="only the sets of this study, such as spezia2025")
        command.add_argument("--collection", help=f"only sets of {', '.join(COLLECTIONS[:-1])} or {COLLECTIONS[-1]}")
        if name == "get":
            command.add_argument("--again", action="store_true", help="download even if the cache has it")


def _add_committed(commands: Any) -> None:
    check = _add_family(commands, "check", "verify the committed results")
    results = _add(
        check,
        "check results",
        "is every file of the results what its manifest says",
        "Exit code 1 if any is not.",
        "compendium check results",
    )
    results.add_argument(
        "--repair", action="store_true", help="set damaged files aside, and say which runs compute their units again"
    )
    advice = _add(
        commands,
        "advice",
        "write the table that the library's advice reads, from the committed results",
        "To be run after results of the cluster-based study have changed.",
        "compendium advice --check",
    )
    advice.add_argument("--check", action="store_true", help="only say whether it is current; exit code 1 if not")


def _add_reproduce(commands: Any) -> None:
    reproduce = _add(
        commands,
        "reproduce",
        "do the committed results come out again",
        "A random sample of the units of every study is computed anew and compared with what is committed, cell by\n"
        "cell. Exit code 1 if a cell differs: text and whole numbers at all, others by more than 1e-9 of their value.\n"
        "On another kind of processor than that of the results, which rounds in another way, means count instead.\n"
        "Only data sets that are on this machine take part; what is left out is named.",
        "compendium reproduce --minutes 1",
        "compendium reproduce spezia2025 --minutes 30 --seed 7",
    )
    reproduce.add_argument("names", nargs="*", metavar="STUDY", help="citation keys of texts (default: all studies)")
    reproduce.add_argument("--minutes", type=float, default=10.0, help="how long to compute (default: 10)")
    reproduce.add_argument("--jobs", type=_jobs, help="processes on this machine (default: one per core)")
    reproduce.add_argument("--seed", type=int, help="seed of the sample (default: a new one, which is shown)")


def _add_pages(commands: Any) -> None:
    notebook = _add(
        commands,
        "notebook",
        "execute a notebook with other parameters",
        "An executed notebook and a page come out. Data sets may be CSV files of your own: mine.csv:target, or\n"
        "mine.csv:target:drop+impute+onehot to have rows left out, values filled in and text encoded.",
        "compendium notebook datasets --list",
        'compendium notebook datasets -p names \'["iris", "sonar"]\' --output my-run',
        "compendium notebook set2 -p source run -p datasets '[\"mine.csv:class\"]' -p n_repeats 3",
    )
    notebook.add_argument("name", help="such as datasets, or the path of a text notebook")
    notebook.add_argument(
        "-p",
        "--parameter",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="a parameter and its value; --list shows all",
    )
    notebook.add_argument("-o", "--output", type=_folder, help="folder for the results (default: runs/NAME)")
    notebook.add_argument("--list", action="store_true", help="show the parameters and their defaults; run nothing")

    book = _add(
        commands,
        "book",
        "execute the notebooks that changed and render the book",
        "'make book' does the same.",
        "compendium book --jobs 2",
    )
    book.add_argument("--jobs", type=_jobs, default=2, help="notebooks at a time (default: 2)")

    release = _add(
        commands,
        "release",
        "build what a release offers: packages, book, PDF, notebooks, results, checksums",
        "'make release' does the same. The same commit gives the same bytes. It needs Chromium, for the PDF.",
        "compendium release --output dist",
        "compendium release --date 2026-11-30",
        "compendium release --tag",
    )
    release.add_argument(
        "-o", "--output", type=_folder, metavar="FOLDER", help="where to (default: dist); emptied first"
    )
    release.add_argument("--jobs", type=_jobs, default=2, help="notebooks at a time (default: 2)")
    release.add_argument("--date", metavar="DAY", help="date this version in changelog and citation; build nothing")
    release.add_argument("--tag", action="store_true", help="tag the commit with this version; build nothing")

    pair = _add(
        commands,
        "pair",
        "write the .ipynb half of each text notebook, both as jupytext does",
        "The text half (notebooks/*.md) is the source.",
        "compendium pair --check",
    )
    pair.add_argument("--check", action="store_true", help="only say which differ; exit code 1 if any does")
