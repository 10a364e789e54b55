"""The workers of a dask scheduler: the same files as with processes of this machine, or a word on what is wrong."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from distributed import Client
from distributed.protocol.pickle import dumps

import compendium
from compendium.engine import _cluster
from compendium.engine._calls import connected
from compendium.engine._engine import run_study
from compendium.engine._roster import _guarded
from compendium.engine._study import Study, StudyError, Table
from compendium.versions import inspector
from cvstrat.errors import InputError

SOURCE = Path(compendium.__file__).parents[1]
QUICK = _cluster.Waits(connect=1.0, first=0.3, again=0.2, look=0.1)


@pytest.fixture(scope="module")
def start_dask(tmp_path_factory):
    """Return a function that starts a program of dask in a folder of its own; all are ended after the module."""
    started = []

    def start(program, *words, python=(), **variables):
        folder = tmp_path_factory.mktemp(program)
        command = [sys.executable, *python, "-m", f"distributed.cli.dask_{program}", *words, "--no-dashboard"]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=os.environ | variables)
        process.folder = folder
        started.append(process)
        return process

    yield start
    for process in reversed(started):
        end(process)


@pytest.fixture(scope="module")
def start_scheduler(start_dask):
    """Return a function that starts a scheduler, and returns it and its address."""

    def start(*words, **variables):
        words = ("--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", "file", *words)
        process = start_dask("scheduler", *words, **variables)
        while True:
            try:
                return process, json.loads((process.folder / "file").read_text())["address"]
            except (FileNotFoundError, ValueError):
                assert process.poll() is None, (process.folder / "log").read_text()
                time.sleep(0.05)

    return start


@pytest.fixture(scope="module")
def start_worker(start_dask):
    """Return a function that starts a worker with one thread, and returns it when it has found its scheduler."""

    def start(address, *words, wait=True, **options):
        words = (address, "--nthreads", "1", "--no-nanny", "--local-directory", ".", *words)
        process = start_dask("worker", *words, **options)
        while wait and "Registered to" not in (process.folder / "log").read_text():
            assert process.poll() is None, (process.folder / "log").read_text()
            time.sleep(0.05)
        return process

    return start


@pytest.fixture(scope="module")
def scheduler(start_scheduler):
    """The address of a scheduler that many tests share."""
    return start_scheduler()[1]


@pytest.fixture(scope="module")
def crew(scheduler, start_worker):
    """Return a function that sees to it that the scheduler has so many workers that are as they should be."""
    alive = []

    def see_to(count):
        alive[:] = [process for process in alive if process.poll() is None]
        while len(alive) > count:
            end(alive.pop())
        while len(alive) < count:
            alive.append(start_worker(scheduler))
        return list(alive)

    return see_to


def end(process):
    process.kill()
    process.wait()


@pytest.fixture
def altered(tmp_path):
    """Variables for a worker whose library is not quite the same."""
    for name in ("cvstrat", "compendium"):
        shutil.copytree(SOURCE / name, tmp_path / "altered" / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "altered" / "cvstrat" / "errors.py").open("a") as file:
        file.write("# another line\n")
    return {"PYTHONPATH": str(tmp_path / "altered")}


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    """Certificates of one's own: options and settings of dask."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=cluster"]
    subprocess.run(["openssl", *words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    settings = {"REQUIRE_ENCRYPTION": "true", "TLS__CA_FILE": str(certificate)}
    for part in ("SCHEDULER", "WORKER", "CLIENT"):
        settings |= {f"TLS__{part}__CERT": str(certificate), f"TLS__{part}__KEY": str(key)}
    settings = {f"DASK_DISTRIBUTED__COMM__{name}": value for name, value in settings.items()}
    return SimpleNamespace(words=("--protocol", "tls"), settings=settings)


@pytest.fixture
def quick(monkeypatch):
    """Waits that suit a test."""
    monkeypatch.setattr(_cluster, "WAITS", QUICK)


def make_study(work=lambda unit: {}, checksums=lambda: {}, count=4):
    """Return a study of units that tell which process computed them, and take a function along by value."""

    @dataclass(frozen=True)
    class Spec:
        n: int = count

    def rows(spec, unit, tables):
        import os

        import pandas as pd

        return pd.DataFrame([{"process": os.getpid(), "square": unit["number"] ** 2} | work(unit["number"])])

    return Study(
        name="squares",
        summary="for tests",
        spec_type=Spec,
        profiles={"paper": Spec},
        tables=(Table("squares", ("number",), lambda spec, _: [{"number": n} for n in range(spec.n)], rows),),
        validate=lambda spec: None,
        checksums=lambda spec, wanted: checksums(),
        report=dict,
    )


def run(study, folder, address):
    """Run a study on a cluster, and return what was done, the rows, and the environments of the manifest."""
    done = run_study(study, study.spec(), folder, scheduler=address)
    rows = pd.read_parquet(folder / "squares.parquet")
    return done, rows, json.loads((folder / "manifest.json").read_text())["environments"]


@pytest.fixture
def start_run(quick, capsys):
    """Return a function that runs a study beside the test, and one that waits until the run has said something."""
    heard = []

    def hear(words):
        while not re.search(words, "".join(heard)):
            heard.append(capsys.readouterr().err)
            time.sleep(0.02)
        return "".join(heard)

    with ThreadPoolExecutor(1) as pool:
        yield lambda *arguments: pool.submit(run, *arguments), hear


def test_a_run_waits_for_workers_and_they_do_the_work(scheduler, crew, start_run, tmp_path):
    crew(0)
    start, hear = start_run
    running = start(make_study(), tmp_path / "r", scheduler)
    hear(r"(?s)(no worker for . s: waiting; start some with: dask worker tcp:.*){2}")
    (worker,) = crew(1)
    done, rows, (made,) = running.result()
    assert (done.computed, done.missing, done.failed) == (4, 0, {})
    assert rows["square"].tolist() == [0, 1, 4, 9]
    assert set(rows["process"]) == {worker.pid}
    here = inspector()()
    assert made["workers"] == "1 dask worker"
    assert made["source"] == {name: here[name] for name in ("cvstrat", "compendium")}
    assert made["versions"]["numpy"] == here["numpy"]
    assert made["machine"]["cores"] == os.cpu_count()


def test_a_worker_that_joins_takes_part_unless_it_differs(scheduler, crew, start_worker, altered, start_run, tmp_path):
    (first,) = crew(1)
    seen = tmp_path / "seen"
    seen.mkdir()

    def work(number):
        import os
        import time

        (seen / str(os.getpid())).touch()
        while len(list(seen.iterdir())) < 2:
            time.sleep(0.02)
        return {}

    start, hear = start_run
    running = start(make_study(work), tmp_path / "r", scheduler)
    while not (seen / str(first.pid)).exists():
        time.sleep(0.02)
    wrong = start_worker(scheduler, **altered)
    said = hear(r"left out, since the results would differ:\n.*\n  tcp:.*\n")
    _, second = crew(2)
    done, rows, (made,) = running.result()
    end(wrong)
    assert re.search(rf"  worker +what +here +there\n  tcp:\S+  cvstrat  {inspector()()['cvstrat']}  \w+\n", said)
    assert done.missing == 0
    assert rows["square"].tolist() == [0, 1, 4, 9]
    assert set(rows["process"]) == {first.pid, second.pid}
    assert made["workers"] == "2 dask workers"


def test_workers_that_differ_are_refused_with_a_table_before_anything_is_written(
    scheduler, crew, start_worker, altered, tmp_path, monkeypatch
):
    monkeypatch.setattr(_cluster, "WAITS", replace(QUICK, first=60.0))
    (elsewhere,) = crew(1)
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    wrong = start_worker(scheduler, **altered), start_worker(scheduler, python=["-S"], PYTHONPATH=packages)
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("a,target\n" + "1,x\n2,y\n" * 9)

    def checksums():
        from compendium.datasets import checksums

        return checksums(("mine.csv",), None)

    with pytest.raises(StudyError, match=r"differ from this machine.*restart the workers, and run again\n") as error:
        run(make_study(checksums=checksums), tmp_path / "r", scheduler)
    here = inspector()()
    rows = {tuple(re.split("  +", line.strip(), maxsplit=3)[1:]) for line in str(error.value).splitlines()[2:]}
    (other,) = {there for what, _, there in rows if what == "cvstrat" and there != "missing"}
    (trouble,) = {there for what, _, there in rows if what == "data"}
    assert rows == {
        ("cvstrat", here["cvstrat"], other),
        ("cvstrat", here["cvstrat"], "missing"),
        ("compendium", here["compendium"], "missing"),
        ("data", "all there", trouble),
    }
    assert re.search(r"mine\.csv", trouble)
    for process in wrong:
        end(process)
    (elsewhere.folder / "mine.csv").write_text("a,target\n" + "1,x\n3,y\n" * 9)
    with pytest.raises(StudyError, match=r"  data mine.csv  \w{16}  \w{16}$"):
        run(make_study(checksums=checksums), tmp_path / "r", scheduler)
    shutil.copy("mine.csv", elsewhere.folder)
    assert run(make_study(checksums=checksums), tmp_path / "r", scheduler)[0].computed == 4


def test_a_unit_over_which_three_workers_die_is_recorded_as_failed(scheduler, crew, start_run, tmp_path):
    crew(1)
    deaths = tmp_path / "deaths"
    deaths.mkdir()

    def work(number):
        import os

        if number == 3:
            (deaths / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return {}

    start, hear = start_run
    running = start(make_study(work), tmp_path / "r", scheduler)
    for count in (1, 2):
        hear(rf"(?s)(is gone: what it was doing is done again; no other is left, waiting for new ones.*){{{count}}}")
        crew(1)
    done, rows, _ = running.result()
    assert done.failed == {"squares: 3": "3 workers were lost while they computed it"}
    assert rows["square"].tolist() == [0, 1, 4]
    assert len(list(deaths.iterdir())) == 3


def test_a_run_survives_the_death_of_its_scheduler_and_of_a_worker(
    small_run,
    start_scheduler,
    start_worker,
    tls,
    scheduler,
    crew,
    tmp_path,
    start_small_run,
    wait_for_shards,
    deterministic,
    monkeypatch,
):
    killed, address = start_scheduler(*tls.words, **tls.settings)
    start_worker(address, *tls.words, **tls.settings)
    folder = tmp_path / "results"
    with monkeypatch.context() as settings:
        for name, value in tls.settings.items():
            settings.setenv(name, value)
        process = start_small_run(folder, "--scheduler", address)
    wait_for_shards(process, folder, 5)
    end(killed)
    _, said = process.communicate()
    assert process.returncode == 1
    assert re.fullmatch(
        rf"(\w+: .*\n)*compendium: the dask scheduler at {address} is gone; .* goes on from there\n", said
    )

    doomed, _ = crew(2)
    process = start_small_run(folder, "--scheduler", scheduler)
    wait_for_shards(process, folder, 6)
    end(doomed)
    said, complaint = process.communicate()
    assert process.returncode == 0, complaint
    assert re.search(r"worker tcp:\S+ is gone: what it was doing is done again\n", complaint)
    assert re.search(r"units computed, ([5-9]|\d\d+) were there, 0 are missing", said)
    assert deterministic(folder) == deterministic(small_run)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [made["workers"] for made in manifest["environments"]] == ["1 dask worker", "2 dask workers"]


@pytest.mark.parametrize("trouble", [TimeoutError("timed out"), AssertionError(), RuntimeError("the loop is closed")])
def test_a_client_that_cannot_be_closed_hides_no_error_and_is_not_closed_again(scheduler, monkeypatch, trouble):
    tries = []

    def wait_in_vain(client, timeout=20):
        tries.append(timeout)
        client.status = "connecting"  # as its own thread may leave it
        raise trouble

    said = pytest.raises(StudyError, match="what happened")
    with monkeypatch.context() as hanging, said, connected(scheduler, 10) as calls:
        hanging.setattr(Client, "close", wait_in_vain)
        raise StudyError("what happened")
    client = calls._client
    client.__del__()
    assert tries == [10]
    Client.close(client)


def test_an_address_where_nothing_answers_is_said_in_one_line(tmp_path, start_small_run):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    soon = "from compendium.engine import _cluster; _cluster.WAITS = _cluster.Waits(connect=0.5)"
    process = start_small_run(tmp_path / "results", "--scheduler", address, code=soon)
    _, said = process.communicate()
    assert process.returncode == 1
    assert re.fullmatch(rf"compendium: no dask scheduler answers at '{address}': .*\n", said)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("address", ["", "nonsense", "http://127.0.0.1:8786", "tcp://host", "tcp://host:99999999"])
def test_an_address_that_cannot_be_one_is_refused_at_once(address, tmp_path):
    with pytest.raises(InputError, match=f"^{address!r} is no address of a dask scheduler: give one such as tls://"):
        run(make_study(), tmp_path / "r", address)


def test_a_scheduler_behind_tls_does_not_talk_to_strangers(start_scheduler, tls, tmp_path, quick):
    _, address = start_scheduler(*tls.words, **tls.settings)
    assert address.startswith("tls://")
    with pytest.raises(StudyError, match="no dask scheduler answers at 'tls://"):
        run(make_study(), tmp_path / "r", address)


def test_nothing_is_called_where_anything_differs():
    here = inspector()()
    payload = dumps(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        _guarded(here)(payload)
    assert _guarded(here | {"numpy": "0.1"})(payload) == here


def test_a_process_that_has_loaded_a_package_tells_what_it_loaded(tmp_path):
    for name in ("cvstrat", "compendium"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "inspect.pickle").write_bytes(dumps(inspector()))
    code = """
import pickle, pathlib
inspect = pickle.loads(pathlib.Path("inspect.pickle").read_bytes())
told = [inspect()]
def change(number):
    pathlib.Path("compendium/other.py").write_text(f"value = {number}")
    told.append(inspect())
change(1), change(2)
import compendium
change(3)
print(len({one["compendium"] for one in told[:3]}), told[2] == told[3], len({one["cvstrat"] for one in told}))
"""
    found = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout == "3 True 1\n"
