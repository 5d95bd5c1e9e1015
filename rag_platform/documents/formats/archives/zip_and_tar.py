"""ZIP and tar archives: the files in them, one at a time, never written to the disk.

Names are labels here, not paths, so a name like ``../../etc/passwd`` leads nowhere; it is flagged. A link, a device or
a FIFO is reported and not followed. What an entry says of its size is not believed: reading stops at the limit.
"""

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.options import Limits

OUTSIDE = "its name in the archive leads outside; it is only a name here"
_UNICODE = 0x800
"""The bit of an entry that says so of its name."""
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, TypeError)
"""TypeError: `tarfile` has it for a gzip header that is cut off."""
_UNSUPPORTED = (NotImplementedError, RuntimeError)  # an exotic compression; a password


def read_archive(content: bytes, *, type: str, limits: Limits) -> Extracted:  # noqa: A002 (the column's name)
    """Open an archive; its files are the members, in the order of the archive.

    Raises:
        ExtractionError: It is damaged.
    """
    try:
        members = _zip(content, limits) if type == "zip" else _tar(content, limits)
        first = next(members, None)
    except _BROKEN as error:
        raise ExtractionError(f"a damaged {type} archive: {error}") from error
    if first is None:
        raise ExtractionError(f"a {type} archive without files")
    return Extracted(text="", type=type, members=_all(first, members, type))


def _all(first: Member, others: Iterator[Member], kind: str) -> Iterator[Member]:
    yield first
    try:
        yield from others
    except _BROKEN as error:
        raise ExtractionError(f"a damaged {kind} archive: {error}") from error


def is_tar(content: bytes) -> bool:
    """Return whether compressed bytes are those of a tar archive; only their beginning is unpacked."""
    try:
        with tarfile.open(fileobj=io.BytesIO(content[: 1 << 20]), mode="r|*") as archive:
            return archive.next() is not None
    except _BROKEN:
        return False


def _zip(content: bytes, limits: Limits) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.infolist():
            if entry.is_dir() or is_clutter(entry.filename):
                continue
            mode = entry.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                yield refused(_named(entry), "a link" if stat.S_ISLNK(mode) else "a device or a FIFO")
                continue
            try:
                with archive.open(entry) as file:
                    yield _member(_named(entry), file, limits)
            except (*_BROKEN, *_UNSUPPORTED) as error:
                yield Member(_named(entry), problem=f"cannot be unpacked: {error}")


def _named(entry: zipfile.ZipInfo) -> str:
    """Return a name with "/" between folders, as Unicode: many programs write UTF-8 and do not say so."""
    name = entry.filename.replace("\\", "/")
    if entry.flag_bits & _UNICODE:
        return name
    try:
        return name.encode("cp437").decode()
    except UnicodeError:
        return name


def _tar(content: bytes, limits: Limits) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r|*") as archive:
        for entry in archive:
            if entry.isdir() or is_clutter(entry.name):
                continue
            if not entry.isfile():
                link = entry.issym() or entry.islnk()
                yield refused(entry.name, f"a link to {entry.linkname}" if link else "a device or a FIFO")
                continue
            file = archive.extractfile(entry)
            if file is not None:
                yield _member(entry.name, file, limits)


def _member(name: str, file: IO[bytes], limits: Limits) -> Member:
    return member(name, file.read(limits.member_bytes + 1), limits)


def member(name: str, content: bytes, limits: Limits) -> Member:
    """Return a file of an archive, of which at most one byte more was read than it may have."""
    if len(content) > limits.member_bytes:
        return Member(name, problem=f"larger than {limits.member_bytes} bytes when unpacked; it was left out")
    return Member(name, content, flags=(OUTSIDE,) if _leads_outside(name) else ())


def refused(name: str, what: str) -> Member:
    """Return what stands for a thing in an archive that is no file."""
    return Member(name, problem=f"{what} in the archive; it is not followed")


def _leads_outside(name: str) -> bool:
    """Return whether a name, taken for a path, would lead out of the folder in which the archive is unpacked."""
    windows = PureWindowsPath(name)
    return bool(windows.drive or windows.root) or ".." in windows.parts


def is_clutter(name: str) -> bool:
    """Return whether a file was left by a program and written by nobody: hidden files, resource forks, thumbnails."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part.startswith((".", "__MACOSX")) and part not in (".", "..") for part in parts) or (
        bool(parts) and parts[-1].lower() in ("thumbs.db", "desktop.ini")
    )
