"""Files that are replaced whole or not at all.

Every write goes beside its target, reaches the disk, then takes its place: readers see the old file or the new one,
and never lock.
"""

import errno
import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rag_platform.core.errors import RagError, StorageError

_FULL = 1_000_000
"""With fewer bytes free, a library that only says that it could not write has met a full disk."""


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give a path beside `path` to write to; when the block ends well it takes the place of `path`."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")  # of this write alone: threads write too
    try:
        with explaining_full_disk(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            yield beside
            _keep_mode(path, beside)
            fsync(beside)
            os.replace(beside, path)
            fsync(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def _keep_mode(path: Path, beside: Path) -> None:
    """Leave who may read a file as it is when it is replaced."""
    if os.name != "nt" and path.is_file() and beside.is_file():
        with suppress(OSError):  # a disk without modes
            beside.chmod(stat.S_IMODE(path.stat().st_mode))


@contextmanager
def explaining_full_disk(path: Path) -> Iterator[None]:
    """Translate what is raised while `path` is written; each library says in its own way that the disk is full."""
    try:
        yield
    except RagError:
        raise
    except Exception as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error)
        if full or free_bytes(path) < _FULL:
            raise StorageError(
                f"no space left to write {path}; what was there before is untouched. Free some space and run again."
            ) from error
        if isinstance(error, OSError):
            raise StorageError(
                f"cannot write {path}: {error.strerror or error}; what was there before is untouched"
            ) from error
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file's content atomically."""
    with atomic_write(path) as beside:
        beside.write_bytes(content)


def file_sha256(path: Path) -> str:
    """Hash a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fsync(path: Path) -> None:
    """Wait until a file or folder has reached the disk; Windows has nothing to wait for with a folder."""
    windows = os.name == "nt"
    if windows and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if windows else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def link_or_copy(source: Path, target: Path) -> None:
    """Share a file; where the disk knows no hard links, copy it and wait until it has reached the disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
        fsync(target)


def free_bytes(path: Path) -> int:
    """Return how many bytes can still be written at that path."""
    there = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    return shutil.disk_usage(there).free
