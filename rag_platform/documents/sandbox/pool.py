"""As many reader processes as are needed at the same time, reused from file to file of the same boundary."""

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Any

from rag_platform.documents.extracted import Part, RenderedPage
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.process import ReaderProcess

WORKERS = os.cpu_count() or 1
"""Processes that read at the same time."""

Boundary = tuple[str, ...]
"""What documents that may share a process have in common: their source, and who may read them."""


class Sandbox:
    """A pool of reader processes; with `most` of them at work, the next call waits.

    A file that takes over its reader could read and change what that process reads later. So a process reads files of
    one boundary alone, and ends when its place is needed for another. Files without a boundary share with nobody.
    """

    def __init__(self, limits: Limits = Limits(), most: int | None = None) -> None:  # noqa: B008 (frozen)
        self._limits = limits
        self._free = threading.BoundedSemaphore(most) if most else nullcontext()
        self._most, self._most_idle = most, most or WORKERS
        self._idle: list[tuple[Boundary, ReaderProcess]] = []
        self._lock = threading.Lock()
        self._ended_at_exit = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Become, in another process, the one that it has for these limits."""
        return _sandbox_for, (self._limits, self._most)

    def read(
        self, content: bytes, *, boundary: Boundary = (), limits: Limits | None = None, **about: Any
    ) -> list[Part]:
        """Read a raw file in a process of its own; see `ReaderProcess.read`. Safe from many threads."""
        with self._reader(boundary, limits or self._limits) as reader:
            return reader.read(content, **about)

    def render(self, content: bytes, *, boundary: Boundary = (), **about: Any) -> RenderedPage:
        """Draw a page in a process of its own; see `ReaderProcess.render`. Safe from many threads."""
        with self._reader(boundary, self._limits) as reader:
            return reader.render(content, **about)

    def unpack(self, content: bytes, *, boundary: Boundary = (), **about: Any) -> bytes:
        """Take a file out of a raw file in a process of its own; see `ReaderProcess.unpack`. Safe from many threads."""
        with self._reader(boundary, self._limits) as reader:
            return reader.unpack(content, **about)

    def close(self) -> None:
        """End the processes that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, reader in idle:
            reader.close()

    @contextmanager
    def _reader(self, boundary: Boundary, limits: Limits) -> Iterator[ReaderProcess]:
        with self._free:
            reader = self._take(boundary, limits)
            try:
                yield reader
            finally:
                self._give_back(boundary, reader)

    def _take(self, boundary: Boundary, limits: Limits) -> ReaderProcess:
        with self._lock:
            self._ended_at_exit = self._ended_at_exit or bool(atexit.register(self.close))
            for place, (known, reader) in enumerate(self._idle):
                if known == boundary and reader.limits == limits:
                    del self._idle[place]
                    return reader
        return ReaderProcess(limits)

    def _give_back(self, boundary: Boundary, reader: ReaderProcess) -> None:
        """Keep a process for its boundary, and end the one that has been idle longest if there are too many."""
        with self._lock:
            if boundary:
                self._idle.append((boundary, reader))
            ended = self._idle.pop(0)[1] if len(self._idle) > self._most_idle else None if boundary else reader
        if ended:
            ended.close()


@lru_cache(maxsize=8)
def _sandbox_for(limits: Limits, most: int | None) -> Sandbox:
    return Sandbox(limits, most)


SANDBOX = Sandbox()
"""The one that is used when no other is given."""
