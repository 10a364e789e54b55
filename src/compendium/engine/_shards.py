"""Units that are finished but not yet in a table: a Parquet file each, signed with spec and unit, with a checksum."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from compendium.engine._store import ResultError
from compendium.files import write_atomically

_SIGNATURE = b"cvstrat"
_CHECKSUM = hashlib.sha256().digest_size


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
        content = buffer.getvalue()
        write_atomically(self.path(unit), content + hashlib.sha256(content).digest())

    def read(self, unit: str) -> tuple[pd.DataFrame, str] | None:
        """Return rows and reason of a finished unit; None if there is no shard; raise if it is not the unit's."""
        import pyarrow.parquet as pq

        path = self.path(unit)
        if not path.exists():
            return None
        found = path.read_bytes()
        content = found[:-_CHECKSUM]
        if hashlib.sha256(content).digest() != found[-_CHECKSUM:]:
            raise ResultError(f"{path.name} is damaged")
        table = pq.read_table(io.BytesIO(content))
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
