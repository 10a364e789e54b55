"""The files around the code say the same things."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import cvstrat
from compendium.citation import bibtex, write_derived

ROOT = Path(__file__).parents[1]
LIBRARY = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMPENDIUM = tomllib.loads((ROOT / "src" / "compendium" / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()


def bare(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ;]", requirement, maxsplit=1)[0].lower()


def direct() -> set[str]:
    """Packages that book and tests need; an estimate of energy is for those who ask for it."""
    groups = (LIBRARY["dependencies"], COMPENDIUM["dependencies"], COMPENDIUM["optional-dependencies"]["dev"])
    return {bare(one) for group in groups for one in group} - {"cvstrat"}


def locked() -> dict[str, str]:
    """Versions of the lock for Python 3.11."""
    lines = re.findall(r"^([a-z0-9_.-]+)==(\S+)(?: ; (.*?))? \\$", LOCK, flags=re.M)
    return {name: version for name, version, marker in lines if ">= '3.12'" not in (marker or "")}


def test_versions_agree():
    assert LIBRARY["version"] == COMPENDIUM["version"] == cvstrat.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == cvstrat.__version__
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["preferred-citation"]
    assert cited["version"] == cvstrat.__version__


def test_all_ways_to_cite_say_the_same():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert write_derived(check=True) == [], "compendium release --date writes them"
    for field in ("title", "version", "license"):
        assert json.loads((ROOT / ".zenodo.json").read_text())[field] == said[field]
    entry = bibtex("0123456789")
    for fact in (said["title"], said["version"], said["repository-code"], "Commit 0123456789"):
        assert f"{{{fact}}}" in entry
    bibliography = (ROOT / "book" / "references.bib").read_text()
    plain = re.sub("[{}]", "", bibliography)
    assert [work["title"] for work in said["references"] if work["title"] not in plain] == []


def test_the_lock_holds_every_direct_package_with_hashes_and_no_address():
    assert direct() <= set(locked())
    assert "://" not in LOCK
    blocks = [block for block in re.split(r"^(?=\S)", LOCK, flags=re.M) if "==" in block]
    assert all("--hash=sha256:" in block for block in blocks)


def test_conda_users_get_the_locked_versions():
    packages = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    by_pip = next(one["pip"] for one in packages if isinstance(one, dict))
    pins = dict(
        re.split("==|=", one, maxsplit=1) for one in [*packages, *by_pip] if isinstance(one, str) and "=" in one
    )
    pins.pop("python")
    assert pins == {name: locked()[name] for name in direct()}


def test_the_library_alone_needs_few_packages():
    expected = {"joblib", "kneed", "numpy", "pandas", "scikit-learn", "scipy", "threadpoolctl"}
    assert {bare(one) for one in LIBRARY["dependencies"]} == expected


def test_the_wheel_is_the_library_alone_and_small(tmp_path):
    words = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 300_000
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entries = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    assert {name.split("/")[0] for name in names} == {
        "cvstrat",
        "cvstrat_cli.py",
        f"cvstrat-{cvstrat.__version__}.dist-info",
    }
    assert "cvstrat/advice/effects.csv" in names and "cvstrat/py.typed" in names
    assert entries.splitlines() == ["[console_scripts]", "cvstrat = cvstrat_cli:main"]


def test_every_make_target_is_in_the_help():
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, flags=re.M).group(1).split()
    explained = re.findall(r"^([a-z-]+):.*## ", text, flags=re.M)
    assert sorted(phony) == sorted(explained)


def test_every_page_of_the_table_of_contents_exists():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]
    for file in files:
        assert (ROOT / f"{file}.md").is_file(), file
    pages = {path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("[bn]*o*k*/*.md")}
    assert pages == set(files)


def test_images_and_environments_rest_on_the_lock():
    (base,) = re.findall(r"^FROM (.*)$", (ROOT / "Dockerfile").read_text(), flags=re.M)
    assert re.fullmatch(r"[\w:]+@sha256:[0-9a-f]{64}", base)
    assert all(base in path.read_text() for path in WORKFLOWS), "one image everywhere"
    assert "-r ../requirements.lock" in (ROOT / ".binder" / "requirements.txt").read_text().splitlines()
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_uses_cannot_change_under_its_name(path):
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"^\s*(?:- )?(uses|container|image): *(.*)$", text, re.MULTILINE)
    assert used
    for kind, name in used:
        pinned = r"[\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+" if kind == "uses" else r"[\w/:.-]+@sha256:[0-9a-f]{64}  # .*"
        assert re.fullmatch(pinned, name), name


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-audit.lock", "requirements-lab.lock"])
def test_every_package_that_is_installed_has_a_hash(name):
    packages = re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip())
    assert packages
    assert [package for package in packages if "--hash=sha256:" not in package] == []


def test_uv_itself_is_installed_by_its_hash():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"pip install (?!.*--require-hashes)(?!.*--no-deps)(?!.*--resolution).*", makefile) == []
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("uv=="))
    assert lines[start + 1].strip().startswith("--hash=sha256:")
