"""EPUB books: their chapters in reading order."""

import posixpath
from collections import Counter
from urllib.parse import unquote

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost
from rag_platform.documents.formats.markdown_writer import join
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.office.packages import Package, told
from rag_platform.documents.formats.plain_text import decode
from rag_platform.documents.formats.web.fragments import read_fragment
from rag_platform.documents.formats.xml_tree import attribute, child, every, local

_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml", ""))


def read_epub(content: bytes) -> Extracted:
    """Read a book.

    Raises:
        ExtractionError: It is damaged, protected, or unpacks beyond what is allowed.
    """
    package = Package(content)
    if "META-INF/rights.xml" in package.names or "META-INF/sinf.xml" in package.names:
        raise ExtractionError("this book is protected against copying (DRM)")
    book, folder = open_book(package)
    chapters, flags, lost = [], [], Counter[Lost]()
    for name in reading_order(book, folder):
        try:
            text, beside = read_fragment(decode(package.read(name))[0])
        except ExtractionError as error:
            flags.append(f"chapter {name} not read: {error}")
            lost["parts"] += 1
            continue
        chapters.append(text)
        lost.update(beside)
    stated: dict[str, str] = {}
    about = child(book, "metadata")
    for one in about if about is not None else ():
        if one.text:
            stated.setdefault("modified" if attribute(one, "property") == "dcterms:modified" else local(one), one.text)
    known = document_metadata(
        stated.get("title"), stated.get("creator"), stated.get("date"), stated.get("modified"), stated.get("language")
    )
    return Extracted(text=join(chapters), type="epub", **known, **told(package, lost, *flags))


def open_book(package: Package) -> tuple[etree._Element, str]:
    """Return what a book says of its parts, and the folder that their places are relative to.

    Raises:
        ExtractionError: there is nothing of the kind.
    """
    rootfile = next(iter(every(package.beside("META-INF/container.xml"), "rootfile")), None)
    part = attribute(rootfile, "full-path") or next(
        (name for name in sorted(package.names) if name.endswith(".opf")), ""
    )
    return package.xml(part), posixpath.dirname(part)


def reading_order(book: etree._Element, folder: str) -> list[str]:
    """Return the parts to read, in order; the table of contents repeats what follows it."""
    items = {attribute(one, "id"): one for one in every(child(book, "manifest"), "item")}
    order = []
    for reference in every(child(book, "spine"), "itemref"):
        item = items.get(attribute(reference, "idref"))
        if (
            item is None
            or attribute(item, "media-type") not in _PAGES
            or "nav" in attribute(item, "properties").split()
        ):
            continue
        order.append(posixpath.normpath(posixpath.join(folder, unquote(attribute(item, "href").partition("#")[0]))))
    return order
