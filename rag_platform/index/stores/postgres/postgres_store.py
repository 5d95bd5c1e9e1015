"""Versions in PostgreSQL with the extension pgvector: `ports.VersionStore`.

Each segment is a set of tables that are written once, in the transaction in which its version appears, and dropped when
no version lists it: nothing is vacuumed, and of what was forgotten no row is left. The pointer is a row.
"""

import io
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from rag_platform.core.errors import DamagedVersion, StorageError, VersionError
from rag_platform.core.lazy import method_cache
from rag_platform.index.segments import listed
from rag_platform.index.stores.postgres.postgres_segments import PostgresSegments
from rag_platform.index.stores.postgres.postgres_tables import FUNCTIONS
from rag_platform.index.stores.postgres.postgres_writing import write_segment
from rag_platform.index.stores.segment_content import SegmentContent
from rag_platform.index.stores.stored_version import StoredSegment, StoredVersion, StoredVersionRow
from rag_platform.storage.relational.postgres import connected, engine_of, lock_key

if TYPE_CHECKING:
    import psycopg

_SETTINGS = "-c jit=off -c hnsw.ef_search=200 -c hnsw.iterative_scan=relaxed_order"
_TABLES = """
create table segments (name text primary key, described json not null, columns json not null);
create table versions (
    id text primary key, number bigint generated always as identity, manifest json not null, reference bytea);
create table members (
    version text not null references versions on delete cascade, at integer not null, segment text not null,
    primary key (version, at));
create table gone (
    version text not null references versions on delete cascade, segment text not null, place integer not null,
    primary key (version, segment, place));
create table pointer (live text references versions);
insert into pointer values (null);
"""
_OLDEST = (0, 8)
"""The release of pgvector from which a filter counts before a limit: its iterative scans."""
_MOMENT = 0.25
"""Seconds for which what is live is believed."""


class PostgresStore:
    """The versions in a schema of a server. Safe to ask from many threads; one process writes at a time."""

    def __init__(self, url: str, schema: str) -> None:
        """Connect, and make the schema where there is none."""
        self._engine, self._schema = engine_of(url, _SETTINGS), schema
        self._key = lock_key(schema, "versions")
        self._segments = PostgresSegments(self._connection)
        self._row = method_cache(16, self._read_row)
        self._seen: tuple[float, str | None, frozenset[str]] = (-_MOMENT, None, frozenset())
        with connected(self._engine, schema, "versions", extensions=True) as raw:
            self._prepare(raw)

    def ids(self) -> list[str]:
        """Name the versions that are wholly there, oldest first."""
        with self._connection() as raw:
            return [row[0] for row in raw.execute("select id from versions order by number").fetchall()]

    def manifest(self, version: str) -> dict[str, Any]:
        """Return what is known of a version; `VersionError` when it is not there."""
        with self._connection() as raw:
            found = raw.execute("select manifest from versions where id = %s", (version,)).fetchone()
        if found is None:
            raise VersionError(
                f"there is no version {version!r} in the store; it has {', '.join(self.ids()) or 'none'}"
            )
        return dict(found[0])

    def put(self, version: str, reader: Any, folder: Path) -> None:
        """Write a version: the segments that are not there yet, and what it lists, in one transaction."""
        segments = listed(folder)
        with self._writing() as raw:
            there = {row[0] for row in raw.execute("select name from segments").fetchall()}
            for segment in segments:
                if segment.folder.name not in there:
                    self._write(raw, SegmentContent(folder, segment.folder.name, segment.folder))
            manifest = json.dumps(reader.manifest, ensure_ascii=False, default=str)
            known = raw.execute("update versions set manifest = %s where id = %s", (manifest, version)).rowcount
            if not known:
                self._add(raw, version, manifest, reader.reference, segments)
        self._row.cache_clear()
        self._seen = (-_MOMENT, None, frozenset())

    def open(self, version: str) -> StoredVersion:
        """Open a version for as long as somebody holds it; `VersionError` when it is not there."""
        return StoredVersion(self._segments, self._row(version), lambda: version in self._looked()[2])

    def live(self, *, now: bool = False) -> str | None:
        """Name the version that readers answer from; the server is asked a few times a second at most."""
        return self._looked(now=now)[1]

    def publish(self, version: str | None) -> None:
        """Move the pointer, in one step for all readers."""
        with self._writing() as raw:
            if version and not raw.execute("select 1 from versions where id = %s", (version,)).fetchone():
                raise VersionError(f"there is no version {version!r} in the store; it was not published")
            raw.execute("update pointer set live = %s", (version,))
        self._looked(now=True)

    def remove(self, version: str, *, erase: bool = False) -> None:  # noqa: ARG002  dropped tables leave nothing
        """Let a version go, with the segments that no other lists."""
        with self._writing() as raw:
            raw.execute("delete from versions where id = %s", (version,))
            idle = "delete from segments where name not in (select segment from members) returning name"
            for (segment,) in raw.execute(idle).fetchall():
                self._segments.drop(raw, segment)
        self._row.cache_clear()
        self._looked(now=True)

    def _write(self, raw: "psycopg.Connection[Any]", content: SegmentContent) -> None:
        write_segment(raw, content)

    def _add(
        self, raw: "psycopg.Connection[Any]", version: str, manifest: str, reference: pl.DataFrame | None, segments: Any
    ) -> None:
        kept = io.BytesIO()
        if reference is not None:
            reference.write_parquet(kept)
        added = "insert into versions (id, manifest, reference) values (%s, %s, %s)"
        raw.execute(added, (version, manifest, kept.getvalue() or None))
        for at, segment in enumerate(segments):
            raw.execute("insert into members values (%s, %s, %s)", (version, at, segment.folder.name))
            gone = "insert into gone select %s, %s, unnest(%s::integer[])"
            raw.execute(gone, (version, segment.folder.name, segment.gone.tolist()))

    def _read_row(self, version: str) -> StoredVersionRow:
        manifest = self.manifest(version)
        members = (
            "select m.segment, s.described, array(select place from gone as g where g.version = m.version "
            "and g.segment = m.segment order by place) from members as m join segments as s on s.name = m.segment "
            "where m.version = %s order by m.at"
        )
        with self._connection() as raw:
            segments = [StoredSegment(name, gone, rows) for name, rows, gone in raw.execute(members, (version,))]
            kept = raw.execute("select reference from versions where id = %s", (version,)).fetchone()
        reference = pl.read_parquet(io.BytesIO(kept[0])) if kept and kept[0] else None
        return StoredVersionRow(manifest, segments, reference)

    def _looked(self, *, now: bool = False) -> tuple[float, str | None, frozenset[str]]:
        """Return when the server was asked last what is live and what there is, and what it said.

        While it does not answer, what it said last is believed: what is at hand still answers.
        """
        if now or time.monotonic() - self._seen[0] >= _MOMENT:
            try:
                with self._connection() as raw:
                    live, ids = raw.execute("select live, array(select id from versions) from pointer").fetchone()
                self._seen = (time.monotonic(), live, frozenset(ids))
            except StorageError:
                if now or not self._seen[2]:
                    raise
                self._seen = (time.monotonic(), *self._seen[1:])
        return self._seen

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        """Give a connection; a table that is not there any more is that of a version that was removed."""
        from psycopg.errors import UndefinedTable

        try:
            with connected(self._engine, self._schema, "versions", extensions=True) as raw:
                yield raw
        except StorageError as error:
            if isinstance(error.__cause__, UndefinedTable):
                raise DamagedVersion(f"the version is not in the store any more ({error})") from error
            raise

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        with self._connection() as raw, raw.transaction():
            raw.execute("select pg_advisory_xact_lock(%s)", (self._key,))
            yield raw

    def _prepare(self, raw: "psycopg.Connection[Any]") -> None:
        with raw.transaction():
            raw.execute("select pg_advisory_xact_lock(%s)", (self._key,))
            self._require_extensions(raw)
            made = raw.execute("select to_regclass(%s)", (f'"{self._schema}".pointer',)).fetchone()
            if made is None or made[0] is None:
                raw.execute(f'create schema if not exists "{self._schema}"')
                raw.execute(f"{_TABLES} {FUNCTIONS}")

    def _require_extensions(self, raw: "psycopg.Connection[Any]") -> None:
        known = raw.execute("select default_version from pg_available_extensions where name = 'vector'").fetchone()
        if known is None or _release(known[0]) < _OLDEST:
            raise VersionError(
                f"[scale] store = 'postgres' needs pgvector {'.'.join(map(str, _OLDEST))} or newer, and the server has "
                f"{known[0] if known else 'none'}. Install it there, such as the package postgresql-17-pgvector"
            )
        raw.execute("create extension if not exists vector with schema public")


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
