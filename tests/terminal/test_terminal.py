"""The real `rag chat` in a pseudo-terminal of 80 columns, 24 rows and 256 colours."""

import base64
import fcntl
import os
import selectors
import struct
import subprocess
import sys
import termios
import threading
import time
import warnings
from pathlib import Path

import pytest

from rag_platform.core.errors import SettingsError
from tests.chat_server import END, ChatServer, chunk

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", r"'click\.", DeprecationWarning)  # typer imports what click 9 will drop
    from rag_platform.cli.ask.chat import chat

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


class Terminal:
    """A command in a pseudo-terminal."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("TEXTUAL", "COLOR"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rag_platform", *arguments],
            cwd=ROOT,
            env=environment | {"TERM": "xterm-256color"} | variables,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = b""
        self.told = 0
        """How much of it was waited for."""

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def until(self, wanted: bytes, seconds: float = 120.0) -> None:
        """Read until this was written after what was waited for last."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as written:  # not `select`, which fails in a process with many open files
            written.register(self.ours, selectors.EVENT_READ)
            while (at := self.seen.find(wanted, self.told)) < 0:
                assert written.select(max(0.0, end - time.monotonic())), repr(self.seen[-3000:])
                self.seen += os.read(self.ours, 65536)
        self.told = at + len(wanted)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(30)
        os.close(self.ours)

    def end(self) -> int:
        """Read the rest, and return the exit code."""
        try:
            while data := os.read(self.ours, 65536):
                self.seen += data
        except OSError:  # Linux's way to say that nobody has the other end any more
            pass
        return self.process.wait(30)


def test_the_first_word_is_shown_at_once_and_the_terminal_is_left_as_it_was(
    chat_home: Path, server: ChatServer
) -> None:
    go_on = threading.Event()
    server.script = [
        [chunk("Evidently "), go_on, chunk("employees get 25 days of paid leave per year. [1]"), *END],
    ]
    # `rag` alone is the chat, where there are a terminal and a workspace.
    with Terminal(RAG_HOME=str(chat_home), RAG_GENERATOR__BASE_URL=server.address) as terminal:
        terminal.until(b"sk a question")  # the cursor stands on the first letter
        terminal.type("How many days of paid leave do employees get?\r")
        terminal.until(b"Evidently")  # the model says no more until this was seen
        go_on.set()
        terminal.until(b"receipt")
        terminal.type("\x19")
        terminal.until(b"\x1b]52;c;" + base64.b64encode(b"Evidently employee"))
        terminal.type("\x11")
        assert terminal.end() == 0
        assert terminal.seen.rpartition(b"\x1b[?1049l")[2].count(b"\n") <= 1, "the screen of before, and nothing on it"
        assert b"\x1b[38;2;" not in terminal.seen, "256 colours are enough"
        assert b"Traceback" not in terminal.seen


def test_without_a_terminal_the_message_says_what_to_do() -> None:
    with pytest.raises(SettingsError, match="`rag ask Q` answers one question without"):
        chat()
