"""What is asked of the words of the chunks that somebody may read, and of no others: for BM25, and for spelling."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from rag_platform.core.lazy import method_cache
from rag_platform.index.joined_postings import JoinedPostings

SATURATION, NORMALISATION = 1.2, 0.75
"""k1 and b: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009."""
SHORTEST = 0.6
"""A chunk counts at least this share of the average length: a heading is not a better answer for having no text."""
_RARER = 100
"""Times that a variant of a word may be rarer than the commonest."""
_CACHED = 4096
"""Terms whose frequencies are kept."""


class WordWeights:
    """What words weigh by how many of the chunks hold them: the part of `ports.WordCounts` that every engine shares."""

    chunks: int
    frequency: Callable[[str], int]
    """Tells how many readable chunks hold a term."""

    def idf(self, *variants: str) -> float:
        """Return BM25's weight of a word by its commonest variant: above 0."""
        return idf(max(map(self.frequency, variants), default=0), self.chunks)

    def usual(self, variants: Sequence[str]) -> list[str]:
        """Leave out variants that are far rarer than another: those of documents whose language was misread.

        They are few, so BM25 takes what they hold for rare words, and would put them above all others.
        """
        counts = [self.frequency(term) for term in variants]
        return [term for term, count in zip(variants, counts, strict=True) if count * _RARER >= max(counts)]


class Statistics(WordWeights):
    """How many chunks there are, how long they are and which hold a word: of the readable ones."""

    def __init__(
        self,
        postings: JoinedPostings,
        readable: np.ndarray,
        languages: Sequence[str],
        written: JoinedPostings | None = None,
    ) -> None:
        """Count the `readable` rows.

        Args:
            postings: of these rows, and of planted ones that the asker may read too.
            readable: bool, for each row.
            languages: of their documents, the commonest first.
            written: the postings of their words as they are written; None: nothing asks for them.
        """
        self.postings = postings
        self.written = written or JoinedPostings([])
        spans = zip(postings.starts, postings.starts[1:], strict=False)
        masks = (readable[start:end] for start, end in spans)
        self._readable = [None if mask.all() else mask for mask in masks]
        """Of each segment's chunks; None: all of them."""
        self.languages = tuple(languages)
        lengths = [
            part.lengths if mask is None else part.lengths[mask]
            for part, mask in zip(postings.parts, self._readable, strict=True)
        ]
        self.chunks = sum(map(len, lengths))
        self.average_length = float(sum(int(one.sum(dtype=np.uint64)) for one in lengths)) / max(1, self.chunks) or 1.0
        self.frequency = method_cache(_CACHED, self._counted)

    def _counted(self, term: str) -> int:
        """Return how many readable chunks hold a term."""
        held = (part.of(term)[0] for part in self.postings.parts)
        return sum(_count(chunks, mask) for chunks, mask in zip(held, self._readable, strict=True))

    def expect(self, terms: Sequence[str]) -> None:
        """Have what these terms need at hand."""
        self.postings.expect(terms)

    def frequencies(self, terms: Sequence[str]) -> np.ndarray:
        """Return how many readable chunks hold each term: int64, shape (len(terms),); quick for hundreds of them."""
        self.expect(terms)
        counts = np.zeros(len(terms), np.int64)
        for part, mask in zip(self.postings.parts, self._readable, strict=True):
            counts += np.array([_count(chunks, mask) for chunks in part.holders(terms)], np.int64)
        return counts


def _count(chunks: np.ndarray, readable: np.ndarray | None) -> int:
    return len(chunks) if readable is None or not len(chunks) else int(readable[chunks].sum())


def idf(frequency: int, rows: int) -> float:
    """Return BM25's weight of a word that so many of the rows hold: above 0."""
    return math.log(1 + (rows - frequency + 0.5) / (frequency + 0.5))
