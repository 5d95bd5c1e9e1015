"""Which chunks of a segment hold a term, as `Postings` tells it, fetched from an engine by term.

What is fetched stays for a while. How long a search takes may tell that a term is held by chunks that the asker may not
read: their rows are fetched, and left out here, before anything is counted.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from cachetools import LRUCache

from rag_platform.index.postings import posting_problems, term_hash
from rag_platform.index.stores.packed_rows import unpacked
from rag_platform.index.stores.segment_content import Kind
from rag_platform.index.stores.segment_engine import SegmentEngine

_BYTES = 256_000_000
"""Of memory that the postings of a version take, of each kind."""
_LEAST = 200
"""Bytes that an entry takes whatever it holds."""
_NOTHING = np.empty(0, np.uint32), np.empty(0, np.uint8)
Rows = tuple[np.ndarray, np.ndarray]


class FetchedRows:
    """The rows of one kind of all segments of a version; safe to read from many threads."""

    def __init__(self, engine: SegmentEngine, segments: Sequence[str], kind: Kind) -> None:
        self._engine, self._segments, self._kind = engine, tuple(segments), kind
        self._lock = threading.Lock()
        self._known: LRUCache[tuple[str, int], Rows] = LRUCache(_BYTES, lambda rows: _LEAST + 5 * len(rows[0]))

    def of(self, segment: str, terms: Sequence[str]) -> list[Rows]:
        """Return the chunks that hold each term, and how often; what is missing is fetched for all segments."""
        wanted = [term_hash(term) for term in terms]
        with self._lock:
            found = {term: self._known.get((segment, term)) for term in wanted}
        if missing := [term for term, rows in found.items() if rows is None]:
            found |= {term: rows for (name, term), rows in self._fetched(missing).items() if name == segment}
        return [found[term] or _NOTHING for term in wanted]

    def _fetched(self, terms: Sequence[int]) -> dict[tuple[str, int], Rows]:
        told = self._engine.rows(self._segments, self._kind, terms)
        every = ((name, term) for name in self._segments for term in terms)
        rows = {one: unpacked(told[one]) if one in told else _NOTHING for one in every}
        with self._lock:
            for one, held in rows.items():
                if _LEAST + 5 * len(held[0]) <= _BYTES:
                    self._known[one] = held
        return rows


class StoredPostings:
    """What `Postings` are of a segment; safe to read from many threads."""

    def __init__(
        self, rows: FetchedRows, segment: str, lengths: np.ndarray, readable: np.ndarray | None = None
    ) -> None:
        """Tell of the `readable` chunks alone: bool, for each; None: of all. `lengths`: the terms of each chunk."""
        self._rows, self._segment, self._readable = rows, segment, readable
        self.lengths = lengths
        """Terms of each chunk, readable or not: uint32."""

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, term: str) -> Rows:
        """Return the readable chunks that hold a term, and how often."""
        return self._seen(self._rows.of(self._segment, [term])[0])

    superset = of

    def holders(self, terms: Sequence[str]) -> list[np.ndarray]:
        """Return the readable chunks that hold each term; all terms are fetched at once."""
        return [self._seen(rows)[0] for rows in self._rows.of(self._segment, terms)]

    def count(self, term: str) -> int:
        """Return how many readable chunks hold a term."""
        return len(self.of(term)[0])

    def expect(self, terms: Sequence[str]) -> None:
        """Fetch these terms, for all segments, at once."""
        self._rows.of(self._segment, terms)

    def readable(self, rows: np.ndarray) -> "StoredPostings":
        """Return the same of these chunks alone: bool, for each."""
        return StoredPostings(self._rows, self._segment, self.lengths, rows)

    def problems(self, expected: Iterable[tuple[int, Sequence[str]]], held: Mapping[str, int]) -> Iterator[str]:
        """Yield how they differ from the terms that these chunks have."""
        return posting_problems(self.of, self.lengths, expected, held)

    def _seen(self, rows: Rows) -> Rows:
        if self._readable is None or not len(rows[0]):
            return rows
        kept = self._readable[rows[0]]
        return rows[0][kept], rows[1][kept]
