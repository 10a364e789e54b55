"""Time and peak memory of ``cvstrat split`` on a Parquet file of ten million rows, and time of ``cvstrat --help``."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

N_ROWS, N_FEATURES, N_CLASSES, BATCH = 10_000_000, 10, 5, 500_000


def run() -> pd.DataFrame:
    """Return a row per command: seconds by the clock and of the processor, and the peak of memory in GB."""
    with tempfile.TemporaryDirectory() as folder:
        data, folds = Path(folder, "data.parquet"), Path(folder, "folds.csv")
        write_table(data)
        split = ("split", data, "--target", "y", "-o", folds, "--force")
        commands = {
            "--help": ("--help",),
            "split, SCV": (*split, "--ignore", "patient", "--technique", "SCV"),
            "split, SCBCV-Mini": (*split, "--ignore", "patient"),
            "split, SCBCV-Mini, a million groups": (*split, "--groups", "patient"),
        }
        return pd.DataFrame([{"command": name} | _measure(words) for name, words in commands.items()])


def write_table(path: Path) -> None:
    """Write classes of four clusters each, and ten rows per patient, in batches."""
    rng = np.random.default_rng(0)
    centers = rng.normal(scale=4, size=(N_CLASSES, 4, N_FEATURES))
    writer = None
    for start in range(0, N_ROWS, BATCH):
        y = rng.choice(N_CLASSES, BATCH, p=[0.5, 0.3, 0.15, 0.04, 0.01])
        X = centers[y, rng.integers(4, size=BATCH)] + rng.normal(size=(BATCH, N_FEATURES))
        columns = {f"x{number}": X[:, number] for number in range(N_FEATURES)}
        columns |= {"patient": np.arange(start, start + BATCH) // 10, "y": np.array(list("abcde"))[y]}
        table = pa.table(columns)
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def _measure(words) -> dict[str, float]:
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-m", "cvstrat_cli", *map(str, words)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)  # of this child alone; it starts as a copy of us, about 0.5 GB
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{words} ended with {child.returncode}")
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "cpu_seconds": used.ru_utime + used.ru_stime, "peak_gb": used.ru_maxrss / 2**20}
