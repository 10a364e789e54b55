"""An estimate of the energy that a computation takes."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd


def estimate_energy(job: Callable[[], object]) -> pd.Series:
    """Run something and estimate the energy it takes, by codecarbon and without any request to the net.

    Parameters
    ----------
    job : callable
        A function of no arguments; it is called once, and what it returns is not used.

    Returns
    -------
    Series
        ``seconds``; ``watt_hours`` (an estimate) of processor and memory; ``processor`` (how codecarbon knew its power:
        ``rapl`` and the like are counters of the machine, ``cpu_load`` and ``constant`` assume a power).

    Notes
    -----
    Needs codecarbon, of the compendium's extra ``energy``. Where a machine has no counter that may be read, as in most
    virtual ones, codecarbon multiplies the seconds by an assumed power: such a figure says no more than the seconds.
    """
    try:
        from codecarbon import OfflineEmissionsTracker
    except ModuleNotFoundError as error:
        if error.name != "codecarbon":
            raise
        raise ModuleNotFoundError(
            "an estimate of energy needs codecarbon: pip install -e 'src/compendium[energy]'", name="codecarbon"
        ) from error
    tracker = OfflineEmissionsTracker(
        country_iso_code="DEU",  # asked for; decides emissions, which are not used, and not energy
        save_to_file=False,
        log_level="error",
        measure_power_secs=1,
        tracking_mode="process",
        allow_multiple_runs=True,
    )
    tracker.start()
    try:
        job()
    finally:
        tracker.stop()
    found = tracker.final_emissions_data
    mode = next((str(part._mode) for part in tracker._hardware if hasattr(part, "_mode")), "unknown")
    return pd.Series({"seconds": found.duration, "watt_hours": 1000 * found.energy_consumed, "processor": mode})
