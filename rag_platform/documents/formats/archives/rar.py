"""RAR archives, by the library rars, an extra: the files in them, some at a time."""

import stat
from collections.abc import Iterator
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.formats.archives.zip_and_tar import is_clutter, member, refused
from rag_platform.documents.options import Limits

_TOGETHER = 32 << 20
"""Bytes of files that are unpacked together: a solid archive is unpacked from its beginning each time."""
_UNIX = (1, 3)
"""Where the archive was made: in the newer and the older form."""


def read_rar(content: bytes, *, limits: Limits) -> Extracted:
    """Open a RAR archive; its files are the members, in the order of the archive.

    Raises:
        ExtractionError: It is damaged, encrypted or without files, or the library is not installed.
    """
    try:
        import rars
    except ImportError as error:
        raise ExtractionError("RAR archives need the extra `rar`: `rag doctor` says how to install it") from error
    try:
        archive = rars.RarFile.from_bytes(content)
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and not is_clutter(_name(entry))]
    except (rars.Error, ValueError, OSError) as error:
        raise ExtractionError(f"a damaged or unreadable RAR archive: {error}") from error
    if not entries:
        raise ExtractionError("a RAR archive without files")
    return Extracted(text="", type="rar", members=_members(archive, entries, limits))


def _members(archive: Any, entries: list[Any], limits: Limits) -> Iterator[Member]:
    batch: list[Any] = []
    for entry in entries:
        problem = _problem(entry, limits)
        if problem:
            yield problem
            continue
        if batch and sum(one.file_size for one in (*batch, entry)) > _TOGETHER:
            yield from _unpacked(archive, batch, limits)
            batch = []
        batch.append(entry)
    yield from _unpacked(archive, batch, limits)


def _problem(entry: Any, limits: Limits) -> Member | None:
    """Return what stands for an entry that is not unpacked."""
    if entry.is_encrypted:
        return Member(_name(entry), problem="cannot be unpacked: it is encrypted: it opens with a password only")
    if entry.host_os in _UNIX and stat.S_IFMT(entry.file_attr) not in (0, stat.S_IFREG):
        return refused(_name(entry), "a link" if stat.S_ISLNK(entry.file_attr) else "a device or a FIFO")
    if entry.is_split_before or entry.is_split_after:
        return Member(_name(entry), problem="cannot be unpacked: it goes on in another file of the archive")
    if entry.file_size > limits.member_bytes:
        return member(_name(entry), bytes(limits.member_bytes + 1), limits)
    return None


def _unpacked(archive: Any, batch: list[Any], limits: Limits) -> Iterator[Member]:
    """Yield files that are unpacked together; if that fails, each by itself, so that a damaged one costs itself."""
    import rars

    options = rars.ReadOptions(max_member_output_bytes=limits.member_bytes, max_total_output_bytes=4 * _TOGETHER)
    try:
        found = archive.read_many(batch, options=options) if batch else []
    except (rars.Error, ValueError, OSError, KeyError) as error:  # KeyError: of a link to another file in it
        if len(batch) == 1:
            yield Member(_name(batch[0]), problem=f"cannot be unpacked: {error.args[0] if error.args else error}")
            return
        for entry in batch:
            yield from _unpacked(archive, [entry], limits)
        return
    yield from (member(_name(entry), content, limits) for entry, content in zip(batch, found, strict=True))


def _name(entry: Any) -> str:
    return str(entry.filename).replace("\\", "/")
