"""What is asked of the tables of segments in PostgreSQL: `SegmentEngine`."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np

from rag_platform.core.lazy import method_cache
from rag_platform.index.stores.postgres.postgres_tables import PostgresTables, signed, unsigned
from rag_platform.index.stores.postgres.postgres_writing import vector_form
from rag_platform.index.stores.segment_content import Kind, shown_columns

_FEW = 5_000
"""Places that are named one by one; of more, a bit tells for each."""
_KEPT = 1024
"""Segments of which it is remembered what they hold; it never changes."""


class _About(NamedTuple):
    described: dict[str, int]
    columns: dict[str, dict[str, str]]
    """Types of the columns of documents and chunks."""

    @property
    def files(self) -> list[str]:
        """Those of vectors, in the order of their tables."""
        return [name for name in self.described if name not in self.columns]


class PostgresSegments:
    """Segments as tables, each named by its segment: ``s0123…_chunks``."""

    def __init__(self, connection: Callable[[], AbstractContextManager[Any]]) -> None:
        self._connection = connection
        self._about = method_cache(_KEPT, self._read_about)

    def arrays(self, segment: str) -> Mapping[str, bytes]:
        """Return what every reader holds in memory."""
        parts: dict[str, list[bytes]] = {}
        for name, content in self._read(f"select name, content from s{segment}_arrays order by name, part"):
            parts.setdefault(name, []).append(content)
        return {name: b"".join(own) for name, own in parts.items()}

    def rows(self, segments: Sequence[str], kind: Kind, terms: Sequence[int]) -> dict[tuple[str, int], bytes]:
        """Return what is packed of these terms, by segment and hash."""
        one = "select {0}, term, content from s{1}_{2} where term = any(%(terms)s)"
        found = self._of_all([one.format(at, name, kind) for at, name in enumerate(segments)], terms=terms)
        return {(segments[at], unsigned(term)): content for at, term, content in found}

    def passages(self, segment: str, places: Sequence[int]) -> list[dict[str, Any]]:
        """Return chunks with what is shown of their documents."""
        columns = self._about(segment).columns
        chunks = [name for name in columns["chunks"] if name not in ("place", "document")]
        shown = shown_columns([*columns["documents"]], chunks)
        named = ", ".join([*(f'c."{name}"' for name in chunks), *(f'd."{name}"' for name in shown)])
        sql = f"select {named} from s{segment}_chunks as c join s{segment}_documents as d on d.place = c.document"
        with self._connection() as raw:
            found = raw.execute(f"{sql} where c.place = any(%s)", ([*places],)).fetchall()
        rows = (dict(zip((*chunks, *shown), row, strict=True)) for row in found)
        return [row | {"key": unsigned(row["key"])} for row in rows]

    def nearest(
        self, segment: str, file: str, vector: np.ndarray, most: int, chosen: np.ndarray | None, *, exact: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places (int64) of about the nearest vectors, with these vectors (float16)."""
        which, asked = self._chosen(segment, file, chosen)
        asked |= {"most": most, "vector": f"[{','.join(map(str, vector.astype(np.float16).tolist()))}]"}
        near = f"v <=> %(vector)s::halfvec({len(vector)})"
        sql = f"select place, v from {self._vectors_of(segment, file)} {which} order by {{}} limit %(most)s"
        walked = not (exact or "places" in asked)
        rows = self._read(sql.format(near if walked else f"({near}) + 0"), asked)  # a sum is in no index
        if walked and chosen is not None and len(rows) < min(most, len(chosen)):
            rows = self._read(sql.format(f"({near}) + 0"), asked)  # the walk ended before it had met so many
        return _opened(rows, len(vector))

    def vectors(self, segment: str, file: str, places: np.ndarray) -> np.ndarray:
        """Return the vectors (float16) at these places, in their order."""
        sql = f"select place, v from {self._vectors_of(segment, file)} where place = any(%(places)s)"
        rows = self._read(sql, {"places": places.tolist()})
        found, vectors = _opened(rows, (len(rows[0][1]) - 4) // 2)
        order = np.argsort(found)
        return vectors[order[np.searchsorted(found[order], places)]]

    def tokens(self, segments: Sequence[str], model: str, keys: Sequence[int]) -> dict[int, bytes]:
        """Return the token vectors of passages, by key."""
        one = "select key, content from s{}_tokens where model = %(model)s and key = any(%(terms)s)"
        found = self._of_all([one.format(name) for name in segments], terms=keys, model=model)
        return {unsigned(key): content for key, content in found}

    def tables(self, version: str, segments: Sequence[str]) -> PostgresTables:
        """Return the documents and chunks that live in a version."""
        columns = {segment: self._about(segment).columns for segment in segments}
        return PostgresTables(self._connection, version, columns)

    def held(self, segment: str) -> Mapping[str, int]:
        """Count the rows that there are."""
        tables = {name: f"s{segment}_{name}" for name in self._about(segment).columns}
        return self._count(tables) | self._count_vectors(segment)

    def damaged(self, segment: str) -> list[str]:  # noqa: ARG002  the server has checksums of its own
        """Name nothing."""
        return []

    def bytes_of(self, segment: str) -> int:
        """Return what the tables of a segment take with their indexes."""
        size = "coalesce(sum(pg_total_relation_size(quote_ident(tablename)::regclass)), 0)::bigint"
        return int(self._read(f"select {size} {_OF_SEGMENT}", {"name": f"s{segment}\\_%"})[0][0])

    def drop(self, raw: Any, segment: str) -> None:
        """Drop the tables of a segment within a transaction."""
        for (table,) in raw.execute(f"select tablename {_OF_SEGMENT}", {"name": f"s{segment}\\_%"}).fetchall():
            raw.execute(f"drop table {table}")

    def _chosen(self, segment: str, file: str, chosen: np.ndarray | None) -> tuple[str, dict[str, Any]]:
        """Return the condition that rows have to meet, and its values."""
        if chosen is None:
            return "", {}
        if len(chosen) <= _FEW:
            return "where place = any(%(places)s)", {"places": chosen.tolist()}
        mask = np.zeros(self._about(segment).described[file], bool)
        mask[chosen] = True
        return "where get_bit(%(bits)s, place) = 1", {"bits": np.packbits(mask, bitorder="little").tobytes()}

    def _count_vectors(self, segment: str) -> dict[str, int]:
        return self._count({file: self._vectors_of(segment, file) for file in self._about(segment).files})

    def _count(self, tables: Mapping[str, str]) -> dict[str, int]:
        return dict(self._of_all([f"select '{name}', count(*) from {table}" for name, table in tables.items()]))

    def _read_about(self, segment: str) -> _About:
        sql = "select described::text, columns::text from segments where name = %(name)s"
        ((described, columns),) = self._read(sql, {"name": segment})
        return _About(json.loads(described), json.loads(columns))

    def _vectors_of(self, segment: str, file: str) -> str:
        return f"s{segment}_vectors_{self._about(segment).files.index(file)}"

    def _of_all(self, parts: Sequence[str], *, terms: Sequence[int] = (), **values: Any) -> list[tuple[Any, ...]]:
        return self._read(" union all ".join(parts), {"terms": [*map(signed, terms)], **values}) if parts else []

    def _read(self, sql: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Return rows in PostgreSQL's own form, which takes a fraction of the time that text does."""
        import psycopg
        from psycopg.rows import tuple_row

        with self._connection() as raw, psycopg.Cursor(raw, row_factory=tuple_row) as cursor:
            return cursor.execute(sql, values or {}, binary=True, prepare=False).fetchall()


_OF_SEGMENT = "from pg_tables where schemaname = current_schema() and tablename like %(name)s"


def _opened(rows: Sequence[tuple[int, bytes]], dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the places (int64) and vectors (float16) of rows as pgvector sends them."""
    sent = np.frombuffer(b"".join(vector for _, vector in rows), vector_form(dimension))
    return np.fromiter((place for place, _ in rows), np.int64, len(rows)), sent["v"].astype(np.float16)
