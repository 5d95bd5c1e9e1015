"""A reader that a document has taken over: it runs the document as Python, and says what came of it."""

import threading
from socket import create_server

from rag_platform.documents.sandbox import process
from rag_platform.documents.sandbox.process import ReaderProcess

TAKEN_OVER = """
import sys, types
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.reading import extraction

def read(content):
    scope = {}
    try:
        exec(content, scope)
        said = f"done {scope.get('found')}"
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        said = f"refused {type(error).__name__}: {error}"
    return Extracted(said, "text")

hostile = types.ModuleType("rag_platform.documents.formats.hostile")
hostile.read = read
sys.modules[hostile.__name__] = hostile
extraction.READERS["hostile"] = "hostile:read"
"""


def take_over(monkeypatch) -> None:
    """Let readers that are started from now on have the type "hostile"."""
    monkeypatch.setattr(process, "_START", process._START.replace("\nserve(", f"\n{TAKEN_OVER}\nserve("))


def tried(reader: ReaderProcess, code: str) -> str:
    """Return what came of running code in a reader: "done …", "refused …" or why the reader ended."""
    (part,) = reader.read(code.encode(), uri="a", type="hostile")
    return part.read.text if part.read else part.reason


class Listener:
    """A server on loopback that counts who connects."""

    def __init__(self) -> None:
        self.met = 0
        self._socket = create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.met += 1
            connection.close()

    def close(self) -> None:
        self._socket.close()
