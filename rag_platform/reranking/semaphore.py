"""A semaphore that is not waited for long: what uses the whole machine must not slow what is quick."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TimedSemaphore:
    """Lets few in at once; who would wait long goes without. Safe to use from many threads."""

    def __init__(self, most: int, patience: float) -> None:
        """Let `most` in at once; others wait, at most `patience` seconds."""
        self._free = threading.Semaphore(most)
        self._patience = patience

    @contextmanager
    def acquire(self) -> Iterator[bool]:
        """Wait for a slot, which ends with the block; yields whether there was one."""
        acquired = self._free.acquire(timeout=self._patience)
        try:
            yield acquired
        finally:
            if acquired:
                self._free.release()
