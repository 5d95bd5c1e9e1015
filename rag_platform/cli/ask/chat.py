"""`rag chat`: ask in a full-screen terminal."""

import gc
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from logging.handlers import MemoryHandler

from rag_platform.cli.ask.answers import Collection, Generator, Principal
from rag_platform.cli.console import workspace
from rag_platform.core.errors import SettingsError
from rag_platform.llm import event_loop


def chat(
    collection: Collection = None,
    principal: Principal = None,
    generator: Generator = None,
) -> None:
    """Ask in a full-screen chat, with the sources beside the answers."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SettingsError("`rag chat` needs a terminal; `rag ask Q` answers one question without one")
    with _buffered_logging():
        _run(collection or (), principal or (), generator)
    event_loop.stop_event_loop()  # a thread that started under the screen refers to it, and so to the workspace …
    gc.collect()  # … and DuckDB warns of connections that are open when Python ends


def _run(collections: Sequence[str], principals: Sequence[str], generator: str | None) -> None:
    from rag_platform.terminal.app import ChatApp
    from rag_platform.terminal.session import Session

    ChatApp(Session(workspace(), principals=principals, collections=collections, generator=generator)).run()


@contextmanager
def _buffered_logging() -> Iterator[None]:
    """Write log messages after the full-screen application has ended: they would corrupt its screen."""
    root = logging.getLogger()
    handlers = root.handlers[:]
    buffers = [MemoryHandler(10_000, flushLevel=logging.CRITICAL + 1, target=handler) for handler in handlers]
    root.handlers[:] = buffers
    try:
        yield
    finally:
        root.handlers[:] = handlers
        for buffer in buffers:
            buffer.close()
