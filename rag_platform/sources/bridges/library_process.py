"""The process in which another library reads a source: what it is given, within which limits, and what comes back.

It is given the source's own arguments on standard input, the variables that the source names, an empty home folder and
the workspace as its working folder. It is no cell: it may use the network and read what the platform's user may read.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import IO, Any

import psutil

from rag_platform.config.variables import Variables
from rag_platform.core.errors import MissingExtra, SourceError
from rag_platform.sources.bridges.settings import BridgeSettings

PROGRAMS = Path(__file__).with_name("programs")
PASSED_ON = (
    *("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "SYSTEMROOT"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
)
"""Variables of ours that its process has too."""
SILENT = {"RUNTIME__DLTHUB_TELEMETRY": "false", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""It tells its makers nothing."""
CALLED_WITH = ("arguments", "load", "incremental")
"""Settings that a library is given as they stand, but for their placeholders."""
LIBRARIES = {
    "dlt": "dlt",
    "lancedb": "lancedb",
    "llama_index": "llama-index-core",
    "llama_index.core": "llama-index-core",
}
"""Module -> the package that brings it."""
TAIL = 2000
"""Bytes of its log that an error quotes, at most."""


class LibraryProcess:
    """Runs a program, as often as it is asked to."""

    def __init__(self, program: Path, extra: str, settings: BridgeSettings, home: Path, variables: Variables) -> None:
        """Start nothing yet.

        Args:
            program: a module with a function `messages`, which answers a request; see `programs.frame`.
            extra: that brings the library.
            settings: of the source.
            home: the workspace's folder.
            variables: what placeholders stand for.
        """
        self._program = program
        self._extra = extra
        self._settings = settings
        self._home = home
        self._variables = variables

    def ask(self, request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the messages that answer a request, to which the source's arguments are added.

        Raises:
            SourceError: it failed, or took or gave more than it may.
            MissingExtra: the library is not installed.
        """
        settings = self._settings
        called_with = {name: getattr(settings, name) for name in CALLED_WITH if hasattr(settings, name)}
        whole = {
            **request,
            **{name: self._expanded(value, name) for name, value in called_with.items()},
            "memory": settings.memory_limit << 20,
            "code": [str((self._home / settings.code).resolve())] if settings.code else [],
        }
        with tempfile.TemporaryDirectory(prefix="rag-bridge-") as folder, tempfile.TemporaryFile() as log:
            with self._started(whole, folder, log) as process, self._ended_in_time(process) as late:
                if (yield from self._messages(process)):
                    return
                process.wait()
            if late():
                raise self._failed(f"it took more than timeout = {settings.timeout:g} seconds")
            raise self._failed(f"its process ended with code {process.returncode}: {_tail(log)}")

    @contextmanager
    def _started(self, request: Mapping[str, Any], folder: str, log: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
        ours = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        own = self._expanded(self._settings.environment, "environment")
        places = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "DLT_DATA_DIR", "LLAMA_INDEX_CACHE_DIR"), folder)
        process = self._start({**ours, **SILENT, **places, **own}, log)
        try:
            with suppress(BrokenPipeError):
                assert process.stdin
                process.stdin.write(json.dumps(request, default=_dated).encode() + b"\n")
                process.stdin.flush()
            yield process
        finally:
            _end(process)
            with suppress(BrokenPipeError):
                process.communicate()

    def _start(self, environ: Mapping[str, str], log: IO[bytes]) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(  # noqa: S603  a program of ours; what it imports is what the settings name
                [self._python(), "-I", str(PROGRAMS / "frame.py"), str(self._program)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self._home,
                env=environ,
            )
        except OSError as error:
            reason = error.strerror or error
            raise self._failed(f"{self._python()} cannot be started ({reason}); set `python` to a Python") from error

    @contextmanager
    def _ended_in_time(self, process: "subprocess.Popen[bytes]") -> Iterator[Callable[[], bool]]:
        late = threading.Event()

        def end() -> None:
            late.set()
            _end(process)

        timer = threading.Timer(self._settings.timeout, end)
        timer.start()
        try:
            yield late.is_set
        finally:
            timer.cancel()

    def _messages(self, process: "subprocess.Popen[bytes]") -> Generator[dict[str, Any], None, bool]:
        """Yield messages; return whether the last one came."""
        left, rows = self._settings.max_bytes, -2  # the last two messages are no rows
        assert process.stdout
        while line := process.stdout.readline(left + 1):
            left, rows = left - len(line), rows + 1
            if left < 0:
                raise self._failed(f"it gave more than max_bytes = {self._settings.max_bytes}")
            if rows > self._settings.max_rows:
                raise self._failed(f"it gave more than max_rows = {self._settings.max_rows}")
            if not line.endswith(b"\n"):  # it was ended in the midst of it
                return False
            message = json.loads(line)
            if "error" in message:
                raise self._reported(message)
            if "done" in message:
                return True
            yield message
        return False

    def _reported(self, message: Mapping[str, Any]) -> Exception:
        missing = message.get("missing") or ""
        if missing.partition(".")[0] not in LIBRARIES:
            return self._failed(message["error"])
        if self._settings.python is None and missing in LIBRARIES:
            return MissingExtra(LIBRARIES[missing], self._extra, f"source {self._settings.id!r}")
        package = LIBRARIES.get(missing) or re.sub("[._]", "-", missing)
        return self._failed(
            f"{missing} is not installed. Install it with: {shlex.quote(self._python())} -m pip install {package} (if "
            "it does not bear the versions of the platform: into another Python, which the source names as `python`)"
        )

    def _failed(self, why: str) -> SourceError:
        reason = self._variables.without_secrets(why)
        return SourceError(f"source {self._settings.id!r} could not be read: {reason}. Nothing was changed")

    def _python(self) -> str:
        python = self._settings.python
        return str(self._home / python) if python else sys.executable

    def _expanded(self, value: Any, where: str) -> Any:
        """Put in what placeholders stand for, at any depth."""
        if isinstance(value, str):
            return self._variables.expand(value, f"sources[{self._settings.id}].{where}")
        if isinstance(value, Mapping):
            return {name: self._expanded(part, f"{where}.{name}") for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self._expanded(part, where) for part in value]
        return value


def _dated(value: Any) -> Any:
    """Write a date of rag.toml so that the program reads a date."""
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    raise TypeError(f"{value!r} cannot be handed over; expected text, numbers, dates, lists and tables")


def _tail(log: IO[bytes]) -> str:
    log.seek(0, os.SEEK_END)
    log.seek(-min(TAIL, log.tell()), os.SEEK_END)
    return log.read().decode("utf-8", "replace").strip() or "it said nothing"


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it with all that it started."""
    with suppress(psutil.NoSuchProcess):
        for started in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                started.kill()
    process.kill()
