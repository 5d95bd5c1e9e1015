"""Old Office files (doc, ppt).

The layouts are those of [MS-DOC] 2.4.1 (the piece table), [MS-PPT] 2.3.1 (records) and [MS-OLEPS] (the summary).
"""

import re
import struct
from collections.abc import Iterator
from io import BytesIO
from itertools import groupby
from typing import Any

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph, table
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.office.pptx import joined
from rag_platform.text.cleaning import clean

_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)


def read_doc(content: bytes) -> Extracted:
    """Read a document of old Word: its paragraphs and tables, without their styles.

    Raises:
        ExtractionError: It is damaged or encrypted.
    """
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            main = file.openstream("WordDocument").read()
            flags = struct.unpack_from("<H", main, 0x0A)[0]
            if flags & 0x0100:
                raise ExtractionError("this Word document is encrypted: it opens with a password only")
            pieces = file.openstream("1Table" if flags & 0x0200 else "0Table").read()
        raw = _word_text(main, pieces)
    except _BROKEN as error:
        raise ExtractionError(f"damaged Word document: {error}") from error
    return Extracted(text=join(_word_blocks(raw)), type="doc", **summary(content))


def _word_text(main: bytes, pieces: bytes) -> str:
    """Return the characters of the main text, pieced together in order."""
    length = struct.unpack_from("<i", main, 0x4C)[0]
    place, size = struct.unpack_from("<ii", main, 0x01A2)
    data = pieces[place : place + size]
    at = 0
    while data[at] == 1:  # properties that come before the piece table
        at += 3 + struct.unpack_from("<H", data, at + 1)[0]
    count = (struct.unpack_from("<i", data, at + 1)[0] - 4) // 12
    ends = struct.unpack_from(f"<{count + 1}i", data, at + 5)
    parts = []
    for number in range(count):
        where = struct.unpack_from("<I", data, at + 5 + 4 * (count + 1) + 8 * number + 2)[0]
        wide, start = not where & 0x40000000, where & 0x3FFFFFFF
        letters = ends[number + 1] - ends[number]
        if wide:
            parts.append(main[start : start + 2 * letters].decode("utf-16-le", "replace"))
        else:
            parts.append(main[start // 2 : start // 2 + letters].decode("cp1252", "replace"))
    return "".join(parts)[:length]


_FIELD_CODE = re.compile(r"\x13[^\x13\x14\x15]*(?:\x14|(?=\x15))")
"""What a field computes from; what it shows follows it."""


def _word_blocks(raw: str) -> Iterator[str]:
    """Yield paragraphs, and tables from the marks that end their cells."""
    while (shown := _FIELD_CODE.sub("", raw)) != raw:
        raw = shown
    raw = re.sub(r"[\x00-\x06\x08\x15\x1f]", "", raw.replace("\x1e", "-").replace("\x0b", "\n"))
    for tabular, lines in groupby(re.findall(r"[^\r\x0c\x07]*(?:\x07+|[\r\x0c]|$)", raw), lambda one: "\x07" in one):
        if tabular:
            cells = "".join(lines).split("\x07")[:-1]
            width = _width(cells)
            yield table([cells[at : at + width] for at in range(0, len(cells), width + 1)])
        else:
            yield from (paragraph(line) for line in lines)


def _width(cells: list[str]) -> int:
    """Return the columns of a table: the fewest such that an empty mark ends each row."""
    fits = (width for width in range(1, len(cells)) if not any(cell.strip() for cell in cells[width :: width + 1]))
    return next((width for width in fits if len(cells) % (width + 1) == 0), max(len(cells) - 1, 1))


# --- slides -----------------------------------------------------------------------------------------

_SLIDE, _LIST, _PERSIST, _HEADER, _WIDE, _NARROW = 1006, 4080, 1011, 3999, 4000, 4008
_TITLES = frozenset((0, 6))
_DEEPEST = 30


def read_ppt(content: bytes) -> Extracted:
    """Read slides of old PowerPoint; the offset of each is a page's.

    Raises:
        ExtractionError: It is damaged.
    """
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            data = file.openstream("PowerPoint Document").read()
    except _BROKEN as error:
        raise ExtractionError(f"damaged PowerPoint file: {error}") from error
    outlines: list[list[tuple[int, str]]] = []
    drawn: list[list[tuple[int, str]]] = []
    for kind, body in _records(data, 0, len(data), 0):
        if kind == _PERSIST:
            outlines.append([])
        elif kind == _SLIDE:
            drawn.append([])
        elif body is not None and kind == _LIST and outlines:
            outlines[-1].append(body)
        elif body is not None and kind == _SLIDE + 1 and drawn:
            drawn[-1].append(body)
    slides = []
    for number in range(max(len(outlines), len(drawn))):
        texts = (outlines[number] if number < len(outlines) else []) + (drawn[number] if number < len(drawn) else [])
        slides.append(clean(_slide(texts, number + 1)))
    text, pages = joined(slides)
    return Extracted(text=text, type="ppt", pages=pages, **summary(content))


def _slide(texts: list[tuple[int, str]], number: int) -> str:
    title = next((text for kind, text in texts if kind in _TITLES), "")
    rest = [paragraph(text) for kind, text in texts if text != title or kind not in _TITLES]
    return join([heading(1, title or f"Slide {number}"), *rest]) if texts else ""


def _records(
    data: bytes, start: int, end: int, depth: int, within: int = 0
) -> Iterator[tuple[int, tuple[int, str] | None]]:
    """Yield (kind, None) where a slide begins and (kind of its container, (kind of text, text)) for each text."""
    kind_of_text = -1
    while start + 8 <= end:
        version, kind, length = struct.unpack_from("<HHI", data, start)
        start += 8
        stop = min(start + length, end)
        if kind in (_SLIDE, _PERSIST):
            yield kind, None
        if version & 0xF == 0xF and depth < _DEEPEST:
            list_of_slides = kind == _LIST and version >> 4 == 0
            inner = (
                _LIST
                if list_of_slides
                else _SLIDE
                if kind == _SLIDE
                else within
                if kind not in (1016, 1008, _LIST)
                else 0
            )
            yield from _records(data, start, stop, depth + 1, inner)
        elif kind == _HEADER and length >= 4:
            kind_of_text = struct.unpack_from("<I", data, start)[0]
        elif kind in (_WIDE, _NARROW) and within:
            text = data[start:stop].decode("utf-16-le" if kind == _WIDE else "cp1252", "replace")
            lines = [" ".join(line.split()) for line in re.split(r"[\r\x0b]", text)]
            if any(lines):
                yield (_LIST if within == _LIST else _SLIDE + 1), (kind_of_text, "\n\n".join(filter(None, lines)))
        start = stop


# --- what a file says about itself ------------------------------------------------------------------


def summary(content: bytes) -> dict[str, Any]:
    """Return what an old Office file says about itself, as arguments of `Extracted`."""
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            stated = file.get_metadata()
    except _BROKEN:
        return {}
    encoding = f"cp{stated.codepage}" if isinstance(stated.codepage, int) and stated.codepage > 0 else "utf-8"
    encoding = "utf-8" if encoding == "cp65001" else encoding
    return document_metadata(
        _decoded(stated.title, encoding), _decoded(stated.author, encoding), stated.create_time, stated.last_saved_time
    )


def _decoded(value: object, encoding: str) -> str:
    if not isinstance(value, bytes):
        return value if isinstance(value, str) else ""
    try:
        return value.decode(encoding, "replace")
    except LookupError:
        return value.decode("cp1252", "replace")
