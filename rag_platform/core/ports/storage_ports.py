"""What we ask of the places of raw bytes and of the stages' tables: a folder, or an object store of many machines."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import polars as pl


class BlobStore(Protocol):
    """Raw bytes by their sha256, compressed, written once."""

    written: int
    """Bytes written through this object."""

    def put(self, content: bytes) -> str:
        """Keep the bytes and return their sha256."""
        ...

    def get(self, sha256: str) -> bytes:
        """Return the bytes of that hash, checked.

        Raises:
            DamagedFile: they are others.
            StorageError: they are not there.
        """
        ...

    def has(self, sha256: str) -> bool:
        """Return whether the bytes of that hash are there."""
        ...

    def file(self, sha256: str) -> Path:
        """Return the file of this machine that has them, compressed; `StorageError` when they are not there."""
        ...

    def hashes(self) -> Iterator[str]:
        """Go through all that is there."""
        ...

    def remove(self, sha256: str) -> None:
        """Remove the bytes of that hash, if they are there."""
        ...


class TableStore(Protocol):
    """One table for each stage and source, replaced whole or not at all. Readers never lock."""

    def path(self, stage: str, source: str) -> Path:
        """Return where this machine has the file of a table."""
        ...

    def read(self, stage: str, source: str, schema: pl.Schema | None = None) -> pl.DataFrame:
        """Read a table, with today's columns; one that was never written is empty."""
        ...

    def select(
        self, stage: str, source: str, columns: Sequence[str], condition: pl.Expr, schema: pl.Schema | None = None
    ) -> pl.DataFrame:
        """Read those columns of the rows of a table for which a condition holds."""
        ...

    def write(self, stage: str, source: str, frame: pl.DataFrame) -> None:
        """Replace a table.

        Raises:
            StorageError: it cannot be written, or another machine has written it since it was read here.
            LockLost: the writer's lock is another's by now.
        """
        ...

    def rewriting(self, stage: str, source: str) -> AbstractContextManager[Path]:
        """Give a file to write, which takes the place of the table's when the block ends well."""
        ...

    def drop(self, stage: str, source: str) -> None:
        """Remove a table."""
        ...

    def sources(self, stage: str) -> list[str]:
        """Name the sources that have a table of this stage."""
        ...

    def stages(self, below: str) -> list[str]:
        """Name the stages below one that is a group of them, such as `embeddings`."""
        ...

    def bring_here(self) -> None:
        """Have the files of all tables and all raw bytes on this machine."""
        ...

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Hold the writer's lock of that name."""
        ...
