"""What can go wrong with a download, each from a real server: the file is had whole, or not at all, and in time."""

import contextlib
import gzip
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from compendium.datasets import CorruptData, MissingData, cache_folder, fetch, load
from compendium.datasets import _store as store
from compendium.datasets._catalogue import Catalogue
from compendium.datasets._limits import Limits

TABLE = b"a\tb\ttarget\n1\t2\t0\n3\t4\t1\n5\t6\t1\n"
CONTENT = gzip.compress(TABLE, mtime=0)
WRONG = CONTENT[:20] + bytes([CONTENT[20] ^ 1]) + CONTENT[21:]
QUICK = Limits(silence=0.5, deadline=2.0, attempts=3, pause=0.01)


def answer(status="200 OK", body=CONTENT, length=None, *more):
    """An answer as bytes; `length` is what it says of itself."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", "Connection: close"]
    return "\r\n".join([*lines, *more, "", ""]).encode() + body


def redirect(place):
    """An answer that sends elsewhere."""
    return answer("302 Found", b"", 0, f"Location: {place}")


RIGHT = answer()


def endless(connection):
    """A body without an end, from a server that does not say how long it is."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    with contextlib.suppress(OSError):
        while True:
            connection.sendall(b"x" * 65536)


def trickle(connection):
    """A byte now and then: never silent, never done."""
    connection.sendall(RIGHT[: -len(CONTENT)])
    with contextlib.suppress(OSError):
        for byte in CONTENT:
            connection.sendall(bytes([byte]))
            time.sleep(0.06)


def silent(connection):
    """Nothing at all."""
    with contextlib.suppress(OSError):
        connection.recv(1)


def stalled(connection):
    """Half of the headers, then nothing."""
    connection.sendall(RIGHT[:20])
    silent(connection)


def stalled_body(connection):
    """Half of the body, then nothing."""
    connection.sendall(RIGHT[:-10])
    silent(connection)


def reset(connection):
    """Half of the body, then the connection is torn down."""
    connection.sendall(RIGHT[:-10])
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


BUSY = answer("500 Internal Server Error", b"sorry")
# What the server does at the first, second, ... request (the last one goes on), and what comes of it.
FAULTS = {
    "right at once": ([RIGHT], None, 1),
    "not found": ([answer("404 Not Found", b"")], "404", 1),
    "forbidden": ([answer("403 Forbidden", b"")], "403", 1),
    "gone to log in": ([answer("401 Unauthorized", b"")], "401", 1),
    "500 once": ([BUSY, RIGHT], None, 2),
    "500 always": ([BUSY], r"500.*3 attempts", 3),
    "502 then 504": ([answer("502 Bad Gateway", b""), answer("504 Gateway Timeout", b""), RIGHT], None, 3),
    "503 that asks to wait": ([answer("503 Service Unavailable", b"", 0, "Retry-After: 1"), RIGHT], None, 2),
    "503 that asks to wait too long": ([answer("503 Service Unavailable", b"", 0, "Retry-After: 99")], "503", 1),
    "429 with a date": ([answer("429 Slow", b"", 0, "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"), RIGHT], None, 2),
    "no answer": ([b""], "attempts", 3),
    "no HTTP": ([b"220 smtp.example ESMTP\r\n"], "attempts", 3),
    "reset in the body, once": ([reset, RIGHT], None, 2),
    "reset in the body, always": ([reset], "attempts", 3),
    "body cut off, once": ([RIGHT[:-7], RIGHT], None, 2),
    "body cut off, always": ([RIGHT[:-7]], "attempts", 3),
    "length too large": ([answer(length=len(CONTENT) + 9)], "attempts", 3),
    "length too small": ([answer(length=len(CONTENT) - 9)], "sha256 differs", 1),
    "longer than it should be": ([answer(body=CONTENT + b"x" * 100_000)], f"more than the {len(CONTENT)} bytes", 1),
    "endless": ([endless], f"more than the {len(CONTENT)} bytes", 1),
    "wrong bytes of the right size": ([answer(body=WRONG)], "sha256 differs", 1),
    "empty": ([answer(body=b"")], "sha256 differs", 1),
    "a page that says sorry": ([answer(body=b"<html>try later</html>")], "sha256 differs", 1),
    "unpacked on the way": ([answer(body=TABLE)], "sha256 differs", 1),
    "packed once more": ([answer("200 OK", gzip.compress(CONTENT), None, "Content-Encoding: gzip")], "more than", 1),
    "said to be packed": ([answer("200 OK", CONTENT, None, "Content-Encoding: gzip")], None, 1),
    "silent, once": ([silent, RIGHT], None, 2),
    "stalled in the headers": ([stalled], "attempts", 3),
    "stalled in the body": ([stalled_body], "attempts", 3),
    "a trickle": ([trickle], "longer than 2 seconds", 1),
    "redirected in a circle": ([redirect("/again")], "redirects", 6),
    "redirected to a file": (
        [answer("302 Found", b"", 0, "Location: file:///etc/passwd")],
        "No connection adapters",
        1,
    ),
    "redirected to another host": (
        [answer("302 Found", b"", 0, "Location: http://localhost:{port}/x"), RIGHT],
        None,
        2,
    ),
}


class Server:
    """Answers each request by the next step of a script; the last one goes on."""

    def __init__(self, script):
        self.script, self.asked = script, 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                with connection, contextlib.suppress(OSError):
                    connection.settimeout(5)
                    while not connection.recv(65536).endswith(b"\r\n\r\n"):
                        pass
                    step = self.script[min(self.asked, len(self.script) - 1)]
                    self.asked += 1
                    if callable(step):
                        step(connection)
                    else:
                        connection.sendall(step.replace(b"{port}", str(self.port).encode()))

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()


@pytest.fixture
def entry(entry_of):
    return entry_of(CONTENT, remote="tiny", path="pmlb/tiny/tiny.tsv.gz")


@pytest.fixture
def serve(no_data, monkeypatch):
    """Return a function that starts a server with a script; downloads come from it, without much patience."""
    monkeypatch.setattr(store, "LIMITS", QUICK)
    started = []

    def start(script):
        started.append(Server(script))
        monkeypatch.setenv("CVSTRAT_PMLB_URL", f"http://127.0.0.1:{started[-1].port}")
        return started[-1]

    yield start
    for server in started:
        server.close()


def cached():
    return {path.name: path.read_bytes() for path in cache_folder().rglob("*") if path.is_file()}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_comes_whole_or_not_at_all(fault, serve, entry):
    script, message, asked = FAULTS[fault]
    server = serve(script)
    if message is None:
        assert fetch(entry).read_bytes() == CONTENT
        assert cached() == {"tiny.tsv.gz": CONTENT}
    else:
        with pytest.raises((MissingData, CorruptData), match=f"(?s){message}.*CVSTRAT_DATA"):
            fetch(entry)
        assert cached() == {}
    assert server.asked == asked


@pytest.mark.parametrize("host", ["127.0.0.1:1", "no-such-host.invalid", "[::1", "user:pass@127.0.0.1:1"])
def test_a_server_that_is_not_there_is_named(host, no_data, entry, monkeypatch):
    monkeypatch.setattr(store, "LIMITS", QUICK)
    monkeypatch.setenv("CVSTRAT_PMLB_URL", f"http://{host}")
    with pytest.raises(MissingData, match="could not be downloaded.*CVSTRAT_DATA"):
        fetch(entry)
    assert cached() == {}


def test_a_poisoned_cache_is_noticed_and_replaced_on_request(serve, entry):
    serve([RIGHT])
    file = fetch(entry)
    file.write_bytes(WRONG)
    with pytest.raises(CorruptData, match="compendium data get pmlb/tiny --again"):
        load(entry.id, known=Catalogue((entry,)))
    assert fetch(entry, again=True).read_bytes() == CONTENT


def test_a_file_of_another_size_in_the_cache_is_not_even_read(serve, entry):
    file = cache_folder() / entry.path
    file.parent.mkdir(parents=True)
    with file.open("wb") as huge:
        huge.truncate(2**41)
    with pytest.raises(CorruptData, match="it has 2199023255552 bytes instead of"):
        load(entry.id, known=Catalogue((entry,)))


def test_a_cache_that_cannot_be_written_is_named(serve, entry, tmp_path, monkeypatch):
    serve([RIGHT])
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CVSTRAT_CACHE", str(tmp_path / "file"))
    with pytest.raises(MissingData, match="CVSTRAT_CACHE"):
        fetch(entry)


def test_a_full_disk_leaves_nothing_behind(serve, entry):
    serve([RIGHT])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, before[1]))  # no file may grow beyond
        with pytest.raises(MissingData, match="cannot be written.*CVSTRAT_CACHE"):
            fetch(entry)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert cached() == {}


def test_a_download_that_is_killed_half_way_leaves_no_trace_in_the_next(serve, entry, monkeypatch):
    server = serve([stalled_body, RIGHT])
    code = f"from compendium.datasets import Entry, fetch\nfetch({entry!r})"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as process:
        while not any(cached().values()):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    left = [path for path in cache_folder().rglob("*") if path.is_file()]
    assert [path.name == "tiny.tsv.gz" for path in left] == [False]
    os.utime(left[0], (0, 0))
    assert fetch(entry).read_bytes() == CONTENT
    assert (cached(), server.asked) == ({"tiny.tsv.gz": CONTENT}, 2)
