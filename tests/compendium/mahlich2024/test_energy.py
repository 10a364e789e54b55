"""An estimate of energy: what codecarbon says, or how to get it."""

import sys
import types

import pytest

from compendium.mahlich2024 import energy


class Tracker:
    """Stands in for codecarbon's offline tracker."""

    stopped = 0

    def __init__(self, **options):
        assert options["save_to_file"] is False
        self._hardware = [types.SimpleNamespace(_mode="constant")]
        self.final_emissions_data = types.SimpleNamespace(duration=2.0, energy_consumed=0.003)

    def start(self):
        pass

    def stop(self):
        type(self).stopped += 1


def test_without_codecarbon_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "codecarbon", None)
    ran = []
    with pytest.raises(ModuleNotFoundError, match=r"pip install -e 'src/compendium\[energy\]'"):
        energy.estimate_energy(lambda: ran.append(1))
    assert not ran


def test_the_job_runs_once_and_kilowatt_hours_become_watt_hours(monkeypatch):
    monkeypatch.setitem(sys.modules, "codecarbon", types.SimpleNamespace(OfflineEmissionsTracker=Tracker))
    ran = []
    found = energy.estimate_energy(lambda: ran.append(1))
    assert ran == [1]
    assert found.to_dict() == {"seconds": 2.0, "watt_hours": pytest.approx(3.0), "processor": "constant"}


def test_a_job_that_fails_leaves_no_tracker_behind(monkeypatch):
    monkeypatch.setitem(sys.modules, "codecarbon", types.SimpleNamespace(OfflineEmissionsTracker=Tracker))
    before = Tracker.stopped
    with pytest.raises(ZeroDivisionError):
        energy.estimate_energy(lambda: 1 / 0)
    assert Tracker.stopped == before + 1
