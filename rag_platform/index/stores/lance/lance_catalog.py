"""The documents and chunks of a version in Lance, asked in the SQL that the catalog speaks: DuckDB reads the tables."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import duckdb
import polars as pl

from rag_platform.core.schemas import DOCUMENTS
from rag_platform.index.catalog.catalog_writing import AROUND
from rag_platform.index.catalog.sql_tables import SqlTables
from rag_platform.index.stores.lance.lance_folder import LanceFolder
from rag_platform.storage.columnar.duckdb_instance import MemoryDatabase

_BESIDE = ", ".join(("place", "document", *AROUND))
"""Columns of the chunks that the catalog has not."""
_NAMED = re.compile(r"'[^']*'|\?(?:::varchar\[\])?|doc_id in \(select unnest\(\?::varchar\[\]\)\)")
_FEW = 1000
"""Documents that are named one by one, so that their index is asked for them."""
_RETYPED = {name: kind for name, kind in DOCUMENTS.items() if kind == pl.List(pl.UInt32)}


class LanceTables(SqlTables):
    """The tables of a version by SQL."""

    def __init__(self, folder: LanceFolder, segments: Sequence[tuple[Any, Any, Sequence[int]]]) -> None:
        """Take of each segment the documents, the chunks, and the places of the documents that do not live."""
        super().__init__()
        self._folder, self._segments, self._database = folder, segments, MemoryDatabase()
        with self._database.connect() as connection:
            for at, (_, _, gone) in enumerate(segments):
                places = f"create table gone{at} as select unnest(?::bigint[]) as place"
                connection.execute(places, [[*gone]]).fetchall()

    def frame(self, sql: str, values: list[Any]) -> pl.DataFrame:
        """Return what a query finds."""
        found = super().frame(*_spoken(sql, values))
        return found.cast({name: kind for name, kind in _RETYPED.items() if name in found.columns})  # type: ignore[arg-type]

    def rows(self, sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """Return what a query finds, as rows."""
        return super().rows(*_spoken(sql, values))

    def _explaining(self) -> AbstractContextManager[None]:
        return self._folder.explaining()

    def _connected(self) -> duckdb.DuckDBPyConnection:
        own = self._database.connect()
        parts: dict[str, list[str]] = {"stored": [], "placed": [], "chunks": []}
        for at, (documents, chunks, gone) in enumerate(self._segments):
            own.register(f"documents{at}", documents)
            own.register(f"chunks{at}", chunks)
            lives = f"where {{}} not in (from gone{at})" if len(gone) else ""
            parts["stored"].append(f"select * exclude (place), {at} as segment from documents{at}")
            parts["placed"].append(f"select *, {at} as segment from documents{at} {lives.format('place')}")
            parts["chunks"].append(f"select * exclude ({_BESIDE}) from chunks{at} {lives.format('document')}")
        for name, selects in parts.items():
            own.execute(f"create temp view {name} as {' union all by name '.join(selects)}").fetchall()
        own.execute("create temp view documents as select * exclude (segment, place) from placed").fetchall()
        return own


def _spoken(sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return a query that names a few documents one by one, with its values: joined, all texts would be read."""
    left, given = iter(values), []

    def named(match: re.Match[str]) -> str:
        if match[0][0] == "'":
            return match[0]  # a text, in which no value stands
        value = next(left)
        if match[0][0] == "?" or not 0 < len(value) <= _FEW:
            given.append(value)
            return match[0]
        given.extend(value)
        return f"doc_id in ({', '.join('?' * len(value))})"

    return _NAMED.sub(named, sql), given
