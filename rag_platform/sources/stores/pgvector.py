"""Rows of a table of PostgreSQL that has a column of vectors (pgvector); the vectors stay where they are."""

from collections.abc import Generator, Iterator

import sqlalchemy
from sqlalchemy import Connection

from rag_platform.sources.databases.connections import FAILURES, open_engine, parse
from rag_platform.sources.databases.timed_reading import BATCH, reading
from rag_platform.sources.stores.stored_records import Opening, Row, flat

_COLUMNS = """
select table_schema, table_name, column_name, udt_name in ('vector', 'halfvec', 'sparsevec') as is_vector
from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
order by table_schema, table_name, ordinal_position
"""
KEYS = ("id", "uuid", "langchain_id", "node_id", "key", "pk")
"""Columns that identify a row: the first that there is; else the first of all."""
_Tables = dict[tuple[str, str], list[tuple[str, bool]]]


def pgvector_rows(opening: Opening) -> Iterator[Row]:
    """Yield the rows of a table."""
    url = parse(opening.place)
    opening.variables.hide(url.password)
    try:
        engine = open_engine(url, opening.home)
    except (*FAILURES, ImportError, ValueError) as error:
        raise opening.failed(str(error)) from None
    try:
        yield from reading(engine, opening.settings.timeout, lambda connection: _rows(connection, opening))
    except FAILURES as error:
        raise opening.failed(str(getattr(error, "orig", None) or error)) from None
    finally:
        engine.dispose()


def _rows(connection: Connection, opening: Opening) -> Generator[Row]:
    tables: _Tables = {}
    for schema, table, column, is_vector in connection.exec_driver_sql(_COLUMNS):
        tables.setdefault((schema, table), []).append((column, is_vector))
    named = {table if schema == "public" else f"{schema}.{table}": (schema, table) for schema, table in tables}
    wanted = opening.settings.name
    vectors = [name for name, place in named.items() if any(is_vector for _, is_vector in tables[place])]
    schema, table = named[opening.chosen([*named] if wanted in named else vectors, "table")]
    columns = [column for column, is_vector in tables[schema, table] if not is_vector]
    key = next((name for name in KEYS if name in columns), columns[0])
    for row in connection.execution_options(yield_per=BATCH).execute(_select(connection, schema, table, columns)):
        record = dict(zip(columns, row, strict=True))
        yield flat(record[key], record)


def _select(connection: Connection, schema: str, table: str, columns: list[str]) -> sqlalchemy.TextClause:
    quoted = connection.dialect.identifier_preparer.quote_identifier
    names = ", ".join(map(quoted, columns))
    return sqlalchemy.text(f"select {names} from {quoted(schema)}.{quoted(table)}".replace(":", r"\:"))
