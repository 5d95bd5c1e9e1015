"""Files within Office files: what OLE has wrapped around a document, a picture or any other file."""

import posixpath
import re
import struct
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from io import BytesIO
from struct import unpack_from

import olefile

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Lost, Member
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.office.packages import Package

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FILES = {_COMPOUND: "", b"PK\x03\x04": "", b"%PDF": ".pdf", b"{\\rtf": ".rtf"}
"""How a file begins that is read as it stands, and what it is called where its name is not known."""
_MAIN = {"worddocument": ".doc", "workbook": ".xls", "book": ".xls", "powerpoint document": ".ppt"}
_NATIVE = "\x01Ole10Native"
_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)


def embedded_object(content: bytes, names: FreeNames, name: str = "") -> Member | None:
    """Return the file that an embedded object holds, under a name that no other has; None: there is none.

    Args:
        content: Of the object: an OLE 1 object ([MS-OLEDS] 2.2.5), a compound file, or a file as it is.
        names: Of the files within the document.
        name: Of the part that holds it.
    """
    try:
        found = _unwrapped(content if content.startswith(tuple(_FILES)) else _native_data(content), name)
    except _BROKEN:
        return None
    if found is None:
        return None
    return _member(*found, names)


def _member(name: str, content: bytes, names: FreeNames) -> Member:
    path = name.replace("\\", "/").rpartition("/")[2].strip() or "object"
    return Member(names.take(path), content)


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
        return _packaged(content) if kind is None else (name or f"object{kind}", content)
    with olefile.OleFileIO(BytesIO(content)) as file:
        found = _in_folder(file, [])
        streams = {path[0].lower() for path in file.listdir()}
    kind = next((suffix for stream, suffix in _MAIN.items() if stream in streams), None)
    return found or (None if kind is None else (f"object{kind}", content))


def _in_folder(file: olefile.OleFileIO, folder: list[str]) -> tuple[str, bytes] | None:
    """Return the file that a folder of a compound file holds as a stream."""
    if file.exists([*folder, _NATIVE]):
        return _packaged(file.openstream([*folder, _NATIVE]).read()[4:])
    for inner in ("Package", "CONTENTS"):
        if file.get_type([*folder, inner]) == olefile.STGTY_STREAM:
            data = file.openstream([*folder, inner]).read()
            if data.startswith(tuple(_FILES)):
                return _unwrapped(data, "")
    return None


def embedded_files(package: Package, lost: Counter[Lost], chunks: Collection[str] = ()) -> tuple[Member, ...]:
    """Return the files within an Office file; what cannot be had is counted. The numbers of a chart are no file.

    Args:
        package: The file.
        lost: Counts what cannot be had.
        chunks: Parts that are documents of other formats as they stand.
    """
    members: list[Member] = []
    names = FreeNames()
    for name in sorted(package.names - _charted(package)):
        if name in chunks or ("/embeddings/" in name and not name.endswith((".rels", "/"))):
            member = None
            with suppress(ExtractionError):  # the text was read: this is beside it
                content = package.read(name)
                chunk = name in chunks
                member = _member(name, content, names) if chunk else embedded_object(content, names, _unnamed(name))
            members += [member] if member else []
            lost["embedded objects"] += member is None
    return tuple(members)


def _charted(package: Package) -> set[str]:
    """Return the parts that charts have their numbers from."""
    found: set[str] = set()
    for name in package.names:
        if "/charts/" in name:
            found |= {link.target for link in package.links(name).values()}
    return found


def _unnamed(name: str) -> str:
    """Return the name of a part, unless it only says that it is an object."""
    return "" if name.endswith(".bin") else posixpath.basename(name)


def objects_of(content: bytes, lost: Counter[Lost], names: FreeNames | None = None) -> tuple[Member, ...]:
    """Return the files that an old Office file holds in folders of its own; the others are counted, and its macros."""
    members: list[Member] = []
    names = names or FreeNames()
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            paths = file.listdir(streams=True, storages=True)
            lost["macros"] += any(path[-1].lower() == "_vba_project" for path in paths)
            for folder in sorted(path for path in paths if _is_object(path)):
                found = _in_folder(file, folder)
                members += [_member(*found, names)] if found else []
                lost["embedded objects"] += found is None
    except _BROKEN:  # the text was read: this is beside it
        return tuple(members)
    return tuple(members)


def _is_object(path: list[str]) -> bool:
    """Word keeps objects below ObjectPool, Excel in folders whose names begin with MBD."""
    return (len(path) == 2 and path[0] == "ObjectPool") or (
        len(path) == 1 and bool(re.fullmatch("MBD[0-9A-F]+", path[0]))
    )


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
