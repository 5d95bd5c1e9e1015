"""Connections to SQLite files, also on a disk that is full or can only be read."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

_UNWRITABLE = ("readonly database", "unable to open", "is full", "disk i/o error")
"""What SQLite says when it cannot make or write the files that it needs beside a database, even for reading."""


def cannot_write(error: BaseException) -> bool:
    """Return whether an error says that nothing can be written there now."""
    return any(said in str(error).lower() for said in _UNWRITABLE)


def connect(path: Path, **options: Any) -> sqlite3.Connection:
    """Open a database, which is made where there is none; `sqlite3.Error` when it cannot be used."""
    connection: sqlite3.Connection = sqlite3.connect(path, **options)
    try:
        connection.execute("pragma schema_version").fetchone()  # until then nothing is opened
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reading(path: Path, **options: Any) -> sqlite3.Connection | None:
    """Open a database for reading, also where nothing can be written; None: there is none, and none can be made.

    As the last resort SQLite is told that nobody changes the file: what is only in its log is not seen then.
    """
    try:
        return connect(path, **options)
    except sqlite3.OperationalError as error:
        if not cannot_write(error):
            raise
    if not path.exists():
        return None
    for how in ("mode=ro", "immutable=1"):
        connection: sqlite3.Connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, **options)
        with suppress(sqlite3.OperationalError):
            connection.execute("pragma schema_version").fetchone()
            return connection
        connection.close()
    raise sqlite3.OperationalError("it cannot be read, and nothing can be written beside it")
