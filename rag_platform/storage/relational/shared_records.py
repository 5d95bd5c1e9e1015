"""Contents that machines without the workspace's folder need at each question: rows of PostgreSQL, each with a mark."""

import secrets
from collections.abc import Callable, Mapping

from rag_platform.core.lazy import locked_cached_property
from rag_platform.storage.relational.app_database import Database

MIGRATIONS = (
    "create table records (kind text not null, name text not null, mark text not null, content blob not null, "
    "primary key (kind, name)) without rowid",
)
Key = tuple[str, str]
"""What kind of record, and which."""
FORGOTTEN: Key = ("forgotten", "list")
"""The list of what was forgotten."""


class SharedRecords:
    """The records of a workspace; whoever asks sees what was written last."""

    def __init__(self, database: Callable[[], Database]) -> None:
        """`database` opens the tables of `MIGRATIONS`."""
        self._open = database

    def marks(self) -> Mapping[Key, str]:
        """Return what is another text after every change of a record."""
        with self._database.reading() as connection:
            return {
                (kind, name): mark for kind, name, mark in connection.execute("select kind, name, mark from records")
            }

    def get(self, key: Key) -> bytes | None:
        """Return the content of a record; None: there is none."""
        with self._database.reading() as connection:
            row = connection.execute("select content from records where kind = ? and name = ?", key).fetchone()
        return bytes(row[0]) if row else None

    def change(self, key: Key, made: Callable[[bytes | None], bytes]) -> None:
        """Replace a record by what is made of it; nobody else writes meanwhile."""
        with self._database.writing() as connection:
            row = connection.execute("select content from records where kind = ? and name = ?", key).fetchone()
            connection.execute(
                "insert into records (kind, name, mark, content) values (?, ?, ?, ?) "
                "on conflict (kind, name) do update set mark = excluded.mark, content = excluded.content",
                (*key, secrets.token_hex(8), made(bytes(row[0]) if row else None)),
            )

    def drop(self, key: Key) -> None:
        """Remove a record."""
        with self._database.writing() as connection:
            connection.execute("delete from records where kind = ? and name = ?", key)

    @locked_cached_property
    def _database(self) -> Database:
        return self._open()
