"""A single compressed file (gzip, bzip2, xz, Zstandard): what it holds is read as if it lay there as it is."""

import bz2
import gzip
import io
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
_BITE = 1 << 10
"""Compressed bytes that are given at a time where what comes of them cannot be limited: at most 40 MB do."""
_WINDOW = 1 << 27
"""Bytes of what came before to which a frame may refer: as many as the command itself takes."""
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, ValueError)
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
        held = _all(form, file.content, limit)
        file = replace(file, path=without_compression(file.path), content=held, content_type=stated or None)
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


def _all(form: str, content: bytes, limit: int) -> bytes:
    taken = bytearray()
    try:
        for step in _STEPS[form](content):
            taken += step
            if len(taken) > limit:
                raise ExtractionError(f"larger than {limit} bytes when decompressed")
    except _BROKEN as error:
        raise ExtractionError(f"damaged {form} data, or cut short: {error or error.__class__.__name__}") from error
    if not taken:
        raise ExtractionError(f"the {form} data holds nothing")
    return bytes(taken)


def _steps(opened: Callable[..., Any], content: bytes) -> Iterator[bytes]:
    with opened(io.BytesIO(content)) as stream:
        while step := stream.read(_STEP):
            yield step


def _zstandard(content: bytes) -> Iterator[bytes]:
    """Yield what each frame holds; the library's own reader of streams takes one that is cut short for whole."""
    at = 0
    while at < len(content):
        frame = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
        while not frame.eof:
            if at >= len(content):
                raise EOFError("its last frame has no end")
            yield frame.decompress(content[at : at + _BITE])
            at += _BITE
        at = min(at, len(content)) - len(frame.unused_data)


_STEPS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": lambda content: _steps(gzip.open, content),
    "bzip2": lambda content: _steps(bz2.open, content),
    "xz": lambda content: _steps(lzma.open, content),
    "Zstandard": _zstandard,
}
