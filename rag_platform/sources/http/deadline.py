"""A limit on the whole of one request, which timeouts between two packets cannot give."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Self


class Deadline:
    """Cuts a connection when its time is up, even from a server that sends a byte now and then."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.passed = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def watch(self, event: str, info: dict[str, Any]) -> None:
        """Learn the request's socket; this is the function for httpx's extension `trace`."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.passed:
                self._cut()

    def _end(self) -> None:
        self.passed = True
        self._cut()

    def _cut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # already closed
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # not the TLS one: another thread reads it
