"""The address of a database -> connections that only read, in each dialect of SQLAlchemy that we know.

SQLite and DuckDB files are opened read-only (a missing file is an error, not created), PostgreSQL, MySQL and MariaDB
read in a read-only transaction, and nothing is ever committed. A query that takes too long is stopped.
"""

import importlib
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from rag_platform.core.errors import MissingExtra

CONNECT_SECONDS = 10
FILES = {"sqlite": "SQLite", "duckdb": "DuckDB"}
DRIVERS = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
}
EXTRAS = {
    "psycopg": ("postgres", "reading PostgreSQL"),
    "pymysql": ("mysql", "reading MySQL or MariaDB"),
    "duckdb_engine": ("duckdb", "reading DuckDB"),
}


def parse(address: str) -> URL:
    """Read an address, and choose the driver that our extra installs; `ArgumentError` when it is none."""
    url = make_url(address)
    return url.set(drivername=DRIVERS.get(url.drivername, url.drivername))


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
        timeout = {"connect_timeout": CONNECT_SECONDS} if url.drivername in DRIVERS.values() else {}
        return sqlalchemy.create_engine(url, poolclass=NullPool, connect_args=timeout, hide_parameters=True)
    except ImportError as error:
        for package, (extra, purpose) in EXTRAS.items():
            if package in str(error):
                raise MissingExtra(package, extra, purpose) from error
        raise


@contextmanager
def reading(engine: Engine, seconds: float) -> Iterator[Connection]:
    """Connect for reading alone; each statement may take so many seconds (in SQLite and DuckDB: all together)."""
    with engine.connect() as connection:
        name = connection.dialect.name
        if name == "postgresql":
            connection = connection.execution_options(postgresql_readonly=True)  # noqa: PLW2901  the same connection
            connection.exec_driver_sql(f"set local statement_timeout = {seconds * 1000:.0f}")
        elif name in ("mysql", "mariadb"):
            maria = getattr(connection.dialect, "is_mariadb", False)
            limit = f"max_statement_time = {seconds:g}" if maria else f"max_execution_time = {seconds * 1000:.0f}"
            connection.exec_driver_sql(f"set session {limit}")
            connection.exec_driver_sql("set session transaction read only")
            connection.rollback()  # what was set holds from the next transaction on
        with _interrupted(connection, seconds) if name in FILES else nullcontext():
            yield connection


@contextmanager
def _interrupted(connection: Connection, seconds: float) -> Iterator[None]:
    """Stop what a connection without a limit of its own does after so many seconds."""
    driver: Any = connection.connection.driver_connection
    timer = threading.Timer(seconds, driver.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def columns_there(connection: Connection, query: str) -> str:
    """Say which of the tables that a query names exist, with their columns, for the message of its error."""
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
    return f"of the tables that the query names there are: {'; '.join(tables) or 'none'}"


def _file_engine(url: URL, home: Path) -> Engine:
    name, database = url.get_backend_name(), url.database
    if not database or database == ":memory:":
        raise ValueError(f"a database in memory is empty; expected {name}:///path/to/file.db")
    path = (home / database).resolve()
    if not path.is_file():
        raise ValueError(f"there is no {FILES[name]} file {path}")
    return _sqlite(path) if name == "sqlite" else _duckdb(url, path)


def _duckdb(url: URL, path: Path) -> Engine:
    importlib.import_module("duckdb_engine")  # without it SQLAlchemy would only say that it has no such dialect
    options = {"read_only": True, "config": {"autoinstall_known_extensions": "false"}}
    return sqlalchemy.create_engine(url.set(database=str(path)), poolclass=NullPool, connect_args=options)


def _sqlite(path: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection

    return sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=NullPool)


FAILURES = (SQLAlchemyError, sqlite3.Error, UnicodeError)
"""What reading from a database raises."""
