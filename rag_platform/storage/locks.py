"""Locks between processes, on files: a lock goes with the process that holds it, however that process ends.

They are advisory locks of the operating system (flock on Unix, LockFileEx on Windows, through filelock). On Windows
nobody else can read the locked byte, which is the first; what a holder notes in its file begins at the second.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from rag_platform.core.errors import WorkspaceBusy

_BINARY = getattr(os, "O_BINARY", 0)
"""Only Windows distinguishes text from bytes."""
_POLL = 0.01
"""Seconds between two attempts of whoever waits for a lock."""
_PAUSES = (0.001, 0.004, 0.016)
"""Seconds between attempts to take a lock: `is_locked` takes it for microseconds, and is not its holder."""


class FileLocks:
    """Locks as files of a folder, each of which names the process that holds it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Hold a lock; `WorkspaceBusy` names the process that holds it already."""
        with LockFile(self._path(name)) as file:
            if not file.attempt():
                holder = read_note(self._path(name)).decode().strip() or "unknown"
                raise WorkspaceBusy(
                    f"process {holder} is writing {name!r} in {self.folder.parent}; wait until it ends, then run again"
                )
            file.write_note(str(os.getpid()).encode())
            yield

    @contextmanager
    def wait(self, name: str) -> Iterator[None]:
        """Hold a lock as soon as nobody else does."""
        with locked(self._path(name)):
            yield

    def is_held(self, name: str) -> bool:
        """Return whether a process holds a lock."""
        return is_locked(self._path(name))

    def assure(self) -> None:
        """Files keep their locks as long as the process lives."""

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.lock"


class LockFile:
    """An open file whose lock this process takes, and in which it notes who it is."""

    def __init__(self, path: Path) -> None:
        """Open the file without locking it; the file and its folder are made if they are not there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the descriptor; a process that inherits it shares the lock (Unix)."""
        return self._descriptor

    def wait(self) -> None:
        """Take the lock, as soon as nobody else holds it."""
        _lock_descriptor(self._descriptor, blocking=True)

    def attempt(self) -> bool:
        """Take the lock unless another process or thread holds it; return whether it was taken."""
        return _attempted(self._descriptor)

    @property
    def linked(self) -> bool:
        """Whether the file still has its name: it may be removed between its opening and its locking."""
        return os.fstat(self._descriptor).st_nlink > 0

    def write_note(self, note: bytes) -> None:
        """Replace what the file says; only the holder of the lock may."""
        content = b" " + note
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, content)
        os.ftruncate(self._descriptor, len(content))

    def close(self) -> None:
        """Close the file, and so release the lock."""
        os.close(self._descriptor)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; whoever comes while another holds it waits."""
    with LockFile(path) as file:
        file.wait()
        yield


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock of a file; nobody holds the lock of a file that is not there."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _BINARY)
    except FileNotFoundError:
        return False
    try:
        return not _attempted(descriptor)
    finally:
        os.close(descriptor)


def read_note(path: Path) -> bytes:
    """Return what the holder of a lock noted in its file."""
    with path.open("rb", buffering=0) as file:
        file.seek(1)
        return file.read()


def _attempted(descriptor: int) -> bool:
    for pause in _PAUSES:
        if _lock_descriptor(descriptor, blocking=False):
            return True
        time.sleep(pause)
    return _lock_descriptor(descriptor, blocking=False)


def _lock_descriptor(descriptor: int, *, blocking: bool) -> bool:
    import filelock

    return filelock.lock_descriptor(descriptor, blocking=blocking, poll_interval=_POLL)
