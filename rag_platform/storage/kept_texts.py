"""Texts that cost something to make, kept by the hash of what they were made from: a page that a model read."""

from pathlib import Path

from rag_platform.core.errors import StorageError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.storage.sqlite import SqliteFile

MOST = 200_000
"""Texts; the oldest go first."""
MIGRATIONS = ("create table texts (id integer primary key, key text not null unique, text text not null)",)


class KeptTexts:
    """Texts by key. Safe to use from threads and processes; a file that cannot be used counts as empty."""

    def __init__(self, path: Path) -> None:
        """Keep them in `path`, which is made by the first that is kept."""
        self._path = path

    def get(self, key: str) -> str | None:
        """Return the text of a key; None: there is none."""
        if not self._path.exists():
            return None
        try:
            with self._file.reading() as connection:
                row = connection.execute("select text from texts where key = ?", (key,)).fetchone()
        except StorageError:
            return None
        return str(row["text"]) if row else None

    def put(self, key: str, text: str) -> None:
        """Keep a text."""
        try:
            with self._file.writing() as connection:
                connection.execute("insert or replace into texts (key, text) values (?, ?)", (key, text))
                connection.execute("delete from texts where id <= (select max(id) from texts) - ?", (MOST,))
        except StorageError:
            return

    def clear(self) -> int:
        """Remove them all, also from the free pages of the file; return how many there were."""
        if not self._path.exists():
            return 0
        with self._file.writing() as connection:
            connection.execute("pragma secure_delete = on")
            count = connection.execute("delete from texts").rowcount
        with self._file.reading() as connection:
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)")
        return count

    @locked_cached_property
    def _file(self) -> SqliteFile:
        return SqliteFile(self._path, MIGRATIONS)
