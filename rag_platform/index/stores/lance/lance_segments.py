"""What is asked of the tables of segments in Lance: `SegmentEngine`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import polars as pl
from cachetools import LRUCache, cachedmethod

from rag_platform.core.lazy import method_cache
from rag_platform.index.stores.lance.lance_catalog import LanceTables
from rag_platform.index.stores.lance.lance_folder import LanceFolder
from rag_platform.index.stores.lance.lance_writing import FILES, PARTITION
from rag_platform.index.stores.segment_content import Kind, shown_columns

SEGMENTS = "segments"
"""The folder of all of them. A name there is never given twice: what was opened is not read anew."""
_FEW = 5_000
"""Places whose vectors are read and compared, all of them; of more, a graph is asked which."""
_WIDTH, _LEAST, _SHARE = 200, 16, 4
"""Of a walk through a graph; how many of an index's graphs are walked: so many, and at least a quarter of them."""
_KEPT = 1024
"""Tables that are held open."""
_BYTES = 256_000_000
"""Of memory that vectors take of segments that have no graph."""
_AT_ONCE = 8
"""Segments that are asked at the same time."""
T = TypeVar("T")


class LanceSegments:
    """Segments as tables, each in a folder by its name: ``segments/0123…/chunks.lance``."""

    def __init__(self, folder: LanceFolder, gone: Callable[[str], Mapping[str, Sequence[int]]]) -> None:
        """`gone` tells of a version which documents of each segment do not live in it."""
        self._folder, self._gone = folder, gone
        self._table = method_cache(_KEPT, self._opened)
        self._graphs = method_cache(_KEPT, self._count_graphs)
        self._small: LRUCache[Any, np.ndarray] = LRUCache(_BYTES, lambda rows: rows.nbytes)
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(_AT_ONCE, "lance")

    def arrays(self, segment: str) -> Mapping[str, bytes]:
        """Return what every reader holds in memory."""
        rows = self._read(self._table(segment, "arrays").scanner()).sort("name", "part")
        parts = rows.group_by("name", maintain_order=True).agg("content").iter_rows()
        return {name: b"".join(own) for name, own in parts}

    def rows(self, segments: Sequence[str], kind: Kind, terms: Sequence[int]) -> dict[tuple[str, int], bytes]:
        """Return what is packed of these terms, by segment and hash."""
        which = f"term in ({', '.join(map(str, terms))})"
        found = self._of_all(lambda name: self._packed(name, kind, which), segments if terms else ())
        return {(name, term): content for name, rows in found for term, content in rows}

    def passages(self, segment: str, places: Sequence[int]) -> list[dict[str, Any]]:
        """Return chunks with what is shown of their documents."""
        chunks, documents = self._table(segment, "chunks"), self._table(segment, "documents")
        own = [name for name in chunks.schema.names if name != "place"]
        shown = shown_columns(documents.schema.names, own)
        found = self._taken(chunks, places, own)
        numbers = sorted({*found["document"].to_list()})
        about = dict(zip(numbers, self._taken(documents, numbers, shown).iter_rows(named=True), strict=True))
        return [row | about[row.pop("document")] for row in found.iter_rows(named=True)]

    def nearest(
        self, segment: str, file: str, vector: np.ndarray, most: int, chosen: np.ndarray | None, *, exact: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places (int64) of about the nearest vectors, with these vectors (float16)."""
        table = self._table(segment, file)
        if (graphs := self._graphs(segment, file)) == 0:
            every = self._every(segment, file)
            places = np.arange(len(every)) if chosen is None else chosen
            return _best(vector, most, places, every[places])
        if chosen is not None and len(chosen) <= _FEW:
            return _best(vector, most, chosen, self.vectors(segment, file, chosen))
        if not exact:
            places, rows = self._walked(table, graphs, vector, most, chosen)
            if chosen is None or len(places) >= min(most, len(chosen)):
                return places, rows
        return self._compared(table, vector, most, chosen)

    def vectors(self, segment: str, file: str, places: np.ndarray) -> np.ndarray:
        """Return the vectors (float16) at these places, in their order."""
        if self._graphs(segment, file) == 0:
            rows: np.ndarray = self._every(segment, file)[places]
            return rows
        wanted, order = np.unique(places, return_inverse=True)
        with self._folder.explaining():
            return _matrix(self._table(segment, file).take(wanted.tolist(), columns=["v"]))[order]

    def tokens(self, segments: Sequence[str], model: str, keys: Sequence[int]) -> dict[int, bytes]:
        """Return the token vectors of passages, by key."""
        which = f"model = '{model}' and key in ({', '.join(map(str, keys))})"
        found = self._of_all(lambda name: self._packed(name, "tokens", which), segments if keys else ())
        return {key: content for _, rows in found for key, content in rows}

    def tables(self, version: str, segments: Sequence[str]) -> LanceTables:
        """Return the documents and chunks that live in a version."""
        gone = self._gone(version)
        parts = [(self._table(name, "documents"), self._table(name, "chunks"), gone[name]) for name in segments]
        return LanceTables(self._folder, parts)

    def held(self, segment: str) -> Mapping[str, int]:
        """Count the rows that there are."""
        tables = [name.removesuffix(".lance") for name in self._folder.folders(f"{SEGMENTS}/{segment}")]
        with self._folder.explaining():
            return {name: self._table(segment, name).count_rows() for name in tables}

    def damaged(self, segment: str) -> list[str]:
        """Read all files, and name those that are not as they were written."""
        found = self._folder.digests(f"{SEGMENTS}/{segment}")
        kept = self._files(segment).select("file", "size", "digest").iter_rows()
        return [file for file, size, digest in kept if found.get(file) != (size, digest)]

    def bytes_of(self, segment: str) -> int:
        """Return what the files of a segment take."""
        return int(self._files(segment)["size"].sum())

    def _files(self, segment: str) -> pl.DataFrame:
        return self._read(self._table(segment, FILES).scanner())

    def _opened(self, segment: str, table: str) -> Any:
        return self._folder.opened(f"{SEGMENTS}/{segment}/{table}")

    def _packed(self, segment: str, table: str, which: str) -> tuple[str, Iterable[tuple[int, bytes]]]:
        key = "key" if table == "tokens" else "term"
        return segment, self._read(self._table(segment, table).scanner([key, "content"], filter=which)).iter_rows()

    def _of_all(self, ask: Callable[[str], T], segments: Sequence[str]) -> list[T]:
        return [*(self._pool.map if len(segments) > 1 else map)(ask, segments)]

    def _count_graphs(self, segment: str, file: str) -> int:
        """Return how many graphs lie over vectors; 0: all are compared."""
        table = self._table(segment, file)
        with self._folder.explaining():
            return ceil(table.count_rows() / PARTITION) if table.has_index else 0

    @cachedmethod(lambda self: self._small, lock=lambda self: self._lock)
    def _every(self, segment: str, file: str) -> np.ndarray:
        """Return all vectors of a segment that has no graph."""
        with self._folder.explaining():
            return _matrix(self._table(segment, file).to_table(columns=["v"]))

    def _walked(
        self, table: Any, graphs: int, vector: np.ndarray, most: int, chosen: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what the graphs find, of those chosen."""
        from lance.dataset import serialize_row_addrs

        walk = {"nprobes": max(_LEAST, graphs // _SHARE), "ef": max(_WIDTH, 2 * most)}
        allowed = {} if chosen is None else {"row_addr_allowlist": serialize_row_addrs(chosen.tolist())}
        with self._folder.explaining():
            found = table.scanner(
                ["v"],
                nearest={"column": "v", "q": vector.astype(np.float32), "k": most, "metric": "cosine", **walk},
                with_row_id=True,
                disable_scoring_autoprojection=True,
                **allowed,
            ).to_table()
        return found["_rowid"].to_numpy().astype(np.int64), _matrix(found)

    def _compared(
        self, table: Any, vector: np.ndarray, most: int, chosen: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest of all, or of those chosen, of which no more than a part is in memory at a time."""
        places, rows, start = np.empty(0, np.int64), np.empty((0, len(vector)), np.float16), 0
        with self._folder.explaining():
            for batch in table.to_batches(columns=["v"]):
                own = np.arange(start, start + batch.num_rows)
                start += batch.num_rows
                if chosen is not None:
                    own = chosen[np.searchsorted(chosen, own[0]) : np.searchsorted(chosen, own[-1], side="right")]
                some = _matrix(batch)[own - (start - batch.num_rows)]
                places, rows = _best(vector, most, np.append(places, own), np.concatenate([rows, some]))
        return places, rows

    def _taken(self, table: Any, places: Sequence[int], columns: list[str]) -> pl.DataFrame:
        """Return the rows at these places, in their order."""
        with self._folder.explaining():
            return pl.DataFrame(pl.from_arrow(table.take([*places], columns=columns)))

    def _read(self, scanner: Any) -> pl.DataFrame:
        with self._folder.explaining():
            return pl.DataFrame(pl.from_arrow(scanner.to_table()))


def _matrix(found: Any) -> np.ndarray:
    """Return the vectors of some rows: float16."""
    column = found.column("v")
    column = column.combine_chunks() if hasattr(column, "chunks") else column
    rows: np.ndarray = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), column.type.list_size)
    return rows


def _best(vector: np.ndarray, most: int, places: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places and vectors of the rows that are about the most similar."""
    if len(places) <= most:
        return places, rows
    kept = np.argpartition(-(rows.astype(np.float32) @ vector), most - 1)[:most]
    return places[kept], rows[kept]
