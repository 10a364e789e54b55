"""What a release offers, built twice from one commit, is the same twice; a version is dated before it is tagged."""

import json
import os
import shutil
import subprocess
import zipfile

import pytest

from compendium import release
from compendium.datasets import catalogue
from compendium.files import repository
from compendium.release import _pdf, _release, _version
from cvstrat import __version__
from cvstrat.errors import CvstratError, InputError

SECONDS = 1_790_000_000


def git(root, *words):
    named = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(root)]
    return subprocess.run(["git", *named, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository of the files that say which version this is, as before a release."""
    root = tmp_path / "clone"
    root.mkdir()
    shutil.copy(repository() / "CITATION.cff", root)
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n### Added\n- This.\n\n## 0.1.0\n")
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(name, "A")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "a@example.org")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    for module in ("release._version", "citation", "versions"):
        monkeypatch.setattr(f"compendium.{module}.repository", lambda: root)
    return root


def test_an_archive_depends_on_the_files_alone(tmp_path):
    folder = tmp_path / "pages"
    (folder / "deep").mkdir(parents=True)
    for name in ("b.html", "a.html", "deep/c.js"):
        (folder / name).write_text(name)
    first = release.zip_folder(folder, tmp_path / "one.zip", SECONDS).read_bytes()
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert release.zip_folder(folder, tmp_path / "one.zip", SECONDS).read_bytes() == first
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["one/a.html", "one/b.html", "one/deep/c.js"]


def test_packages_built_twice_are_equal_and_their_checksums_can_be_checked(tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        _release._packages(repository(), folder, SECONDS)
    one, two = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert sorted(one) == [f"cvstrat-{__version__}-py3-none-any.whl", f"cvstrat-{__version__}.tar.gz"]
    assert one == two
    (tmp_path / "one" / "SHA256SUMS").write_text(release.checksums(folders[0].iterdir()))
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folders[0], check=True, capture_output=True)


def test_the_crate_names_files_data_software_authors_licences_and_texts(tmp_path):
    (tmp_path / "cvstrat-book.zip").write_bytes(b"pages")
    found = release.crate(tmp_path.iterdir(), "0" * 40, "2026-11-30", {"numpy": "2.4.6"})
    graph = {one["@id"]: one for one in json.loads(json.dumps(found))["@graph"]}
    assert len(graph) == len(found["@graph"]), "ids are unique"
    root = graph[graph["ro-crate-metadata.json"]["about"]["@id"]]
    named = [one["@id"] for field in ("author", "hasPart", "isBasedOn", "mentions") for one in root[field]]
    assert set(named) | {"ro-crate-metadata.json", "./", root["license"]["@id"]} == set(graph)
    kinds = [graph[name]["@type"] for name in named]
    assert kinds.count("ScholarlyArticle") == 5 and kinds.count("Dataset") == len(list(catalogue()))
    assert graph["cvstrat-book.zip"]["contentSize"] == "5"


def test_a_version_is_dated_then_tagged(clone):
    with pytest.raises(CvstratError, match="is not dated"):
        release.tag()
    assert release.prepare("2026-11-30") == ["CHANGELOG.md", "CITATION.cff", "codemeta.json", ".zenodo.json"]
    assert f"## Unreleased\n\n## {__version__}, 2026-11-30\n" in (clone / "CHANGELOG.md").read_text()
    with pytest.raises(CvstratError, match="differ from the commit"):
        release.tag()
    release.prepare("2026-12-01")  # thought better of
    assert (clone / "CITATION.cff").read_text().count("date-released: ") == 1
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "dated")
    assert release.tag() == f"v{__version__}"
    assert git(clone, "tag", "--list").split() == [f"v{__version__}"]
    with pytest.raises(CvstratError, match="there already"):
        release.tag()


def test_a_day_that_is_none_is_refused(clone):
    with pytest.raises(InputError, match="no day"):
        release.prepare("tomorrow")


def test_nothing_is_built_from_changed_files(clone, tmp_path):
    (clone / "CHANGELOG.md").write_text("changed")
    with pytest.raises(CvstratError, match="commit or undo"):
        release.build_release(tmp_path / "dist")
    assert _version.git("rev-parse", "HEAD") and not (tmp_path / "dist").exists()


def test_names_of_tags_do_not_tell_where_their_count_began():
    printed = "/Names [(node%08d) 1 0 R (node%08d) 2 0 R] /Headers [(node%08d)] /ModDate (D:2026111810220%d+00'00')"
    one, other = (printed % (n, n + 5, n + 5, n) for n in (3, 4))
    made = _pdf.reproducible(one.encode(), "20261130120000")
    assert made == _pdf.reproducible(other.encode(), "20261130120000")
    assert len(made) == len(one)
    assert b"[(node00000000) 1 0 R (node00000001) 2 0 R] /Headers [(node00000001)]" in made
