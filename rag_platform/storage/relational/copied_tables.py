"""The rows of a schema of PostgreSQL in a file of SQLite, and back: the tables of both are made by the same steps."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rag_platform.storage.relational.app_database import Connection, Database
from rag_platform.storage.relational.postgres import PostgresDatabase
from rag_platform.storage.sqlite import SqliteFile

_ROWS = 500
"""Read at a time."""
_STEPS = "steps"
_Reader = Callable[[Connection, str], Iterator[list[Any]]]


def copy_to_file(database: PostgresDatabase, path: Path, migrations: Sequence[str]) -> None:
    """Write the rows of a schema, as they are at one moment, into a new file of SQLite."""
    file = SqliteFile(path, migrations)
    with database.reading() as source, file.writing() as target:
        source.execute("begin isolation level repeatable read read only")
        for table in _in_order(target):
            _copy(_fetched, source, target, table, _columns(source, database.schema, table))
        source.execute("commit")
    file.compact()


def fill_from_file(database: PostgresDatabase, path: Path, migrations: Sequence[str]) -> None:
    """Put the rows of a file of SQLite into a schema without any, all or none of them."""
    with SqliteFile(path, migrations).reading() as source, database.writing() as target:
        for table in _in_order(source):
            columns = _columns(target, database.schema, table)
            _copy(_read, source, target, table, columns)
            _count_on(target, table, columns)


def take_over(database: Database, path: Path, migrations: Sequence[str]) -> Database:
    """Return a schema; one that has no rows yet gets those of the file that was there before it, if there is one."""
    assert isinstance(database, PostgresDatabase)
    if path.exists() and is_empty(database):
        fill_from_file(database, path, migrations)
    return database


def is_empty(database: PostgresDatabase) -> bool:
    """Return whether no table of a schema has a row."""
    with database.reading() as connection:
        return not any(
            connection.execute(f'select 1 from "{name}" limit 1').fetchone()
            for name in _tables(connection, database.schema)
        )


def set_schema_aside(database: PostgresDatabase, mark: str) -> str:
    """Give a schema another name, under which it is kept; returns that name."""
    kept = f"{database.schema[:30]}_before_{mark}"
    with database.writing() as connection:
        connection.execute(f'alter schema "{database.schema}" rename to "{kept}"')
    return kept


def texts_of(database: PostgresDatabase) -> Iterator[str]:
    """Yield the texts of all rows of a schema."""
    with database.reading() as connection:
        for table in _tables(connection, database.schema):
            for row in connection.execute(f'select * from "{table}"'):
                yield "\n".join(value for value in row if isinstance(value, str))


def scrub_texts(database: PostgresDatabase, found: Callable[[str], bool], scrubbed: Callable[[str], str]) -> int:
    """Change each text of a schema in which something is found; returns how many."""
    changed = 0
    with database.writing() as connection:
        for table in _tables(connection, database.schema):
            for column in (
                name for name, kind in _columns(connection, database.schema, table).items() if kind == "text"
            ):
                texts = connection.execute(f'select distinct "{column}" from "{table}" where "{column}" <> \'\'')
                for text in [row[0] for row in texts.fetchall() if found(row[0])]:
                    change = f'update "{table}" set "{column}" = ? where "{column}" = ?'
                    changed += connection.execute(change, (scrubbed(text), text)).rowcount
    if changed:
        database.compact()
    return changed


def _tables(connection: Connection, schema: str) -> list[str]:
    names = connection.execute("select tablename from pg_tables where schemaname = ? order by 1", (schema,))
    return [name for (name,) in names if name != _STEPS]


def _in_order(connection: Connection) -> list[str]:
    """Return the tables of a file, what others refer to first."""
    tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid"
    return [name for (name,) in connection.execute(tables)]


def _columns(connection: Connection, schema: str, table: str) -> dict[str, str]:
    """Return the columns of PostgreSQL that are written, and their types."""
    asked = (
        "select column_name, data_type from information_schema.columns where table_schema = ? "
        "and table_name = ? and is_generated = 'NEVER' order by ordinal_position"
    )
    return {row[0]: row[1] for row in connection.execute(asked, (schema, table))}


def _copy(read: _Reader, source: Connection, target: Connection, table: str, columns: dict[str, str]) -> None:
    names = ", ".join(f'"{name}"' for name in columns)
    insert = f'insert into "{table}" ({names}) values ({", ".join("?" * len(columns))})'
    flags = [place for place, kind in enumerate(columns.values()) if kind == "boolean"]
    for rows in read(source, f'select {names} from "{table}"'):
        target.executemany(insert, [_with_flags([*row], flags) for row in rows])


def _read(source: Connection, query: str) -> Iterator[list[Any]]:
    result = source.execute(query)
    while rows := result.fetchmany(_ROWS):
        yield rows


def _fetched(source: Connection, query: str) -> Iterator[list[Any]]:
    """Read from PostgreSQL, which would send everything at once to who does not declare a cursor."""
    source.execute(f"declare copied cursor for {query}")
    while rows := source.execute(f"fetch {_ROWS} from copied").fetchall():
        yield rows
    source.execute("close copied")


def _with_flags(row: list[Any], flags: Sequence[int]) -> list[Any]:
    for place in flags:
        row[place] = None if row[place] is None else bool(row[place])
    return row


def _count_on(target: Connection, table: str, columns: dict[str, str]) -> None:
    """Have the numbers of new rows begin after those that were copied."""
    for name in columns:
        counter = target.execute("select pg_get_serial_sequence(?, ?)", (f'"{table}"', name)).fetchone()[0]
        if counter:
            target.execute(
                f'select setval(?, (select coalesce(max("{name}"), 0) + 1 from "{table}"), false)', (counter,)
            )
