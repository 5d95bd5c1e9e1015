"""Rows that go at once, and can be put back as they were."""

import sqlite3
from collections.abc import Callable, Sequence

from rag_platform.storage.sqlite import SqliteFile


def remove_rows(file: SqliteFile, table: str, where: str, values: Sequence[object]) -> list[tuple[object, ...]]:
    """Delete the rows of a table that fulfil a condition of SQL, and return them."""
    with file.writing() as connection:
        return [tuple(row) for row in connection.execute(f"delete from {table} where {where} returning *", values)]


def putting_back(file: SqliteFile, table: str, rows: Sequence[Sequence[object]]) -> Callable[[], None]:
    """Return what puts rows back; what has their key by then stays, and what they belonged to may be gone: they too."""

    def put_back() -> None:
        with file.writing() as connection:
            for row in rows:
                try:
                    connection.execute(f"insert or ignore into {table} values ({', '.join('?' * len(row))})", row)
                except sqlite3.IntegrityError:  # a foreign key
                    return

    return put_back
