"""No test is timed: on a busy machine that says nothing. Fifty examples, unless a test asks for more.

The examples are the same each time, so that what has passed here passes elsewhere; ``--hypothesis-profile search``
looks for new ones. Tests run side by side, each with one thread: more would only wait for cores, and waiting threads of
OpenMP use up the cores of the others. Programs that tests start heed interrupts, also where these tests run in the
background, which hands on that they are ignored.
"""

import gc
import os
import signal

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before the libraries that read it are loaded

import pytest
from hypothesis import settings

for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
        signal.signal(getattr(signal, name), usual)

settings.register_profile("project", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("project")


def pytest_collection_finish():
    """Let no collection of garbage look at modules and tests: they are here to stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def no_data(tmp_path, monkeypatch):
    """A machine without any of the files, with an empty cache and nothing to download from; returns the cache."""
    monkeypatch.delenv("CVSTRAT_DATA", raising=False)
    monkeypatch.setenv("CVSTRAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CVSTRAT_PMLB_URL", (tmp_path / "no_such_site").as_uri())
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"
