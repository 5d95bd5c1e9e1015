"""The saved feed and its pages over HTTP, on loopback, as a good web server gives them."""

import hashlib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar


class _Handler(SimpleHTTPRequestHandler):
    """Answers with ETag and Last-Modified, so that whoever comes again unchanged is told so (304)."""

    extensions_map: ClassVar[dict[str, str]] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".xml": "application/atom+xml",
    }

    def do_GET(self) -> None:
        """Answer with the file, or with 304 when the reader has it."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content = path.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        known = self.headers.get("If-None-Match") == tag
        self.send_response(HTTPStatus.NOT_MODIFIED if known else HTTPStatus.OK)
        self.send_header("ETag", tag)
        self.send_header("Last-Modified", self.date_time_string(int(path.stat().st_mtime)))
        if not known:
            self.send_header("Content-Type", self.guess_type(str(path)))
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if not known:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is prescribed
        """Say nothing: the terminal is for the demo's own words."""


@contextmanager
def serving(folder: Path, port: int) -> Iterator[int]:
    """Serve a folder on loopback while the block runs; gives the port (0 chooses a free one).

    When something else serves the same feed at that port already, that is used. `OSError` when the port is taken.
    """

    def handler(*args: object) -> _Handler:
        return _Handler(*args, directory=str(folder))

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        if not _serves_the_same(folder, port):
            raise
        yield port
        return
    with server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()  # it ends within so many seconds
        try:
            yield server.server_port
        finally:
            server.shutdown()


def _serves_the_same(folder: Path, port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/feed.xml", timeout=5) as response:
            return response.read() == (folder / "feed.xml").read_bytes()
    except OSError:
        return False
