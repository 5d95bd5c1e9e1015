"""Requests that can be cancelled at any moment.

A thread that reads a socket cannot be cancelled; a task of an event loop can, and its connection is closed with it,
which is how a server learns to stop. So requests run on an event loop in a thread of its own.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

HEARTBEAT = 0.2
"""Seconds of silence after which `iterate` yields None, so that its caller may stop."""
Item = TypeVar("Item")
_starting = threading.Lock()
_running: list[tuple[asyncio.AbstractEventLoop, threading.Thread]] = []


def result_of(work: Coroutine[Any, Any, Item]) -> Item:
    """Wait for a request; it ends when the waiting is interrupted."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    finally:
        future.cancel()  # does nothing once it is done


def iterate(stream: AsyncGenerator[Item, None]) -> Generator[Item | None, None, None]:
    """Yield the items of a stream, and None while it is silent; closing this ends the stream."""
    received: SimpleQueue[tuple[str, Any]] = SimpleQueue()
    ended = threading.Event()
    future = asyncio.run_coroutine_threadsafe(_pass_on(stream, received, ended), _loop())
    try:
        while True:
            try:
                kind, piece = received.get(timeout=HEARTBEAT)
            except Empty:
                yield None
                continue
            if kind == "failed":
                raise piece
            if kind == "end":
                return
            yield piece
    finally:
        future.cancel()
        ended.wait(1.0)  # the connection is closed by then


async def _pass_on(
    stream: AsyncGenerator[Any, None], received: SimpleQueue[tuple[str, Any]], ended: threading.Event
) -> None:
    try:
        async for piece in stream:
            received.put(("piece", piece))
        received.put(("end", None))
    except Exception as error:  # noqa: BLE001 - raised again where it is waited for
        received.put(("failed", error))
    finally:
        ended.set()


def stop_event_loop() -> None:
    """End the thread, and give up what is still waited for; a later request begins another."""
    with _starting:
        while _running:
            loop, thread = _running.pop()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


def _loop() -> asyncio.AbstractEventLoop:
    with _starting:
        if not _running:
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="completions", daemon=True)
            thread.start()
            _running.append((loop, thread))
    return _running[0][0]
