"""HTTP servers of tests: they listen on loopback, at a port that is free, and stop with their block."""

import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from itertools import count
from typing import Any, TypeVar

S = TypeVar("S", bound=HTTPServer)


class LoopbackServer(ThreadingHTTPServer):
    """A server at `address`; its handlers find in it what they answer from."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server_port}"


class LoopbackHandler(BaseHTTPRequestHandler):
    """Reads whole bodies, answers with whole bodies, and logs nothing."""

    def body(self) -> bytes:
        """Return what was sent."""
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def answer(self, body: Any, status: int = 200, headers: Mapping[str, str] = {}) -> None:
        """Answer with bytes, or with anything else as JSON; headers are named in lower case."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        kind = {} if isinstance(body, bytes) else {"content-type": "application/json"}
        for name, value in {**kind, "content-length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def running(server: S) -> Iterator[S]:
    """Serve until the block ends."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


_FIRST, _COUNT = 12_000, 20_000
"""Ports below those that systems give to whoever asks for any, as other tests' servers and all clients do."""
_numbers = count(os.getpid() * 211)  # processes that run at once begin at other ones


def free_port() -> int:
    """Return a port of loopback that nobody listens on; each call of a process gives another."""
    while True:
        port = _FIRST + next(_numbers) % _COUNT
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
