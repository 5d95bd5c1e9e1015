"""Text boxes and notes of the cells of old workbooks: the TxO records of [MS-XLS] 2.4.329."""

import struct
from collections import Counter
from collections.abc import Iterator
from io import BytesIO

import olefile

from rag_platform.documents.extracted import Lost
from rag_platform.documents.formats.markdown_writer import paragraph
from rag_platform.documents.formats.old_office.summaries import BROKEN

_BEGIN, _SHEET, _TEXT, _MORE = 0x0809, 0x0085, 0x01B6, 0x003C
_CHART = 0x0020
_OBJECT, _PICTURE, _FORMULA = 0x005D, 8, 9
"""A drawn object, the kind of it that is a picture, and the part by which that is a control or a file within."""


def drawn_text(content: bytes, lost: Counter[Lost]) -> dict[str, list[str]]:
    """Return what is written beside the cells, by the name of the sheet; charts and pictures are counted."""
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            book = file.openstream("Workbook" if file.exists("Workbook") else "Book").read()
        return _of_sheets(book, lost)
    except BROKEN:  # the cells were read: this is beside them
        return {}


def _of_sheets(book: bytes, lost: Counter[Lost]) -> dict[str, list[str]]:
    names, name, long = {}, "", 0
    found: dict[str, list[str]] = {}
    for at, kind, data in _records(book):
        if kind == _SHEET:
            wide = data[7] & 1
            names[struct.unpack_from("<I", data)[0]] = data[8:].decode("utf-16-le" if wide else "cp1252", "replace")
        elif kind == _BEGIN:
            name = names.get(at, name)
            lost["charts"] += struct.unpack_from("<H", data, 2)[0] == _CHART
        elif kind == _OBJECT:
            lost["images without text"] += _is_picture(data)
        elif kind == _MORE and long:
            text = data[1:].decode("utf-16-le", "replace") if data[0] & 1 else data[1:].decode("cp1252", "replace")
            found.setdefault(name, []).append(paragraph(text[:long].replace("\r", "\n")))
        long = struct.unpack_from("<H", data, 10)[0] if kind == _TEXT else 0
    return found


def _is_picture(data: bytes) -> bool:
    """Return whether a drawn object is a picture alone: [MS-XLS] 2.4.181."""
    parts, at = set(), 0
    while at + 4 <= len(data):
        part, size = struct.unpack_from("<HH", data, at)
        parts.add(part)
        at += 4 + size
    return data[4:6] == bytes((_PICTURE, 0)) and _FORMULA not in parts


def _records(book: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the place, the kind and the data of each record."""
    at = 0
    while at + 4 <= len(book):
        kind, size = struct.unpack_from("<HH", book, at)
        yield at, kind, book[at + 4 : at + 4 + size]
        at += 4 + size
