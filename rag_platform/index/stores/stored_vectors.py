"""The vectors of a segment in an engine: it proposes, and what it proposes is compared here as everywhere."""

import numpy as np

from rag_platform.index.keys import among
from rag_platform.index.stores.segment_engine import SegmentEngine
from rag_platform.index.vectors.hnsw import similarities

_SPARE = 2
"""Rows compared exactly for each that is asked for."""
_FEWER = 1.3
"""Rows asked for, for each that is expected, where some may not live; when too few do, those that live are named."""


class StoredVectors:
    """What a `VectorIndex` is of a segment; safe to search from many threads."""

    def __init__(
        self,
        engine: SegmentEngine,
        place: tuple[str, str],
        keys: np.ndarray,
        dimension: int,
        living: np.ndarray | None = None,
    ) -> None:
        """Ask an engine of the vectors at a `place`, which is a segment and a file.

        Args:
            engine: that has them.
            place: see above.
            keys: of the vectors, uint64, ascending.
            dimension: of each.
            living: the keys (uint64, ascending) that are told of; None: all.
        """
        self._engine, self._place, self._all, self._dimension = engine, place, keys, dimension
        self._living = None if living is None else np.flatnonzero(among(keys, living))
        self.keys = keys if self._living is None else keys[self._living]
        """What is there: uint64, ascending."""

    def __len__(self) -> int:
        return len(self.keys)

    def search(
        self, vector: np.ndarray, depth: int, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys (uint64) and similarities (float32) of the nearest of the allowed, best first."""
        if allowed is None:
            return self.approximate(vector, depth)
        places = np.flatnonzero(among(self._all, allowed))
        if self._living is not None:
            places = places[among(places, self._living)]
        return self._found(vector, depth, _SPARE * depth, places, exact=False)

    def exact(self, vector: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest rows by comparing all."""
        return self._found(vector, depth, _SPARE * depth, self._living, exact=True)

    def nearest(self, vectors: np.ndarray, depth: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return what `exact` does of each vector."""
        return [self.exact(vector, depth) for vector in vectors]

    def approximate(self, vector: np.ndarray, depth: int, expected: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest rows, of those that the engine proposes; `expected`: as of a `VectorIndex`."""
        wanted = _SPARE * (expected or depth)
        if self._living is None:
            return self._found(vector, depth, wanted, None, exact=False)
        found = self._found(vector, depth, int(wanted * _FEWER), None, exact=False)
        enough = min(expected or depth, len(self))
        return found if len(found[0]) >= enough else self._found(vector, depth, wanted, self._living, exact=False)

    def walk_less(self, share: float) -> None:
        """Do nothing: how far an engine walks is its own affair."""

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the vectors of keys that are there: float32, shape (len(keys), dimension)."""
        if not len(keys):
            return np.empty((0, self._dimension), np.float32)
        places = np.searchsorted(self._all, keys)
        return self._engine.vectors(*self._place, places).astype(np.float32)

    def vector(self, key: int) -> np.ndarray | None:
        """Return a row's vector: float32, shape (dimension,)."""
        wanted = np.array([key], np.uint64)
        return self.rows(wanted)[0] if self.contains(wanted)[0] else None

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return which keys are there: bool, shape (len(keys),)."""
        return among(keys, self.keys)

    def _found(
        self, vector: np.ndarray, depth: int, most: int, chosen: np.ndarray | None, *, exact: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        if not len(self._all) or (chosen is not None and not len(chosen)):
            return np.empty(0, np.uint64), np.empty(0, np.float32)
        places, rows = self._engine.nearest(*self._place, vector, most, chosen, exact=exact)
        if chosen is None and self._living is not None:
            lasting = among(places, self._living)
            places, rows = places[lasting], rows[lasting]
        scores = similarities(rows.astype(np.float32), vector)
        order = np.lexsort((places, -scores))[:depth]
        return self._all[places[order]], scores[order]
