"""Units that are finished but not yet in a table: a Parquet file each, signed with spec, unit and a checksum."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from compendium.engine._store import ResultError
from compendium.files import write_atomically

if TYPE_CHECKING:
    import pyarrow as pa

_UNREADABLE = re.compile(r"[^\w.-]+")
_SIGNATURE = b"cvstrat"
# The checksum stands in the file's metadata, near its end, so that any reader opens the file; it is the checksum of the
# file with zeros in its place.
_BEFORE, _BLANK = b'"sha256": "', b"0" * 64


class ForeignShard(ResultError):
    """A shard of another spec or unit than its name says; not damaged, but of no use here."""


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

    @staticmethod
    def name(unit: str) -> str:
        """Return the name of a unit's file: readable, and made unique by a checksum."""
        readable = _UNREADABLE.sub("_", unit)[-80:]
        return f"{readable}-{hashlib.sha256(unit.encode()).hexdigest()[:8]}.parquet"

    def path(self, unit: str) -> Path:
        """Return the file of a unit."""
        return self.folder / self.name(unit)

    def names(self) -> set[str]:
        """Return the names of the files there are."""
        return {path.name for path in self.folder.iterdir()} if self.folder.is_dir() else set()

    def write(self, unit: str, frame: pd.DataFrame, skipped: str = "") -> None:
        """Write what a unit gave: rows, or the reason why it does not apply."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pandas(frame, preserve_index=False)
        signature = json.dumps({"sha256": _BLANK.decode(), "spec": self.spec, "unit": unit, "skipped": skipped})
        buffer = pa.BufferOutputStream()
        with pq.ParquetWriter(
            buffer, table.schema, compression="none", use_dictionary=False, write_statistics=False
        ) as writer:
            writer.write_table(table)
            writer.add_key_value_metadata({_SIGNATURE: signature.encode()})
        before, _, after = _around_checksum(buffer.getvalue().to_pybytes())
        write_atomically(self.path(unit), before + _checksum(before, after) + after)

    def read(self, unit: str) -> tuple[pa.Table, str]:
        """Return rows and reason of a finished unit; raise if the shard is damaged, or not the unit's."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path(unit)
        content = path.read_bytes()
        before, checksum, after = _around_checksum(content)
        if checksum != _checksum(before, after):
            raise ResultError(f"{path.name} is damaged")
        file = pq.ParquetFile(pa.BufferReader(content))
        signature = json.loads(file.metadata.metadata[_SIGNATURE])
        if (signature["spec"], signature["unit"]) != (self.spec, unit):
            raise ForeignShard(f"{path.name} is of another run")
        rows = file.read(use_threads=False)
        return rows.replace_schema_metadata({b"pandas": rows.schema.metadata[b"pandas"]}), signature["skipped"]

    def remove(self, names: Iterable[str]) -> None:
        """Delete the files of units whose rows are in the tables now."""
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(f"{self.folder}/{name}")  # noqa: PTH108, for there may be many
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()


def join(shards: list[pa.Table]) -> pd.DataFrame:
    """Return the rows of many shards as one frame, the same as from joining the frames they were written from."""
    import pyarrow as pa

    if all(shard.schema.equals(shards[0].schema, check_metadata=True) for shard in shards):
        shards = [pa.concat_tables(shards)]
    frames: list[pd.DataFrame] = [shard.to_pandas() for shard in shards]
    return pd.concat(frames, ignore_index=True)


def _around_checksum(content: bytes) -> tuple[bytes, bytes, bytes]:
    """Return what stands before the checksum of a file, the checksum, and what stands after it."""
    start = content.rfind(_BEFORE) + len(_BEFORE)
    return content[:start], content[start : start + len(_BLANK)], content[start + len(_BLANK) :]


def _checksum(before: bytes, after: bytes) -> bytes:
    return hashlib.sha256(before + _BLANK + after).hexdigest().encode()
