"""Shared fixtures: a machine without data, a study that takes milliseconds, and one small real run to compare with."""

import contextlib
import fcntl
import hashlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from compendium import engine
from compendium.datasets import Entry
from compendium.engine import _registry
from compendium.engine._engine import run_study
from compendium.engine._study import Skip, Study, Table
from compendium.engine._values import axis

# Enough techniques for a run that lasts some seconds; each is of another kind.
SMALL = {"techniques": ("SCBCV", "SCBCV3", "KCBCV-Mini", "DBSCANBCV", "SCV", "DOB-SCV")}

mpl.use("Agg")


@pytest.fixture(autouse=True)
def closed():
    """Figures are drawn without a screen, and closed after each test."""
    yield
    plt.close("all")


def read_deterministic(folder):
    """Return the bytes of all tables but those of times."""
    files = sorted(Path(folder).glob("*.parquet"))
    return {path.name: path.read_bytes() for path in files if not path.stem.endswith("_times")}


def make_toy(place):
    """Return a study whose units leave a mark in ``place/calls`` and behave as the files in ``place/trouble`` say.

    All of it is local, so that other processes get it by value: they cannot import a module of tests.
    """
    calls, trouble = place / "calls", place / "trouble"
    calls.mkdir(parents=True)
    trouble.mkdir()

    @dataclass(frozen=True)
    class Spec:
        sets: tuple[str, ...] = axis("set", ("c", "a", "b"))
        n: int = axis("number", 3)
        rows: int = axis("row", 2)
        seed: int = 0

    def enter(name):
        import os
        import secrets
        import signal

        (calls / f"{name}-{secrets.token_hex(8)}").touch()
        try:
            kind = (trouble / name).read_text()
        except FileNotFoundError:
            return
        if kind == "fail":
            raise RuntimeError("out of luck")
        if kind == "skip":
            raise Skip("does not apply")
        if kind == "interrupt":
            raise KeyboardInterrupt
        if kind == "die once":
            (trouble / name).unlink()
        os.kill(os.getpid(), signal.SIGKILL)

    def first(spec, unit, inputs):
        import pandas as pd

        enter(f"first {unit['set']}")
        return pd.DataFrame({"letter": [unit["set"] * 2], "value": [float(ord(unit["set"]))]})

    def second(spec, unit, inputs):
        import time

        import numpy as np
        import pandas as pd

        start = time.perf_counter()
        enter(f"second {unit['set']} {unit['number']}")
        base = inputs["first"]["value"].item()
        random = np.random.default_rng([spec.seed, ord(unit["set"]), unit["number"]])
        frame = pd.DataFrame({"row": np.arange(spec.rows, dtype=np.int16), "value": base + random.random(spec.rows)})
        return frame.assign(given=inputs["first"]["letter"].item(), fit_seconds=time.perf_counter() - start)

    return Study(
        name="toy",
        summary="for tests",
        spec_type=Spec,
        profiles={"paper": Spec},
        tables=(
            Table("first", ("set",), lambda spec, _: [{"set": name} for name in spec.sets], first),
            Table(
                "second",
                ("set", "number"),
                lambda spec, _: [{"set": name, "number": number} for name in spec.sets for number in range(spec.n)],
                second,
                needs=("first",),
                keys=("row",),
                measured=("fit_seconds",),
            ),
        ),
        validate=lambda spec: None,
        checksums=lambda spec, wanted: dict.fromkeys(spec.sets, "0" * 64),
        report=dict,
    )


@pytest.fixture
def deterministic():
    """Return a function from a folder to the contents of the tables that must always be the same."""
    return read_deterministic


@pytest.fixture
def toy(tmp_path):
    """A tiny study (3 units, then 9 that need them), what it was asked to compute, and ways to make it fail."""
    place = tmp_path / "toy"
    study = make_toy(place)

    def run(folder, *, spec=None, jobs=1, **options):
        return run_study(study, spec or study.spec(), folder, jobs=jobs, **options)

    def calls(name=""):
        return sorted(path.name.rpartition("-")[0] for path in (place / "calls").glob(f"{name}*"))

    def trouble(name, kind):
        (place / "trouble" / name).write_text(kind)

    def mend():
        for path in (place / "trouble").iterdir():
            path.unlink()

    def expected(**fields):
        folder = tmp_path / f"expected {fields}"
        if not folder.exists():
            other = make_toy(folder)
            run_study(other, other.spec(**fields), folder / "results", jobs=1, quiet=True)
        return read_deterministic(folder / "results")

    return SimpleNamespace(study=study, run=run, calls=calls, trouble=trouble, mend=mend, expected=expected)


@pytest.fixture
def toy_command(toy, monkeypatch):
    """The toy study on the command line of this process."""
    monkeypatch.setattr(_registry, "studies", lambda: {"toy": toy.study})
    return toy


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Return a function: the folder of a name, filled by the first that asks, also where tests run side by side."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def ask(name, fill):
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (shared / f"{name}.done").exists():
                fill(shared / name)
                (shared / f"{name}.done").touch()
        return shared / name

    return ask


@pytest.fixture(scope="session")
def smoke_run(made_once):
    """Return a function that gives the folder of a study's smallest run, which must not be changed."""

    def fill(name, folder, fields):
        done = engine.run(name, profile="smoke", folder=folder, jobs=1, quiet=True, **fields)
        assert (done.failed, done.missing) == ({}, 0)

    def folder(name, place="", **fields):
        return made_once(f"smoke {place or name}", lambda folder: fill(name, folder, fields))

    return folder


@pytest.fixture(scope="session")
def small_run(smoke_run):
    """The folder of a small real run that nothing disturbed."""
    return smoke_run("spezia2025", "small", **SMALL)


@pytest.fixture
def start_small_run(tmp_path):
    """Return a function that starts the same run as a program in a process group of its own; all are ended after."""
    started = []

    def start(folder, *options, code=""):
        words = ["run", "spezia2025", "--profile", "smoke", "--output", str(folder)]
        words += ["--techniques", ",".join(SMALL["techniques"]), *options]
        program = ["-c", f"{code}\nimport sys\nfrom compendium.cli import main\nsys.exit(main({words!r}))"]
        process = subprocess.Popen(
            [sys.executable, *(program if code else ["-m", "compendium.cli", *words])],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        end_group(process)


def shards_in(folder):
    """Names of the shards that are there; the run takes their folder away whenever it has joined them."""
    try:
        return {path.name for path in (folder / "shards").iterdir() if path.suffix == ".parquet"}
    except FileNotFoundError:
        return set()


@pytest.fixture
def wait_for_shards():
    """Return a function that waits until a run has finished `n` units more than it found."""

    def wait(process, folder, n):
        seen = set()
        before = shards_in(folder)
        while len(seen) < n:
            assert process.poll() is None, process.communicate()[1]
            seen |= shards_in(folder) - before
            time.sleep(0.002)

    return wait


@pytest.fixture
def finish_small_run():
    """Return a function that completes a folder of that run, in this process."""
    return lambda folder: engine.run("spezia2025", profile="smoke", folder=folder, jobs=1, quiet=True, **SMALL)


@pytest.fixture
def kill_group():
    """Return a function that kills a program and all it started, at once."""
    return end_group


def end_group(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.fixture
def entry_of():
    """Return a function that writes the catalogue entry of a file's content."""

    def entry(content=b"", **fields):
        name, collection = fields.get("name", "tiny"), fields.get("collection", "pmlb")
        standard = {
            "name": name,
            "collection": collection,
            "task": "classification",
            "rows": 3,
            "features": 2,
            "classes": 2,
            "imbalance": None,
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "path": f"{collection}/{name}.gz",
            "remote": "",
            "source": "where it came from",
            "licence": "",
            "studies": (),
            "note": "",
        }
        return Entry(**standard | fields)

    return entry


@pytest.fixture
def in_folder(no_data, tmp_path, monkeypatch):
    """Return a function that puts content where CVSTRAT_DATA should have an entry's file, and returns that place."""

    def put(entry, content):
        file = tmp_path / "data" / entry.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        monkeypatch.setenv("CVSTRAT_DATA", str(tmp_path / "data"))
        return file

    return put
