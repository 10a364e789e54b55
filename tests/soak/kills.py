"""Kill runs at random moments, resume each, and compare what they end in with a run that nothing disturbed.

Takes long, so that no test runner collects it: ``python -m tests.soak.kills --kills 200``. A run is first of a smaller
spec, then of a larger one in the same folder, then computes some units again. It is killed, or one of its workers is,
again and again; whatever was asked for is then asked for once more. The counts go to ``data/soak/kills.json``.
"""

import argparse
import contextlib
import datetime
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from compendium import engine
from compendium.cli import main as compendium
from compendium.files import data_root, write_atomically
from compendium.versions import commit
from tests.compendium.conftest import read_deterministic

# Each study with the options of a smaller spec, of a larger one, and with what is then computed again.
STUDIES = {
    "spezia2025": (
        ["--techniques", "SCBCV,SCV"],
        ["--techniques", "SCBCV,KCBCV-Mini,SCV,DOB-SCV", "--n-holdouts", "6"],
        ["--again", "technique=SCV"],
    ),
    "diamantidis2000": (["--n-samples", "1", "--techniques", "KFold,SCV"], ["--techniques", "KFold,CL-CV,SCV"], []),
    "mahlich2024": (["--n-runs", "4"], ["--n-runs", "24"], ["--again", "model=Ridge"]),
    "anguita2012": (["--ks", "3", "--kind-ks", "3"], ["--ks", "3,5,4", "--kind-ks", "3"], ["--again", "k=5"]),
}
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT]


def start(*words):
    """Start the command line as a process group of its own, from what is loaded here; return its id."""
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        os.setsid()
        for number in SIGNALS[1:]:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        code = compendium([str(word) for word in words])
    except KeyboardInterrupt:
        code = 130
    finally:
        sys.stdout.flush()
        os._exit(code)


def finish(pid, patience=None):
    """Return how a process ended; None if it has not after so many seconds."""
    end = None if patience is None else time.monotonic() + patience
    while True:
        found, status = os.waitpid(pid, 0 if end is None else os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > end:
            return None
        time.sleep(0.005)


def workers_of(pid):
    """Return the processes that a run has started to compute."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"LokyProcess" in (place / "cmdline").read_bytes():
                found.append(int(place.name))
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def outlive(pids, seconds=10):
    """Return how many processes are still there after so many seconds; end them."""
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    left = [pid for pid in pids if alive(pid)]
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(left)


class Soak:
    """Counts what happened."""

    def __init__(self, wanted, seed):
        self.wanted, self.random = wanted, random.Random(seed)
        self.signals, self.targets, self.jobs, self.codes = Counter(), Counter(), Counter(), Counter()
        self.campaigns = self.differing = self.left = self.unheard = 0
        self.references = {}

    @property
    def kills(self):
        return self.signals.total()

    def reference(self, study):
        """Return the files of an undisturbed run, and how long it took."""
        if study not in self.references:
            begin = time.monotonic()
            words = ["run", study, "--profile", "smoke", "--output", f"reference-{study}", "--jobs", "1"]
            assert finish(start(*words, *STUDIES[study][1])) == 0, Path("log").read_text()[-2000:]
            self.references[study] = read_deterministic(f"reference-{study}"), time.monotonic() - begin
        return self.references[study]

    def campaign(self, study):
        """Let a study grow and be computed again under kills, and compare its files."""
        files, seconds = self.reference(study)
        self.campaigns += 1
        folder = f"{study}-{self.campaigns}"
        small, large, again = STUDIES[study]
        for options, more in ((small, []), (large, []), (large, again)):
            ended = self.disturbed(study, folder, options + more, seconds)
            while not ended:  # the same once more; what was to be computed again may or may not be asked for again
                ended = self.disturbed(study, folder, options + self.random.choice([more, []]), seconds)
        self.differing += read_deterministic(folder) != files

    def disturbed(self, study, folder, options, seconds):
        """Run until the end, or until a kill ends it; return whether it came to its end."""
        jobs = self.random.choice([1, 1, 2])
        pid = start("run", study, "--profile", "smoke", "--output", folder, "--jobs", jobs, *options)
        code = None
        while code is None and self.kills < self.wanted:
            code = finish(pid, self.random.uniform(0, seconds))
            if code is None:
                code = self.kill(pid, jobs)
        code = finish(pid) if code is None else code
        self.codes[str(code)] += 1
        assert code in (0, 1, 130) or code < 0, Path("log").read_text()[-2000:]
        return code == 0

    def kill(self, pid, jobs):
        """Send a signal to a run, to a worker of it, or to its whole group; return how the run ended, if it did."""
        workers = workers_of(pid)
        target = self.random.choice(["program", "worker", "group"] if workers else ["program"])
        number = signal.SIGKILL if target == "worker" else self.random.choice(SIGNALS)
        if not alive(pid):
            return finish(pid)
        with contextlib.suppress(ProcessLookupError):
            if target == "group":
                os.killpg(pid, number)
            else:
                os.kill(self.random.choice(workers) if target == "worker" else pid, number)
            self.signals[number.name] += 1
            self.targets[target] += 1
            self.jobs[str(jobs)] += 1
        if target == "worker":
            return finish(pid, 0.1)
        code = finish(pid, 120)
        assert code is not None, f"{number.name} did not end a run"
        self.left += outlive(workers)
        self.unheard += code == 0 and number != signal.SIGKILL  # it came too late, or was lost
        return code


def main():
    """Run, print and keep the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    engine.studies()  # loads them, so that the programs that are forked need not
    soak = Soak(options.kills, options.seed)
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        while soak.kills < options.kills:
            soak.campaign(soak.random.choice(list(STUDIES)))
            print(f"{soak.kills} kills, {soak.campaigns} folders, {soak.differing} differ", flush=True)
        ignored = Path("log").read_text().count("Exception ignored")
        print(f"{soak.unheard} signals did not end a run; {ignored} exceptions were ignored")
    found = {
        "commit": commit(),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "seed": options.seed,
        "kills": soak.kills,
        "signals": dict(soak.signals),
        "targets": dict(soak.targets),
        "jobs": dict(soak.jobs),
        "exit_codes": dict(soak.codes),
        "folders": soak.campaigns,
        "differing_folders": soak.differing,
        "workers_left_after_10_s": soak.left,
        "signals_after_which_the_run_came_to_its_end": soak.unheard,
    }
    text = json.dumps(found, indent=1)
    print(text)
    write_atomically(data_root() / "soak" / "kills.json", f"{text}\n".encode())
    return int(soak.differing > 0 or soak.left > 0)


if __name__ == "__main__":
    sys.exit(main())
