"""The files around the code say the same things."""

import re
import tomllib
from pathlib import Path

import yaml

import cvstrat

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()


def bare(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ;]", requirement, maxsplit=1)[0].lower()


def direct() -> set[str]:
    """Packages that book and tests need; an estimate of energy is for those who ask for it."""
    extras = [packages for name, packages in PROJECT["optional-dependencies"].items() if name != "energy"]
    named = {bare(one) for group in (PROJECT["dependencies"], *extras) for one in group}
    return named - {"cvstrat"}


def locked() -> dict[str, str]:
    """Versions of the lock for Python 3.11."""
    lines = re.findall(r"^([a-z0-9_.-]+)==(\S+)(?: ; (.*?))? \\$", LOCK, flags=re.M)
    return {name: version for name, version, marker in lines if ">= '3.12'" not in (marker or "")}


def test_versions_agree():
    assert PROJECT["version"] == cvstrat.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == cvstrat.__version__
    assert f"version = {{{cvstrat.__version__}}}" in (ROOT / "book" / "citing.md").read_text()


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
    assert {bare(one) for one in PROJECT["dependencies"]} == {
        "joblib",
        "kneed",
        "numpy",
        "pandas",
        "platformdirs",
        "scikit-learn",
        "scipy",
        "threadpoolctl",
    }


def test_every_make_target_is_in_the_help():
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, flags=re.M).group(1).split()
    explained = re.findall(r"^([a-z]+):.*## ", text, flags=re.M)
    assert sorted(phony) == sorted(explained)


def test_every_page_of_the_table_of_contents_exists():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]
    for file in files:
        assert (ROOT / f"{file}.md").is_file(), file
    pages = {path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("[bn]*o*k*/*.md")}
    assert pages == set(files)
