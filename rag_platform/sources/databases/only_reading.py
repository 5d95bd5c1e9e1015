"""What makes a connection one that only reads, whatever the query says.

SQLite asks an authorizer before each step of a statement; DuckDB runs without the file system, and its settings are
locked; PostgreSQL reads by a cursor, which is one SELECT, in a read-only transaction; so do MySQL and MariaDB, where a
SELECT may not write a file either. What a role may do beside, such as reading the server's files, is the role's: see
`roles`.
"""

import re
import sqlite3
from contextlib import suppress
from typing import Any

import sqlalchemy
from sqlalchemy import Connection

from rag_platform.core.errors import SourceError

DUCKDB = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "temp_directory": "",  # what does not fit in memory would be written beside the file
    "memory_limit": "2GB",
    "lock_configuration": "true",
}
"""Settings of DuckDB with which a query reaches nothing but its own file."""
_SQLITE = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_SQLITE_FUNCTIONS = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"}
"""Those that reach outside the file."""
_SQLITE_PRAGMAS = {"data_version", "table_info", "table_xinfo", "index_list", "index_info"}
"""Those that say what there is; the full-text index asks them itself."""
_SQLITE_SAID = {"read_uncommitted"}
"""Those that SQLAlchemy reads: without a value, with which they set something."""
_SQLITE_PREPARED = ("sqlite_master", "_node", "_rowid", "_parent")
"""Tables for which SQLite makes statements that write, and does not run them: a table function's, an R-tree's."""
_SQLITE_VALUE = 200_000_000
"""Bytes of a value."""
_MYSQL_READS = re.compile(r"[\s(]*+(?:select|with|values|table)\b", re.IGNORECASE)
_MYSQL_FILES = re.compile(r"/\*M?!|\b(?:outfile|dumpfile|load_file)\b", re.IGNORECASE)
"""What reads or writes the server's files, or hides such a thing in a comment that the server executes."""


def guard_sqlite(connection: sqlite3.Connection) -> None:
    """Let a connection do nothing but select."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _SQLITE_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
    connection.set_authorizer(_authorized)


def _authorized(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Answer SQLite's question whether a statement may do this; see sqlite.org/c3ref/set_authorizer.html."""
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in _SQLITE_FUNCTIONS
    elif action == sqlite3.SQLITE_PRAGMA:
        name = (first or "").lower()
        allowed = name in _SQLITE_PRAGMAS or (name in _SQLITE_SAID and second is None)
    elif action in (sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE):
        allowed = (first or "").endswith(_SQLITE_PREPARED)  # the file itself is opened for reading alone
    else:
        allowed = action in _SQLITE
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def only_read(connection: Connection, seconds: float) -> None:
    """Begin to read: from here on the server, or the guard, refuses all else; a statement may take so many seconds."""
    name, milliseconds = connection.dialect.name, max(1, round(seconds * 1000))  # 0 would be no limit
    if name == "postgresql":
        connection.execution_options(postgresql_readonly=True)
        connection.exec_driver_sql(f"set local statement_timeout = {milliseconds}")
    elif name in ("mysql", "mariadb"):
        maria = getattr(connection.dialect, "is_mariadb", False)
        limit = f"max_statement_time = {milliseconds / 1000}" if maria else f"max_execution_time = {milliseconds}"
        connection.exec_driver_sql(f"set session {limit}")
        connection.exec_driver_sql("set session transaction read only")
        connection.rollback()  # what was set holds from the next transaction on
        sqlalchemy.event.listen(connection, "before_cursor_execute", _check_mysql)
    elif name == "duckdb":
        sqlalchemy.event.listen(connection, "before_cursor_execute", _check_duckdb)


def _check_mysql(_: Connection, __: Any, statement: str, *___: Any) -> None:
    if not _MYSQL_READS.match(statement) or _MYSQL_FILES.search(statement):
        raise _refused()


def _check_duckdb(connection: Connection, _: Any, statement: str, *__: Any) -> None:
    import duckdb

    driver: Any = connection.connection.driver_connection
    with suppress(duckdb.Error):  # what it cannot parse it says best itself
        if [found.type.name for found in driver.extract_statements(statement)] != ["SELECT"]:
            raise _refused()


def _refused() -> SourceError:
    return SourceError(
        "a source only reads: expected one SELECT, and none that uses the server's files. Nothing was changed"
    )
