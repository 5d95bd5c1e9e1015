"""The one DuckDB of a process: another for each opened file would take 20 ms, and threads of its own.

What is attached to it has a name of its own, so that nobody meets what others have opened.
"""

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import duckdb

_numbers = count()
_lock = threading.Lock()
_instances: list[duckdb.DuckDBPyConnection] = []


def connected() -> duckdb.DuckDBPyConnection:
    """Return a connection of one's own; what it has registered and made as temporary, no other sees."""
    with _lock:
        try:
            connection = _instances[-1].cursor()
            connection.execute("select 1").fetchall()
        except (IndexError, duckdb.Error):  # none yet, or one that has met a fatal error: it answers nothing more
            _instances[:] = [duckdb.connect()]
            connection = _instances[-1].cursor()
    return connection


@contextmanager
def opened(path: Path, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection whose tables are those of a file, which is made where there is none."""
    with connected() as connection:
        name = _attached(connection, path, read_only=read_only)
        connection.execute(f"use {name}").fetchall()
        try:
            yield connection
        finally:
            connection.execute("use memory").fetchall()
            connection.execute(f"detach {name}").fetchall()


class MemoryDatabase:
    """A database in memory, with files attached beside it; it goes with its last holder. Safe for many threads."""

    def __init__(self) -> None:
        self._connection = connected()
        self._name = f"m{next(_numbers)}"
        self._attached = [self._name]
        end = weakref.finalize(self, _detach, self._connection, self._attached)
        end.atexit = False
        self._connection.execute(f"attach ':memory:' as {self._name}").fetchall()

    def attach(self, path: Path) -> str:
        """Attach a file to read from and return its name in SQL."""
        name = _attached(self._connection, path, read_only=True)
        self._attached.append(name)
        return name

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Return a connection whose tables are those of this database."""
        connection = self._connection.cursor()
        connection.execute(f"use {self._name}").fetchall()
        return connection


def _attached(connection: duckdb.DuckDBPyConnection, path: Path, *, read_only: bool) -> str:
    name, quoted = f"f{next(_numbers)}", str(path).replace("'", "''")
    connection.execute(f"attach '{quoted}' as {name}{' (read_only)' if read_only else ''}").fetchall()
    return name


def _detach(connection: duckdb.DuckDBPyConnection, names: list[str]) -> None:
    with suppress(duckdb.Error):  # of an instance that answers nothing more, to which nothing is attached either
        for name in names:
            connection.execute(f"detach database if exists {name}").fetchall()
