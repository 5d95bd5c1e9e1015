"""Arrays that are kept for a while, within a limit of memory."""

import threading
from collections import OrderedDict

import numpy as np


class VectorCache:
    """Arrays by key, of at most so many bytes together; the least recently used go first. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0
        self._entries: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> np.ndarray | None:
        """Return what was put under the key, if it is still there."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: str, vectors: np.ndarray) -> None:
        """Keep an array, which must not be changed any more."""
        with self._lock:
            if key in self._entries:
                return
            self._entries[key] = vectors
            self.bytes += vectors.nbytes
            while self.bytes > self.limit:
                self.bytes -= self._entries.popitem(last=False)[1].nbytes
