"""The vector part of a version: unit vectors by key, in a usearch HNSW index.

Stored in half precision: on the machines measured the ten nearest are then the same as in single precision in 9,994
of 10,000 cases, at half the size.
"""

from pathlib import Path

import numpy as np
from usearch.index import Index

from rag_platform.errors import VersionError

_DTYPE = "f16"  # the default depends on the processor, and files must not
_FEW = 5_000
"""Up to this many allowed keys are compared one by one."""


def build_vectors(path: Path, keys: np.ndarray, vectors: np.ndarray, threads: int = 0) -> None:
    """Write an index of unit vectors: `keys` uint64 of shape (n,), `vectors` float32 of shape (n, dimension)."""
    _check(vectors)
    index = Index(ndim=vectors.shape[1], metric="cos", dtype=_DTYPE)
    if len(keys):
        index.add(keys, vectors, threads=threads)
    index.save(str(path))


def derive_vectors(
    parent: Path, path: Path, *, gone: np.ndarray, keys: np.ndarray, vectors: np.ndarray, threads: int = 0
) -> None:
    """Write the parent's index without the `gone` keys and with the new ones."""
    _check(vectors)
    index = Index.restore(str(parent))  # loaded, not viewed: a view cannot change
    if index is None:
        raise VersionError(f"{parent} cannot be read; build the version from nothing")
    if len(gone):
        index.remove(gone, threads=threads)
        _overwrite(index, gone)
    if len(keys):
        index.add(keys, vectors, threads=threads)
    index.save(str(path))


def _overwrite(index: Index, gone: np.ndarray) -> None:
    """Put noise where the removed vectors were: usearch only marks them, and would save them again with the others."""
    noise = np.random.default_rng(0).normal(size=(len(gone), index.ndim)).astype(np.float32)
    index.add(gone, noise / np.linalg.norm(noise, axis=1, keepdims=True), threads=1)  # takes the places left free
    index.remove(gone, threads=1)


def _check(vectors: np.ndarray) -> None:
    norms = np.linalg.norm(vectors, axis=1)
    bad = ~(np.abs(norms - 1) < 0.01)  # also true for NaN
    if bad.any():
        raise VersionError(f"{int(bad.sum())} of {len(vectors)} vectors are not of unit length; embed them again")


class VectorIndex:
    """An opened vector index, mapped from its file; safe to search from many threads."""

    def __init__(self, path: Path, *, exact_below: int) -> None:
        index = Index.restore(str(path), view=True)
        if index is None:
            raise VersionError(f"{path} is missing or is no vector index")
        index.expansion_search = 128
        self._index = index
        self._exact = len(index) <= exact_below

    def __len__(self) -> int:
        return len(self._index)

    def search(
        self, vector: np.ndarray, depth: int, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys (uint64) and cosine similarities (float32) of the nearest rows, at most `depth`, best first."""
        if not len(self) or (allowed is not None and not len(allowed)):
            return np.empty(0, np.uint64), np.empty(0, np.float32)
        if allowed is None:
            return self._nearest(vector, depth)
        if len(allowed) <= _FEW:
            scores = self.similarities(vector, allowed)
            order = np.argsort(-scores, kind="stable")[:depth]
            return allowed[order], scores[order]
        return self._widening(vector, depth, allowed)

    def similarities(self, vector: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the cosine similarity to each key's vector: float32, shape (len(keys),)."""
        if not len(keys):
            return np.empty(0, np.float32)
        return self.rows(keys) @ vector.astype(np.float32)

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the vectors of one or more keys that are there: float32, shape (len(keys), dimension)."""
        return np.stack(self._index.get(keys)).astype(np.float32)

    def vector(self, key: int) -> np.ndarray | None:
        """Return a row's vector: float32, shape (dimension,)."""
        row = self._index.get(key)
        return None if row is None else row.astype(np.float32)

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return which keys are there: bool, shape (len(keys),)."""
        return np.atleast_1d(self._index.contains(keys)).astype(bool) if len(keys) else np.empty(0, bool)

    def recall(self, vector: np.ndarray, depth: int) -> float:
        """Return which share of the exact nearest rows the ordinary search finds."""
        exact = self._index.search(vector, min(depth, len(self)), exact=True).keys
        return float(np.isin(exact, self.search(vector, depth)[0]).mean()) if len(exact) else 1.0

    def _nearest(self, vector: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        found = self._index.search(vector, min(depth, len(self)), exact=self._exact)
        return found.keys, 1 - found.distances

    def _widening(self, vector: np.ndarray, depth: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Look further until `depth` allowed rows are found or every row was seen."""
        width = min(len(self), 2 * depth * max(1, len(self) // len(allowed)))
        while True:
            keys, scores = self._nearest(vector, width)
            keep = np.isin(keys, allowed)
            if keep.sum() >= depth or width >= len(self):
                return keys[keep][:depth], scores[keep][:depth]
            width = min(len(self), 4 * width)
