"""Versions whose vectors are in Milvus, and all else in PostgreSQL: `ports.VersionStore`.

A version appears in a transaction of PostgreSQL, as without Milvus, and its vectors are all in Milvus before. They go
after it; what a process that was killed left there goes with the next change.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from rag_platform.index.stores.milvus.milvus_vectors import MilvusVectors
from rag_platform.index.stores.postgres.postgres_segments import PostgresSegments
from rag_platform.index.stores.postgres.postgres_store import PostgresStore
from rag_platform.index.stores.postgres.postgres_writing import write_segment
from rag_platform.index.stores.segment_content import SegmentContent

_OF_ROW = 4
"""Bytes of a number: Milvus keeps vectors in single precision."""


class MilvusStore(PostgresStore):
    """The versions in a schema of a server of PostgreSQL, and in the collections of Milvus that begin with its name."""

    def __init__(self, url: str, schema: str, address: str, options: Mapping[str, str]) -> None:
        """Connect to both; `options`: those of `pymilvus.MilvusClient`."""
        super().__init__(url, schema)
        self._vectors = MilvusVectors(address, schema, options)
        self._segments = MilvusSegments(self._connection, self._vectors)

    def put(self, version: str, reader: Any, folder: Path) -> None:
        """Write a version: its vectors first, then the rest in one transaction."""
        super().put(version, reader, folder)
        self._sweep()

    def remove(self, version: str, *, erase: bool = False) -> None:
        """Let a version go, with the segments that no other lists."""
        super().remove(version, erase=erase)
        self._sweep()

    def _require_extensions(self, raw: Any) -> None:
        """Need none: there are no vectors in PostgreSQL."""

    def _write(self, raw: Any, content: SegmentContent) -> None:
        self._vectors.drop([content.name])  # what a process that was killed has left of it
        for number, (_, vectors) in enumerate(content.vectors.values()):
            self._vectors.write(content.name, number, vectors)
        write_segment(raw, content, vectors=False)

    def _sweep(self) -> None:
        """Drop the vectors of segments that no version lists; nobody writes meanwhile."""
        with self._writing() as raw:
            listed = {row[0] for row in raw.execute("select name from segments").fetchall()}
            self._vectors.drop(self._vectors.segments() - listed)


class MilvusSegments(PostgresSegments):
    """Segments as tables, with their vectors in Milvus."""

    def __init__(self, connection: Callable[[], AbstractContextManager[Any]], vectors: MilvusVectors) -> None:
        super().__init__(connection)
        self._vectors = vectors

    def nearest(
        self, segment: str, file: str, vector: np.ndarray, most: int, chosen: np.ndarray | None, *, exact: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places (int64) of about the nearest vectors, with these vectors (float16)."""
        number, total = self._number(segment, file), self._about(segment).described[file]
        if exact:
            among = np.arange(total) if chosen is None else chosen
            return self._vectors.exact(segment, number, vector, most, among)
        return self._vectors.nearest(segment, number, vector, most, chosen, total)

    def vectors(self, segment: str, file: str, places: np.ndarray) -> np.ndarray:
        """Return the vectors (float16) at these places, in their order."""
        return self._vectors.vectors(segment, self._number(segment, file), places)

    def bytes_of(self, segment: str) -> int:
        """Return what the tables of a segment take with their indexes, and what its vectors do without theirs."""
        about = self._about(segment)
        sizes = (about.described[file] * self._dimension(segment, file) * _OF_ROW for file in about.files)
        return super().bytes_of(segment) + sum(sizes)

    def _count_vectors(self, segment: str) -> dict[str, int]:
        return {file: self._vectors.count(segment, at) for at, file in enumerate(self._about(segment).files)}

    def _dimension(self, segment: str, file: str) -> int:
        if not self._about(segment).described[file]:
            return 0
        return int(self.vectors(segment, file, np.zeros(1, np.int64)).shape[1])

    def _number(self, segment: str, file: str) -> int:
        return self._about(segment).files.index(file)
