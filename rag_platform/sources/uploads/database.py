"""The database of an upload source's collections, and where its files' bytes lie."""

import json
import sqlite3
from collections.abc import Callable, Sequence, Set
from collections.abc import Collection as Some
from datetime import datetime
from pathlib import Path
from typing import Any

from rag_platform.core.principals import PUBLIC
from rag_platform.sources.uploads.migrations import MIGRATIONS
from rag_platform.sources.uploads.names import in_uri
from rag_platform.sources.uploads.records import Collection, File
from rag_platform.storage.sqlite import SqliteFile

Asker = Callable[[Some[str]], Set[str]]
"""Given principals: the same with their groups."""
DATABASE = "collections.sqlite"
NOBODY = ("(nobody)",)
"""The readers of a collection none of whose own may read its source any more."""


class UploadDatabase:
    """The tables of one source; without a file, as before the first collection, they are empty."""

    def __init__(
        self,
        folder: Path,
        source: str,
        *,
        max_bytes: int,
        max_files: int,
        principals: Sequence[str] = (PUBLIC,),
        asker: Asker = frozenset,
    ) -> None:
        """Open the collections in `folder`, where all of the source's lie.

        Args:
            folder: made with the first collection.
            source: the source's id.
            max_bytes: of one file.
            max_files: of one collection.
            asker: adds their groups to the principals who ask.
            principals: who may read the source. A collection that says so itself has fewer readers, never others.
        """
        self.folder = folder
        self.source = source
        self.max_bytes = max_bytes
        self.max_files = max_files
        self.principals = tuple(principals)
        self.asker = asker
        self._opened: SqliteFile | None = None

    def path(self, file: File) -> Path:
        """Return where a file's bytes lie."""
        return self.folder / file.collection / file.sha256

    def uri(self, collection: str, name: str) -> str:
        """Return the address of a file."""
        return f"{self.source}/{collection}/{in_uri(name)}"

    @property
    def exists(self) -> bool:
        """Whether there ever was a collection."""
        return self.database_path.exists()

    @property
    def database_path(self) -> Path:
        """Where the tables lie."""
        return self.folder / DATABASE

    def _rows(self, sql: str, *values: Any) -> Sequence[sqlite3.Row]:
        """Ask the database; before the first collection there is none, and asking makes none."""
        if not self.exists:
            return []
        with self._database().reading() as connection:
            return connection.execute(sql, values).fetchall()

    def _database(self) -> SqliteFile:
        self._opened = self._opened or SqliteFile(self.database_path, MIGRATIONS)
        return self._opened

    def _collection(self, row: sqlite3.Row) -> Collection:
        values = dict(row)
        own = tuple(json.loads(values["principals"]))
        created = datetime.fromisoformat(values["created_at"])
        within = own if PUBLIC in self.principals else tuple(one for one in own if one in self.principals)
        readers = (within or NOBODY) if own else self.principals
        return Collection(**values | {"source": self.source, "principals": readers, "created_at": created})

    def _file(self, row: sqlite3.Row | dict[str, Any]) -> File:
        values = dict(row)
        uri = self.uri(values["collection"], values["name"])
        read = {"tags": tuple(json.loads(values["tags"])), "added_at": datetime.fromisoformat(values["added_at"])}
        return File(**values | read | {"uri": uri})


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    """Write a row, in place of one of the same key."""
    names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(f"insert or replace into {table} ({names}) values ({values})", row)
