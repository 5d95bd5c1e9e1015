"""What we ask of a database of app data: a SQLite file, or a schema of PostgreSQL.

Queries are written once, in the SQL that both know: ``?`` and ``:name`` for values, ``on conflict`` in place of
``replace``, ``returning`` in place of a last id, conditions of columns that hold yes or no as they are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Values = Sequence[Any] | Mapping[str, Any]
ALL = 2**62
"""As the `limit` of a query: every row."""


class Row(Protocol):
    """A row, by place or by name."""

    def __getitem__(self, key: int | str, /) -> Any:
        """Return a value."""

    def __iter__(self) -> Iterator[Any]:
        """Go through the values."""

    def keys(self) -> Iterable[str]:
        """Name the columns."""


class Result(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """Return the next row; None: there is none."""

    def fetchmany(self, size: int, /) -> list[Any]:
        """Return the next so many rows."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """Go through the rows that are left."""


class Connection(Protocol):
    """A connection, as `sqlite3` has it."""

    def execute(self, sql: str, values: Values = ..., /) -> Result:
        """Run a statement."""

    def executemany(self, sql: str, rows: Iterable[Any], /) -> Any:
        """Run a statement once for each row of values."""


class Database(Protocol):
    """Tables of today, whatever they were; `StorageError` when they cannot be used."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Give a connection that is not for writing."""

    def writing(self, *, erasing: bool = False) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction, undone when the block fails; there is one writer at a time.

        `erasing`: nothing of what is removed stays in the tables' pages.
        """

    def compact(self) -> None:
        """Leave nothing of what was removed in free pages and, as far as it can be reached, in the log."""
