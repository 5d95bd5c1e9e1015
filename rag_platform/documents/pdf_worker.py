"""A process of its own that reads PDFs: whatever a file does to PDFium, only that process dies.

Requests are a PDF's bytes; replies are JSON, because what a hostile file may have taken over is not to be unpickled.
"""

import atexit
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.errors import ExtractionError

SECONDS = 60.0
"""Longest time for one file."""
MEMORY = 4 << 30
"""Bytes of address space that the process may take."""
_ROOT = Path(__file__).parents[2]
_START = """
import sys
sys.path.insert(0, sys.argv[1])
from rag_platform.documents.pdf_worker import serve
serve(int(sys.argv[2]), int(sys.argv[3]))
"""


class PdfWorker:
    """A child process that is started when needed, reused, and replaced when it dies or takes too long."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.seconds = seconds
        self.memory = memory
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._channel: Connection | None = None
        self._owner = 0
        self._ended_at_exit = False

    def read(self, content: bytes) -> dict:
        """Read a PDF.

        Returns:
            ``pages`` (the text of each), ``images`` (whether a page without text has an image), ``metadata``.

        Raises:
            ExtractionError: It is damaged, needs a password, or the process died or took too long.
        """
        with self._lock:
            reply = self._ask(content)
        if "error" in reply:
            raise ExtractionError(reply["error"])
        return reply

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._stop()

    def _ask(self, content: bytes) -> dict:
        channel = self._started()
        try:
            channel.send_bytes(content)
            if not channel.poll(self.seconds):
                self._stop()
                raise ExtractionError(f"reading this PDF took longer than {self.seconds:g} seconds and was stopped")
            return json.loads(channel.recv_bytes())
        except (EOFError, OSError):
            code = self._stop()
            why = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            raise ExtractionError(
                f"the PDF reader died on this file ({why}; its limit is {self.memory >> 20} MB of memory)"
            ) from None

    def _started(self) -> Connection:
        if self._process and self._owner == os.getpid() and self._process.poll() is not None:
            self._stop()  # it was ended from outside, between two files
        if self._channel is None or self._owner != os.getpid():  # after a fork the channel is the parent's
            if not self._ended_at_exit:
                self._ended_at_exit = bool(atexit.register(self.close))
            ours, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
                    [sys.executable, "-c", _START, str(_ROOT), str(theirs.fileno()), str(self.memory)],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            self._channel, self._owner = Connection(ours.detach()), os.getpid()
        return self._channel

    def _stop(self) -> int:
        """End the process and return its exit code: its own when it had died."""
        process, channel = self._process, self._channel
        self._process = self._channel = None
        if channel is not None:
            channel.close()
        if process is None or self._owner != os.getpid():
            return 0
        try:
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


# --- in the process itself --------------------------------------------------------------------------


def serve(descriptor: int, memory: int) -> None:
    """Answer requests until the other side is gone."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    channel = Connection(descriptor)
    while True:
        try:
            content = channel.recv_bytes()
        except (EOFError, OSError):
            return
        channel.send_bytes(json.dumps(read_pages(content)).encode())


def read_pages(content: bytes) -> dict:
    """Read a PDF in this process; the reply is described at `PdfWorker.read`."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_PASSWORD:
            return {"error": "this PDF is encrypted and needs a password; save a copy without one"}
        return {"error": f"not a readable PDF: {str(error).rstrip('.')}"}
    pages, images, unreadable = [], [], []
    for number in range(len(document)):
        try:
            text, image = _read_page(document, number)
        except pdfium.PdfiumError:
            text, image = "", False
            unreadable.append(number + 1)
        pages.append(text)
        images.append(image)
    metadata = document.get_metadata_dict(skip_empty=True)
    document.close()
    return {"pages": pages, "images": images, "unreadable": unreadable, "metadata": metadata}


def _read_page(document: object, number: int) -> tuple[str, bool]:
    page = document[number]
    content = page.get_textpage()
    try:
        text = content.get_text_bounded()
        shown = () if text.strip() else page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=4)
        return text, any(True for _ in shown)
    finally:
        content.close()
        page.close()
