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
        raise SettingsError("`rag chat` needs a terminal; `rag ask Q` answers one question without")
    with _held_back():
        _run(collection or (), principal or (), generator)
    event_loop.stop_event_loop()  # a thread that began while a screen was shown keeps it, and so the workspace …
    gc.collect()  # … and DuckDB complains of what is open when Python ends


def _run(collections: Sequence[str], principals: Sequence[str], generator: str | None) -> None:
    from rag_platform.terminal.app import ChatApp
    from rag_platform.terminal.session import Session

    ChatApp(Session(workspace(), principals=principals, collections=collections, generator=generator)).run()


@contextmanager
def _held_back() -> Iterator[None]:
    """Log when the screen is the terminal's again: what is written meanwhile would stand in the midst of it."""
    root = logging.getLogger()
    handlers = root.handlers[:]
    held = [MemoryHandler(10_000, flushLevel=logging.CRITICAL + 1, target=handler) for handler in handlers]
    root.handlers[:] = held
    try:
        yield
    finally:
        root.handlers[:] = handlers
        for handler in held:
            handler.close()
