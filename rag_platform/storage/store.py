"""Where each stage's table lives: one Parquet file per stage and source, replaced atomically.

Readers never lock: they see the old file or the new one. Raw bytes are content-addressed, compressed and never
rewritten. Every write goes beside its target, reaches the disk, then takes its place.
"""

import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl
import zstandard

from rag_platform.core.errors import RagError, StorageError, WorkspaceBusy
from rag_platform.core.records import CHUNKS, DOCUMENTS, RAW

SCHEMAS = {"raw": RAW, "documents": DOCUMENTS, "chunks": CHUNKS}


_FULL = 1_000_000
"""With fewer bytes free, a library that only says that it could not write has met a full disk."""


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Give a path beside `path` to write to; when the block ends well it takes the place of `path`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with explaining_full_disk(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            yield beside
            to_disk(beside)
            os.replace(beside, path)
            to_disk(path.parent)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def explaining_full_disk(path: Path) -> Iterator[None]:
    """Translate what is raised while `path` is written; each library says in its own way that the disk is full."""
    try:
        yield
    except RagError:
        raise
    except Exception as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error)
        if full or _free_bytes(path) < _FULL:
            raise StorageError(
                f"no space left to write {path}; what was there before is untouched. Free some space and run again."
            ) from error
        if isinstance(error, OSError):
            raise StorageError(
                f"cannot write {path}: {error.strerror or error}; what was there before is untouched"
            ) from error
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file's content atomically."""
    with writing(path) as beside:
        beside.write_bytes(content)


def file_sha256(path: Path) -> str:
    """Hash a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def to_disk(path: Path) -> None:
    """Wait until a file or folder has reached the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Blobs:
    """Raw bytes by their sha256, compressed, written once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written = 0
        """Bytes written through this object."""

    def path(self, sha256: str) -> Path:
        """Return where the bytes of that hash lie."""
        return self.folder / sha256[:2] / f"{sha256}.zst"

    def put(self, content: bytes) -> str:
        """Keep the bytes and return their sha256."""
        sha256 = hashlib.sha256(content).hexdigest()
        if not self.path(sha256).exists():
            packed = zstandard.compress(content)
            write_bytes(self.path(sha256), packed)
            self.written += len(packed)
        return sha256

    def get(self, sha256: str) -> bytes:
        """Return the bytes of that hash, checked."""
        try:
            content = zstandard.decompress(self.path(sha256).read_bytes())
        except FileNotFoundError:
            raise StorageError(f"the raw bytes {sha256} are not in {self.folder}; sync their source again") from None
        except zstandard.ZstdError as error:
            raise self._damaged(sha256, str(error)) from error
        if hashlib.sha256(content).hexdigest() != sha256:
            raise self._damaged(sha256, "other bytes than its name says")
        return content

    def _damaged(self, sha256: str, why: str) -> StorageError:
        return StorageError(f"the raw bytes {self.path(sha256)} are damaged: {why}; delete the file and sync again")


class Store:
    """The tables of a workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blobs = Blobs(folder / "raw" / "blobs")
        self._written = 0

    @property
    def written(self) -> int:
        """Bytes written since this object was made: tables, blobs and what `wrote` was told of."""
        return self._written + self.blobs.written

    def path(self, stage: str, source: str) -> Path:
        """Return the file of a stage's table; an embeddings stage is ``embeddings/<model fingerprint>``."""
        return self.folder / stage / f"{source}.parquet"

    def read(self, stage: str, source: str, schema: pl.Schema | None = None) -> pl.DataFrame:
        """Read a table; one that was never written, or has other columns than today's, is empty."""
        schema = schema or SCHEMAS[stage]
        path = self.path(stage, source)
        if not path.exists():
            return pl.DataFrame(schema=schema)
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise _unreadable(path, error) from error
        if stage == "raw" and schema.keys() - set(frame.columns) == {"renamed_from"}:  # an older release's: keep it
            frame = frame.with_columns(pl.lit(None, pl.String).alias("renamed_from"))
        return frame if frame.schema == schema else pl.DataFrame(schema=schema)

    def select(self, stage: str, source: str, columns: Sequence[str], condition: pl.Expr) -> pl.DataFrame:
        """Read those columns of the rows of a table for which a condition holds; as `read` of what is not there."""
        path = self.path(stage, source)
        empty = pl.DataFrame(schema={name: SCHEMAS[stage][name] for name in columns})
        if not path.exists():
            return empty
        try:
            frame = pl.scan_parquet(path)
            if not set(columns) <= set(frame.collect_schema()):
                return empty
            return frame.filter(condition).select(columns).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise _unreadable(path, error) from error

    def write(self, stage: str, source: str, frame: pl.DataFrame) -> None:
        """Replace a table."""
        with writing(self.path(stage, source)) as beside:
            frame.write_parquet(beside, compression="zstd")
            self._written += beside.stat().st_size

    def table(self, stage: str, source: str, schema: pl.Schema | None = None) -> "Table":
        """Open a table to bring it up to date."""
        return Table(self, stage, source, self.read(stage, source, schema))

    def wrote(self, count: int) -> None:
        """Count bytes that were written in the workspace by other ways."""
        self._written += count

    def sources(self, stage: str) -> list[str]:
        """Name the sources that have a table of this stage."""
        return sorted(path.stem for path in (self.folder / stage).glob("*.parquet"))

    def drop(self, stage: str, source: str) -> None:
        """Remove a table."""
        self.path(stage, source).unlink(missing_ok=True)

    def query(self, sql: str) -> pl.DataFrame:
        """Ask DuckDB, for which each stage is a view of all its sources' tables (with a column `source`)."""
        with duckdb.connect() as connection:
            connection.execute("set autoinstall_known_extensions = false").fetchall()
            for stage in SCHEMAS:
                if self.sources(stage):
                    pattern = str(self.folder / stage / "*.parquet").replace("'", "''")
                    connection.execute(
                        f"create view {stage} as select parse_filename(filename, true) as source, * exclude (filename) "
                        f"from read_parquet('{pattern}', filename = true)"
                    ).fetchall()
            return connection.sql(sql).pl()

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold the writer's lock of that name; it goes with the process, however that ends."""
        path = self.folder / "locks" / f"{name}.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                holder = file.read().strip() or "unknown"
                raise WorkspaceBusy(
                    f"process {holder} is writing {name!r} in {self.folder}; wait until it ends, then run again"
                ) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            self._clear_away(name)
            self._keep_out_of_git()
            yield

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
        return _free_bytes(self.folder)


class Table:
    """A table that is being brought up to date; what has not changed is not written again."""

    def __init__(self, store: Store, stage: str, source: str, frame: pl.DataFrame) -> None:
        self.frame = frame
        """As it stands on the disk; empty when there is none, or one of other columns."""
        self._store, self._stage, self._source = store, stage, source

    def replace(self, frame: pl.DataFrame) -> None:
        """Put another table in its place."""
        if not (frame.equals(self.frame) and self._store.path(self._stage, self._source).exists()):
            self._store.write(self._stage, self._source, frame)
        self.frame = frame


def _unreadable(path: Path, error: Exception) -> StorageError:
    return StorageError(f"{path} cannot be read ({error}); delete it and sync again: it is rebuilt")


def _free_bytes(path: Path) -> int:
    there = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    return shutil.disk_usage(there).free
