"""A process that reads raw files, as its owner sees it.

It is started when it is needed and replaced when it dies, takes too long or too much memory. It sees no environment
variables but those named here, so no keys.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Part, RenderedPage
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.sandbox import memory_limit
from rag_platform.documents.sandbox.channel import Channel
from rag_platform.documents.sandbox.protocol import Message, decoded, page_of, part_of, request

_ROOT = Path(__file__).parents[3]
_START = """
import sys
sys.path.insert(0, sys.argv[1])
from rag_platform.documents.sandbox.worker import serve
serve(int(sys.argv[2]))
"""
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH")
"""Variables that the process may see."""
_PASSED_ON_WINDOWS = ("SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "USERPROFILE")
"""And without which programs do not start there."""


class ReaderProcess:
    """One such process, used by one thread at a time."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 (frozen)
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
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
        sent = request(options, self.limits, uri=uri, content_type=content_type, type=type)
        parts: dict[str, Part] = {}
        for left in reversed(range(self.limits.crashes)):
            begun = None
            try:
                for reply in self._exchange(sent | {"done": list(parts)}, content):
                    if "begun" in reply:
                        begun = reply["begun"]
                    else:
                        parts[reply["path"]] = part_of(reply)
                return list(parts.values())
            except ExtractionError as error:
                # It died of the part it had begun; else while it unpacked, which the next try would do again.
                culprit = begun if begun and begun not in parts else ""
                parts[culprit] = Part(culprit, None, str(error))
                if not culprit:
                    break
                if not left:
                    reason = f"{self.limits.crashes} of its files could not be read for this reason: {error}"
                    parts[""] = Part("", None, f"the rest was left out: {reason}")
        return list(parts.values())

    def render(
        self,
        content: bytes,
        *,
        uri: str = "",
        path: str = "",
        page: int = 0,
        words: Sequence[str] = (),
        options: Options = Options(),  # noqa: B008 (frozen)
    ) -> RenderedPage:
        """Draw a page of a PDF or an image, as `render_page` does; `path` is that of a file within the raw file.

        Raises:
            ExtractionError: it cannot be drawn, or cost the process its life.
        """
        drawing = {"page": page, "words": list(words)}
        return page_of(self._answer(request(options, self.limits, uri=uri, path=path, render=drawing), content))

    def unpack(self, content: bytes, *, uri: str, path: str, options: Options = Options()) -> bytes:  # noqa: B008
        """Return the bytes of a file within a raw file; see `unpacking.unpack`.

        Raises:
            ExtractionError: there is none of that path, or it cost the process its life.
        """
        reply = self._answer(request(options, self.limits, uri=uri, path=path, unpack=True), content)
        return decoded(reply["content"])

    def close(self) -> None:
        """End the process."""
        self._stop()

    # --- one exchange of messages -------------------------------------------------------------------

    def _answer(self, sent: Message, content: bytes) -> Message:
        (reply,) = self._exchange(sent, content)
        if "problem" in reply:
            raise ExtractionError(reply["problem"])
        return reply

    def _exchange(self, sent: Message, content: bytes) -> Iterator[Message]:
        try:
            channel = self._started()
            channel.send(json.dumps(sent).encode())
            channel.send(content)
            while "end" not in (reply := json.loads(self._received())):
                if "alive" not in reply:
                    yield reply
        except (EOFError, OSError):
            code = self._stop()
            why = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            raise ExtractionError(
                f"the reader died on this file ({why}; its limit is {self.limits.memory >> 20} MB of memory)"
            ) from None

    def _received(self) -> bytes:
        """Wait for a message.

        Raises:
            ExtractionError: none came in time; the process was ended.
            EOFError: the process is gone, or was ended because it took too much memory.
        """
        deadline = time.monotonic() + self.limits.seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                self._stop(kill=True)
                raise ExtractionError(f"reading it took longer than {self.limits.seconds:g} seconds and was stopped")
            try:
                message = self._inbox.get(
                    timeout=left if memory_limit.LIMITED_BY_KERNEL else min(left, memory_limit.INTERVAL)
                )
            except queue.Empty:
                self._end_if_too_large()
                continue
            if message is None:
                raise EOFError
            return message

    def _end_if_too_large(self) -> None:
        if self._process is not None and memory_limit.exceeds_memory(self._process.pid, self.limits.memory):
            self._process.kill()

    # --- start and end ------------------------------------------------------------------------------

    def _started(self) -> Channel:
        if self._process and self._owner == os.getpid() and self._process.poll() is not None:
            self._stop()  # it was ended from outside, between two files
        if self._channel is None or self._owner != os.getpid():  # after a fork the channel is the parent's
            self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
                [sys.executable, "-c", _START, str(_ROOT), str(self.limits.memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
            assert self._process.stdin and self._process.stdout  # they are pipes
            self._channel, self._owner = Channel(self._process.stdout, self._process.stdin), os.getpid()
            self._inbox = queue.SimpleQueue()
            threading.Thread(target=_collect, args=(self._channel, self._inbox), daemon=True).start()
        return self._channel

    def _stop(self, *, kill: bool = False) -> int:
        """End the process and return its exit code: its own when it had died."""
        process, channel = self._process, self._channel
        self._process = self._channel = None
        if process is None or channel is None or self._owner != os.getpid():
            return 0
        channel.close()
        try:
            if kill:
                process.kill()
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _environment() -> dict[str, str]:
    names = (*_PASSED_ON, *(_PASSED_ON_WINDOWS if os.name == "nt" else ()))
    return {name: os.environ[name] for name in names if name in os.environ} | {"OMP_NUM_THREADS": "1"}


def _collect(channel: Channel, inbox: "queue.SimpleQueue[bytes | None]") -> None:
    """Put what comes into the inbox, where one can wait for it with a time limit on every system; None: the end."""
    with suppress(EOFError, OSError):
        while True:
            inbox.put(channel.receive())
    inbox.put(None)
    channel.close_incoming()
