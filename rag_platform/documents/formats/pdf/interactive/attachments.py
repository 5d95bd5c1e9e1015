"""Files attached to a PDF, or to a place on one of its pages: each becomes a document of its own."""

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.documents.extracted import Member
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.pdf.interactive.annotations import files_of, text_of
from rag_platform.documents.formats.pdf.opening import open_pdf
from rag_platform.documents.options import Limits, Options
from rag_platform.text.cleaning import clean_line

_MOST = 10_000
"""Files of one document."""


def attached_files(content: bytes, pages: Sequence[int], *, options: Options, limits: Limits) -> Iterator[Member]:
    """Yield the attached files, one at a time.

    Args:
        content: The PDF.
        pages: Numbers, from 0, of the pages that files are attached to.
        options: Hold its passwords.
        limits: What one file may take.
    """
    document = open_pdf(content, options)
    names = FreeNames()
    try:
        for file in _files(document, pages):
            yield _member(file, names, limits.member_bytes)
    finally:
        document.close()


def _files(document: pdfium.PdfDocument, pages: Sequence[int]) -> Iterator[Any]:
    for number in range(min(pdfium_c.FPDFDoc_GetAttachmentCount(document.raw), _MOST)):
        if file := pdfium_c.FPDFDoc_GetAttachment(document.raw, number):
            yield file
    for number in pages:
        page = document[number]
        try:
            yield from files_of(page)
        finally:
            page.close()


def _member(file: Any, names: FreeNames, most: int) -> Member:
    name = names.take(_name(file) or "attachment")
    size = ctypes.c_ulong()
    if not pdfium_c.FPDFAttachment_GetFile(file, None, 0, size) or not size.value:
        return Member(name, problem="it cannot be taken out of the PDF")
    if size.value > most:
        return Member(name, problem=f"larger than {most} bytes when unpacked; it was left out")
    content = ctypes.create_string_buffer(size.value)
    pdfium_c.FPDFAttachment_GetFile(file, content, size.value, size)
    return Member(name, content.raw, text_of(pdfium_c.FPDFAttachment_GetSubtype, file) or None)


def _name(file: Any) -> str:
    """Return the last part of a file's name, whatever folders it claims."""
    stated = clean_line(text_of(pdfium_c.FPDFAttachment_GetName, file))
    return re.split(r"[/\\]", stated)[-1].strip(". ")
