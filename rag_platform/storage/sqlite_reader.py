"""A kept connection to a SQLite file that others write: tells in microseconds whether they did."""

import os
import sqlite3
import threading
import weakref
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.storage.sqlite import PATIENCE


class SqliteReader:
    """Reads a file; safe to ask from many threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._closing: weakref.finalize[[], SqliteReader] | None = None
        self._file: tuple[int, int] | None = None
        self._opened = 0

    def state(self) -> Hashable:
        """Return what is another one after every change by any process; None: there is no file.

        Raises:
            StorageError: it cannot be read.
        """
        found = self.rows("pragma data_version")
        return (self._opened, found[0][0]) if found else None

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Return the rows of a query; none when there is no file. Raises as `state`."""
        with self._lock:
            try:
                connection = self._open()
                return connection.execute(sql, values).fetchall() if connection else []
            except sqlite3.Error as error:
                self._close()
                raise StorageError(f"{self.path} cannot be read ({error})") from error

    def _open(self) -> sqlite3.Connection | None:
        """Return the connection; another one when another file lies there."""
        try:
            status = os.stat(self.path)  # noqa: PTH116  the string's is twice as fast
        except FileNotFoundError:
            self._close()
            return None
        if self._connection is None or self._file != (status.st_dev, status.st_ino):
            self._close()
            self._file, self._opened = (status.st_dev, status.st_ino), self._opened + 1
            self._connection = self._connected()
            # also at the process's exit: whoever closes the last one takes away the files beside the database
            self._closing = weakref.finalize(self, self._connection.close)
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        """Connect; where nothing can be written, nobody writes beside, and the file alone tells everything."""
        try:
            return self._tried(str(self.path))
        except sqlite3.OperationalError:
            beside = self.path.with_name(f"{self.path.name}-wal")
            if beside.exists() and beside.stat().st_size:  # an empty one tells nothing: a full disk leaves one
                return self._tried(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
            return self._tried(f"{self.path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)

    def _tried(self, address: str, *, uri: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(address, uri=uri, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("select count(*) from sqlite_master").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _close(self) -> None:
        if self._closing is not None:
            self._closing()
            self._connection = self._file = self._closing = None
