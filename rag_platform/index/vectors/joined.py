"""The vectors that one model gave to the chunks of several segments, as one index."""

from collections.abc import Sequence
from math import ceil
from typing import Protocol

import numpy as np

from rag_platform.core.lazy import locked_cached_property
from rag_platform.index.keys import among
from rag_platform.index.vectors.hnsw import recall, similarities

_FEW = 5_000
"""Rows of a segment up to which all are compared; that takes as long as a walk through its graph."""
_SPARE, _LEAST = 1.25, 8
"""Rows looked for in a graph first: so many times its share of the nearest, and some more."""


class SegmentVectors(Protocol):
    """The vectors of a segment; see `VectorIndex`."""

    @property
    def keys(self) -> np.ndarray:
        """What is there: uint64, ascending."""

    def __len__(self) -> int: ...

    def search(
        self, vector: np.ndarray, depth: int, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys and similarities of the nearest rows."""

    def exact(self, vector: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the same by comparing all."""

    def nearest(self, vectors: np.ndarray, depth: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return what `exact` does of each vector, as far as possible without comparing all again."""

    def approximate(self, vector: np.ndarray, depth: int, expected: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the same of those that a graph proposes."""

    def walk_less(self, share: float) -> None:
        """Walk no further through the graph than this share of the nearest needs."""

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the vectors of keys that are there."""

    def vector(self, key: int) -> np.ndarray | None:
        """Return the vector of a key; None: there is none."""

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return which keys are there."""


class JoinedVectors:
    """What a `VectorIndex` is of one segment; each key is in one of them at most. Safe to search from many threads."""

    def __init__(self, parts: Sequence[SegmentVectors], dimension: int, *, exact_below: int) -> None:
        """Join the indexes of segments; up to `exact_below` rows in all are compared with each question."""
        self.parts, self._dimension = tuple(part for part in parts if len(part)), dimension
        self._compared = exact_below if len(self) <= exact_below else min(exact_below, _FEW)
        if len(self.parts) > 1:
            for part in self.parts:
                part.walk_less(len(part) / len(self))

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @locked_cached_property
    def keys(self) -> np.ndarray:
        """What is there: uint64, ascending."""
        if len(self.parts) == 1:
            return self.parts[0].keys
        return np.sort(np.concatenate([np.empty(0, np.uint64), *(part.keys for part in self.parts)]), kind="stable")

    def search(
        self, vector: np.ndarray, depth: int, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys and similarities of the nearest rows, as `VectorIndex.search` does."""
        if allowed is None:
            return self._nearest(vector, depth, self._compared)
        return _best([part.search(vector, depth, allowed) for part in self.parts], depth)

    def _nearest(self, vector: np.ndarray, depth: int, compared: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest rows: of parts with more rows than are `compared`, those that the graphs propose.

        A graph is first asked for its share of the nearest. Where it has more of them than that, it is asked for all.
        """
        expected = [self._expected(part, depth, compared) for part in self.parts]
        found = [
            part.exact(vector, depth) if count is None else part.approximate(vector, depth, count)
            for part, count in zip(self.parts, expected, strict=True)
        ]
        best = _best(found, depth)
        rich = [
            at
            for at, count in enumerate(expected)
            if count is not None and count < depth and (found[at][1] >= best[1][-1]).sum() > count
        ]
        for at in rich:
            found[at] = self.parts[at].approximate(vector, depth)
        return _best(found, depth) if rich else best

    def _expected(self, part: SegmentVectors, depth: int, compared: int) -> int | None:
        """Return how many of the nearest to look for in a part first; None: all its rows are compared."""
        if len(part) <= compared:
            return None
        return min(depth, ceil(_SPARE * depth * len(part) / len(self)) + _LEAST)

    def similarities(self, vector: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the cosine similarity to each key's vector: float32, shape (len(keys),)."""
        return similarities(self.rows(keys), vector)

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the vectors of keys that are there: float32, shape (len(keys), dimension)."""
        if len(self.parts) == 1:
            return self.parts[0].rows(keys)
        rows = np.empty((len(keys), self._dimension), np.float32)
        for part in self.parts:
            own = among(keys, part.keys)
            if own.any():
                rows[own] = part.rows(keys[own])
        return rows

    def vector(self, key: int) -> np.ndarray | None:
        """Return a row's vector: float32, shape (dimension,)."""
        return next((found for part in self.parts if (found := part.vector(key)) is not None), None)

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return which keys are there, in the matrix and in the graph: bool, shape (len(keys),)."""
        there = np.zeros(len(keys), bool)
        for part in self.parts:
            there |= part.contains(keys)
        return there

    def recall(self, vector: np.ndarray, depth: int) -> float:
        """Return which share of the nearest rows the graphs find, also where the search does without them."""
        exact = _best([part.exact(vector, depth) for part in self.parts], depth)[1]
        return recall(exact, self._nearest(vector, depth, 0)[1])

    def recalls(self, sample: int, depth: int) -> list[float]:
        """Return the `recall` of so many of its own vectors; what a segment's nearest are is found once, and noted.

        Keys are hashes, so those of the lowest are a sample, and one that most versions have in common.
        """
        vectors = self.rows(self.keys[:sample])
        exact = zip(*(part.nearest(vectors, depth) for part in self.parts), strict=True)
        return [
            recall(_best(found, depth)[1], self._nearest(vector, depth, 0)[1])
            for vector, found in zip(vectors, exact, strict=True)
        ]


def _best(found: Sequence[tuple[np.ndarray, np.ndarray]], depth: int) -> tuple[np.ndarray, np.ndarray]:
    if len(found) == 1:
        return found[0]
    keys = np.concatenate([np.empty(0, np.uint64), *(keys for keys, _ in found)])
    scores = np.concatenate([np.empty(0, np.float32), *(scores for _, scores in found)])
    order = np.lexsort((keys, -scores))[:depth]
    return keys[order], scores[order]
