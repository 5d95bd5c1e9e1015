"""Which chunks hold each term, how often, and how long each chunk is: an inverted index in arrays.

BM25 is computed from these rather than by tantivy, whose counts are of all chunks: of the rows that an asker may read,
every figure is exact, and no other row can change it. Terms go by a hash of theirs, so a file of them shows no words.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from rag_platform.core.lazy import method_cache
from rag_platform.index.readable_postings import ReadablePostings
from rag_platform.storage.array_files import mapped

_BLOCK = 8_000_000
"""Pairs of a chunk and a term that are put into their places at a time."""
_MOST = 255
"""Times that a term is counted in one chunk: at the hundredth, BM25 has 99 % of what it gives for ever more."""
_CACHED = 4096
"""Terms whose places are kept."""
_FILES = ("terms", "starts", "chunks", "frequencies", "lengths")


class PostingsWriter:
    """Collects the terms of each chunk, in the order of the chunks' keys, and writes them by term."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms, self._frequencies = array("I"), array("B")
        self._distinct, self._lengths = array("I"), array("I")

    def add(self, terms: Sequence[str]) -> None:
        """Add the next chunk, by its terms."""
        numbers, counts = self._numbers, Counter(terms)
        self._terms.extend([numbers.setdefault(term, len(numbers)) for term in counts])
        self._frequencies.extend([min(count, _MOST) for count in counts.values()])
        self._distinct.append(len(counts))
        self._lengths.append(len(terms))

    @property
    def terms(self) -> Iterable[str]:
        """All distinct terms."""
        return self._numbers.keys()

    def write(self, folder: Path) -> None:
        """Write the files of a version's postings."""
        folder.mkdir(parents=True)
        hashes = np.fromiter(map(term_hash, self._numbers), np.uint64, len(self._numbers))
        order = np.argsort(hashes)
        ranks = np.empty(len(order), np.uint32)
        ranks[order] = np.arange(len(order), dtype=np.uint32)
        terms = ranks[np.frombuffer(self._terms, np.uint32)] if self._terms else np.empty(0, np.uint32)
        counts = np.bincount(terms, minlength=len(order))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
        np.save(folder / "terms.npy", hashes[order])
        np.save(folder / "starts.npy", starts)
        np.save(folder / "lengths.npy", np.array(self._lengths, np.uint32))
        self._write_pairs(folder, terms, starts)

    def _write_pairs(self, folder: Path, terms: np.ndarray, starts: np.ndarray) -> None:
        """Write which chunks hold each term and how often, each term's chunks ascending."""
        chunks = np.repeat(np.arange(len(self._distinct), dtype=np.uint32), np.array(self._distinct, np.int64))
        frequencies = np.array(self._frequencies, np.uint8)
        placed = np.empty(len(terms), np.uint32), np.empty(len(terms), np.uint8)
        reached = starts[:-1].astype(np.int64)
        for at in range(0, len(terms), _BLOCK):
            block = terms[at : at + _BLOCK]
            order, counts = np.argsort(block, kind="stable"), np.bincount(block, minlength=len(reached))
            within = np.arange(len(block)) - (np.cumsum(counts) - counts)[block[order]]
            places = reached[block[order]] + within
            placed[0][places], placed[1][places] = chunks[at:][order], frequencies[at:][order]
            reached += counts
        np.save(folder / "chunks.npy", placed[0])
        np.save(folder / "frequencies.npy", placed[1])


class Postings:
    """The opened files; safe to read from many threads."""

    def __init__(self, folder: Path) -> None:
        files = {name: mapped(folder / f"{name}.npy") for name in _FILES}
        self._terms, self._frequencies = files["terms"], files["frequencies"]
        self.starts, self.chunks = files["starts"], files["chunks"]
        """The chunks (uint32) that hold each term, and where those of each begin, then where the last end (uint64)."""
        self.lengths = files["lengths"]
        """Terms of each chunk: uint32, shape (chunks,)."""
        self.place = method_cache(_CACHED, self.find)
        whole = len(self._terms) + 1 == len(self.starts) and len(self.chunks) == len(self._frequencies)
        if not whole or self.starts[-1] != len(self.chunks):
            raise ValueError(f"the files in {folder} do not belong together")

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the chunks that hold a term (uint32, ascending, as places) and how often (uint8)."""
        return self.at(self.place(term))

    superset = of

    def at(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the same of the term at a place, as `places` gives it."""
        start, *end = self.starts[place : place + 2].tolist()
        held = slice(start, *end) if end else slice(0)
        return self.chunks[held], self._frequencies[held]

    def holders(self, terms: Sequence[str]) -> list[np.ndarray]:
        """Return the chunks that hold each term, as `of` does; quick for hundreds of terms."""
        places = self.places(terms)
        found = [self.chunks[:0]] * len(terms)
        for at in np.flatnonzero(places < len(self._terms)).tolist():
            found[at], _ = self.at(int(places[at]))
        return found

    def places(self, terms: Sequence[str]) -> np.ndarray:
        """Return the place of each term among all: int64; of one that no chunk holds, the number of terms."""
        wanted, last = np.fromiter(map(term_hash, terms), np.uint64, len(terms)), len(self._terms)
        if not last:
            return np.zeros(len(terms), np.int64)
        places = np.minimum(np.searchsorted(self._terms, wanted), last - 1)
        return np.where(self._terms[places] == wanted, places, last)

    def find(self, term: str) -> int:
        """Return the place of a term among all, as `places` does; `place` is the same, and remembers it."""
        return int(self.places([term])[0])

    def count(self, term: str) -> int:
        """Return how many chunks hold a term."""
        return len(self.of(term)[0])

    def expect(self, terms: Sequence[str]) -> None:
        """Do nothing: the files are mapped."""

    def readable(self, rows: np.ndarray) -> ReadablePostings:
        """Return the postings as somebody sees them who may read these chunks: bool, for each."""
        return ReadablePostings(self, rows)

    def each(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield the hash of each term, ascending, with what `of` returns of it."""
        for place, term in enumerate(self._terms.tolist()):
            yield term, *self.at(place)

    def problems(self, expected: Iterable[tuple[int, Sequence[str]]], held: Mapping[str, int]) -> Iterator[str]:
        """Yield how the files differ from the terms that these chunks have, and from how many chunks hold a term."""
        return posting_problems(self.of, self.lengths, expected, held)


def posting_problems(
    of: Callable[[str], tuple[np.ndarray, np.ndarray]],
    lengths: np.ndarray,
    expected: Iterable[tuple[int, Sequence[str]]],
    held: Mapping[str, int],
) -> Iterator[str]:
    """Yield what `Postings.problems` does, of postings that `of` gives by term."""
    for chunk, terms in expected:
        wrong = lengths[chunk] != len(terms)
        for term, count in Counter(terms).items():
            chunks, frequencies = of(term)
            place = np.searchsorted(chunks, chunk)
            there = place < len(chunks) and chunks[place] == chunk and frequencies[place] == min(count, _MOST)
            wrong = wrong or not there or (term in held and held[term] != len(chunks))
        if wrong:
            yield f"the postings of chunk {chunk} are not those of its text"


def term_hash(term: str) -> int:
    """Return the number, below 2**64, by which a term is found."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")
