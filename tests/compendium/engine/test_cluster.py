"""The workers of a dask scheduler: the same files as with processes of this machine."""

import json
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed")


@pytest.fixture
def start_dask(tmp_path):
    """Return a function that starts a program of dask; all are ended after."""
    started = []

    def start(program, *words):
        log = (tmp_path / f"{program}-{len(started)}.log").open("w")
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *words, "--no-dashboard"]
        started.append((subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log), log))
        return started[-1][0]

    yield start
    for process, log in reversed(started):
        process.kill()
        process.wait()
        log.close()


@pytest.fixture
def scheduler(start_dask, tmp_path):
    """The address of a scheduler that has no workers yet."""
    file = tmp_path / "scheduler.json"
    process = start_dask(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(file)
    )
    while True:
        try:
            return json.loads(file.read_text())["address"]
        except (FileNotFoundError, ValueError):
            assert process.poll() is None
            time.sleep(0.05)


def test_a_scheduler_gives_the_same_files_also_when_a_worker_is_killed(
    small_run, scheduler, tmp_path, start_dask, start_small_run, wait_for_shards, deterministic
):
    options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
    doomed, _ = (start_dask("worker", scheduler, *options) for _ in range(2))
    folder = tmp_path / "results"
    count = "import distributed\nwith distributed.Client(%r) as client:\n    client.wait_for_workers(2)\n"
    process = start_small_run(folder, "--scheduler", scheduler, code=count % scheduler)
    wait_for_shards(process, folder, 11)
    doomed.send_signal(signal.SIGKILL)
    said, complaint = process.communicate()
    assert process.returncode == 0, complaint
    assert re.search(r"units computed, 0 were there, 0 are missing", said)
    assert doomed.wait() == -signal.SIGKILL
    assert deterministic(folder) == deterministic(small_run)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [made["workers"] for made in manifest["environments"]] == ["2 dask workers"]


def test_a_scheduler_without_workers_is_said_in_one_line(scheduler, tmp_path, start_small_run):
    process = start_small_run(tmp_path / "results", "--scheduler", scheduler)
    _, said = process.communicate()
    assert process.returncode == 1
    assert said == f"compendium: the scheduler at {scheduler} has no workers: start some with dask worker {scheduler}\n"
    assert not (tmp_path / "results").exists()


def test_an_address_where_nothing_answers_is_said_in_one_line(tmp_path, start_small_run):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    process = start_small_run(tmp_path / "results", "--scheduler", address)
    _, said = process.communicate()
    assert process.returncode == 1
    assert re.fullmatch(rf"compendium: no dask scheduler answers at '{address}': .*\n", said)
    assert not (tmp_path / "results").exists()
