"""Units that are finished but not yet in a table: one small Parquet file each, signed with spec and unit."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from cvstrat._files import write_atomically
from cvstrat.studies._store import ResultError

_SIGNATURE = b"cvstrat"


class Shards:
    """The loose shards of a folder of results.

    Parameters
    ----------
    folder : Path
        Folder of results.
    spec : str
        Checksum of the spec with which its shards must have been computed.
    """

    def __init__(self, folder: Path, spec: str) -> None:
        self.folder = folder / "shards"
        self.spec = spec

    def path(self, unit: str) -> Path:
        """Return the file of a unit: a readable name, made unique by a checksum."""
        readable = re.sub(r"[^\w.-]+", "_", unit)[-80:]
        return self.folder / f"{readable}-{hashlib.sha256(unit.encode()).hexdigest()[:8]}.parquet"

    def write(self, unit: str, frame: pd.DataFrame, skipped: str = "") -> None:
        """Write what a unit gave: rows, or the reason why it does not apply."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pandas(frame, preserve_index=False)
        signature = json.dumps({"spec": self.spec, "unit": unit, "skipped": skipped}).encode()
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), _SIGNATURE: signature})
        buffer = io.BytesIO()
        pq.write_table(table, buffer, compression="zstd")
        write_atomically(self.path(unit), buffer.getvalue())

    def read(self, unit: str) -> tuple[pd.DataFrame, str] | None:
        """Return rows and reason of a finished unit; None if there is no shard; raise if it is not the unit's."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path(unit)
        if not path.exists():
            return None
        try:
            table = pq.read_table(io.BytesIO(path.read_bytes()))
        except (pa.ArrowException, OSError) as error:
            raise ResultError(f"{path.name} is damaged") from error
        signature = json.loads((table.schema.metadata or {}).get(_SIGNATURE, b"{}"))
        if (signature.get("spec"), signature.get("unit")) != (self.spec, unit):
            raise ResultError(f"{path.name} is of another run")
        return table.to_pandas(), signature["skipped"]

    def remove(self, units: Iterable[str]) -> None:
        """Delete the shards of units whose rows are in the tables now."""
        for unit in units:
            self.path(unit).unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()
