"""The vector part of a version: unit vectors by key, as a matrix and as a usearch HNSW graph over it.

The matrix is in half precision, ascending by key, mapped from its file: every similarity that leaves this module is
computed from it. The graph only proposes: it holds the vectors in bytes, each stretched to the whole range of a byte,
which makes it a third of the size and quicker to build and to walk; what it loses is made good by comparing twice as
many rows as are asked for. docs/decisions/0016 has the figures.
"""

from math import ceil
from pathlib import Path

import duckdb  # noqa: F401 - usearch's own libraries end the process when ONNX Runtime comes after them and not after these
import numkong
import numpy as np
from usearch.index import Index

from rag_platform.core.errors import VersionError
from rag_platform.core.ids import digest
from rag_platform.index.keys import among
from rag_platform.index.vectors.nearest_note import NEAREST, Noted, read_nearest, write_nearest
from rag_platform.storage.array_files import mapped

_PROPOSING = 100
"""Rows that can be compared while the graph proposes one: so it is asked first where that takes less."""
_SHORTEST = 128
"""The least width of a walk through a graph."""
_PART = 1 / 4
"""Of the rows: from so many on, all are compared in one go."""
_SPARE = 2
"""Rows compared exactly for each that is asked for."""
_LARGE = 250_000
"""Rows above which a graph has twice the usual links and is searched twice as widely: groups of near-duplicates link to
themselves alone otherwise. Of a million rows with repeats it then finds 99.5 % of the ten nearest instead of 94.9 %."""
_NOTED = 5_000
"""Rows of a segment above which what comparing all of them found is noted: fewer are compared sooner."""
_DEAD = 10
"""Rows noted beyond those that are asked for, since some may not live in the next version."""
_BLOCK = 4096
"""Rows gathered at a time: they stay in the processor's cache until they are compared."""


def build_vectors(path: Path, keys: np.ndarray, vectors: np.ndarray, threads: int = 0) -> None:
    """Write an index of unit vectors: `keys` uint64 of shape (n,), ascending; `vectors` floats, (n, dimension)."""
    _check(vectors)
    large = len(keys) > _LARGE
    index = Index(
        ndim=vectors.shape[1],
        metric="cos",
        dtype="i8",  # the default depends on the processor
        connectivity=32 if large else None,
        expansion_add=200 if large else None,
    )
    if len(keys):
        index.add(keys, _bytes_of(vectors), threads=threads)
    _save(path, index, keys, vectors.astype(np.float16, copy=False))


def _save(path: Path, index: Index, keys: np.ndarray, rows: np.ndarray) -> None:
    index.save(str(path))
    np.save(_keys_file(path), keys)
    np.save(_rows_file(path), rows)


def _keys_file(path: Path) -> Path:
    return path.with_suffix(".keys.npy")


def _rows_file(path: Path) -> Path:
    return path.with_suffix(".rows.npy")


def _bytes_of(vectors: np.ndarray) -> np.ndarray:
    """Stretch each vector to the range of a byte: the cosine does not see its length."""
    stretched: np.ndarray = np.rint(vectors * (127 / np.abs(vectors).max(axis=-1, keepdims=True)))
    return stretched.astype(np.int8)


def _check(vectors: np.ndarray) -> None:
    norms = np.linalg.norm(vectors, axis=1)
    bad = ~(np.abs(norms - 1) < 0.01)  # also true for NaN
    if bad.any():
        raise VersionError(f"{int(bad.sum())} of {len(vectors)} vectors are not of unit length; embed them again")


class VectorIndex:
    """The opened vector index of a segment, mapped from its files; safe to search from many threads."""

    def __init__(self, path: Path, *, exact_below: int, living: np.ndarray | None = None) -> None:
        """Open an index; `living`: the keys (uint64, ascending) that are told of, None: all."""
        index = Index.restore(str(path), view=True)
        if index is None:
            raise VersionError(f"{path} is missing or is no vector index")
        # 256 finds 99.7 % of 100,000 where 128 finds 99.1 %, in no more time for the usual depth
        index.expansion_search = 512 if len(index) > _LARGE else 256  # type: ignore[misc]  # it has a setter
        self._index, self._note = index, path.with_suffix(NEAREST)
        self._keys, self._rows = mapped(_keys_file(path)), mapped(_rows_file(path))
        if not len(index) == len(self._keys) == len(self._rows):
            raise VersionError(f"{path} and the files beside it hold different numbers of vectors")
        self._reach = 0
        self._exact = len(index) <= exact_below
        self._alive = None if living is None else np.flatnonzero(among(self._keys, living))
        """The places of those that are told of."""
        self._living = None if self._alive is None else self._keys[self._alive]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def keys(self) -> np.ndarray:
        """What is there: uint64, ascending."""
        return self._keys if self._living is None else self._living

    def search(
        self, vector: np.ndarray, depth: int, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys (uint64) and cosine similarities (float32) of the nearest rows, at most `depth`, best first.

        `allowed`: the keys that may be found, ascending; None: all.
        """
        if allowed is None:
            return self.exact(vector, depth) if self._exact else self.approximate(vector, depth)
        if len(allowed) > len(self):
            allowed = self.keys[among(self.keys, allowed)]
        elif self._living is not None:
            allowed = allowed[among(allowed, self._living)]
        found = None if self._exact else self._widened(vector, depth, allowed)
        return found or self._compared(vector, depth, self._places(allowed))

    def _places(self, keys: np.ndarray) -> np.ndarray:
        """Return the places of those keys that are there."""
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: np.ndarray = places[self._keys[places] == keys]
        return found

    def similarities(self, vector: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the cosine similarity to each key's vector: float32, shape (len(keys),)."""
        return similarities(self.rows(keys), vector)

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the vectors of keys that are there: float32, shape (len(keys), dimension)."""
        return self._rows[np.searchsorted(self._keys, keys)].astype(np.float32)

    def vector(self, key: int) -> np.ndarray | None:
        """Return a row's vector: float32, shape (dimension,)."""
        wanted = np.array([key], np.uint64)
        return self.rows(wanted)[0] if among(wanted, self.keys)[0] else None

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return which keys are there, in the matrix and in the graph: bool, shape (len(keys),)."""
        if not len(keys):
            return np.empty(0, bool)
        in_graph = np.atleast_1d(np.asarray(self._index.contains(keys), bool))
        there: np.ndarray = among(keys, self.keys) & in_graph
        return there

    def exact(self, vector: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest rows as `search` does, by comparing all."""
        return self._compared(vector, depth, self._alive)

    def nearest(self, vectors: np.ndarray, depth: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return what `exact` does of each vector; of a large segment, what is noted of it is not compared again."""
        if len(self._keys) <= _NOTED:
            return [self.exact(vector, depth) for vector in vectors]
        known, names = read_nearest(self._note), [digest(vector.tobytes(), str(depth)) for vector in vectors]
        noted = {
            name: known.get(name) or self._all_nearest(vector, depth + _DEAD)
            for name, vector in zip(names, vectors, strict=True)
        }
        if noted != known:
            write_nearest(self._note, noted)
        return [
            self._lasting(noted[name], depth) or self.exact(vector, depth)
            for name, vector in zip(names, vectors, strict=True)
        ]

    def _all_nearest(self, vector: np.ndarray, depth: int) -> Noted:
        """Return the places and similarities of the nearest rows, also of those that do not live."""
        keys, scores = self._compared(vector, depth)
        return np.searchsorted(self._keys, keys).tolist(), scores.tolist()

    def _lasting(self, noted: Noted, depth: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return keys and similarities of the nearest that live; None: what is noted does not tell enough of them."""
        places, scores = np.array(noted[0], np.int64), np.array(noted[1], np.float32)
        if self._alive is not None:
            living = among(places, self._alive)
            if living.sum() < depth and len(places) < len(self._keys):
                return None
            places, scores = places[living], scores[living]
        return self._keys[places[:depth]], scores[:depth]

    def walk_less(self, share: float) -> None:
        """Walk no further through the graph than this share of the nearest needs, unless all are asked for."""
        self._reach = int(self._index.expansion_search)
        self._index.expansion_search = max(_SHORTEST, ceil(self._reach * share))  # type: ignore[misc]  # as above

    def approximate(self, vector: np.ndarray, depth: int, expected: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest rows as `search` does, of those that the graph proposes.

        `expected`: how many of them are wanted here; the graph proposes twice as many. None: `depth`.
        """
        keys = self._proposed(vector, max(_SPARE * depth, self._reach) if expected is None else _SPARE * expected)
        if self._living is not None:
            keys = keys[among(keys, self._living)]
            if len(keys) < min(expected or depth, len(self)):  # many of the nearest do not live
                return self._widened(vector, depth, self._living) or self.exact(vector, depth)
        return self._ranked(vector, depth, np.searchsorted(self._keys, keys))

    def _compared(
        self, vector: np.ndarray, depth: int, places: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compare the rows at these places, or all."""
        if not len(self._keys) or (places is not None and not len(places)):
            return np.empty(0, np.uint64), np.empty(0, np.float32)
        scores = self._roughly(vector, places)
        if len(scores) > _SPARE * depth:
            best = np.argpartition(scores, -_SPARE * depth)[-_SPARE * depth :]
        else:
            best = np.arange(len(scores))
        return self._ranked(vector, depth, best if places is None else places[best])

    def _roughly(self, vector: np.ndarray, places: np.ndarray | None) -> np.ndarray:
        """Return similarities to within 1e-4: the question, too, in half precision."""
        question = vector.astype(np.float16)[None]
        if places is None:
            return _dot(self._rows, question)
        if self._read_by(len(places)) > len(places):
            return np.take(_dot(self._rows, question), places)
        blocks = (places[start : start + _BLOCK] for start in range(0, len(places), _BLOCK))
        return np.concatenate([_dot(self._rows[block], question) for block in blocks])

    def _proposed(self, vector: np.ndarray, width: int) -> np.ndarray:
        return self._index.search(_bytes_of(vector), min(width, len(self._keys)), threads=1).keys

    def _widened(self, vector: np.ndarray, depth: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Look for the allowed among so many of the nearest that as many of them are allowed as without a filter.

        None: too few are, or to compare all takes less.
        """
        width = -(-_SPARE * depth * len(self._keys) // max(1, len(allowed)))
        if width * _PROPOSING > self._read_by(len(allowed)):
            return None
        keys = self._proposed(vector, max(width, self._reach))
        keys = keys[among(keys, allowed)]
        return self._ranked(vector, depth, np.searchsorted(self._keys, keys)) if len(keys) >= depth else None

    def _read_by(self, compared: int) -> int:
        """Return how many rows are read to compare so many: of a large part, all are."""
        return len(self._keys) if compared > len(self._keys) * _PART else compared

    def _ranked(self, vector: np.ndarray, depth: int, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores = similarities(self._rows[places].astype(np.float32), vector)
        order = np.lexsort((places, -scores))[:depth]
        return self._keys[places[order]], scores[order]


def similarities(rows: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the cosine similarity of each row: float32; to the last bit the same, whichever rows are beside it."""
    found: np.ndarray = np.einsum("ij,j->i", rows, vector.astype(np.float32))  # that of a product of matrices is not
    return found


def recall(exact: np.ndarray, found: np.ndarray) -> float:
    """Return which share of the nearest is found, by the similarities (best first) of those and of what is found."""
    return float(np.mean(found >= exact[-1] - 1e-6) * len(found) / len(exact)) if len(exact) else 1.0


def _dot(rows: np.ndarray, question: np.ndarray) -> np.ndarray:
    return np.asarray(numkong.cdist(rows, question, "dot"))[:, 0]
