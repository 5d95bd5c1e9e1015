"""Server-sent events of work that runs in threads, and that ends when the client leaves."""

import json
from collections.abc import AsyncIterator, Callable, Generator
from typing import Any

import anyio
from anyio.to_thread import run_sync
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rag_platform.api.problems import Problem
from rag_platform.core.errors import RagError
from rag_platform.core.plain_json import plain

ALIVE = b": working\n\n"
"""A comment, which clients skip: what is sent while nothing is to be told shows whether anybody is there."""
Event = tuple[str, Any]
"""Its name, "" for none, and its document."""
_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff", "x-accel-buffering": "no"}
_END = object()


def event_stream(
    events: Generator[Event | None, None, None],
    failed: Callable[[Problem | RagError], Event],
    *,
    end: bytes = b"",
) -> StreamingResponse:
    """Return a response of events; None among them says that the work goes on.

    The first is waited for, so that what can be refused is refused with its status.

    Args:
        events: run in threads, and closed when the client has left.
        failed: makes an event of an error that comes later.
        end: follows the last.
    """
    first = next(events, None)

    async def sent() -> AsyncIterator[bytes]:
        yield _encoded(first)
        while (event := await run_sync(_next, events, failed)) is not _END:
            yield _encoded(event)
        yield end

    return _ClosingResponse(events, sent())


class _ClosingResponse(StreamingResponse):
    """Closes the events however the response ends, also before it began."""

    def __init__(self, events: Generator[Any, None, None], sent: AsyncIterator[bytes]) -> None:
        super().__init__(sent, headers=_HEADERS, media_type="text/event-stream")
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await run_sync(self._events.close)


def _next(events: Generator[Event | None, None, None], failed: Callable[[Problem | RagError], Event]) -> Any:
    try:
        return next(events, _END)
    except (Problem, RagError) as problem:
        return failed(problem)


def _encoded(event: Any) -> bytes:
    if event is None:
        return ALIVE
    name, document = event
    data = json.dumps(document, default=plain, ensure_ascii=False)
    return (f"event: {name}\n" if name else "").encode() + f"data: {data}\n\n".encode()
