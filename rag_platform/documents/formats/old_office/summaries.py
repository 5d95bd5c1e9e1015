"""What an old Office file says about itself, as [MS-OLEPS] keeps it."""

import struct
from io import BytesIO
from typing import Any

import olefile

from rag_platform.documents.formats.metadata import document_metadata

BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)
"""What reading a damaged compound file raises."""


def summary(content: bytes) -> dict[str, Any]:
    """Return what an old Office file says about itself, as arguments of `Extracted`."""
    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            stated = file.get_metadata()
    except BROKEN:
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
