"""The address of a database -> an engine, in each dialect of SQLAlchemy that we know.

SQLite and DuckDB files are opened read-only: a missing file is an error, not created. What an address says of the
driver's options beside goes before nothing that makes a connection only read; see `only_reading`.
"""

import importlib
import re
import sqlite3
from collections.abc import Generator
from itertools import groupby
from pathlib import Path

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from rag_platform.core.errors import MissingExtra
from rag_platform.sources.databases.only_reading import DUCKDB, guard_sqlite

CONNECT_SECONDS = 10
FILES = {"sqlite": "SQLite", "duckdb": "DuckDB"}
DRIVERS = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
}
_MYSQL = {"connect_timeout": CONNECT_SECONDS, "client_flag": 0, "local_infile": False, "init_command": None}
_OPTIONS = {"postgresql": {"connect_timeout": CONNECT_SECONDS}, "mysql": _MYSQL, "mariadb": _MYSQL}
"""Options of the drivers, over those of an address: one statement at a time, and none of our files for the server."""
EXTRAS = {
    "psycopg": ("postgres", "reading PostgreSQL"),
    "pymysql": ("mysql", "reading MySQL or MariaDB"),
    "duckdb_engine": ("duckdb", "reading DuckDB"),
}


def parse(address: str) -> URL:
    """Read an address, and choose the driver that our extra installs, whatever it says: others may run two statements.

    Raises:
        ArgumentError: it is none.
    """
    url = make_url(address)
    return url.set(drivername=DRIVERS.get(url.get_backend_name(), url.drivername))


def open_engine(url: URL, home: Path) -> Engine:
    """Make an engine without connecting; a relative path of a file starts at `home`.

    Raises:
        MissingExtra: a driver of ours is not installed.
        ImportError: another driver is not installed.
        ValueError, SQLAlchemyError: the address makes no sense, or its file does not exist.
    """
    try:
        if url.get_backend_name() in FILES:
            return _file_engine(url, home)
        options = _OPTIONS.get(url.get_backend_name(), {})
        return sqlalchemy.create_engine(url, poolclass=NullPool, connect_args=options, hide_parameters=True)
    except ImportError as error:
        for package, (extra, purpose) in EXTRAS.items():
            if package in str(error):
                raise MissingExtra(package, extra, purpose) from error
        raise


def columns_there(connection: Connection, query: str) -> Generator[str]:
    """Yield, once, which of the tables that a query names exist, with their columns, for the message of its error."""
    if connection.dialect.name == "sqlite":
        columns = (
            "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where lower(m.name) in :names"
        )
    else:
        columns = (
            "select table_name, column_name from information_schema.columns where lower(table_name) in :names "
            "order by table_schema, table_name, ordinal_position"
        )
    statement = sqlalchemy.text(columns).bindparams(sqlalchemy.bindparam("names", expanding=True))
    words = sorted(set(re.findall(r"\w+", query.lower())))[:1000]
    rows = connection.execute(statement, {"names": words}).all()
    tables = [f"{table} ({', '.join(row[1] for row in of)})" for table, of in groupby(rows, lambda row: row[0])]
    yield f"of the tables that the query names there are: {'; '.join(tables) or 'none'}"


def _file_engine(url: URL, home: Path) -> Engine:
    name, database = url.get_backend_name(), url.database
    if not database or database == ":memory:":
        raise ValueError(f"a database in memory is empty; expected {name}:///path/to/file.db")
    path = (home / database).resolve()
    if not path.is_file():
        raise ValueError(f"there is no {FILES[name]} file {path}")
    if path.is_relative_to((home / "data").resolve()):
        raise ValueError(f"{path} is the workspace's own data; expected a database of documents")
    return _sqlite(path) if name == "sqlite" else _duckdb(path)


def _duckdb(path: Path) -> Engine:
    importlib.import_module("duckdb_engine")  # without it SQLAlchemy would only say that it has no such dialect
    options = {"read_only": True, "config": DUCKDB}
    return sqlalchemy.create_engine(URL.create("duckdb", database=str(path)), poolclass=NullPool, connect_args=options)


def _sqlite(path: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        guard_sqlite(connection)
        return connection

    return sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=NullPool)


FAILURES = (SQLAlchemyError, sqlite3.Error, UnicodeError, TimeoutError)
"""What reading from a database raises."""
