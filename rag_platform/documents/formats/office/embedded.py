"""Files within Office files: what OLE has wrapped around a document, a picture or any other file."""

import struct
from collections.abc import Iterable
from io import BytesIO
from struct import unpack_from

import olefile

from rag_platform.documents.extracted import Member
from rag_platform.documents.file_names import unused

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FILES = {_COMPOUND: "", b"PK\x03\x04": "", b"%PDF": ".pdf", b"{\\rtf": ".rtf"}
"""How a file begins that is read as it stands, and what it is called where its name is not known."""
_MAIN = {"worddocument": ".doc", "workbook": ".xls", "book": ".xls", "powerpoint document": ".ppt"}
_NATIVE = "\x01Ole10Native"
_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)


def embedded_object(content: bytes, members: Iterable[Member], name: str = "") -> Member | None:
    """Return the file that an embedded object holds, under a name that none of the members has; None: there is none.

    Args:
        content: Of the object: an OLE 1 object ([MS-OLEDS] 2.2.5), a compound file, or a file as it is.
        members: Those that the document has already.
        name: Of the part that holds it.
    """
    try:
        found = _unwrapped(content if content.startswith(tuple(_FILES)) else _native_data(content), name)
    except _BROKEN:
        return None
    if found is None:
        return None
    given, inside = found
    path = given.replace("\\", "/").rpartition("/")[2].strip() or "object"
    return Member(unused(path, (one.path for one in members)), inside)


def _native_data(content: bytes) -> bytes:
    """Return what an OLE 1 object holds: after version, format, and three names stand length and data."""
    at = 8
    for _ in range(3):
        at += 4 + unpack_from("<I", content, at)[0]
    return content[at + 4 : at + 4 + unpack_from("<I", content, at)[0]]


def _unwrapped(content: bytes, name: str) -> tuple[str, bytes] | None:
    """Return the name and the bytes of the file."""
    if not content.startswith(_COMPOUND):
        kind = next((suffix for mark, suffix in _FILES.items() if content.startswith(mark)), None)
        if kind is not None:
            return name or f"object{kind}", content
        return _packaged(content)
    with olefile.OleFileIO(BytesIO(content)) as file:
        streams = {path[0].lower() for path in file.listdir()}
        if _NATIVE.lower() in streams:
            return _packaged(file.openstream(_NATIVE).read()[4:])
        for inner in ("package", "contents"):
            if inner in streams and (data := file.openstream(inner).read()).startswith(tuple(_FILES)):
                return _unwrapped(data, "")
    kind = next((suffix for stream, suffix in _MAIN.items() if stream in streams), None)
    return None if kind is None else (f"object{kind}", content)


def _packaged(data: bytes) -> tuple[str, bytes] | None:
    """Return what the Object Packager keeps: label, path, a kind, a second path with its length, then the file."""
    label, end = _string(data, 2)
    _, end = _string(data, end)
    kind = unpack_from("<HH", data, end)[1]
    if unpack_from("<H", data, 0)[0] != 2 or kind != 3:  # 3: the file itself, and no link to one
        return None
    end += 8 + unpack_from("<I", data, end + 4)[0]
    size = unpack_from("<I", data, end)[0]
    inside = data[end + 4 : end + 4 + size]
    return (label, inside) if inside else None


def _string(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(b"\0", at)
    return data[at:end].decode("cp1252", "replace"), end + 1
