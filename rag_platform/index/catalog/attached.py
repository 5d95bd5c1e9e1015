"""The tables of a version's segments as one: `documents` and `chunks`, of which those that do not live are left out."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import duckdb

from rag_platform.index.catalog.sql_tables import SqlTables
from rag_platform.index.reading import explaining_damage
from rag_platform.index.segments import CATALOG, Listed
from rag_platform.storage.columnar.duckdb_instance import MemoryDatabase


class AttachedTables(SqlTables):
    """The opened tables; safe to ask from many threads.

    Beside them: `placed`, the documents with `segment` and `place`, by which they are in the order of their numbers;
    and `stored`, with `segment` and with those that do not live, which nobody is shown.
    """

    def __init__(self, folder: Path, segments: Sequence[Listed]) -> None:
        """Attach the segments of the version in a folder."""
        super().__init__()
        self._path, self._database = folder, MemoryDatabase()
        with self._connection() as connection:
            files = [self._database.attach(segment.folder / CATALOG) for segment in segments]
            living = [_living(connection, *one) for one in zip(files, segments, strict=True)]
            stored = [f"select *, {place} as segment from {file}.documents" for place, file in enumerate(files)]
            placed = "select *, {} as segment, rowid as place from {}.documents {}"
            views = {
                "stored": stored,
                "placed": [placed.format(place, *one) for place, one in enumerate(zip(files, living, strict=True))],
                "documents": ["select * exclude (segment, place) from placed"],
                "chunks": [f"from {file}.chunks {which}" for file, which in zip(files, living, strict=True)],
            }
            for name, parts in views.items():
                connection.execute(f"create view {name} as {' union all by name '.join(parts)}").fetchall()

    def _connected(self) -> duckdb.DuckDBPyConnection:
        return self._database.connect()

    def _explaining(self) -> AbstractContextManager[None]:
        return explaining_damage(self._path)


def _living(connection: duckdb.DuckDBPyConnection, file: str, segment: Listed) -> str:
    """Return the condition of what lives in a segment, and make the table that it needs."""
    if not len(segment.gone):
        return ""
    gone = f"select doc_id from {file}.documents where rowid in (select unnest(?::bigint[]))"
    connection.execute(f"create table gone_{file} as {gone}", [segment.gone.tolist()]).fetchall()
    return f"where doc_id not in (from gone_{file})"
