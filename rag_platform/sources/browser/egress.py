"""The way out for a browser: a proxy on loopback that connects to allowed addresses only.

A browser resolves names and follows redirects by itself, and a page can make it ask for anything: frames, scripts,
websockets. So it gets no other way out than this proxy, which checks every address as the fetcher does (see
`addresses`) and connects to the very address it has checked.
"""

import selectors
import socket
import socketserver
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.sources.http.addresses import resolve

HEAD_BYTES = 65_536
IDLE_SECONDS = 30.0
CONNECT_SECONDS = 10.0
HOP_BY_HOP = ("proxy-connection:", "proxy-authorization:", "connection:", "keep-alive:")


class Egress:
    """The proxy, while its block lasts."""

    def __init__(self, settings: FetchSettings) -> None:
        self.settings = settings
        self.refused: dict[str, str] = {}
        """Host -> why no connection was made."""
        self.cut: set[str] = set()
        """Hosts of which an answer was larger than may be read, and broke off there."""

    @property
    def address(self) -> str:
        """Where the browser finds it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.egress = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def connect(self, host: str, port: int) -> socket.socket:
        """Connect to a host's first address that answers; FetchError when it may not be, or cannot be, reached."""
        failure: OSError | None = None
        for address in resolve(host, port, allow_private=self.settings.allow_private):
            try:
                return socket.create_connection((str(address), port), timeout=CONNECT_SECONDS)
            except OSError as error:
                failure = error
        raise FetchError(f"{host} cannot be reached: {failure}")


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    egress: Egress

    def handle_error(self, request: object, client_address: object) -> None:
        """Let a broken connection end quietly: the browser tells what it could not load."""


class _Connection(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        """Serve one connection of the browser: one tunnel, or one plain request."""
        self.request.settimeout(IDLE_SECONDS)
        head, rest = self._head()
        method, _, target = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        target = target.rpartition(" ")[0]
        tunnel = method == "CONNECT"
        parts = urlsplit(f"//{target}" if tunnel else target)
        host, egress = parts.hostname or "", self.server.egress
        try:
            upstream = egress.connect(host, parts.port or (443 if tunnel else 80))
        except (FetchError, ValueError) as error:
            egress.refused[host] = str(error)
            self.request.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        with upstream:
            if tunnel:
                self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                whole = self._relay(upstream, None)
            else:
                upstream.sendall(_rewritten(head, target) + rest)
                whole = self._relay(upstream, _length(head) - len(rest))
            if not whole:
                egress.cut.add(host)

    def _head(self) -> tuple[bytes, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.request.recv(HEAD_BYTES)
            if not more or len(data) > HEAD_BYTES:
                raise ConnectionError
            data += more
        head, _, rest = data.partition(b"\r\n\r\n")
        return head, rest

    def _relay(self, upstream: socket.socket, left: int | None) -> bool:
        """Pass bytes both ways, and return whether there were no more than may be read.

        `left`: of a plain request's body, after which the browser has nothing to say.
        """
        received, limit = 0, self.server.egress.settings.max_bytes
        with selectors.DefaultSelector() as both:  # not `select`, which fails in a process with many open files
            for end in (self.request, upstream):
                both.register(end, selectors.EVENT_READ, end)
            while received <= limit:
                ready = both.select(IDLE_SECONDS)
                if not ready:
                    return True
                for end in (key.data for key, _ in ready):
                    data = end.recv(65_536)
                    if not data:
                        return True
                    if end is upstream:
                        received += len(data)
                        self.request.sendall(data)
                        continue
                    if left is not None and (left := left - len(data)) < 0:
                        return True  # a second request, which could be for another host
                    upstream.sendall(data)
        return False


def _rewritten(head: bytes, target: str) -> bytes:
    """Turn a request to a proxy into one to the server, for one answer only."""
    parts = urlsplit(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    first, *lines = head.split(b"\r\n")
    method = first.split(b" ", 1)[0]
    kept = [line for line in lines if not line.lower().startswith(tuple(name.encode() for name in HOP_BY_HOP))]
    return b"\r\n".join([b"%s %s HTTP/1.1" % (method, path.encode("latin-1")), *kept, b"Connection: close", b"", b""])


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            with suppress(ValueError):
                return int(value)
    return 0
