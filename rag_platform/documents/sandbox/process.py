"""A process that reads raw files, as its owner sees it.

It is started when it is needed and replaced when it dies, takes too long or too much memory. It sees no environment
variables but those that `starting` names, so no keys, and what it answers is believed as far as it can be checked.
"""

import json
import logging
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from rag_platform.core.errors import ExtractionError, ReadingStopped, Unprotected
from rag_platform.documents.extracted import Part, RenderedPage
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.sandbox import meter, programs
from rag_platform.documents.sandbox.channel import Channel
from rag_platform.documents.sandbox.conversion import convert
from rag_platform.documents.sandbox.protocol import OUT_OF_MEMORY, Message, decoded, page_of, part_of, request
from rag_platform.documents.sandbox.starting import Process, start

T = TypeVar("T")
_START = """
import sys
sys.path.insert(0, sys.argv[1])
from rag_platform.documents.sandbox.confinement import enter
held = enter(int(sys.argv[2]), int(sys.argv[3]))
from rag_platform.documents.sandbox.worker import serve
serve(held)
"""
_MESSAGES = 1_000_000
"""Most that a reader sends about one raw file: with each, the time for a document begins anew."""


class ReaderProcess:
    """One such process, used by one thread at a time."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 (frozen)
        self.limits = limits
        self.held: dict[str, str] = {}
        """What keeps it from each of `confinement.GUARDED`, once it has read something; empty where nothing does."""
        self._process: Process | None = None
        self._channel: Channel | None = None
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._sender: threading.Thread | None = None
        self._owner = 0

    def read(
        self,
        content: bytes,
        *,
        uri: str,
        content_type: str | None = None,
        type: str | None = None,  # noqa: A002 (the column's name)
        options: Options = Options(),  # noqa: B008 (frozen)
    ) -> list[Part]:
        """Read a raw file; parts that cost the process its life are parts with that reason, the others are read.

        Raises:
            Unprotected: the limits ask for more protection than there is.
        """
        sent = request(options, self.limits, uri=uri, content_type=content_type, type=type)
        parts: dict[str, Part] = {}
        spent = 0.0
        for left in reversed(range(self.limits.crashes)):
            begun, since = None, time.monotonic()
            try:
                for reply in self._exchange(sent | {"done": list(parts), "spent": spent}, content):
                    if "begun" in reply:
                        begun = str(reply["begun"])
                    else:
                        part = self._understood(part_of, reply)
                        parts[part.path] = part
                return list(parts.values())
            except ReadingStopped as error:
                spent += min(time.monotonic() - since, self.limits.seconds)  # all files in it share one budget
                # It died of the part it had begun; else while it unpacked, which the next try would do again.
                culprit = begun if begun and begun not in parts else ""
                parts[culprit] = Part(culprit, None, str(error), stopped=True)
                if not culprit:
                    break
                if not left:
                    reason = f"{self.limits.crashes} of its files could not be read for this reason: {error}"
                    parts[""] = Part("", None, f"the rest was left out: {reason}", stopped=True)
        return list(parts.values())

    def render(
        self,
        content: bytes,
        *,
        uri: str = "",
        path: str = "",
        page: int = 0,
        words: Sequence[str] = (),
        figure: bool = False,
        options: Options = Options(),  # noqa: B008 (frozen)
    ) -> RenderedPage:
        """Draw a page of a PDF or an image, as `render_page` does; `path` is that of a file within the raw file.

        Raises:
            ExtractionError: it cannot be drawn, or cost the process its life.
        """
        drawing = {"page": page, "words": list(words), "figure": figure}
        sent = request(options, self.limits, uri=uri, path=path, render=drawing)
        return self._understood(page_of, self._answer(sent, content))

    def unpack(self, content: bytes, *, uri: str, path: str, options: Options = Options()) -> bytes:  # noqa: B008
        """Return the bytes of a file within a raw file; see `unpacking.unpack`.

        Raises:
            ExtractionError: there is none of that path, or it cost the process its life.
        """
        reply = self._answer(request(options, self.limits, uri=uri, path=path, unpack=True), content)
        return self._understood(decoded, reply.get("content"))

    def close(self) -> None:
        """End the process."""
        self._stop()

    # --- one exchange of messages -------------------------------------------------------------------

    def _answer(self, sent: Message, content: bytes) -> Message:
        reply: Message = {}
        for one in self._exchange(sent, content):
            reply |= one
        if "problem" in reply:
            raise ExtractionError(str(reply["problem"]))
        return reply

    def _exchange(self, sent: Message, content: bytes) -> Iterator[Message]:
        """Send a request and yield the replies; a process that has not come to their end is ended.

        Raises:
            ReadingStopped: it died, passed a limit or answered nonsense.
        """
        ended = False
        try:
            self._started()
            self._send(json.dumps(sent).encode(), content)
            for reply in self._replies(self.limits):
                ended = "end" in reply
                if ended:
                    return
                if "tesseract" in reply:
                    self._send(json.dumps(programs.tesseract(**reply["tesseract"])).encode())
                elif "convert" in reply:
                    self._send(json.dumps(convert(**reply["convert"], limits=self.limits)).encode())
                elif "alive" not in reply:
                    yield reply
        except (EOFError, OSError):
            raise ReadingStopped(_cause(self._stop(), self.limits)) from None
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _nonsense(error) from error
        finally:
            if not ended:
                self._stop(kill=True)

    def _understood(self, understand: Callable[[Any], T], reply: Any) -> T:
        """Return what a reply means; a process that sends what means nothing is ended."""
        try:
            return understand(reply)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            self._stop(kill=True)
            raise _nonsense(error) from error

    def _send(self, *messages: bytes) -> None:
        """Send from another thread: a process that takes nothing must not hold up the one that watches its time."""
        assert self._channel
        self._sender = threading.Thread(target=_send_all, args=(self._channel, messages), daemon=True)
        self._sender.start()

    def _replies(self, limits: Limits) -> Iterator[Message]:
        """Yield what comes, within limits.

        Raises:
            ReadingStopped: it passed one.
            EOFError: the process is gone.
        """
        assert self._process
        watch, left = meter.Meter(self._process.pid, limits), limits.answer_bytes
        for _ in range(_MESSAGES):
            message = self._received(watch)
            left -= len(message)
            if left < 0:
                break
            yield json.loads(message)
            watch.begin()
        raise ReadingStopped("stopped: its reader answered without end")

    def _received(self, watch: meter.Meter) -> bytes:
        while True:
            try:
                message = self._inbox.get(timeout=meter.INTERVAL)
            except queue.Empty:
                watch.check()
                continue
            if message is None:
                raise EOFError
            return message

    # --- start and end ------------------------------------------------------------------------------

    def _started(self) -> None:
        if self._process and self._owner == os.getpid() and self._process.poll() is not None:
            self._stop()  # it was ended from outside, between two files
        if self._channel is None or self._owner != os.getpid():  # after a fork the channel is the parent's
            self._process = start(_START, self.limits.memory, os.getpid())
            assert self._process.stdin and self._process.stdout  # they are pipes
            self._channel, self._owner = Channel(self._process.stdout, self._process.stdin), os.getpid()
            self._inbox = queue.SimpleQueue()
            collecting = (self._channel, self._inbox, self.limits.answer_bytes)
            threading.Thread(target=_collect, args=collecting, daemon=True).start()
            self.held = next(self._replies(Limits()))["held"]
            self._require_protection()

    def _require_protection(self) -> None:
        missing = tuple(what for what, by in self.held.items() if not by)
        if missing and self.limits.confined:
            self._stop(kill=True)
            raise Unprotected(
                f"this system does not keep the readers of documents from: {', '.join(missing)} (see `rag doctor`); "
                'run on Linux 5.13 or newer, or set documents.protection = "available"'
            )
        if missing:
            _warn_once(missing)

    def _stop(self, *, kill: bool = False) -> int:
        """End the process and return its exit code: its own when it had died."""
        process, channel = self._process, self._channel
        self._process = self._channel = None
        if process is None or channel is None or self._owner != os.getpid():
            return 0
        try:
            if kill or (self._sender and self._sender.is_alive()):  # it would wait for a process that takes nothing
                process.kill()
            channel.close()
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


@cache
def held_here() -> Mapping[str, str]:
    """Return what keeps a reader from each of `confinement.GUARDED` on this system; empty where nothing does.

    A reader is started for it, once in a process: what the system allows stays as it is.

    Raises:
        ExtractionError: no reader can be started.
    """
    reader = ReaderProcess()
    try:
        (part,) = reader.read(b"Water.", uri="a.txt")
    finally:
        reader.close()
    if part.read is None:
        raise ExtractionError(part.reason or "it could not be started")
    return reader.held


def _cause(code: int, limits: Limits) -> str:
    """Say why a process ended that nobody asked to."""
    if code == OUT_OF_MEMORY:
        return meter.too_large(limits.memory)
    if code == -getattr(signal, "SIGXCPU", 0):
        return meter.after(limits.seconds)
    why = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return f"the reader died on this file ({why}; its limit is {limits.memory >> 20} MB of memory)"


def _nonsense(error: Exception) -> ReadingStopped:
    return ReadingStopped(f"stopped: its reader answered what nobody understands ({error.__class__.__name__})")


@cache
def _warn_once(missing: tuple[str, ...]) -> None:
    logging.getLogger(__name__).warning(
        "documents are read by processes that this system does not keep from: %s; `rag doctor` says what holds",
        ", ".join(missing),
    )


def _send_all(channel: Channel, messages: Sequence[bytes]) -> None:
    with suppress(OSError, ValueError):  # it is gone, as whoever waits for its answer finds
        for message in messages:
            channel.send(message)


def _collect(channel: Channel, inbox: "queue.SimpleQueue[bytes | None]", most: int) -> None:
    """Put what comes into the inbox, where one can wait for it with a time limit on every system; None: the end."""
    with suppress(EOFError, OSError):
        while True:
            inbox.put(channel.receive(most))
    inbox.put(None)
    channel.close_incoming()
