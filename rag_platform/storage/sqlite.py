"""A SQLite file that many processes read and write, with tables that grow by numbered steps."""

import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.files.private import is_open
from rag_platform.storage.sqlite_connections import cannot_write, connect, connect_reading
from rag_platform.storage.upgrades import upgrade_copy

PATIENCE = 15.0
"""Seconds to wait for another process that is writing."""


class SqliteFile:
    """The file, and its tables of today."""

    def __init__(self, path: Path, migrations: Sequence[str]) -> None:
        """Open the file, or make it; `migrations` are the steps to today's tables, only ever appended to."""
        self.path = path
        self._migrations = migrations
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _keep_to_owner(path)
            self._migrate()
        except OSError as error:
            if not self._only_to_be_read(error):
                raise StorageError(f"cannot make {path}: {error.strerror}; nothing can be recorded") from error
        except StorageError as error:
            if not self._only_to_be_read(error.__cause__):
                raise

    def _only_to_be_read(self, error: BaseException | None) -> bool:
        """Return whether the file, or none, can be read where nothing can be written: whoever writes is told then."""
        code = getattr(error, "errno", None)
        full = code in (errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT)
        return full or (error is not None and cannot_write(error))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection; `StorageError` when the file cannot be used. It is not for writing."""
        with self._explained():
            options = {"timeout": PATIENCE, "isolation_level": None}
            connection = connect_reading(self.path, **options)
            if connection is None:  # as if nothing had been written yet
                connection = sqlite3.connect(":memory:", isolation_level=None)
                connection.executescript(";".join(self._migrations))
            with closing(_prepared(connection)):
                yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            why = "nothing can be written there; free some space" if cannot_write(error) else "see `rag doctor`"
            raise StorageError(f"{self.path}: {error}; {why}") from error

    @contextmanager
    def writing(self, *, erasing: bool = False) -> Iterator[sqlite3.Connection]:
        """Give a connection in a transaction, which is undone when the block fails; `erasing`: as of `Database`."""
        with self._explained(), closing(_prepared(self._connected())) as connection:
            if erasing:
                connection.execute("pragma secure_delete = on")
            connection.execute("begin immediate")  # wait for the lock here, not in the middle
            try:
                yield connection
            except BaseException:
                connection.execute("rollback")
                raise
            connection.execute("commit")

    def compact(self) -> None:
        """Leave nothing of what was removed in the file's free pages and in its log."""
        with self.reading() as connection:
            connection.execute("pragma secure_delete = on")
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)")

    def _connected(self) -> sqlite3.Connection:
        return connect(self.path, timeout=PATIENCE, isolation_level=None)

    def _migrate(self) -> None:
        with self._explained(), closing(_prepared(self._connected())) as connection:
            _write_ahead(connection)
            applied = self._applied(connection)
            if applied == len(self._migrations):
                return
            if applied:
                keep_database(connection, upgrade_copy(self.path, applied))
        with self.writing() as connection:
            for number in range(self._applied(connection), len(self._migrations)):
                for statement in self._migrations[number].split(";"):
                    connection.execute(statement)
                connection.execute(f"pragma user_version = {number + 1}")

    def _applied(self, connection: sqlite3.Connection) -> int:
        applied = int(connection.execute("pragma user_version").fetchone()[0])
        if applied > len(self._migrations):
            raise StorageError(self._too_new(applied))
        return applied

    def _too_new(self, applied: int) -> str:
        known, kept = len(self._migrations), upgrade_copy(self.path, len(self._migrations))
        back = (
            f"; or move it aside and copy {kept}, which the upgrade kept, to its place: what was written since is only "
            "in the newer one"
            if kept.exists()
            else "; or restore a backup that this release made (`rag restore`)"
        )
        return (
            f"{self.path} was written by a newer release of rag-platform: its tables are of step {applied}, "
            f"expected at most {known}. Nothing was changed. Update this installation{back}"
        )


def keep_database(connection: sqlite3.Connection, beside: Path) -> None:
    """Copy a database whole to where nothing is yet; others may read and write it meanwhile."""
    if beside.exists():
        return
    with atomic_write(beside) as copied, closing(sqlite3.connect(copied)) as target:
        connection.backup(target)


def _keep_to_owner(path: Path) -> None:
    """Make the file its owner's alone, whatever the umask; what SQLite writes beside it gets the same mode."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for one in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))):
        if is_open(one):
            with suppress(OSError):  # somebody else's: `rag doctor` says so
                one.chmod(0o600)


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.row_factory = sqlite3.Row
    connection.execute("pragma foreign_keys = on")
    connection.execute("pragma synchronous = normal")
    return connection


def _busy(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and not cannot_write(error)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and a writer go on beside each other; SQLite does not wait by itself while others open the file."""
    try:
        _switch_to_log(connection)
    except sqlite3.OperationalError as error:
        if not _busy(error):
            raise
        import tenacity  # which takes long to import, and is seldom needed

        stop, wait = tenacity.stop_after_delay(PATIENCE), tenacity.wait_random(0.01, 0.1)
        again = tenacity.retry_if_exception(_busy)
        tenacity.Retrying(retry=again, stop=stop, wait=wait, reraise=True)(_switch_to_log, connection)


def _switch_to_log(connection: sqlite3.Connection) -> None:
    if connection.execute("pragma journal_mode").fetchone()[0] != "wal":
        connection.execute("pragma journal_mode = wal")
