"""Where the pointer to the live version is kept: a file beside its log, or PostgreSQL for several machines."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rag_platform.core.errors import DatabaseUnavailable, VersionError
from rag_platform.index.releases.release_log import MoveLog
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed_line
from rag_platform.storage.relational.app_database import Connection, Database

CURRENT, LOG = "CURRENT", "log.jsonl"
MIGRATIONS = (
    "create table pointers (name text primary key, version text) without rowid; "
    "create table moves (id integer primary key autoincrement, entry text not null)",
)
_FRESH = 0.25
"""Seconds for which a process believes what it read last: a search asks several times."""


class FilePointer:
    """The file CURRENT and the log of its moves; whoever moves it holds the lock of the versions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = MoveLog(folder / LOG)

    def read(self, *, fresh: bool = False) -> str | None:  # noqa: ARG002  it always is
        """Return what the pointer names."""
        try:
            return (self._folder / CURRENT).read_text(encoding="utf-8", errors="replace").strip() or None
        except OSError:
            return None

    def move(self, entry: dict[str, Any], expected: str | None) -> None:
        """Write a move down, then make it: an entry whose move did not happen is known by what comes after it."""
        _refuse_moved(self.read(), expected)
        self._log.append(entry)
        self._point(entry["version"])

    def entries(self) -> list[dict[str, Any]]:
        """Return the moves that were written down."""
        return self._log.entries()

    def files(self) -> dict[str, bytes]:
        """Return both files as they are."""
        return {name: (self._folder / name).read_bytes() for name in (CURRENT, LOG) if (self._folder / name).exists()}

    def copy(self, version: str | None, entries: list[dict[str, Any]]) -> None:
        """Make the files say what another pointer says."""
        write_bytes(self._folder / LOG, _lines(entries))
        self._point(version)

    def _point(self, version: str | None) -> None:
        if version:
            write_bytes(self._folder / CURRENT, version.encode())
        else:
            (self._folder / CURRENT).unlink(missing_ok=True)


class PostgresPointer:
    """A row that is compared and swapped, in one transaction with its log.

    The files of the folder become a copy, which each move writes: while the server cannot be reached, they tell what
    was live last. What they say is taken over where the server knows of no version yet.
    """

    def __init__(self, database: Callable[[], Database], folder: Path) -> None:
        """`database` opens the tables of `MIGRATIONS`."""
        self._open, self._copy = database, FilePointer(folder)
        self._opened: Database | None = None
        self._last: tuple[float, str | None] | None = None

    def read(self, *, fresh: bool = False) -> str | None:
        """Return what the pointer names; what the files say where the server cannot be reached."""
        if not fresh and self._last and time.monotonic() - self._last[0] < _FRESH:
            return self._last[1]
        try:
            with self._database().reading() as connection:
                named = _named(connection)
        except DatabaseUnavailable:
            return self._copy.read()
        self._last = (time.monotonic(), named)
        return named

    def move(self, entry: dict[str, Any], expected: str | None) -> None:
        """Write a move down and make it, both or neither."""
        self._last = None
        with self._database().writing() as connection:
            _refuse_moved(_named(connection), expected)
            _write(connection, [entry], entry["version"])
        self._copy.copy(entry["version"], self.entries())

    def entries(self) -> list[dict[str, Any]]:
        """Return the moves that were made."""
        try:
            with self._database().reading() as connection:
                return _entries(connection)
        except DatabaseUnavailable:
            return self._copy.entries()

    def files(self) -> dict[str, bytes]:
        """Return what the files are after a move."""
        with self._database().writing() as connection:
            named, lines = _named(connection), _lines(_entries(connection))
        return {name: content for name, content in ((CURRENT, (named or "").encode()), (LOG, lines)) if content}

    def _database(self) -> Database:
        """Return the tables, with what the files say, where no version was live yet by what the tables say."""
        if self._opened is None:
            opened = self._open()
            with opened.writing() as connection:
                connection.execute("insert into pointers values ('CURRENT', null) on conflict (name) do nothing")
                if _named(connection) is None and not _entries(connection):
                    _write(connection, self._copy.entries(), self._copy.read())
            self._opened = opened
        return self._opened


def _refuse_moved(named: str | None, expected: str | None) -> None:
    if named != expected:
        raise VersionError(
            f"{named or 'nothing'} is live by now, and not {expected or 'nothing'}: somebody else moved it meanwhile. "
            "Nothing was changed; look at `rag index list`, then decide again"
        )


def _named(connection: Connection) -> str | None:
    row = connection.execute("select version from pointers where name = 'CURRENT'").fetchone()
    return row[0] if row else None


def _write(connection: Connection, entries: list[dict[str, Any]], version: str | None) -> None:
    lines = [(json.dumps(entry, ensure_ascii=False),) for entry in entries]
    connection.executemany("insert into moves (entry) values (?)", lines)
    connection.execute("update pointers set version = ? where name = 'CURRENT'", (version,))


def _entries(connection: Connection) -> list[dict[str, Any]]:
    return [json.loads(row[0]) for row in connection.execute("select entry from moves order by id")]


def _lines(entries: list[dict[str, Any]]) -> bytes:
    return b"".join(sealed_line(entry) + b"\n" for entry in entries)
