"""The postings of several segments as one."""

from collections.abc import Iterator, Sequence

import numpy as np

from rag_platform.index.postings import Postings
from rag_platform.index.readable_postings import ReadablePostings

Part = Postings | ReadablePostings


class JoinedPostings:
    """Postings whose rows are numbered on from one segment to the next; safe to read from many threads."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.starts: list[int] = np.cumsum([0, *map(len, parts)]).tolist()
        """The row of each part's first chunk, then the number of rows."""

    def __len__(self) -> int:
        return self.starts[-1]

    def pieces(self, term: str, *, superset: bool = False) -> Iterator[tuple[int, Part, np.ndarray, np.ndarray]]:
        """Yield, for each part that holds a term, its first row, the part, and what its `of` returns.

        `superset`: or its `superset`, which is quicker where only some rows, all of them readable, are looked up in it.
        """
        for start, part in zip(self.starts, self.parts, strict=False):
            chunks, frequencies = part.superset(term) if superset else part.of(term)
            if len(chunks):
                yield start, part, chunks, frequencies

    @classmethod
    def readable(cls, parts: Sequence[Postings], rows: np.ndarray) -> "JoinedPostings":
        """Return the postings of segments as somebody sees them who may read these rows: bool, for each of all."""
        own = np.split(rows, np.cumsum([len(part) for part in parts])[:-1]) if parts else []
        each = zip(parts, own, strict=True)
        return cls([part if mask.all() else ReadablePostings(part, mask) for part, mask in each])

    def holders(self, terms: Sequence[str]) -> list[np.ndarray]:
        """Return the rows (uint32, ascending) that hold each term; quick for hundreds of terms."""
        held = [part.holders(terms) for part in self.parts]
        if len(held) == 1:
            return held[0]
        starts = [np.uint32(start) for start in self.starts[:-1]]
        return [
            np.concatenate([np.empty(0, np.uint32), *(c + s for c, s in zip(of, starts, strict=True) if len(c))])
            for of in zip(*held, strict=True)
        ]

    def count(self, term: str) -> int:
        """Return how many rows hold a term."""
        return sum(part.count(term) for part in self.parts)
