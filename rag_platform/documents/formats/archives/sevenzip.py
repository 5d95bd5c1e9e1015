"""7z archives: the files in them, one at a time."""

import bz2
import lzma
import stat
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.formats.archives.sevenzip_headers import Coder, Entry, Folder, entries_of
from rag_platform.documents.formats.archives.zip_and_tar import is_clutter, member, refused
from rag_platform.documents.options import Limits

_BROKEN = (ValueError, IndexError, EOFError, OSError, lzma.LZMAError, zlib.error)
_STEP = 1 << 18
_MOST_HEADER = 64 << 20
_LZMA, _LZMA2, _DELTA, _COPY = b"\x03\x01\x01", b"\x21", b"\x03", b"\x00"
_DEFLATE, _BZIP2 = b"\x04\x01\x08", b"\x04\x02\x02"
_BRANCHES = {
    b"\x03\x03\x01\x03": lzma.FILTER_X86, b"\x04": lzma.FILTER_X86,
    b"\x03\x03\x02\x05": lzma.FILTER_POWERPC, b"\x05": lzma.FILTER_POWERPC,
    b"\x03\x03\x05\x01": lzma.FILTER_ARM, b"\x07": lzma.FILTER_ARM,
    b"\x03\x03\x07\x01": lzma.FILTER_ARMTHUMB, b"\x08": lzma.FILTER_ARMTHUMB,
    b"\x03\x03\x08\x05": lzma.FILTER_SPARC, b"\x09": lzma.FILTER_SPARC,
}  # fmt: skip
"""Filters of programs, by the methods' old and new ids."""
_REASONS = {
    b"\x06\xf1\x07\x01": "it is encrypted: it opens with a password only",
    b"\x03\x04\x01": "it is packed with PPMd",
}

_Decode = Callable[[bytes, int], bytes]
"""Of packed bytes (none: of what is left over) at most so many unpacked ones."""


def read_sevenzip(content: bytes, *, limits: Limits) -> Extracted:
    """Open a 7z archive; its files are the members, in the order of the archive.

    Raises:
        ExtractionError: It is damaged, encrypted or without files.
    """
    try:
        entries, folders = entries_of(content, lambda packed, folder: b"".join(_unpacked(packed, folder, _MOST_HEADER)))
    except (*_BROKEN, MemoryError) as error:
        raise ExtractionError(f"a damaged or unreadable 7z archive: {error}") from error
    if not entries:
        raise ExtractionError("a 7z archive without files")
    return Extracted(text="", type="7z", members=_members(content, entries, folders, limits))


def _members(content: bytes, entries: list[Entry], folders: list[Folder], limits: Limits) -> Iterator[Member]:
    files = iter([entry for entry in entries if entry.has_stream])
    for folder in folders:
        stream, sums, problem = _Stream(_unpacked(content, folder, folder.size)), iter(folder.sums), ""
        for size in folder.files:
            entry, stated, found = next(files, None), next(sums, None), b""
            if entry is None:
                return
            try:
                found = b"" if problem else stream.take(size, limits.member_bytes)
            except (*_BROKEN, MemoryError) as error:  # what comes after it in the stream is out of reach
                problem = str(error) or error.__class__.__name__
            if is_clutter(entry.name):
                continue
            wrong = stated is not None and len(found) == size and zlib.crc32(found) != stated
            if problem or wrong:
                why = problem or "it is damaged: its checksum is another"
                yield Member(entry.name, problem=f"cannot be unpacked: {why}")
            elif stat.S_IFMT(entry.mode) not in (0, stat.S_IFREG):
                yield refused(entry.name, "a link" if stat.S_ISLNK(entry.mode) else "a device or a FIFO")
            else:
                yield member(entry.name, found, limits)


class _Stream:
    """What a folder holds, of which files are taken one after the other."""

    def __init__(self, steps: Iterator[bytes]) -> None:
        self._steps, self._left = steps, b""

    def take(self, size: int, most: int) -> bytes:
        """Return the next bytes; of more than `most` the first ones, one more than that."""
        taken, at = bytearray(), 0
        while at < size:
            step = self._left or next(self._steps, b"")
            if not step:
                raise EOFError("it is cut short")
            used = step[: size - at]
            self._left = step[len(used) :]
            at += len(used)
            taken += used[: most + 1 - len(taken)]
        return bytes(taken)


def _unpacked(content: bytes, folder: Folder, most: int) -> Iterator[bytes]:
    """Yield what a folder holds, in steps, to at most so many bytes.

    Raises:
        ValueError: It is encrypted, or packed in a way that is not read here.
    """
    packed = content[folder.start : folder.start + folder.packed]
    left = min(folder.size, most)
    decode = _decoder(folder)
    for at in range(0, max(len(packed), 1), _STEP):
        found = decode(packed[at : at + _STEP], min(left, _STEP))
        while found:
            yield found[:left]
            left -= len(found[:left])
            found = decode(b"", min(left, _STEP)) if left else b""
        if not left:
            return


def _decoder(folder: Folder) -> _Decode:
    """Return what unpacks a folder: one method, or LZMA with its filters."""
    methods = [coder.method for coder in folder.coders]
    if not methods:
        raise ValueError("it is packed in several streams, as programs are; that is not read here")
    reason = next((_REASONS[method] for method in methods if method in _REASONS), None)
    if reason:
        raise ValueError(reason)
    if len(methods) == 1 and methods[0] in _SINGLE:
        return _SINGLE[methods[0]]()
    filters = [_filter(coder, folder.size) for coder in reversed(folder.coders)]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress


def _filter(coder: Coder, size: int) -> dict[str, Any]:
    """Return a filter of liblzma; its dictionary is no larger than what comes out, whatever the archive asks for."""
    room = min(max(size, 4096), 1 << 30)
    if coder.method == _LZMA2 and len(coder.properties) == 1:
        bits = coder.properties[0]
        return {"id": lzma.FILTER_LZMA2, "dict_size": min(room, (2 | bits & 1) << min(bits // 2 + 11, 40))}
    if coder.method == _LZMA and len(coder.properties) == 5:
        parts, window = coder.properties[0], int.from_bytes(coder.properties[1:], "little")
        lc, lp, pb = parts % 9, parts // 9 % 5, parts // 45
        return {"id": lzma.FILTER_LZMA1, "dict_size": min(room, max(window, 4096)), "lc": lc, "lp": lp, "pb": pb}
    if coder.method == _DELTA and len(coder.properties) == 1:
        return {"id": lzma.FILTER_DELTA, "dist": coder.properties[0] + 1}
    if coder.method in _BRANCHES:
        return {"id": _BRANCHES[coder.method]}
    raise ValueError(f"it is packed by a method that is not read here ({coder.method.hex()})")


def _inflated() -> _Decode:
    stream = zlib.decompressobj(-15)
    return lambda packed, most: stream.decompress(stream.unconsumed_tail + packed, most) if most else b""


def _bunzipped() -> _Decode:
    stream = bz2.BZ2Decompressor()
    left = [b""]

    def decode(packed: bytes, most: int) -> bytes:
        nonlocal stream
        if stream.eof:  # the program packs large files as several streams
            left[0] = stream.unused_data + left[0]
            stream = bz2.BZ2Decompressor()
        given, left[0] = left[0] + packed, b""
        return stream.decompress(given, most) if most else b""

    return decode


def _as_it_is() -> _Decode:
    return lambda packed, _most: packed


_SINGLE: dict[bytes, Callable[[], _Decode]] = {_COPY: _as_it_is, _DEFLATE: _inflated, _BZIP2: _bunzipped}
