"""Git, run so that nothing in a repository or on this machine makes it do more than read.

No checkout, so no filters and no submodules; no hooks; no settings of the machine or of its user; no credentials but
those given, which never stand in an argument; one protocol, and no redirects to another server.
"""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rag_platform.core.errors import SourceError

_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT")
_ALWAYS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "gc.autoDetach": "false",
    "http.followRedirects": "false",
    "protocol.allow": "never",
    "log.showSignature": "false",
}


class GitFailed(SourceError):
    """Git ended with an error; the text is its own."""


class GitProcess:
    """Runs Git in one bare repository."""

    def __init__(self, folder: Path, configuration: Mapping[str, str], seconds: float) -> None:
        """Run nothing yet.

        Args:
            folder: the repository.
            configuration: settings of Git, such as the remote and the one protocol that is allowed.
            seconds: that one command may take.
        """
        self.folder = folder
        self._seconds = seconds
        self._environ = _environment({**_ALWAYS, **configuration})

    def run(self, *arguments: str, given: bytes = b"", objects: Path | None = None) -> bytes:
        """Return what a command prints; `objects` is where it puts what it fetches, instead of the repository.

        Raises:
            GitFailed: it failed, or took too long.
        """
        process = self._start(arguments, objects)
        try:
            found, said = process.communicate(given, timeout=self._seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise GitFailed(f"git {arguments[0]} took longer than {self._seconds:g} s (`timeout`)") from None
        except BaseException:
            _kill(process)
            raise
        if process.returncode != 0:
            raise GitFailed(said.decode("utf-8", "replace").strip() or f"git {arguments[0]} failed")
        return found

    def blob(self, oid: str, limit: int, objects: Path) -> bytes | None:
        """Return the bytes of a file, at most `limit` of them and one; None when the repository lacks it."""
        process = self._start(("cat-file", "blob", oid), objects)
        timer = threading.Timer(self._seconds, _end, (process,))  # Git may ask the server for what it lacks
        timer.start()
        try:
            found = process.stdout.read(limit + 1) if process.stdout else b""
            if len(found) > limit:
                return found
            process.communicate()
            return found if process.returncode == 0 else None
        finally:
            timer.cancel()
            _kill(process)

    def _start(self, arguments: tuple[str, ...], objects: Path | None) -> "subprocess.Popen[bytes]":
        git = shutil.which("git")
        if git is None:
            raise SourceError("Git is not installed on this machine; install it, for example: apt-get install git")
        elsewhere = {}
        if objects is not None:
            own = str(self.folder / "objects")
            elsewhere = {"GIT_OBJECT_DIRECTORY": str(objects), "GIT_ALTERNATE_OBJECT_DIRECTORIES": own}
        return subprocess.Popen(  # noqa: S603  arguments are ours; addresses and refs were checked by the settings
            [git, "--git-dir", str(self.folder), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environ | elsewhere,
            start_new_session=True,  # with its helpers it can be ended as one
        )


def _environment(configuration: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a Git that knows these settings only; as variables no other user sees them."""
    pairs: dict[str, str] = {}
    for number, (key, value) in enumerate(configuration.items()):
        pairs |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {
        **{name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": str(len(configuration)),
        **pairs,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=10",
        "LC_ALL": "C",
    }


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End a process and close what it was read by."""
    _end(process)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            pipe.close() if pipe else None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that still runs, with those that it started."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
