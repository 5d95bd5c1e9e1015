"""The documents and chunks of a version in PostgreSQL, asked in the SQL that the catalog speaks, which is DuckDB's."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import polars as pl

from rag_platform.core.schemas import CHUNKS, DOCUMENTS, MOMENT
from rag_platform.index.catalog.catalog_writing import AROUND
from rag_platform.storage.relational.postgres_sql import placed

FUNCTIONS = """
create function list_contains(list text[], one text) returns boolean language sql immutable parallel safe as
    $body$ select one = any(list) $body$;
create function list_position(list text[], one text) returns integer language sql immutable parallel safe as
    $body$ select array_position(list, one) $body$;
create function len(list anyarray) returns integer language sql immutable parallel safe as
    $body$ select coalesce(cardinality(list), 0) $body$;
create function contains(whole text, part text) returns boolean language sql immutable parallel safe as
    $body$ select strpos(whole, part) > 0 $body$;
create function ends_with(whole text, part text) returns boolean language sql immutable parallel safe as
    $body$ select right(whole, length(part)) = part $body$;
create function regexp_extract_all(whole text, pattern text, part integer) returns text[]
    language sql immutable parallel safe as
    $body$ select array(select found[part] from regexp_matches(whole, pattern, 'gn') as found) $body$;
"""
"""Those of DuckDB that the catalog asks with."""
_KINDS: dict[Any, str] = {
    pl.String: 'text collate "C"',  # in the order of bytes, as in DuckDB
    pl.Boolean: "boolean",
    pl.Int32: "integer",
    pl.UInt32: "bigint",
    pl.Int64: "bigint",
    pl.UInt64: "bigint",
    pl.Float64: "float8",
    pl.Datetime: "timestamptz",
}
_EXCLUDED = re.compile(r"\* exclude \(([^)]*)\)")
_KNOWN = {**DOCUMENTS, **CHUNKS, "key": pl.UInt64(), "near": pl.String(), "source": pl.String(), "dated": MOMENT}
_BESIDE = ("place", "document", *AROUND)
"""Columns that the tables of a segment have and the catalog has not."""
_SIGN = 1 << 63
"""Keys have 64 bits and no sign; taken off, they fit, in the same order."""


def signed(key: int) -> int:
    """Return a key (uint64) as PostgreSQL keeps it."""
    return key - _SIGN


def unsigned(kept: int) -> int:
    """Return the key that is kept so."""
    return kept + _SIGN


def column_types(frame: pl.DataFrame) -> dict[str, str]:
    """Return the type of each column."""
    return {name: _type(kind) for name, kind in frame.schema.items()}


def _type(kind: pl.DataType) -> str:
    if not isinstance(kind, pl.List):
        return _KINDS[kind.base_type()]
    return "jsonb" if isinstance(kind.inner, pl.Struct) else f"{_KINDS[kind.inner.base_type()].split()[0]}[]"


def values_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame as it is written: structs as JSON, keys with a sign, and no character 0, which it cannot hold."""
    structs = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List) and kind.inner == pl.Struct]
    texts = pl.col(pl.String).str.replace_all("\x00", "\ufffd", literal=True)
    plain = frame.with_columns(texts).with_columns(
        pl.col(name).map_elements(_json, return_dtype=pl.String) for name in structs
    )
    wrapped = (pl.col("key") ^ pl.lit(_SIGN, pl.UInt64)).reinterpret(signed=True)
    return plain.with_columns(wrapped) if "key" in frame.columns else plain


def _json(rows: pl.Series) -> str:
    import json

    return json.dumps(rows.to_list(), ensure_ascii=False).replace("\\u0000", "\ufffd")


class PostgresTables:
    """The tables of a version by SQL; fulfils `ports.VersionTables`."""

    def __init__(
        self,
        connection: Callable[[], AbstractContextManager[Any]],
        version: str,
        columns: Mapping[str, Mapping[str, Mapping[str, str]]],
    ) -> None:
        """Ask by these connections; `columns` by segment and table: names and types."""
        self._connection = connection
        documents = _joined([one["documents"] for one in columns.values()])
        chunks = _joined([one["chunks"] for one in columns.values()])
        shown = [[name for name in names if name not in _BESIDE] for names in (documents, chunks)]
        parts: dict[str, list[str]] = {"stored": [], "placed": [], "chunks": []}
        for at, (segment, own) in enumerate(columns.items()):
            about = f"from s{segment}_documents as d", f"{_chosen(documents, own['documents'])}, {at} as segment"
            parts["stored"].append(f"select {about[1]} {about[0]}")
            parts["placed"].append(f"select {about[1]} {about[0]} where {_lives(version, segment, 'd.place')}")
            read = _chosen({name: chunks[name] for name in shown[1]}, own["chunks"])
            parts["chunks"].append(
                f"select {read} from s{segment}_chunks as c where {_lives(version, segment, 'c.document')}"
            )
        self._documents = shown[0]
        views = {name: " union all ".join(own) for name, own in parts.items()}
        views["documents"] = f"select {_quoted(shown[0])} from placed"
        self._views = "with " + ", ".join(f"{name} as not materialized ({sql})" for name, sql in views.items()) + " "

    def frame(self, sql: str, values: list[Any]) -> pl.DataFrame:
        """Return what a query finds."""
        with self._connection() as raw:
            cursor = raw.execute(placed(self._views + self._spoken(sql)), values)
            names, rows = [column.name for column in cursor.description], cursor.fetchall()
        columns = zip(*rows, strict=True) if rows else ([] for _ in names)
        return pl.DataFrame([_series(name, [*found]) for name, found in zip(names, columns, strict=True)])

    def rows(self, sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """Return what a query finds, as rows."""
        with self._connection() as raw:
            return [tuple(row) for row in raw.execute(placed(self._views + self._spoken(sql)), values).fetchall()]

    def _spoken(self, sql: str) -> str:
        """Return a query in which columns that are left out are those that are named."""

        def named(match: re.Match[str]) -> str:
            left_out = [name.strip() for name in match[1].split(",")]
            return _quoted([name for name in self._documents if name not in left_out])

        return _EXCLUDED.sub(named, sql)


def _joined(columns: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {name: kind for one in columns for name, kind in one.items()}


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _chosen(every: Mapping[str, str], own: Mapping[str, str]) -> str:
    named = (f'"{name}"' if name in own else f'null::{kind.split()[0]} as "{name}"' for name, kind in every.items())
    return ", ".join(named)


def _lives(version: str, segment: str, place: str) -> str:
    return (
        f"not exists (select from gone as g where g.version = '{version}' and g.segment = '{segment}' "
        f"and g.place = {place})"
    )


def _series(name: str, found: list[Any]) -> pl.Series:
    if name == "key":
        found = [unsigned(kept) for kept in found]
    return pl.Series(name, found, dtype=_KNOWN.get(name), strict=False)
