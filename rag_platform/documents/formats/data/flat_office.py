"""Office documents that are one file of XML: flat OpenDocument and Open XML, Word 2003, Excel 2003."""

import base64
import binascii
import io
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.data.excel_2003 import read_workbook
from rag_platform.documents.formats.data.word_2003 import word_parts
from rag_platform.documents.formats.office.docx import read_docx
from rag_platform.documents.formats.office.opendocument import read_odg, read_odp, read_odt
from rag_platform.documents.formats.office.pptx import read_pptx
from rag_platform.documents.formats.office.spreadsheets import read_ods, read_xlsx
from rag_platform.documents.formats.xml_tree import attribute, child, every, local, parse_xml

_OPENDOCUMENT = {"text": "odt", "spreadsheet": "ods", "presentation": "odp", "drawing": "odg"}
"""The format by what stands in the body."""
_OPEN_XML = {"/word/": "docx", "/xl/": "xlsx", "/ppt/": "pptx"}
_READERS: dict[str, Callable[[bytes], Extracted]] = {
    "docx": read_docx,
    "odg": read_odg,
    "odp": read_odp,
    "ods": read_ods,
    "odt": read_odt,
    "pptx": read_pptx,
    "xlsx": read_xlsx,
}
_PARTS = {
    "content.xml": ("automatic-styles", "body"),
    "styles.xml": ("styles", "automatic-styles", "master-styles"),
    "meta.xml": ("meta",),
}
"""What stands in which part where OpenDocument is a file of many."""
_NEEDED = {
    "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
    "META-INF/manifest.xml": b"<manifest/>",
}
"""Without which the library for sheets knows none."""


def read_flat_office(content: bytes) -> Extracted:
    """Read a document by the reader of the same in a file of many parts.

    Raises:
        ExtractionError: It is damaged, or none of these.
    """
    root = parse_xml(content, "the file")
    readers: dict[str, Callable[[etree._Element], Extracted]] = {
        "office/2006/xmlPackage}package": _read_open_xml,
        "opendocument:xmlns:office:1.0}document": _read_opendocument,
        "word/2003/wordml}wordDocument": lambda root: _read("docx", word_parts(root)),
        "office:spreadsheet}Workbook": read_workbook,
    }
    for name, read in readers.items():
        if root.tag.endswith(name):
            return read(root)
    raise ExtractionError(f"no Office document: its root is {root.tag}")


def _read_open_xml(root: etree._Element) -> Extracted:
    parts = {attribute(part, "name"): _content(part) for part in every(root, "part")}
    found = (kind for folder, kind in _OPEN_XML.items() if any(name.startswith(folder) for name in parts))
    if not (kind := next(found, "")):
        raise ExtractionError("no Office document: it has neither text nor sheets nor slides")
    return _read(kind, parts)


def _content(part: etree._Element) -> bytes:
    for one in part:
        if local(one) == "xmlData":
            return b"".join(map(etree.tostring, one))
        if local(one) == "binaryData":
            with suppress(binascii.Error, ValueError):
                return base64.b64decode(one.text or "")
    return b""


def _read_opendocument(root: etree._Element) -> Extracted:
    body = child(root, "body")
    found = (kind for name, kind in _OPENDOCUMENT.items() if child(body, name) is not None)
    if not (kind := next(found, "")):
        raise ExtractionError("no OpenDocument file that is read: it has neither text nor sheets, slides or drawings")
    parts = dict(_NEEDED) if kind == "ods" else {}
    for name, wanted in _PARTS.items():
        part = etree.Element(root.tag, nsmap=root.nsmap)
        part.extend(deepcopy(one) for inside in wanted if (one := child(root, inside)) is not None)
        parts[name] = etree.tostring(part)
    return _read(kind, parts)


def _read(kind: str, parts: Mapping[str, bytes]) -> Extracted:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in parts.items():
            file.writestr(name.lstrip("/"), content)
    return _READERS[kind](packed.getvalue())
