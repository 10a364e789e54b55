"""Fuzzed command lines, in one process: whatever is typed ends with 0, 1 or 2, and says why in one line.

Run by hand, from a checkout with nothing to commit: ``python tests/soak/command_lines.py [NUMBER] [SEED]``. The lines
are made from the parsers themselves, so that a new option is tried as soon as it is there. What would start work (a
run, a notebook, the book) ends where it would start it. The counts go to ``data/soak/command_lines.json``.
"""

import argparse
import collections
import contextlib
import dataclasses
import datetime
import errno
import functools
import io
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

SECONDS = 60
NASTY = [
    "", " ", "-", "--", "---", "0", "-1", "1", "2", "3", "1e20", "1e400", "inf", "-inf", "nan", "None", "null", "true",
    "99999999999", "9" * 5000, "0x10", "1_0", "1.5", "½", "٣", "(2)", "[[2]]", "[None]", "[2", "{}", "{2: 3}", "()",
    "[]", "(1,)", '["iris"]', "['iris', 'iris']", "[" * 5000 + "]" * 5000, "(" * 300 + "2" + ")" * 300, "-" * 3000, ",",
    ",,", "a,b", "iris", "iris,iris", "sklearn/iris,iris", "iris,wine", "pmlb/iris", "irs", "mine.csv", "mine.csv:y",
    "mine.csv,./mine.csv", "mine.csv:", "mine.csv:nothing", "twice.csv", "empty.csv", "bytes.csv", "folder.csv",
    "pipe.csv", "zero.csv", "huge.csv", "loop.csv", "missing.csv", "mine.md", "bytes.md", "folder.md", "evil.md",
    "folder", "results", "/dev/null", "/dev/zero", "/", ".", "..", "~", "../../x", "n" * 300, "n" * 300 + ".csv",
    "a\nb", "\x1b[31mred\x1b[0m", "\udcff", "\udcff.csv", "é", "💥", "\u202e", "$(touch x)", "`touch x`", "; touch x",
    "<img src=x onerror=alert(1)>", "%s%n", "{0.__class__}", "__import__('os').system('touch x')", "*", "\\", "'", '"',
    "dataset=sklearn/iris", "dataset", "=", "dataset=", "technique=SCV", "paper", "smoke", "SCV", "SCV,KFold", "DT",
    "LR", "tcp://127.0.0.1:1", "y", "accuracy", "classification", "regression", "names", '"iris"', "results", "1" * 400,
]  # fmt: skip


def leaves(parser, words=()):
    """Yield the words that lead to each command, and its parser."""
    families = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for family in families:
        for word, child in family.choices.items():
            yield from leaves(child, (*words, word))
    if not families:
        yield words, parser


class Lines:
    """Makes command lines out of a parser, with values that fit more or less."""

    def __init__(self, rng, parser, studies, parameters):
        self.rng, self.studies, self.parameters = rng, studies, parameters
        self.commands = list(leaves(parser))

    def line(self):
        rng = self.rng
        if rng.random() < 0.03:
            return [self.value() for _ in range(rng.randrange(5))]
        words, parser = rng.choice(self.commands)
        options, places = [], []
        for action in parser._actions:
            if not action.option_strings:
                places += self.place(action)
            elif rng.random() < 0.3:
                options += self.option(action)
        if words[0] in ("run", "status", "report"):
            options += ["--profile", "smoke"] * (rng.random() < 0.9) + ["--output", "results"] * (rng.random() < 0.5)
            options += self.fields(places)
        if words == ("notebook",) and places and places[0] in self.parameters and rng.random() < 0.7:
            options += ["-p", rng.choice([*self.parameters[places[0]], self.value()]), self.value()]
        parts = [*places, *options] if rng.random() < 0.8 else [*options, *places]
        line = [*words, *parts]
        if rng.random() < 0.1 and line:
            line[rng.randrange(len(line))] = self.value()
        return line

    def place(self, action):
        if action.dest == "study":
            return [self.rng.choice([*self.studies, self.value()])]
        if action.dest == "name":
            return [self.rng.choice([*self.parameters, "mine.md", self.value()])]
        if action.dest == "data":
            return [self.rng.choice(["iris", "mine.csv", self.value()])]
        return [self.value() for _ in range(self.rng.randrange(3) if action.nargs == "*" else 1)]

    def option(self, action):
        if action.nargs == 0:
            return [self.rng.choice(action.option_strings)]
        many = action.nargs if isinstance(action.nargs, int) else 1
        values = [self.rng.choice([*(action.choices or ()), self.value(), self.value()]) for _ in range(many)]
        flag = self.rng.choice(action.option_strings)
        if many == 1 and flag.startswith("--") and self.rng.random() < 0.3:
            return [f"{flag}={values[0]}"]
        return [flag, *map(str, values)]

    def fields(self, places):
        study = self.studies.get(places[0]) if places else None
        names = [field.name for field in dataclasses.fields(study.spec_type)] if study else ["n_repeats"]
        chosen = self.rng.choices(names, k=self.rng.choice([0, 0, 1, 1, 2]))
        return [word for name in chosen for word in (f"--{name.replace('_', '-')}", self.value())]

    def value(self):
        value = self.rng.choice(NASTY)
        if self.rng.random() < 0.2 and value:
            place = self.rng.randrange(len(value))
            value = value[:place] + chr(self.rng.choice([*range(1, 128), 0xE9, 0x2028, 0x1F4A5])) + value[place + 1 :]
        return value


SETS = set()


class WouldStart(BaseException):
    """All checks passed: here the work would begin."""


def stop(*_, **__):
    raise WouldStart


def end_where_work_begins():
    """Replace what computes, executes, renders or writes into the checkout."""
    import papermill

    import compendium.build._book
    import compendium.engine._engine
    import compendium.spezia2025.tables
    from compendium import build, engine

    for place, name in (
        (papermill, "execute_notebook"),
        (compendium.engine._engine, "_workers"),
        (compendium.build._book, "pair"),
        (compendium.spezia2025.tables, "write_advice"),
        (build, "pair"),
        (engine, "check_results"),
        (engine, "report"),
    ):
        getattr(place, name)  # it must be there: else work would start
        setattr(place, name, stop)
    build.Notebook.read = functools.cache(build.Notebook.read)
    engine.read_tables = functools.cache(engine.read_tables)


def write_files():
    """Files in the working folder, good and bad."""
    rows = "".join(f"{i % 7},{i * 13 % 11},{'ab'[i * 5 % 3 > 0]}\n" for i in range(40))
    Path("mine.csv").write_text(f"x,z,y\n{rows}")
    Path("twice.csv").write_text(f"x,x,y\n{rows}")
    Path("empty.csv").write_text("")
    Path("bytes.csv").write_bytes(bytes(range(256)) * 4)
    Path("bytes.md").write_bytes(bytes(range(256)))
    Path("mine.md").write_text(
        "---\nkernelspec: {name: python3}\n---\n\n```{code-cell}\n:tags: [parameters]\nn: int = 3\n```\n"
    )
    Path("evil.md").write_text("```{code-cell}\n:tags: [parameters]\nn: (open('x', 'w')) = 3\n```\n")
    for suffix in (".csv", ".md", ""):
        Path(f"folder{suffix}").mkdir()
    os.mkfifo("pipe.csv")
    Path("zero.csv").symlink_to("/dev/zero")
    Path("loop.csv").symlink_to("loop.csv")
    with Path("huge.csv").open("wb") as file:
        file.truncate(2**41)


def watch(folder, outside):
    """Refuse and note every file outside a folder that would be opened for writing, made, moved or removed."""
    inside = (f"{folder}/", "/dev/null", "/dev/tty", "/proc/")

    def hook(event, arguments):
        if event == "open":
            writes = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        else:
            writes = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate")
        if writes and outside[-1:] != ["done"] and not isinstance(arguments[0], int):
            path = os.path.normpath(Path.cwd() / os.fsdecode(arguments[0]))
            if not f"{path}/".startswith(inside) and "__pycache__" not in path:
                outside.append(path)
                raise PermissionError(errno.EACCES, "outside", path)

    sys.addaudithook(hook)


def outcome(main, line):
    """Run a command line; return how it ended, and what it said."""
    out, err = io.StringIO(), io.StringIO()
    code = None
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(line)
    except SystemExit as end:
        code = end.code
    except WouldStart:
        return "would start", ""
    except TimeoutError:
        return "hang", ""
    except BaseException:
        return "traceback", traceback.format_exc()
    finally:
        signal.alarm(0)
    said = err.getvalue()
    if code == 0:
        return "0", ""
    if code not in (1, 2):
        return f"exit code {code}", said
    first, *more = said.splitlines() or [""]
    sets = line[:1] == ["data"] and all(one.partition(":")[0] in SETS for one in [first, *more])
    differences = "another spec" in first and all(" there, " in one for one in more)
    fits = not more or sets or differences  # a line about each data set, or each difference
    return (str(code), "") if fits and first else ("not one line", said)


def timed_out(*_):
    raise TimeoutError


def main():
    """Try the lines and write the counts."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    import compendium.cli
    import cvstrat_cli
    from compendium import build, engine
    from compendium.cli._parser import make_parser
    from compendium.datasets import catalogue
    from compendium.files import repository
    from compendium.versions import commit

    SETS.update(entry.id for entry in catalogue())
    root = repository()
    rng = random.Random(seed)
    parameters = {one.name: list(build.parameters_of(one.read())) for one in build.notebooks()}
    programs = {
        "compendium": (compendium.cli.main, Lines(rng, make_parser(), engine.studies(), parameters)),
        "cvstrat": (cvstrat_cli.main, Lines(rng, cvstrat_cli._parser(), {}, {})),
    }
    end_where_work_begins()
    signal.signal(signal.SIGALRM, timed_out)
    counts = {name: collections.Counter() for name in programs}
    bad, outside = [], []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.update(CVSTRAT_CACHE=f"{folder}/cache", CVSTRAT_PMLB_URL=f"file://{folder}/nowhere", HOME=folder)
        os.environ.pop("CVSTRAT_DATA", None)
        write_files()
        watch(os.path.realpath(folder), outside)
        start = time.monotonic()
        for done in range(number):
            name = rng.choices(list(programs), weights=[3, 1])[0]
            main_of, lines = programs[name]
            line = lines.line()
            end, said = outcome(main_of, line)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.chdir(folder)
            counts[name][end] += 1
            asked = any(word.partition("=")[2].startswith(("/", "..", "~")) or word[:1] in "/.~" for word in line)
            if end not in ("0", "1", "2", "would start") or (outside and not asked):
                bad.append({"program": name, "line": line, "end": end, "said": said[-2000:], "outside": outside[:5]})
                print(json.dumps(bad[-1])[:3000], file=sys.stderr)
            outside.clear()
            if done % 2500 == 2499:
                print(f"{done + 1} lines, {time.monotonic() - start:.0f} s, {len(bad)} bad", file=sys.stderr)
        outside.append("done")  # from here on, nothing is refused
        os.chdir(root)
    record = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit(),
        "lines": number,
        "seed": seed,
        "outcomes": {name: dict(sorted(found.items())) for name, found in counts.items()},
        "bad": len(bad),
    }
    print(json.dumps(record, indent=1))
    target = root / "data" / "soak" / "command_lines.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(record, indent=1) + "\n")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
