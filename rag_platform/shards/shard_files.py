"""Where shards are committed: a table written beside and renamed, then its receipt."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rag_platform.storage.atomic import atomic_write, file_sha256, write_bytes

FOLDER = "shards"
"""Of a workspace's data. What lies there is needed until its stage has written its table."""


@dataclass(frozen=True, slots=True)
class ShardFiles:
    """The committed shards of one stage of one source. Several may commit one shard: all write the same."""

    folder: Path

    def put(self, key: str, table: pl.DataFrame) -> None:
        """Commit a shard."""
        path = self.folder / f"{key}.parquet"
        with atomic_write(path) as beside:
            table.write_parquet(beside, compression="lz4")
            sha256 = file_sha256(beside)
        write_bytes(self._receipt(key), json.dumps({"sha256": sha256, "rows": table.height}).encode())

    def get(self, key: str) -> pl.DataFrame | None:
        """Return the table of a shard; None: it has no receipt, or is not what its receipt says."""
        path = self.folder / f"{key}.parquet"
        try:
            receipt = json.loads(self._receipt(key).read_bytes())
            return pl.read_parquet(path) if file_sha256(path) == receipt["sha256"] else None
        except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
            return None

    def clear(self) -> None:
        """Remove all of them."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _receipt(self, key: str) -> Path:
        return self.folder / f"{key}.json"
