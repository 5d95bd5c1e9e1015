"""What costs something to make, kept by the hash of what it was made from."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.storage.sqlite import SqliteFile


class KeptRows:
    """Rows by key. Safe to use from threads and processes; a file that cannot be used counts as empty."""

    def __init__(self, path: Path, table: str, columns: Mapping[str, str]) -> None:
        """Keep them in `path`, which is made by the first that is kept; `columns` are names and SQL types."""
        self._path, self._table, self._columns = path, table, tuple(columns)
        typed = ", ".join(f"{name} {kind} not null" for name, kind in columns.items())
        self._migrations = (f"create table {table} (id integer primary key, key text not null unique, {typed})",)

    def rows(self, keys: Iterable[str]) -> dict[str, tuple[Any, ...]]:
        """Return what is kept of these keys."""
        if not self._path.exists():
            return {}
        query = f"select {', '.join(self._columns)} from {self._table} where key = ?"
        try:
            with self._file.reading() as connection:
                found = {key: connection.execute(query, (key,)).fetchone() for key in keys}
        except StorageError:
            return {}
        return {key: tuple(row) for key, row in found.items() if row}

    def keep(self, rows: Mapping[str, tuple[Any, ...]], most: int) -> None:
        """Keep rows, and of all of them the newest `most`."""
        places = ", ".join("?" for _ in ("key", *self._columns))
        insert = f"insert or replace into {self._table} (key, {', '.join(self._columns)}) values ({places})"
        old = f"delete from {self._table} where id <= (select max(id) from {self._table}) - ?"
        try:
            with self._file.writing() as connection:
                connection.executemany(insert, [(key, *row) for key, row in rows.items()])
                connection.execute(old, (most,))
        except StorageError:
            return

    def clear(self) -> int:
        """Remove them all, also from the free pages of the file; return how many there were."""
        if not self._path.exists():
            return 0
        with self._file.writing() as connection:
            connection.execute("pragma secure_delete = on")
            count = connection.execute(f"delete from {self._table}").rowcount
        with self._file.reading() as connection:
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)")
        return count

    @locked_cached_property
    def _file(self) -> SqliteFile:
        return SqliteFile(self._path, self._migrations)
