"""Tables of a version that DuckDB reads."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import duckdb
import polars as pl

from rag_platform.storage.columnar.arrow import frame_of


class SqlTables(ABC):
    """What answers SQL about them; fulfils `ports.VersionTables`. Safe to ask from many threads."""

    def __init__(self) -> None:
        self._idle: deque[duckdb.DuckDBPyConnection] = deque()

    def frame(self, sql: str, values: list[Any]) -> pl.DataFrame:
        """Return what a query finds."""
        with self._connection() as connection:
            return frame_of(connection.sql(sql, params=values))

    def rows(self, sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """Return what a query finds, as rows."""
        with self._connection() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def _connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection of one's own; one in which something failed is not used again."""
        with self._explaining():
            try:
                own = self._idle.pop()
            except IndexError:
                own = self._connected()
            yield own
        self._idle.append(own)

    @abstractmethod
    def _connected(self) -> duckdb.DuckDBPyConnection:
        """Make a connection in which the tables have their names."""

    @abstractmethod
    def _explaining(self) -> AbstractContextManager[None]:
        """Raise `DamagedVersion` when a file cannot be read."""
