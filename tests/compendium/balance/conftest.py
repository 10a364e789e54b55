"""A small run of the study of balance that its tests share."""

import pytest

from compendium import engine


@pytest.fixture(scope="package")
def results(smoke_run):
    return engine.read_tables("balance", smoke_run("balance"))
