"""The vectors of segments in Milvus: a collection for each file of a segment, written once, and dropped."""

import logging
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from rag_platform.core.errors import DamagedVersion, MissingExtra, RagError, StorageError
from rag_platform.core.lazy import method_cache
from rag_platform.index.stores.stored_version import EXACT_BELOW

_BLOCK = 8_000
"""Vectors of a message: Milvus takes and gives 16,384 rows and 64 MB at a time."""
_MOST = 16_384
"""Rows that a search may ask for."""
_FEW = 5_000
"""Places that are named one by one."""
_WIDTH, _WIDER = 200, 800
"""Of a walk through a graph, at least; and among some alone."""
_GRAPH = {"M": 16, "efConstruction": 128}
_ABSENT, _UNREACHED = 100, 2
"""Milvus' codes of a collection that is not there, and of a server that does not answer."""


class MilvusVectors:
    """Collections named ``<prefix>_<segment>_<number of the file>``. Safe to ask from many threads."""

    def __init__(self, address: str, prefix: str, options: Mapping[str, str]) -> None:
        """Take a server at ``http://host:port``; `options`: those of `pymilvus.MilvusClient`.

        Raises:
            MissingExtra: pymilvus is not installed.
        """
        try:
            from pymilvus import MilvusClient
        except ImportError as error:
            raise MissingExtra("pymilvus", "milvus", "[scale] store = 'milvus'") from error
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # it writes what it raises, with a traceback
        self._address, self._prefix = address, f"{prefix}_"
        self._connect = partial(MilvusClient, uri=address, dedicated=True, **options)
        self._connected: MilvusClient | None = None
        self._lock = threading.Lock()
        self._loaded = method_cache(1024, self._load)

    def write(self, segment: str, number: int, vectors: np.ndarray) -> None:
        """Write the vectors (float16, shape (places, dimension)) of a file, and see that all of them are there."""
        from pymilvus import DataType

        name = self._name(segment, number)
        with self._explaining():
            schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
            schema.add_field("place", DataType.INT64, is_primary=True)
            schema.add_field("v", DataType.FLOAT_VECTOR, dim=vectors.shape[1])
            index = self._client.prepare_index_params()
            many = len(vectors) > EXACT_BELOW
            index.add_index("v", "HNSW" if many else "FLAT", metric_type="COSINE", params=_GRAPH if many else {})
            self._client.create_collection(name, schema=schema, index_params=index, consistency_level="Eventually")
            for start in range(0, len(vectors), _BLOCK):
                rows = vectors[start : start + _BLOCK].astype(np.float32)
                self._client.insert(name, [{"place": start + at, "v": row} for at, row in enumerate(rows)])
            self._client.flush(name)
        if (there := self.count(segment, number)) != len(vectors):
            raise StorageError(f"Milvus at {self._address} kept {there} of {len(vectors)} vectors; sync again")

    def count(self, segment: str, number: int) -> int:
        """Count the vectors that there are, those written just now too; 0: there is no such collection."""
        try:
            with self._explaining():
                name = self._loaded(segment, number)
                told = self._client.query(name, output_fields=["count(*)"], consistency_level="Strong")
        except DamagedVersion:
            return 0
        return int(told[0]["count(*)"])

    def nearest(
        self, segment: str, number: int, vector: np.ndarray, most: int, chosen: np.ndarray | None, total: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places (int64) of about the nearest of `total` vectors, with these (float16), in any order.

        `chosen`: the places among which, ascending; None: all.
        """
        if chosen is None:
            return self._searched(segment, number, vector, most)
        if len(chosen) <= _FEW:
            return chosen, self.vectors(segment, number, chosen)
        wanted = int(1.5 * most * total / len(chosen))
        if wanted <= _MOST:  # Milvus knows no bitmap: what is found is filtered here
            places, rows = self._searched(segment, number, vector, wanted)
            kept = np.isin(places, chosen, assume_unique=True)
            if kept.sum() >= most:
                return places[kept], rows[kept]
        parts = [
            self._searched(segment, number, vector, most, f"place in {chosen[start : start + _BLOCK].tolist()}")
            for start in range(0, len(chosen), _BLOCK)
        ]
        return _joined(parts)

    def exact(
        self, segment: str, number: int, vector: np.ndarray, most: int, chosen: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest of the chosen by comparing all of them, block by block."""
        best = np.empty(0, np.int64), np.empty((0, len(vector)), np.float16)
        for start in range(0, len(chosen), _BLOCK):
            block = chosen[start : start + _BLOCK]
            places, rows = _joined([best, (block, self.vectors(segment, number, block))])
            score = rows.astype(np.float32) @ vector / np.linalg.norm(rows.astype(np.float32), axis=1).clip(1e-12)
            order = np.argsort(-score, kind="stable")[:most]
            best = places[order], rows[order]
        return best

    def vectors(self, segment: str, number: int, places: np.ndarray) -> np.ndarray:
        """Return the vectors (float16) at these places, of which there are some, in their order."""
        wanted, order = np.unique(places, return_inverse=True)
        with self._explaining():
            name, rows = self._loaded(segment, number), []
            for start in range(0, len(wanted), _BLOCK):
                block = wanted[start : start + _BLOCK]
                in_a_row = block[-1] - block[0] == len(block) - 1
                which = f"place >= {block[0]} and place <= {block[-1]}" if in_a_row else f"place in {block.tolist()}"
                rows += self._client.query(name, filter=which, output_fields=["place", "v"], limit=_BLOCK)
        found, vectors = _opened(rows)
        if len(found) != len(wanted):
            raise DamagedVersion(f"Milvus has lost vectors of segment {segment}; remove the version, and sync")
        own: np.ndarray = vectors[np.argsort(found)][order]
        return own

    def segments(self) -> set[str]:
        """Name the segments of which there is anything."""
        return {segment for segment, _ in self._collections()}

    def drop(self, segments: Iterable[str]) -> None:
        """Drop what there is of these segments."""
        gone = {*segments}
        with self._explaining():
            for segment, name in self._collections():
                if segment in gone:
                    self._client.drop_collection(name)

    def _collections(self) -> list[tuple[str, str]]:
        """Return segment and name of each collection of ours; the prefix of another workspace may begin with ours."""
        form = re.compile(rf"{re.escape(self._prefix)}([^_]+)_\d+")
        with self._explaining():
            found = map(form.fullmatch, self._client.list_collections())
        return [(match[1], match[0]) for match in found if match]

    def _searched(
        self, segment: str, number: int, vector: np.ndarray, most: int, which: str = ""
    ) -> tuple[np.ndarray, np.ndarray]:
        most = min(most, _MOST)
        with self._explaining():
            (found,) = self._client.search(
                self._loaded(segment, number),
                [vector.astype(np.float32)],
                filter=which,
                limit=most,
                output_fields=["v"],
                search_params={"params": {"ef": max(_WIDER if which else _WIDTH, most)}},
            )
        return _opened([{"place": hit["place"], "v": hit["entity"]["v"]} for hit in found])

    @property
    def _client(self) -> Any:
        with self._lock:
            if self._connected is None:
                self._connected = self._connect()
            return self._connected

    def _name(self, segment: str, number: int) -> str:
        return f"{self._prefix}{segment}_{number}"

    def _load(self, segment: str, number: int) -> str:
        """Have a collection held in memory by the server, as all are that were not released; returns its name."""
        name = self._name(segment, number)
        self._client.load_collection(name)
        return name

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say in words what goes wrong: what is not there any more is `DamagedVersion`, the rest `StorageError`."""
        try:
            yield
        except RagError:
            raise
        except Exception as error:
            from pymilvus.exceptions import MilvusException

            if not isinstance(error, MilvusException):
                raise
            if error.code == _UNREACHED:  # a client that lost its server stays without
                self._connected = None
                self._loaded.cache_clear()
            if error.code == _ABSENT:
                raise DamagedVersion(f"the version is not in Milvus any more ({error.message})") from error
            raise StorageError(
                f"Milvus at {self._address} could not be asked: {error.message}; check [scale] milvus, milvus_options "
                "and whether the server runs"
            ) from error


def _opened(rows: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the places (int64) and vectors (float16, as they were written) of rows as Milvus gives them."""
    places = np.fromiter((row["place"] for row in rows), np.int64, len(rows))
    return places, np.array([row["v"] for row in rows], np.float32).astype(np.float16)


def _joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([places for places, _ in parts]), np.concatenate([rows for _, rows in parts])
