"""Files that others may change while they are read: opened first, then asked what they are.

What a listing saw may be something else when it is opened: a FIFO, on which reading waits for ever, a device without an
end, a link to elsewhere in place of a folder. So each part of a path is opened in the one before, without following
links and without waiting, and what counts is what the descriptor says. Where a system cannot do that (Windows), the
path is resolved and compared instead, which leaves a moment between the two.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

WALKS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd and hasattr(os, "O_NOFOLLOW")
"""Whether paths are walked part by part."""
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_PIECE = 1 << 20


class TooManyBytes(OSError):
    """A file has more than are to be read."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(errno.EFBIG, f"it has {size} bytes, more than max_bytes = {limit}")


def read_regular(root: Path, inside: PurePath, limit: int) -> bytes:
    """Read a file below a folder, of at most `limit` bytes, however it changes meanwhile.

    Args:
        root: The folder, without links in its path.
        inside: The path within it; none of its parts is a link.
        limit: Bytes.

    Raises:
        TooManyBytes: it has more, or grew beyond that while it was read.
        OSError: it cannot be opened, a part of its path is a link, or it is no regular file.
    """
    with _opened(root, inside, _FLAGS) as descriptor:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if about.st_size > limit:
            raise TooManyBytes(about.st_size, limit)
        pieces, size = [], 0
        while piece := os.read(descriptor, min(_PIECE, limit + 1 - size)):
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                raise TooManyBytes(max(size, os.fstat(descriptor).st_size), limit)
    return b"".join(pieces)


@contextmanager
def listed(root: Path, inside: PurePath) -> Iterator[list["os.DirEntry[str]"]]:
    """Give what lies in a folder, by name; `OSError` when it, or a folder on the way, is a link or cannot be listed.

    The entries can be asked what they are as long as the context is open. Their paths mean nothing.
    """
    if not WALKS:
        if Path(os.path.realpath(root / inside)) != root / inside:  # such as a junction
            raise OSError(errno.ELOOP, "a link to another folder; it is not followed")
        with os.scandir(root / inside) as entries:
            yield sorted(entries, key=lambda entry: entry.name)
        return
    with _opened(root, inside, _FLAGS | os.O_DIRECTORY) as descriptor, os.scandir(descriptor) as entries:
        yield sorted(entries, key=lambda entry: entry.name)


@contextmanager
def _opened(root: Path, inside: PurePath, flags: int) -> Iterator[int]:
    if not WALKS:
        if Path(os.path.realpath(root / inside)) != root / inside:
            raise OSError(errno.ELOOP, "a link; it is not followed")
        descriptor = os.open(root / inside, flags)
    else:
        descriptor = _walked(root, inside, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _walked(root: Path, inside: PurePath, flags: int) -> int:
    parts = inside.parts
    descriptor = os.open(root, _FLAGS | os.O_DIRECTORY if parts else flags)
    for place, part in enumerate(parts, start=1):
        above, folder = descriptor, _FLAGS | os.O_DIRECTORY
        try:
            descriptor = os.open(part, (flags if place == len(parts) else folder) | os.O_NOFOLLOW, dir_fd=above)
        finally:
            os.close(above)
    return descriptor
