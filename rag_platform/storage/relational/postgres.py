"""A schema of a PostgreSQL server that processes on many machines read and write, with tables that grow by steps.

One transaction writes at a time, as in a SQLite file: it holds an advisory lock of the schema, so that what was read in
it is still so when it is written. Readers wait for nobody.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from rag_platform.core.errors import DatabaseUnavailable, MissingExtra, SettingsError, StorageError
from rag_platform.storage.relational.postgres_sql import FUNCTIONS, of_postgres, placed

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import Engine

    from rag_platform.storage.relational.app_database import Connection, Values

PATIENCE = 15
"""Seconds to wait for the server, and for another process that is writing."""
_KEPT, _SPARE = 8, 40
"""Connections that are kept open, and those beside them, each for as long as a thread needs it."""


class PostgresDatabase:
    """The schema, and its tables of today."""

    def __init__(self, url: str, schema: str, migrations: Sequence[str] | None) -> None:
        """Connect, and make the schema or bring its tables up to date; `migrations` as of `SqliteFile`.

        None: whatever is there, for those that go through all rows of any table.
        """
        self.url, self.schema = url, schema
        self._engine = engine_of(url)
        self._key = lock_key(schema, "writer")
        if migrations is not None:
            self._migrate(migrations)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection; it is not for writing."""
        with connected(self._engine, self.schema) as raw:
            yield _Connection(raw)

    @contextmanager
    def writing(self, *, erasing: bool = False) -> Iterator[Connection]:  # noqa: ARG002  `compact` erases
        """Give a connection in a transaction, which is undone when the block fails; others wait."""
        with connected(self._engine, self.schema) as raw, raw.transaction():
            raw.execute("select pg_advisory_xact_lock(%s)", (self._key,))
            yield _Connection(raw)

    def compact(self) -> None:
        """Write the tables anew, without what was removed; the server's own log and backups are its keeper's."""
        with connected(self._engine, self.schema) as raw:
            names = raw.execute("select tablename from pg_tables where schemaname = %s", (self.schema,)).fetchall()
            for (name,) in names:
                raw.execute(f'vacuum (full) "{self.schema}"."{name}"')

    def _migrate(self, migrations: Sequence[str]) -> None:
        with connected(self._engine, self.schema) as raw, raw.transaction():
            raw.execute("select pg_advisory_xact_lock(%s)", (self._key,))
            known = raw.execute("select to_regclass('steps') is not null").fetchone()
            if not (known and known[0]):
                raw.execute(f'create schema if not exists "{self.schema}"')
                raw.execute(f"create table steps (applied integer not null); insert into steps values (0); {FUNCTIONS}")
            row = raw.execute("select applied from steps").fetchone()
            applied, there = int(row[0] if row else 0), len(migrations)
            if applied > there:
                raise StorageError(
                    f"the tables in schema {self.schema!r} of [scale] database were written by a newer release of "
                    f"rag-platform: they are of step {applied}, expected at most {there}. Nothing was changed; update "
                    "this installation"
                )
            for migration in migrations[applied:]:
                for statement in of_postgres(migration):
                    raw.execute(statement)
            if applied < there:
                raw.execute("update steps set applied = %s", (there,))


class _Connection:
    """A connection that takes statements as `sqlite3` does."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self._raw = raw

    def execute(self, sql: str, values: Values = (), /) -> Any:
        """Run a statement."""
        return self._raw.execute(placed(sql), values)

    def executemany(self, sql: str, rows: Any, /) -> Any:
        """Run a statement once for each row of values."""
        cursor = self._raw.cursor()
        cursor.executemany(placed(sql), rows)
        return cursor


class _Row(tuple[Any, ...]):
    """A row, by place or by name, as `sqlite3.Row` is."""

    places: dict[str, int]

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.places[key] if isinstance(key, str) else key)

    def keys(self) -> list[str]:
        """Name the columns."""
        return [*self.places]


def _rows(cursor: Any) -> Any:
    names = [column.name for column in cursor.description or ()]
    return type("Row", (_Row,), {"places": {name: place for place, name in reversed([*enumerate(names)])}})


@contextmanager
def connected(
    engine: Engine, schema: str, of: str = "app data", *, extensions: bool = False
) -> Iterator[psycopg.Connection[Any]]:
    """Give a connection of the pool, each statement a transaction of its own; its errors are ours.

    What the server said names hosts, users and tables: the log has it, and whoever asked does not.
    `of` says what the database holds; `extensions`: whether it needs what they put into the schema `public`.
    """
    import psycopg
    from sqlalchemy.exc import SQLAlchemyError

    try:
        lent = engine.raw_connection()
    except (SQLAlchemyError, psycopg.Error) as error:
        raise _unreachable(engine, error, of) from error
    try:
        raw: Any = lent.driver_connection
        raw.autocommit = True
        raw.execute(f'set search_path to "{schema}"{", public" if extensions else ""}')
        yield raw
    except psycopg.OperationalError as error:
        lent.invalidate(error)
        raise _unreachable(engine, error, of) from error
    except psycopg.Error as error:
        _note(engine, error, of)
        raise StorageError(f"the database of {of} refused a statement; the log says why") from error
    finally:
        lent.close()


@cache
def engine_of(url: str, settings: str = "") -> Engine:
    """Return the pool of connections to a server, one for each process; nothing is connected yet.

    `settings` of each connection, as PostgreSQL takes them: ``-c jit=off``.

    Raises:
        MissingExtra: the driver is not installed.
        SettingsError: the address makes no sense.
    """
    import sqlalchemy
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        import psycopg
        from psycopg.types.string import StrDumperUnknown
    except ImportError as error:
        raise MissingExtra("psycopg", "postgres", "[scale] database") from error

    class WithoutNul(StrDumperUnknown):
        """A text, in which PostgreSQL can keep no character 0."""

        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\x00", "\ufffd"))

    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    if parsed is None or parsed.get_backend_name() not in ("postgres", "postgresql"):
        raise SettingsError("[scale] database: expected an address such as 'postgresql://rag@db.example.org/rag'")
    options = {"connect_timeout": PATIENCE, "cursor_factory": psycopg.ClientCursor, "row_factory": _rows}
    options |= {"options": f"-c lock_timeout={PATIENCE}s -c timezone=UTC -c client_min_messages=warning {settings}"}
    engine = sqlalchemy.create_engine(
        parsed.set(drivername="postgresql+psycopg"),
        connect_args=options,
        pool_size=_KEPT,
        max_overflow=_SPARE,
        pool_timeout=PATIENCE,
        pool_pre_ping=True,
        hide_parameters=True,
    )

    @sqlalchemy.event.listens_for(engine, "connect")
    def adapt(connection: Any, _: object) -> None:
        connection.adapters.register_dumper(str, WithoutNul)

    return engine


def lock_key(schema: str, name: str) -> int:
    """Return the number of an advisory lock, which PostgreSQL knows by a number of 64 bits."""
    return int.from_bytes(hashlib.sha256(f"{schema} {name}".encode()).digest()[:8], signed=True)


def _unreachable(engine: Engine, error: Exception, of: str) -> DatabaseUnavailable:
    from sqlalchemy.exc import TimeoutError as NoneFree

    _note(engine, error, of)
    why = "does not answer as it should; the log says why. Is it running, and is [scale] database right?"
    if isinstance(error, NoneFree):
        why = f"has no connection free: this process uses all {_KEPT + _SPARE} of its own; start another beside it"
    return DatabaseUnavailable(f"the database of {of} {why}")


def _note(engine: Engine, error: Exception, of: str) -> None:
    line = str(error).strip().split("\n")[0]
    logging.getLogger(__name__).warning("the database of %s, %s: %s", of, _shown(engine.url), line)


def _shown(url: Any) -> str:
    from sqlalchemy.engine import make_url

    return make_url(url).render_as_string(hide_password=True)
