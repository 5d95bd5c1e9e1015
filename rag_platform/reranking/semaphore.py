"""Taking turns at what uses the whole machine, so that what is quick stays quick for everybody."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TimedSemaphore:
    """Lets few in at once; whoever would wait long goes without. Safe to use from many threads."""

    def __init__(self, most: int, patience: float) -> None:
        """Let `most` in at once; others wait, at most `patience` seconds."""
        self._free = threading.Semaphore(most)
        self._patience = patience

    @contextmanager
    def take(self) -> Iterator[bool]:
        """Wait for a turn; tells whether there was one. It ends with the block."""
        mine = self._free.acquire(timeout=self._patience)
        try:
            yield mine
        finally:
            if mine:
                self._free.release()
