"""The tables of a version's segments as one: `documents` and `chunks`, of which those that do not live are left out."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from rag_platform.index.reading import explaining_damage
from rag_platform.index.segments import CATALOG, Listed
from rag_platform.storage.arrow import frame_of


class AttachedTables:
    """The opened tables; safe to ask from many threads.

    Beside them: `placed`, the documents with `segment` and `place`, by which they are in the order of their numbers;
    and `stored`, with `segment` and with those that do not live, which nobody is shown.
    """

    def __init__(self, folder: Path, segments: Sequence[Listed]) -> None:
        """Attach the segments of the version in a folder."""
        self._path, self._lock = folder, threading.Lock()
        with explaining_damage(folder):
            self._hub = duckdb.connect()
            for place, segment in enumerate(segments):
                self._attach(place, segment)
            self._view(
                "stored", [f"select *, {place} as segment from s{place}.documents" for place in range(len(segments))]
            )
            living = [(place, _living(place, segment)) for place, segment in enumerate(segments)]
            placed = "select *, {0} as segment, rowid as place from s{0}.documents {1}"
            self._view("placed", [placed.format(place, which) for place, which in living])
            self._view("documents", ["select * exclude (segment, place) from placed"])
            self._view("chunks", [f"from s{place}.chunks {which}" for place, which in living])

    def _attach(self, place: int, segment: Listed) -> None:
        path = str(segment.folder / CATALOG).replace("'", "''")
        self._hub.execute(f"attach '{path}' as s{place} (read_only)").fetchall()
        if len(segment.gone):
            gone = f"select doc_id from s{place}.documents where rowid in (select unnest(?::bigint[]))"
            self._hub.execute(f"create table gone{place} as {gone}", [segment.gone.tolist()]).fetchall()

    def _view(self, name: str, parts: Sequence[str]) -> None:
        self._hub.execute(f"create view {name} as {' union all by name '.join(parts)}").fetchall()

    def frame(self, sql: str, values: list[Any]) -> pl.DataFrame:
        """Return what a query finds."""
        with self._cursor() as cursor:
            return frame_of(cursor.sql(sql, params=values))

    def rows(self, sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """Return what a query finds, as rows."""
        with self._cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with explaining_damage(self._path), self._lock:
            cursor = self._hub.cursor()
        with explaining_damage(self._path), cursor:
            yield cursor


def _living(place: int, segment: Listed) -> str:
    return f"where doc_id not in (from gone{place})" if len(segment.gone) else ""
