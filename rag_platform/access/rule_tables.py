"""Where the decisions of people lie: a file of SQLite, or a server that several machines ask at each query."""

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from rag_platform.access.migrations import MIGRATIONS
from rag_platform.core.lazy import locked_cached_property
from rag_platform.storage.relational.app_database import Connection, Database
from rag_platform.storage.sqlite import SqliteFile
from rag_platform.storage.sqlite_reader import SqliteReader

_STATE = """select (select coalesce(max(id), 0) from changes), (select count(*) from rules),
    (select count(*) from members), (select count(*) from quarantine)"""
"""Each change is logged; what was forgotten is removed without."""


class RuleTables(Protocol):
    """Tables of `MIGRATIONS`."""

    def state(self) -> Hashable:
        """Return what is another one after every change by anybody; None: there are no tables."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> Sequence[Any]:
        """Return the rows of a query."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction."""

    def prepare(self) -> None:
        """Make the tables where there are none."""


class FileTables:
    """Those of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader = SqliteReader(path)

    def state(self) -> Hashable:
        """Return what SQLite and the file say of it."""
        return self._reader.state()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> Sequence[Any]:
        """Return the rows of a query; none where there is no file."""
        return self._reader.rows(sql, values)

    def writing(self) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction."""
        return SqliteFile(self.path, MIGRATIONS).writing()

    def prepare(self) -> None:
        """Make the file; from then on a missing one is damage, and nothing is shown without it."""
        if not self.path.exists():
            SqliteFile(self.path, MIGRATIONS)


class ServerTables:
    """Those of a database that processes on many machines read and change."""

    def __init__(self, database: Callable[[], Database]) -> None:
        """`database` opens the tables, and makes them."""
        self._open = database

    def state(self) -> Hashable:
        """Ask the server."""
        return tuple(self.rows(_STATE)[0])

    def rows(self, sql: str, values: Sequence[Any] = ()) -> Sequence[Any]:
        """Return the rows of a query."""
        with self._database.reading() as connection:
            return connection.execute(sql, values).fetchall()

    def writing(self) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction."""
        return self._database.writing()

    def prepare(self) -> None:
        """Make the tables."""
        _ = self._database

    @locked_cached_property
    def _database(self) -> Database:
        return self._open()
