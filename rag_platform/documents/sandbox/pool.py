"""Processes of their own in which every document is read: whatever a file does to its reader, only it is lost.

A process is started when it is needed, reused, and replaced when it dies, takes too long or too much memory. It gets
bytes and answers in JSON, because what a hostile file may have taken over is not to be unpickled; it sees no
environment variables, so no keys.
"""

import atexit
import base64
import json
import os
import queue
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, fields
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents import heartbeat
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reading.rendering import RenderedPage, render_page
from rag_platform.documents.reading.unpacking import Part, read_parts, unpack

_ROOT = Path(__file__).parents[3]
_START = """
import sys
sys.path.insert(0, sys.argv[1])
from rag_platform.documents.sandbox.pool import serve
serve(int(sys.argv[2]), int(sys.argv[3]))
"""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH")
"""Variables that the process may see."""


class Reader:
    """One such process, used by one thread at a time."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 (frozen)
        self.limits = limits
        self._process: subprocess.Popen | None = None
        self._channel: Connection | None = None
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
        """Read a raw file; parts that cost the process its life are parts with that reason, the others are read."""
        request = {"uri": uri, "content_type": content_type, "type": type}
        request |= {"options": asdict(options), "limits": asdict(self.limits)}
        parts: dict[str, Part] = {}
        for left in reversed(range(self.limits.lost)):
            begun = None
            try:
                for reply in self._ask(request | {"done": list(parts)}, content):
                    if "begun" in reply:
                        begun = reply["begun"]
                    else:
                        parts[reply["path"]] = _part(reply)
                return list(parts.values())
            except ExtractionError as error:
                # It died of the part it had begun; else while it unpacked, which the next try would do again.
                guilty = begun if begun and begun not in parts else ""
                parts[guilty] = Part(guilty, None, str(error))
                if not guilty:
                    break
                if not left:
                    reason = f"{self.limits.lost} of its files could not be read for this reason: {error}"
                    parts[""] = Part("", None, f"the rest was left out: {reason}")
        return list(parts.values())

    def draw(
        self,
        content: bytes,
        *,
        uri: str = "",
        path: str = "",
        page: int = 0,
        words: Sequence[str] = (),
        options: Options = Options(),  # noqa: B008 (frozen)
    ) -> RenderedPage:
        """Draw a page of a PDF or an image, as `drawing.draw` does; `path` is that of a file within the raw file.

        Raises:
            ExtractionError: it cannot be drawn, or cost the process its life.
        """
        request = {"uri": uri, "path": path, "draw": {"page": page, "words": list(words)}}
        reply = self._answer(request, content, options)
        return RenderedPage(**reply | {"picture": base64.b64decode(reply["picture"]), "boxes": _boxes(reply["boxes"])})

    def unpack(self, content: bytes, *, uri: str, path: str, options: Options = Options()) -> bytes:  # noqa: B008
        """Return the bytes of a file within a raw file; see `parts.unpack`.

        Raises:
            ExtractionError: there is none of that path, or it cost the process its life.
        """
        return base64.b64decode(self._answer({"uri": uri, "path": path, "unpack": True}, content, options)["content"])

    def _answer(self, request: dict, content: bytes, options: Options) -> dict:
        request |= {"options": asdict(options), "limits": asdict(self.limits)}
        (reply,) = self._ask(request, content)
        if "problem" in reply:
            raise ExtractionError(reply["problem"])
        return reply

    def close(self) -> None:
        """End the process."""
        self._stop()

    def _ask(self, request: dict, content: bytes) -> Iterator[dict]:
        try:
            channel = self._started()
            channel.send_bytes(json.dumps(request).encode())
            channel.send_bytes(content)
            while True:
                if not channel.poll(self.limits.seconds):
                    self._stop(kill=True)
                    raise ExtractionError(
                        f"reading it took longer than {self.limits.seconds:g} seconds and was stopped"
                    )
                reply = json.loads(channel.recv_bytes())
                if "end" in reply:
                    return
                if "alive" not in reply:
                    yield reply
        except (EOFError, OSError):
            code = self._stop()
            why = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            raise ExtractionError(
                f"the reader died on this file ({why}; its limit is {self.limits.memory >> 20} MB of memory)"
            ) from None

    def _started(self) -> Connection:
        if self._process and self._owner == os.getpid() and self._process.poll() is not None:
            self._stop()  # it was ended from outside, between two files
        if self._channel is None or self._owner != os.getpid():  # after a fork the channel is the parent's
            ours, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
                    [sys.executable, "-c", _START, str(_ROOT), str(theirs.fileno()), str(self.limits.memory)],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={name: os.environ[name] for name in _KEPT if name in os.environ} | {"OMP_NUM_THREADS": "1"},
                )
            self._channel, self._owner = Connection(ours.detach()), os.getpid()
        return self._channel

    def _stop(self, *, kill: bool = False) -> int:
        """End the process and return its exit code: its own when it had died."""
        process, channel = self._process, self._channel
        self._process = self._channel = None
        if channel is not None:
            channel.close()
        if process is None or self._owner != os.getpid():
            return 0
        try:
            if kill:
                process.kill()
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


READERS = os.cpu_count() or 1
"""Processes that read at the same time."""


class Sandbox:
    """As many readers as are wanted at the same time, or at most so many; who comes when all are at work waits."""

    def __init__(self, limits: Limits = Limits(), most: int | None = None) -> None:  # noqa: B008 (frozen)
        self._limits = limits
        self._free = threading.BoundedSemaphore(most) if most else nullcontext()
        self._idle: queue.SimpleQueue[Reader] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._ended_at_exit = False

    def read(self, content: bytes, **about: Any) -> list[Part]:
        """Read a raw file in a process of its own; see `Reader.read`. Safe from many threads."""
        with self._reader() as reader:
            return reader.read(content, **about)

    def draw(self, content: bytes, **about: Any) -> RenderedPage:
        """Draw a page in a process of its own; see `Reader.draw`. Safe from many threads."""
        with self._reader() as reader:
            return reader.draw(content, **about)

    def unpack(self, content: bytes, **about: Any) -> bytes:
        """Take a file out of a raw file in a process of its own; see `Reader.unpack`. Safe from many threads."""
        with self._reader() as reader:
            return reader.unpack(content, **about)

    def close(self) -> None:
        """End the processes that nobody uses."""
        while not self._idle.empty():
            self._idle.get().close()

    @contextmanager
    def _reader(self) -> Iterator[Reader]:
        with self._lock:
            if not self._ended_at_exit:
                self._ended_at_exit = bool(atexit.register(self.close))
        with self._free:
            try:
                reader = self._idle.get_nowait()
            except queue.Empty:
                reader = Reader(self._limits)
            try:
                yield reader
            finally:
                self._idle.put(reader)


SANDBOX = Sandbox()
"""The one that is used when no other is given."""


# --- what passes between the processes --------------------------------------------------------------


def _part(reply: dict) -> Part:
    read = reply["read"]
    if read is None:
        return Part(reply["path"], None, reply["reason"])
    dates = {name: datetime.fromisoformat(read[name]) if read[name] else None for name in _DATES}
    pictures = tuple((number, base64.b64decode(picture)) for number, picture in read["pictures"])
    lists = {name: tuple(read[name]) for name in ("pages", "flags", "tags")} | {"pictures": pictures}
    return Part(reply["path"], Extracted(**{**read, **dates, **lists}))


def _boxes(told: list[list[float]]) -> tuple:
    return tuple(tuple(box) for box in told)


_DATES = ("published_at", "updated_at")
_FIELDS = [field.name for field in fields(Extracted) if field.name != "members"]


def _reply(part: Part) -> dict:
    if part.read is None:
        return {"path": part.path, "read": None, "reason": part.reason}
    told = {name: getattr(part.read, name) for name in _FIELDS}
    dates = {name: told[name].isoformat() if told[name] else None for name in _DATES}
    pictures = [(number, base64.b64encode(picture).decode("ascii")) for number, picture in part.read.pictures]
    return {"path": part.path, "read": told | dates | {"pictures": pictures}}


# --- in the process itself --------------------------------------------------------------------------


def serve(descriptor: int, memory: int) -> None:
    """Answer requests until the other side is gone."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    channel = Connection(descriptor)
    heartbeat.listen(lambda: channel.send_bytes(b'{"alive": true}'))
    while True:
        try:
            request, content = json.loads(channel.recv_bytes()), channel.recv_bytes()
            for reply in _replies(request, content):
                channel.send_bytes(json.dumps(reply).encode())
        except (EOFError, OSError):
            return


def _replies(request: dict[str, Any], content: bytes) -> Iterator[dict]:
    yield from _parts(request, content) if "done" in request else [_original(request, content)]
    yield {"end": True}


def _original(request: dict[str, Any], content: bytes) -> dict:
    """Draw or unpack what is asked for, or tell why that cannot be."""
    options, limits = Options(**request["options"]), Limits(**request["limits"])
    try:
        file = unpack(content, uri=request["uri"], path=request["path"], options=options, limits=limits)
        if "draw" not in request:
            return {"content": base64.b64encode(file.content).decode("ascii")}
        told = asdict(render_page(file.content, options=options, **request["draw"]))
    except (ExtractionError, MemoryError) as error:
        return {"problem": str(error) or "it takes more memory than it may"}
    return told | {"picture": base64.b64encode(told["picture"]).decode("ascii")}


def _parts(request: dict[str, Any], content: bytes) -> Iterator[dict]:
    parts = read_parts(
        content,
        uri=request["uri"],
        content_type=request["content_type"],
        type=request["type"],
        options=Options(**request["options"]),
        limits=Limits(**request["limits"]),
        done=request["done"],
    )
    for part in parts:
        yield {"begun": part} if isinstance(part, str) else _reply(part)
