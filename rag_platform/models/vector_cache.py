"""Arrays that are kept for a while, within a limit of memory."""

import threading
from typing import Any

from cachetools import LRUCache
from numpy.typing import NDArray

Array = NDArray[Any]


class VectorCache:
    """Arrays by key, of at most so many bytes together; the least recently used go first. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self._arrays: LRUCache[str, Array] = LRUCache(limit, getsizeof=lambda array: array.nbytes)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._arrays)

    @property
    def bytes(self) -> int:
        """What the arrays take together."""
        return int(self._arrays.currsize)

    def get(self, key: str) -> Array | None:
        """Return what was put under the key, if it is still there."""
        with self._lock:
            return self._arrays.get(key)

    def put(self, key: str, vectors: Array) -> None:
        """Keep an array, which must not be changed any more; one that alone exceeds the limit is not kept."""
        with self._lock:
            if vectors.nbytes <= self._arrays.maxsize:
                self._arrays[key] = vectors
