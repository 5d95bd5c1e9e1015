"""Rows that go at once, and can be put back as they were."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.storage.relational.app_database import Database

_BROKEN_KEYS = ("IntegrityError", "ForeignKeyViolation")
"""How `sqlite3` and psycopg name that what a row belongs to is not there."""


def remove_rows(database: Database, table: str, where: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """Delete the rows of a table that fulfil a condition of SQL, and return them."""
    with database.writing() as connection:
        return [tuple(row) for row in connection.execute(f"delete from {table} where {where} returning *", values)]


def putting_back(database: Database, table: str, rows: Sequence[Sequence[object]]) -> Callable[[], None]:
    """Return what puts rows back; what has their key by then stays, and what they belonged to may be gone: they too."""

    def put_back() -> None:
        if not rows:
            return
        places = ", ".join(f"({', '.join('?' * len(row))})" for row in rows)
        try:
            with database.writing() as connection:
                connection.execute(f"insert into {table} values {places} on conflict do nothing", [*chain(*rows)])
        except StorageError as error:
            if type(error.__cause__).__name__ not in _BROKEN_KEYS:
                raise

    return put_back
