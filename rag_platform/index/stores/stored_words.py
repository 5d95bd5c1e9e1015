"""The words of a segment as they are written, and where terms stand in a row, from an engine."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import cast

import numpy as np

from rag_platform.index.joined_postings import Part
from rag_platform.index.keys import among as kept_among
from rag_platform.index.postings import term_hash
from rag_platform.index.segments import LivingRows
from rag_platform.index.stores.packed_rows import chunks_of, unpacked_codes
from rag_platform.index.stores.segment_engine import SegmentEngine
from rag_platform.index.stores.stored_postings import StoredPostings
from rag_platform.index.vocabulary import words_with

_BATCH = 256
"""Words whose chunks are fetched at a time, to see whether one of them may be read."""


class StoredVocabulary:
    """What a `Vocabulary` is of a segment."""

    def __init__(self, lines: str, postings: StoredPostings) -> None:
        """Take the words, each on a line of its own, in their order."""
        self._lines, self.postings = "\n" + lines, postings

    def words(self, part: str, postings: Part, *, begins: bool = False, ends: bool = False) -> Iterator[str]:
        """Yield the words that hold a part, as `Vocabulary.words` does."""
        found = words_with(self._lines, part, begins=begins, ends=ends)
        if postings is self.postings:
            yield from found
            return
        while few := [*islice(found, _BATCH)]:
            held = postings.holders(few)
            yield from (word for word, chunks in zip(few, held, strict=True) if len(chunks))


class StoredPhrases:
    """What `Phrases` are of a version."""

    def __init__(self, engine: SegmentEngine, segments: Sequence[str], living: LivingRows) -> None:
        self._engine, self._segments, self._living = engine, tuple(segments), living

    def keys(self, terms: Sequence[str] = (), among: np.ndarray | None = None) -> np.ndarray:
        """Return the keys (uint64) of the living chunks that hold these terms in a row, or of all."""
        if not terms:
            return self._living.keys
        hashes = [term_hash(term) for term in terms]
        told = self._engine.rows(self._segments, "positions", hashes)
        rows = [self._held(told, at, hashes) for at in range(len(self._segments))]
        keys = self._living.keys_of(np.concatenate([np.empty(0, np.int64), *rows]))
        return keys if among is None else keys[kept_among(keys, among)]

    def count(self, segment: int, term: str) -> int:
        """Return how many chunks of a segment hold a term, whether they live or not."""
        name, number = self._segments[segment], term_hash(term)
        told = self._engine.rows([name], "positions", [number])
        return len(chunks_of(unpacked_codes(told[name, number]))) if told else 0

    def _held(self, told: dict[tuple[str, int], bytes], at: int, terms: Sequence[int]) -> np.ndarray:
        """Return the rows of a segment where each of the terms stands as many places after the first as it should."""
        name = self._segments[at]
        if any((name, term) not in told for term in terms):
            return np.empty(0, np.int64)
        found = unpacked_codes(told[name, terms[0]])
        for distance, term in enumerate(terms[1:], 1):
            found = found[kept_among(found + np.uint64(distance), unpacked_codes(told[name, term]))]
        return cast(np.ndarray, chunks_of(found).astype(np.int64) + self._living.starts[at])
