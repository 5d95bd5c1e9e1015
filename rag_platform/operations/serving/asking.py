"""A search in a program that already runs: `rag search` has it done there, so that it need not load model and index.

The page and the API listen at a socket in data/serving, which only the owner of the workspace can reach: data/ is
theirs alone. This module is all that a command imports before it asks; so it imports next to nothing.
"""

import contextlib
import os
import sys

FOLDER = "data/serving"
"""Where servers listen, below a workspace's folder: a socket for each."""
_SECONDS = 60.0
"""How long an answer may take: a model server may be asked to rerank."""
_HEARD = 2.0
"""Seconds until a server that runs has said that it will: one that is stopped or overloaded holds nobody up."""
_RENDERED_BY = ("COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""Variables by which output looks as it does."""


def ask_server(arguments: list[str]) -> str | None:
    """Return what `rag search` prints for these arguments of `rag`; None: no server can tell, find it here."""
    home = os.environ.get("RAG_HOME") or "."
    if arguments[:1] == ["--home"]:
        home, arguments = "".join(arguments[1:2]), arguments[2:]
    if arguments[:1] != ["search"] or "--help" in arguments:
        return None
    if not (names := _sockets(f"{home}/{FOLDER}")):
        return None
    import json

    request = {
        "arguments": arguments[1:],
        "terminal": sys.stdout.isatty(),
        "width": _width(),
        "rendered_by": {name: os.environ[name] for name in _RENDERED_BY if name in os.environ},
        "settings": settings_variables(),
    }
    asked = json.dumps(request).encode()
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            if answer := json.loads(_exchange(f"{home}/{FOLDER}", name, asked) or b"null"):
                return str(answer)
    return None


def settings_variables() -> dict[str, str]:
    """Return the variables that are settings, but for the workspace's folder."""
    return {name: value for name, value in os.environ.items() if name.startswith("RAG_") and name != "RAG_HOME"}


def _sockets(folder: str) -> list[str]:
    """Return the names of the sockets of this user's servers; another user's would be told our settings."""
    try:
        ours = not hasattr(os, "getuid") or os.stat(folder).st_uid == os.getuid()  # noqa: PTH116  pathlib takes longer
        return sorted(os.listdir(folder)) if ours else []  # noqa: PTH208
    except OSError:
        return []


def _width() -> int:
    """Return how wide this command would print: never as wide as the server's terminal."""
    if os.environ.get("COLUMNS", "").isdigit():
        return int(os.environ["COLUMNS"])
    for stream in (0, 1, 2):
        with contextlib.suppress(OSError):
            return os.get_terminal_size(stream).columns or 80
    return 80


def _exchange(folder: str, name: str, asked: bytes) -> bytes:
    import socket

    if not hasattr(socket, "AF_UNIX"):
        return b""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line, reachable(folder) as short:
        line.settimeout(_HEARD)
        line.connect(f"{short}/{name}")
        line.sendall(asked)
        line.shutdown(socket.SHUT_WR)
        heard = line.recv(1)
        line.settimeout(_SECONDS)
        return heard + b"".join(iter(lambda: line.recv(1 << 16), b""))


@contextlib.contextmanager
def reachable(folder: str):  # type: ignore[no-untyped-def]  # `typing` takes longer than all of this  # noqa: ANN201
    """Yield a name of a folder that is short enough for the name of a socket, which takes some hundred bytes."""
    if not os.path.isdir("/proc/self/fd"):  # noqa: PTH112
        yield folder
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{opened}"
    finally:
        os.close(opened)
