"""`rag chat`: ask in a full-screen terminal."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import MemoryHandler
from typing import Annotated

import typer

from rag_platform.cli.answers import Collection, Principal
from rag_platform.cli.console import workspace
from rag_platform.errors import SettingsError


def chat(
    collection: Collection = None,
    principal: Principal = None,
    generator: Annotated[
        str | None, typer.Option("--generator", metavar="NAME", help="What writes the answers, by its name.")
    ] = None,
) -> None:
    """Ask in a full-screen chat, with the sources beside the answers."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SettingsError("`rag chat` needs a terminal; `rag ask Q` answers one question without")
    from rag_platform.terminal.app import ChatApp
    from rag_platform.terminal.session import Session

    session = Session(workspace(), principals=principal or (), collections=collection or (), generator=generator)
    with _held_back():
        ChatApp(session).run()


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
