"""The searches of other processes, done by this one, which has model and index open; `asking` is their side."""

import atexit
import json
import logging
import os
import secrets
import socket
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from rag_platform.cli.commands import load_command
from rag_platform.cli.console import elsewhere
from rag_platform.config.settings import FILE
from rag_platform.operations.serving.asking import FOLDER, reachable, settings_variables
from rag_platform.storage.user_cache import file_state
from rag_platform.workspace import Workspace

_AT_ONCE = 4
_LARGEST = 1 << 20
"""Bytes of a request."""
_SECONDS = 10.0
"""How long a client may take to say what it wants."""
_PAUSE = 0.2
_log = logging.getLogger(__name__)


def listen(opened: Workspace) -> None:
    """Do the searches of `rag search` for as long as this process runs, and the settings are those it read."""
    if not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError):  # a disk that is only read: each command searches by itself
        _Listener(opened)


class _Listener:
    """A socket at which searches are asked for, and a thread that answers them."""

    def __init__(self, opened: Workspace) -> None:
        self._workspace = weakref.ref(opened)
        self._settings = opened.settings.home / FILE, settings_variables()
        self._state = file_state(self._settings[0])
        folder = opened.settings.home / FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(folder)
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with reachable(str(folder)) as short:
            self._socket.bind(f"{short}/{self._path.name}")
        self._socket.listen()
        atexit.register(self._path.unlink, missing_ok=True)
        threading.Thread(target=self._serve, name="searches of other processes", daemon=True).start()

    def _serve(self) -> None:
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="search for another process") as pool:
            while self._current():
                try:
                    line, _ = self._socket.accept()
                except OSError:  # no file can be opened just now
                    time.sleep(_PAUSE)
                else:
                    pool.submit(self._converse, line)
        self._socket.close()
        self._path.unlink(missing_ok=True)

    def _current(self) -> bool:
        """Return whether what this process read of the settings is what they are."""
        with suppress(OSError):
            return self._workspace() is not None and file_state(self._settings[0]) == self._state
        return False

    def _converse(self, line: socket.socket) -> None:
        with line:
            line.settimeout(_SECONDS)
            try:
                asked = json.loads(_received(line))
                line.sendall(b" ")  # it is heard
                if self._current() and asked["settings"] == self._settings[1] and (opened := self._workspace()):
                    line.sendall(json.dumps(_answer(opened, asked)).encode())
            except Exception as error:  # noqa: BLE001  whoever asked goes on without us, and says what is wrong
                _log.debug("a search for another process ended", exc_info=error)


def _answer(opened: Workspace, asked: dict[str, Any]) -> str | None:
    """Return what `rag search` prints; None: this process still answers from the version before."""
    versions = opened.versions
    if versions.live().id != versions.live_id():
        return None
    output = StringIO()
    console = Console(
        file=output,
        highlight=False,
        force_terminal=asked["terminal"] or None,
        width=asked["width"],
        _environ=asked["rendered_by"],
    )
    with elsewhere(opened.reached_by("cli"), console):
        load_command("search").main(asked["arguments"], prog_name="rag search", standalone_mode=False)
    return output.getvalue()


def _received(line: socket.socket) -> bytes:
    parts, size = [], 0
    while part := line.recv(1 << 16):
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise ValueError("the request is too long")
    return b"".join(parts)


def _sweep(folder: Path) -> None:
    """Remove the sockets of processes that have ended."""
    for path in folder.iterdir():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe, reachable(str(folder)) as short:
            try:
                probe.connect(f"{short}/{path.name}")
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)
            except OSError:
                continue
