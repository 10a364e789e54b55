"""Where files are found, how they are downloaded, and that no wrong one is ever used or left behind."""

import gc
import gzip
import multiprocessing
import socket
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from compendium.datasets import (
    Catalogue,
    CorruptData,
    MissingData,
    UnknownDataset,
    cache_folder,
    catalogue,
    fetch,
    load,
    where,
)
from compendium.datasets import _store as store

CONTENT = gzip.compress(b"a\tb\ttarget\n1\t2\t0\n3\t4\t1\n5\t6\t1\n", mtime=0)
FLIPPED = CONTENT[:20] + bytes([CONTENT[20] ^ 1]) + CONTENT[21:]
OTHER = gzip.compress(b"a\tb\ttarget\n1\t2\t1\n3\t4\t1\n5\t6\t0\n", mtime=0)
DAMAGED = {
    "flipped byte": FLIPPED,
    "truncated": CONTENT[:-7],
    "empty": b"",
    "other table": OTHER,
    "longer": CONTENT + b"\0",
}
damaged = pytest.mark.parametrize("wrong", DAMAGED.values(), ids=DAMAGED.keys())


@dataclass
class Site:
    """A web site that holds one file and counts who asks."""

    content: bytes | None = CONTENT
    withheld: int = 0
    gate: threading.Barrier | None = None
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def site(no_data, monkeypatch):
    """A real server, from which downloads come."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            site.asked.append(self.path)
            if site.gate:
                site.gate.wait(timeout=60)
            if site.content is None:
                return self.send_error(404)
            self.send_response(200)
            self.send_header("Content-Length", str(len(site.content)))
            self.end_headers()
            self.wfile.write(site.content[: len(site.content) - site.withheld])

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setenv("CVSTRAT_PMLB_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(store, "LIMITS", replace(store.LIMITS, pause=0.01))
        yield site
        server.shutdown()


@pytest.fixture
def entry(entry_of):
    return entry_of(CONTENT, remote="_deprecated_tiny", path="pmlb/tiny/tiny.tsv.gz")


def load_entry(entry, **options):
    return load(entry.id, known=Catalogue((entry,)), **options)


def put_in_cache(entry, content):
    file = cache_folder() / entry.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def files_below(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", ["", ".", "../../x", "pmlb/../../etc/passwd", "/etc/passwd", "pmlb/iris/../../../x"])
def test_path_for_a_name_is_refused_before_anything_is_asked_for_or_written(site, tmp_path, monkeypatch, name):
    (tmp_path / "some/where").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "some/where")
    with pytest.raises(UnknownDataset):
        load(name)
    assert site.asked == []
    assert files_below(tmp_path) == {}


def test_download_is_cached_byte_by_byte_and_not_repeated(site, entry):
    first = load_entry(entry)
    assert files_below(cache_folder()) == {entry.path: CONTENT}
    second = load_entry(entry)
    assert (first.source, second.source) == ("download", "cache")
    assert first.X.tolist() == second.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert site.asked == ["/_deprecated_tiny/_deprecated_tiny.tsv.gz"]


def test_folder_comes_before_cache_and_cache_before_download(site, entry, in_folder):
    assert where(entry) == "download"
    cached = put_in_cache(entry, CONTENT)
    assert (where(entry), fetch(entry)) == ("cache", cached)
    file = in_folder(entry, CONTENT)
    assert (where(entry), fetch(entry), load_entry(entry).source) == ("folder", file, "folder")
    assert site.asked == []


def test_what_scikit_learn_holds_is_not_fetched(site):
    entry = catalogue().find("sklearn/iris")
    assert (where(entry), fetch(entry, again=True)) == ("scikit-learn", None)
    assert site.asked == []


@damaged
def test_wrong_file_in_the_folder_is_refused_though_cache_and_site_have_the_right_one(site, entry, in_folder, wrong):
    put_in_cache(entry, CONTENT)
    file = in_folder(entry, wrong)
    for read in (load_entry, fetch):
        with pytest.raises(CorruptData, match="Nothing was loaded") as error:
            read(entry)
        assert str(file) in str(error.value) and entry.id in str(error.value)
    assert site.asked == []
    assert file.read_bytes() == wrong


@damaged
def test_wrong_file_in_the_cache_is_refused_until_fetched_again(site, entry, wrong):
    file = put_in_cache(entry, wrong)
    for read in (load_entry, fetch):
        with pytest.raises(CorruptData, match="compendium data get pmlb/tiny --again") as error:
            read(entry)
        assert str(file) in str(error.value)
    assert site.asked == []
    assert fetch(entry, again=True) == file
    assert files_below(cache_folder()) == {entry.path: CONTENT}
    assert load_entry(entry).source == "cache"


@damaged
def test_wrong_content_of_the_site_is_refused_and_not_kept(site, entry, wrong):
    site.content = wrong
    with pytest.raises(CorruptData, match=f"http://127.*{entry.id}.*CVSTRAT_DATA"):
        load_entry(entry)
    assert len(site.asked) == 1
    assert files_below(cache_folder()) == {}


@pytest.mark.parametrize("withheld", [1, len(CONTENT)])
def test_connection_cut_in_the_middle_leaves_nothing(site, entry, withheld):
    site.withheld = withheld
    with pytest.raises(MissingData, match="could not be downloaded"):
        load_entry(entry)
    assert files_below(cache_folder()) == {}


def test_failed_download_keeps_the_file_that_was_cached(site, entry):
    put_in_cache(entry, OTHER)
    site.withheld = 5
    with pytest.raises(MissingData):
        fetch(entry, again=True)
    assert files_below(cache_folder()) == {entry.path: OTHER}


def test_cache_that_cannot_take_the_file_keeps_no_part_of_it(site, entry):
    (cache_folder() / entry.path).mkdir(parents=True)
    with pytest.raises(OSError):
        fetch(entry)
    assert files_below(cache_folder()) == {}


@pytest.fixture(params=["not found", "refused", "no address"])
def unreachable(request, site, monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # held, but nobody listens
        if request.param == "not found":
            site.content = None
        elif request.param == "refused":
            monkeypatch.setenv("CVSTRAT_PMLB_URL", f"http://127.0.0.1:{taken.getsockname()[1]}")
        else:
            monkeypatch.setenv("CVSTRAT_PMLB_URL", "no address")
        yield
    gc.collect()  # a connection left open shows here, not in another test


@pytest.mark.usefixtures("unreachable")
@pytest.mark.parametrize("get", [load_entry, fetch])
def test_failed_download_says_how_to_provide_the_file_by_hand(entry, get):
    with pytest.raises(MissingData, match="by hand") as error:
        get(entry)
    for hint in (entry.id, entry.path, entry.source, "CVSTRAT_DATA"):
        assert hint in str(error.value)
    assert files_below(cache_folder()) == {}


@pytest.mark.parametrize("get", [load_entry, fetch])
def test_set_that_cannot_be_downloaded_says_how_to_provide_it_by_hand(site, entry_of, get):
    entry = entry_of(CONTENT, collection="efold")
    assert where(entry) == "nowhere"
    with pytest.raises(MissingData, match="by hand.*efold/tiny.gz.*CVSTRAT_DATA.*where it came from"):
        get(entry)
    assert site.asked == []


def test_download_switched_off_asks_nobody_but_uses_what_is_here(site, entry):
    with pytest.raises(MissingData, match=f"{entry.id}.*downloading is off"):
        load_entry(entry, download=False)
    assert site.asked == []
    put_in_cache(entry, CONTENT)
    assert load_entry(entry, download=False).source == "cache"


@pytest.mark.parametrize("kind", ["nothing", "file"])
def test_data_folder_that_is_none_is_an_error_that_names_it(site, entry, tmp_path, monkeypatch, kind):
    if kind == "file":
        (tmp_path / "wrong").write_text("")
    monkeypatch.setenv("CVSTRAT_DATA", str(tmp_path / "wrong"))
    put_in_cache(entry, CONTENT)
    with pytest.raises(MissingData) as error:
        load_entry(entry)
    assert "CVSTRAT_DATA" in str(error.value) and str(tmp_path / "wrong") in str(error.value)
    assert site.asked == []


def test_processes_that_fetch_the_same_file_at_once_all_succeed(site, entry):
    site.gate = threading.Barrier(2)  # nobody is answered before both have asked
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        paths = list(pool.map(fetch, [entry] * 2))
    assert paths == [cache_folder() / entry.path] * 2
    assert len(site.asked) == 2
    assert files_below(cache_folder()) == {entry.path: CONTENT}
