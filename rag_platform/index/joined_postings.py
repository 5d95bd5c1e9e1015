"""The postings of several segments as one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, Self

import numpy as np

from rag_platform.core.lazy import locked_cached_property


class Part(Protocol):
    """The postings of a segment as somebody sees them; see `Postings`."""

    @property
    def lengths(self) -> np.ndarray:
        """Terms of each chunk: uint32."""

    def __len__(self) -> int: ...

    def of(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the chunks that hold a term, and how often."""

    def superset(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the same, perhaps with chunks beside them that may not be read."""

    def holders(self, terms: Sequence[str]) -> list[np.ndarray]:
        """Return the chunks that hold each term."""

    def count(self, term: str) -> int:
        """Return how many chunks hold a term."""

    def expect(self, terms: Sequence[str]) -> None:
        """Have what these terms need at hand: where it is fetched, in one go."""


class WholePostings(Part, Protocol):
    """The postings of a segment."""

    def readable(self, rows: np.ndarray) -> Part:
        """Return them as somebody sees them who may read these of its chunks: bool, for each."""

    def problems(self, expected: Iterable[tuple[int, Sequence[str]]], held: Mapping[str, int]) -> Iterator[str]:
        """Yield how they differ from the terms that these chunks have."""


class SegmentWords(Protocol):
    """The words of a segment as they are written; see `Vocabulary`."""

    @property
    def postings(self) -> WholePostings:
        """Which chunks hold each."""

    def words(self, part: str, postings: Part, *, begins: bool = False, ends: bool = False) -> Iterator[str]:
        """Yield the words that hold a part and that these postings tell of, in their order."""


class SegmentPhrases(Protocol):
    """Where the terms of all segments stand; see `Phrases`."""

    def keys(self, terms: Sequence[str] = (), among: np.ndarray | None = None) -> np.ndarray:
        """Return the keys of the living chunks that hold these terms in a row, or of all."""

    def count(self, segment: int, term: str) -> int:
        """Return how many chunks of a segment hold a term."""


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
    def readable(cls, parts: Sequence[WholePostings], rows: np.ndarray) -> Self:
        """Return the postings of segments as somebody sees them who may read these rows: bool, for each of all."""
        own = np.split(rows, np.cumsum([len(part) for part in parts])[:-1]) if parts else []
        each = zip(parts, own, strict=True)
        return cls([part if mask.all() else part.readable(mask) for part, mask in each])

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

    def expect(self, terms: Sequence[str]) -> None:
        """Have what these terms need at hand."""
        for part in self.parts[:1]:  # where it is fetched, for all of them at once
            part.expect(terms)

    def count(self, term: str) -> int:
        """Return how many rows hold a term."""
        return sum(part.count(term) for part in self.parts)


def _joined(dtype: type[np.generic], parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *parts])
