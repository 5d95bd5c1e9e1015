"""The postings of a segment as somebody sees them who may read some of its chunks.

Whether chunks that they may not read hold a term must not be told by how long a search takes either. So a term that
only such chunks hold takes the steps that one takes which none holds, however many they are.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from rag_platform.core.lazy import locked_cached_property

_CACHED = 256
"""Terms whose places are kept."""
_NOTHING = np.empty(0, np.uint32), np.empty(0, np.uint8)


class MappedPostings(Protocol):
    """What is asked of all postings of a segment; see `Postings`."""

    lengths: np.ndarray
    chunks: np.ndarray
    starts: np.ndarray

    def find(self, term: str) -> int:
        """Return the place of a term."""

    def at(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the chunks that hold the term at a place, and how often."""

    def places(self, terms: Sequence[str]) -> np.ndarray:
        """Return the place of each term."""


class ReadablePostings:
    """What `Postings` are, of the readable chunks alone; safe to read from many threads."""

    def __init__(self, whole: MappedPostings, readable: np.ndarray) -> None:
        """See the `readable` of the chunks: bool, for each."""
        self._whole, self._readable = whole, readable
        self._place = lru_cache(_CACHED)(whole.find)  # what others have asked for, or the build has, takes as long
        self.lengths = whole.lengths
        """Terms of each chunk, readable or not: uint32, shape (chunks,)."""

    def __len__(self) -> int:
        return len(self.lengths)

    def expect(self, terms: Sequence[str]) -> None:
        """Do nothing: everything is at hand."""

    @locked_cached_property
    def _bits(self) -> np.ndarray:
        """Of each pair of a term and a chunk, a bit: the chunk is readable."""
        return np.packbits(self._readable[self._whole.chunks])

    @locked_cached_property
    def held(self) -> np.ndarray:
        """Of each term, by its place, whether a readable chunk holds it: bool; the last is of unknown terms."""
        starts = self._whole.starts[:-1].astype(np.int64)
        pairs = np.unpackbits(self._bits, count=len(self._whole.chunks)).view(bool)
        return np.append(np.logical_or.reduceat(pairs, starts) if len(starts) else pairs, False)

    def of(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the readable chunks that hold a term, and how often, as `Postings.of` does."""
        return self._at(self._place(term))

    def superset(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Return what `of` does, and other chunks beside them if there are any: to look up readable ones in."""
        place = self._place(term)
        return self._whole.at(place if self.held[place] else len(self.held) - 1)

    def holders(self, terms: Sequence[str]) -> list[np.ndarray]:
        """Return the readable chunks that hold each term; quick for hundreds of terms."""
        places = self._whole.places(terms)
        found = [_NOTHING[0]] * len(terms)
        for at in np.flatnonzero(self.held[places]).tolist():
            found[at], _ = self._at(int(places[at]))
        return found

    def count(self, term: str) -> int:
        """Return how many readable chunks hold a term."""
        return len(self.of(term)[0])

    def _at(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        if not self.held[place]:
            return _NOTHING
        chunks, frequencies = self._whole.at(place)
        start = int(self._whole.starts[place])
        first = start // 8
        bits = np.unpackbits(self._bits[first : (start + len(chunks) + 7) // 8])[start - 8 * first :]
        kept = np.flatnonzero(bits[: len(chunks)].view(bool))  # of bytes it would take ten times as long
        return chunks[kept], frequencies[kept]
