"""Forms that a PDF holds as XML alone (XFA 3.3): the page itself says only that another program is needed."""

import ctypes
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.xml_tree import attribute, child, local, parse_xml

_MOST = 100
"""Packets."""
_FORMS = (pdfium_c.FORMTYPE_XFA_FULL, pdfium_c.FORMTYPE_XFA_FOREGROUND)
_SHOWN = ("draw", "field")
_HIDDEN = ("hidden", "inactive")


def form_text(document: pdfium.PdfDocument) -> str:
    """Return the words of a form and what was filled in, line by line; "" for a document without such a form."""
    if document.get_formtype() not in _FORMS or len(document) != 1 or _has_fields(document):
        return ""  # the fields on its pages say the same
    packets = dict(_packets(document))
    template, data = packets.get("template"), packets.get("datasets")
    if template is None:
        return ""
    filled: dict[str, list[str]] = defaultdict(list)
    for element in data.iter() if data is not None else ():
        if len(element) == 0:
            filled[local(element)].append(" ".join((element.text or "").split()))
    return "\n".join(filter(None, (_line(element, filled) for element in _shown(template))))


def _has_fields(document: pdfium.PdfDocument) -> bool:
    page = document[0]
    try:
        return bool(pdfium_c.FPDFPage_GetAnnotCount(page.raw) > 0)
    finally:
        page.close()


def _packets(document: pdfium.PdfDocument) -> Iterator[tuple[str, etree._Element]]:
    for number in range(min(pdfium_c.FPDF_GetXFAPacketCount(document.raw), _MOST)):
        size = pdfium_c.FPDF_GetXFAPacketName(document.raw, number, None, 0)
        name = ctypes.create_string_buffer(max(size, 1))
        pdfium_c.FPDF_GetXFAPacketName(document.raw, number, name, size)
        if name.value not in (b"template", b"datasets"):
            continue
        length = ctypes.c_ulong()
        pdfium_c.FPDF_GetXFAPacketContent(document.raw, number, None, 0, length)
        content = ctypes.create_string_buffer(max(length.value, 1))
        pdfium_c.FPDF_GetXFAPacketContent(document.raw, number, content, length.value, length)
        with suppress(ExtractionError):
            yield name.value.decode(), parse_xml(content.raw[: length.value], "the form")


def _shown(template: etree._Element) -> Iterator[etree._Element]:
    """Yield the texts and fields of a form that people see, in its order."""
    waiting = [template]
    while waiting:
        element = waiting.pop()
        if attribute(element, "presence") in _HIDDEN:
            continue
        if local(element) in _SHOWN:
            yield element
        else:
            waiting += reversed(element)


def _line(element: etree._Element, filled: dict[str, list[str]]) -> str:
    """Return a text; or a field's caption, and what was filled in, else its default."""
    if local(element) == "draw":
        return _words(child(element, "value"))
    known = filled.get(attribute(element, "name"))
    value = known.pop(0) if known else _words(child(element, "value"))
    caption = _words(child(element, "caption", "value"))
    return " ".join(filter(None, (caption, value)))


def _words(value: etree._Element | None) -> str:
    return " ".join(" ".join(value.itertext()).split()) if value is not None else ""
