"""Waits for a server in a way that can be given up at any moment.

A thread that reads a socket cannot be told to stop; a task of an event loop can, and its connection is closed with it,
which is how a server learns that nobody wants the rest. So requests run on a loop in a thread of their own.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

BEAT = 0.2
"""Seconds of silence after which `iterate` gives None, so that its caller may stop."""
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


def iterate(stream: AsyncGenerator[Item, None]) -> Iterator[Item | None]:
    """Yield what a stream gives, and None while it is silent; closing this ends the stream."""
    came: SimpleQueue[tuple[str, Any]] = SimpleQueue()
    ended = threading.Event()
    future = asyncio.run_coroutine_threadsafe(_pass_on(stream, came, ended), _loop())
    try:
        while True:
            try:
                kind, piece = came.get(timeout=BEAT)
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


async def _pass_on(stream: AsyncGenerator[Any, None], came: SimpleQueue, ended: threading.Event) -> None:
    try:
        async for piece in stream:
            came.put(("piece", piece))
        came.put(("end", None))
    except Exception as error:  # noqa: BLE001 - raised again where it is waited for
        came.put(("failed", error))
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
