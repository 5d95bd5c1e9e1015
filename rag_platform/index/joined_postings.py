"""The postings of several segments as one."""

from collections.abc import Sequence

import numpy as np

from rag_platform.core.lazy import locked_cached_property
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

    def of(self, term: str, *, superset: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows that hold a term (uint32, ascending) and how often (uint8).

        `superset`: or what `superset` gives, which is quicker where only some rows, all of them readable, are looked up
        in it.
        """
        found = [part.superset(term) if superset else part.of(term) for part in self.parts]
        if len(found) == 1:
            return found[0]
        starts = map(np.uint32, self.starts)
        held = [(rows + start, often) for start, (rows, often) in zip(starts, found, strict=False) if len(rows)]
        if len(held) == 1:
            return held[0]
        return _joined(np.uint32, [rows for rows, _ in held]), _joined(np.uint8, [often for _, often in held])

    @locked_cached_property
    def lengths(self) -> np.ndarray:
        """Terms of each row: uint32."""
        return (
            self.parts[0].lengths if len(self.parts) == 1 else _joined(np.uint32, [one.lengths for one in self.parts])
        )

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
            _joined(np.uint32, [rows + start for rows, start in zip(of, starts, strict=True) if len(rows)])
            for of in zip(*held, strict=True)
        ]

    def count(self, term: str) -> int:
        """Return how many rows hold a term."""
        return sum(part.count(term) for part in self.parts)


def _joined(dtype: type[np.generic], parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *parts])
