"""A small run of the study of balance that its tests share."""

import pytest

from compendium import engine
from compendium.balance.study import BALANCE


@pytest.fixture(scope="package")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("balance")
    engine.run(BALANCE, profile="smoke", folder=folder, jobs=1, quiet=True)
    return engine.read_tables("balance", folder)
