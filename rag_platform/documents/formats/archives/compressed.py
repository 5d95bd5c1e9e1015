"""A single compressed file (gzip, bzip2, xz, Zstandard): what it holds is read as if it lay there as it is."""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import zstandard

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Member
from rag_platform.documents.file_names import without_compression
from rag_platform.documents.formats.archives.zip_and_tar import is_tar

_DEEPEST = 3
"""Compressed once more: nobody means more than two."""
_STEP = 1 << 20
"""Bytes at a time, where what comes of compressed ones can be limited."""
_BITE = 1 << 10
"""Compressed bytes that are given at a time: where what comes of them cannot be limited, at most 40 MB do."""
_WINDOW = 1 << 27
"""Bytes of what came before to which a frame may refer: as many as the command itself takes."""
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, ValueError)
_LONGEST_MARK = 10
_NOT_ZERO = re.compile(rb"[^\0]")
_SKIPPED = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
"""How a frame begins that holds nothing for the reader."""
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_SAYS_ONLY_HOW = re.compile(r"application/(?:x-)?(?:g?zip|bzip2?|xz|zstd|compress(?:ed)?|octet-stream)\b|$")


def uncompressed(file: Member, limit: int) -> Member:
    """Return the file that a compressed one holds, named without the compression; any other as it is.

    Args:
        file: It may be compressed; a tar archive that is compressed is left to its own reader.
        limit: Most bytes of what it holds.

    Raises:
        ExtractionError: It is damaged, cut short, or larger than that.
    """
    for _ in range(_DEEPEST):
        form = _form(file.content)
        if form is None or is_tar(file.content):
            return file
        stated = "" if _SAYS_ONLY_HOW.match(file.content_type or "") else file.content_type
        held, behind = _all(form, file.content, limit)
        flags = (*file.flags, *([f"left out: {behind} bytes that follow the {form} data"] if behind else []))
        path = without_compression(file.path)
        file = replace(file, path=path, content=held, content_type=stated or None, flags=flags)
    return file


def is_compressed(content: bytes) -> bool:
    """Return whether bytes are those of a compressed file, which may be a tar archive."""
    return _form(content) is not None


def _form(content: bytes) -> str | None:
    """Return how bytes are compressed, by their first ones."""
    if content.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    if content.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if content.startswith(b"\x28\xb5\x2f\xfd"):
        return "Zstandard"
    return "bzip2" if _BZIP2.match(content) else None


def _all(form: str, content: bytes, limit: int) -> tuple[bytes, int]:
    """Return what compressed data holds, and how many bytes come after it that are neither such data nor zeros.

    Raises:
        ExtractionError: It is damaged, cut short, empty, or holds more than `limit` bytes.
    """
    taken, at = bytearray(), 0
    try:
        while at == 0 or _goes_on(form, content, at):
            stream = _STREAMS[form]()
            for place, step in _steps(stream, content, at):
                at = place
                taken += step
                if len(taken) > limit:
                    raise ExtractionError(f"larger than {limit} bytes when decompressed")
            further = _NOT_ZERO.search(content, at)  # tapes, and some programs, fill files up with zeros
            at = further.start() if further else len(content)
    except _BROKEN as error:
        raise ExtractionError(f"damaged {form} data, or cut short: {error or error.__class__.__name__}") from error
    if not taken:
        raise ExtractionError(f"the {form} data holds nothing")
    return bytes(taken), len(content) - at


def _steps(stream: Any, content: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """Yield what a stream holds that begins at a place, each time with the place where the next bytes lie."""
    most = (_STEP,) if hasattr(stream, "needs_input") else ()
    while not stream.eof:
        if at >= len(content):
            raise EOFError("its last part has no end")
        given = content[at : at + _BITE]
        at += len(given)
        step = stream.decompress(given, *most)
        while most and not (stream.needs_input or stream.eof):
            yield at, step
            step = stream.decompress(b"", *most)
        yield at - len(stream.unused_data), step


def _goes_on(form: str, content: bytes, at: int) -> bool:
    """Return whether more of the same begins at a place: several streams one after the other are one file."""
    begins = content[at : at + _LONGEST_MARK]
    return _form(begins) == form or (form == "Zstandard" and _SKIPPED.match(begins) is not None)


_STREAMS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.decompressobj(zlib.MAX_WBITS | 16),
    "bzip2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
    "Zstandard": lambda: zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj(),
}
