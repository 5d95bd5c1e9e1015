"""Where each stage's table lies: one Parquet file per stage and source, replaced atomically.

Readers never lock: they see the old file or the new one. A writer holds the lock of its source.
"""

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import polars as pl

from rag_platform.core.errors import DamagedFile
from rag_platform.core.ports import Locks
from rag_platform.core.schemas import ACCESS, CHUNKS, DOCUMENTS, RAW
from rag_platform.storage.atomic import free_bytes, write_bytes
from rag_platform.storage.blobs import Blobs
from rag_platform.storage.hashed.table_files import (
    forget_table,
    keep_previous,
    noted_tables,
    previous_table,
    set_aside,
    table_problem,
    table_write,
)
from rag_platform.storage.locks import FileLocks
from rag_platform.storage.migrations import (
    keep_before_upgrade,
    latest_version,
    migrated,
    schema_version,
    version_metadata,
)
from rag_platform.storage.relational.shared_records import SharedRecords

SCHEMAS = {"raw": RAW, "documents": DOCUMENTS, "chunks": CHUNKS, "access": ACCESS}

Compression = Literal["zstd", "uncompressed"]

KEPT = ("raw", "access")
"""What sources said, which cannot be computed again: the table before the last one is kept."""
READERS = "access"
"""The stage whose tables are asked at each query, by all machines that answer."""


class Store:
    """The tables of a workspace."""

    def __init__(self, folder: Path, locks: Locks | None = None, *, records: SharedRecords | None = None) -> None:
        """`locks` keep other writers out, of other machines too; None: files in the folder do.

        `records` have the tables of `READERS` for machines without the folder, whose files are copies then.
        """
        self.folder, self._records = folder, records
        self.locks = locks or FileLocks(folder / "locks")
        self.blobs: Blobs = Blobs(folder / "raw" / "blobs")
        self._written = 0

    @property
    def written(self) -> int:
        """Bytes written since this object was made: tables, blobs and what `wrote` counted."""
        return self._written + self.blobs.written

    def path(self, stage: str, source: str) -> Path:
        """Return the file of a stage's table; an embeddings stage is ``embeddings/<model fingerprint>``."""
        return self.folder / stage / f"{source}.parquet"

    def here(self, stage: str, source: str) -> Path:
        """Return the file of a stage's table as it is now: one that other machines write is fetched."""
        return self.path(stage, source)

    def bring_here(self) -> None:
        """Have the files of all tables and all raw bytes on this machine, where they are."""

    def damages(self) -> Iterator[tuple[str, str, str]]:
        """Yield (stage, source, what is wrong) of tables that lie elsewhere than in the folder."""
        yield from ()

    def sweep(self) -> None:
        """Remove what killed writers left elsewhere."""

    def out_of_reach(self) -> list[str]:
        """Say what keeps things that were removed, and cannot be told to let go."""
        return []

    def is_copy(self, stage: str) -> bool:  # noqa: ARG002
        """Return whether the files of a stage are copies, which are fetched again when they are damaged."""
        return False

    def restore_previous(self, stage: str, source: str) -> bool:
        """Put the table before the last one in its place; returns whether there was one."""
        previous = previous_table(self.path(stage, source))
        if not previous.exists():
            return False
        with self.rewriting(stage, source) as beside:
            shutil.copyfile(previous, beside)
        return True

    def stages(self, below: str) -> list[str]:
        """Name the stages below one that is a group of them, such as `embeddings`."""
        return sorted(f"{below}/{folder.name}" for folder in (self.folder / below).glob("[!.]*/"))

    def read(self, stage: str, source: str, schema: pl.Schema | None = None) -> pl.DataFrame:
        """Read a table, migrated to today's columns; one that was never written is empty.

        Raises:
            StorageError: it cannot be read, or has columns that this release does not know.
        """
        schema = schema or SCHEMAS[stage]
        path = self.here(stage, source)
        if stage == READERS and self._records and (content := self._records.get((stage, source))):
            return pl.read_parquet(content).cast(schema)
        if problem := table_problem(path):
            raise DamagedFile(path, problem)
        if not path.exists():
            return pl.DataFrame(schema=schema)
        with _explaining_damage(path):
            return migrated(pl.read_parquet(path), stage, path, schema)

    def select(
        self, stage: str, source: str, columns: Sequence[str], condition: pl.Expr, schema: pl.Schema | None = None
    ) -> pl.DataFrame:
        """Read those columns of the rows of a table for which a condition holds; otherwise as `read`."""
        path, schema = self.here(stage, source), schema or SCHEMAS[stage]
        if problem := table_problem(path):
            raise DamagedFile(path, problem)
        with _explaining_damage(path):
            current = path.exists() and schema_version(path) == latest_version(stage)
            if current and pl.read_parquet_schema(path) == schema:
                return pl.scan_parquet(path).filter(condition).select(columns).collect()
        return self.read(stage, source, schema).filter(condition).select(columns)

    def column(self, stage: str, source: str, name: str, schema: pl.Schema) -> pl.Series:
        """Read one column of a table, otherwise as `read`."""
        path = self.here(stage, source)
        if path.exists() and not table_problem(path) and schema_version(path) == latest_version(stage):
            with _explaining_damage(path):
                if pl.read_parquet_schema(path) == schema:
                    return pl.read_parquet(path, columns=[name])[name]
        return self.read(stage, source, schema)[name]

    def write(self, stage: str, source: str, frame: pl.DataFrame, compression: Compression = "zstd") -> None:
        """Replace a table; what it was before an upgrade is kept."""
        keep_before_upgrade(self.path(stage, source), stage)
        if stage in KEPT:
            keep_previous(self.path(stage, source))
        with self.rewriting(stage, source) as beside:
            frame.write_parquet(beside, compression=compression, metadata=version_metadata(latest_version(stage)))
            self._written += beside.stat().st_size

    @contextmanager
    def rewriting(self, stage: str, source: str) -> Iterator[Path]:
        """Give a file to write, which takes the place of the table's when the block ends well."""
        self.locks.assure()
        with table_write(self.path(stage, source)) as beside:
            yield beside
            if stage == READERS:
                self._share_readers(source, beside)  # first, so that no machine shows what was withdrawn

    def table(self, stage: str, source: str, schema: pl.Schema | None = None) -> "Table":
        """Open a table to bring it up to date; a damaged one is set aside and made anew, if it was computed."""
        try:
            frame = self.read(stage, source, schema)
        except DamagedFile as error:
            if stage in KEPT:
                raise
            logging.getLogger(__name__).warning("%s: it is set aside and made anew", error)
            self.set_aside(stage, source)
            frame = self.read(stage, source, schema)
        return Table(self, stage, source, frame)

    def mend(self, stage: str, source: str) -> None:
        """Set a table aside whose file is not what was written, to be made anew; nothing of it is read."""
        try:
            problem = table_problem(self.here(stage, source))
        except DamagedFile as error:
            problem = str(error)
        if problem:
            logging.getLogger(__name__).warning("%s: it is set aside and made anew", problem)
            self.set_aside(stage, source)

    def set_aside(self, stage: str, source: str) -> Path | None:
        """Move a damaged table to where such are kept; returns where, None when it was missing."""
        path = self.path(stage, source)
        kept = set_aside(path, self.folder) if path.exists() else None
        self.drop(stage, source)
        return kept

    def wrote(self, count: int) -> None:
        """Count bytes that were written in the workspace by other ways."""
        self._written += count

    def sources(self, stage: str) -> list[str]:
        """Name the sources that have a table of this stage."""
        folder = self.folder / stage
        shared = self._records.marks() if stage == READERS and self._records else ()
        named = {name for kind, name in shared if kind == stage}
        return sorted(named | {path.stem for path in (*folder.glob("*.parquet"), *noted_tables(folder))})

    def drop(self, stage: str, source: str) -> None:
        """Remove a table."""
        self.locks.assure()
        if stage == READERS and self._records:
            self._records.drop((stage, source))
        forget_table(self.path(stage, source))

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold the writer's lock of that name; `WorkspaceBusy` names the process that holds it already."""
        with self.locks.hold(name):
            self._clear_away(name)
            self._keep_out_of_git()
            self._hand_over_readers(name)
            yield

    def _hand_over_readers(self, source: str) -> None:
        """Let other machines know what the file says, where they know nothing of this source."""
        path = self.path(READERS, source)
        if self._records and path.exists() and (READERS, source) not in self._records.marks():
            self.read(READERS, source)  # a damaged one is told
            self._share_readers(source, path)

    def _share_readers(self, source: str, file: Path) -> None:
        if self._records:
            content = file.read_bytes()
            self._records.change((READERS, source), lambda _: content)

    def _keep_out_of_git(self) -> None:
        """Let git ignore the folder, wherever the workspace lies: it holds what the sources hold."""
        ignored = self.folder / ".gitignore"
        if not ignored.exists():
            write_bytes(ignored, b"*\n")

    def _clear_away(self, source: str) -> None:
        """Remove what killed runs left unfinished: only the lock's holder writes the source's tables."""
        for stage in ("*", "embeddings/*"):
            for path in self.folder.glob(f"{stage}/.{source}.parquet.*.new"):
                path.unlink(missing_ok=True)

    def free_bytes(self) -> int:
        """Return how much can still be written."""
        return free_bytes(self.folder)


class Table:
    """A table that is being brought up to date; what has not changed is not written again."""

    def __init__(self, store: Store, stage: str, source: str, frame: pl.DataFrame) -> None:
        self.frame = frame
        """As it is on the disk; empty when there is none."""
        self._store, self._stage, self._source = store, stage, source

    def replace(self, frame: pl.DataFrame) -> None:
        """Put another table in its place."""
        if not (frame.equals(self.frame) and self._store.path(self._stage, self._source).exists()):
            self._store.write(self._stage, self._source, frame)
        self.frame = frame


@contextmanager
def _explaining_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamagedFile(path, f"it cannot be read ({error})") from error
