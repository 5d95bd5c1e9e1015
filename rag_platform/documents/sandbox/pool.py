"""As many reader processes as are needed at the same time, reused from file to file."""

import atexit
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from rag_platform.documents.extracted import Part, RenderedPage
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.process import ReaderProcess

WORKERS = os.cpu_count() or 1
"""Processes that read at the same time."""


class Sandbox:
    """A pool of reader processes; with `most` of them at work, the next call waits."""

    def __init__(self, limits: Limits = Limits(), most: int | None = None) -> None:  # noqa: B008 (frozen)
        self._limits = limits
        self._free = threading.BoundedSemaphore(most) if most else nullcontext()
        self._idle: queue.SimpleQueue[ReaderProcess] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._ended_at_exit = False

    def read(self, content: bytes, **about: Any) -> list[Part]:
        """Read a raw file in a process of its own; see `ReaderProcess.read`. Safe from many threads."""
        with self._reader() as reader:
            return reader.read(content, **about)

    def render(self, content: bytes, **about: Any) -> RenderedPage:
        """Draw a page in a process of its own; see `ReaderProcess.render`. Safe from many threads."""
        with self._reader() as reader:
            return reader.render(content, **about)

    def unpack(self, content: bytes, **about: Any) -> bytes:
        """Take a file out of a raw file in a process of its own; see `ReaderProcess.unpack`. Safe from many threads."""
        with self._reader() as reader:
            return reader.unpack(content, **about)

    def close(self) -> None:
        """End the processes that nobody uses."""
        while not self._idle.empty():
            self._idle.get().close()

    @contextmanager
    def _reader(self) -> Iterator[ReaderProcess]:
        with self._lock:
            if not self._ended_at_exit:
                self._ended_at_exit = bool(atexit.register(self.close))
        with self._free:
            try:
                reader = self._idle.get_nowait()
            except queue.Empty:
                reader = ReaderProcess(self._limits)
            try:
                yield reader
            finally:
                self._idle.put(reader)


SANDBOX = Sandbox()
"""The one that is used when no other is given."""
