"""Pictures in a file of many parts (Office, OpenDocument, EPUB), found by what stands beside them in its text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.office.packages import Package
from rag_platform.documents.formats.plain_text import decode
from rag_platform.documents.formats.web.epub import open_book, reading_order
from rag_platform.documents.formats.web.fragments import parse_fragment
from rag_platform.documents.formats.xml_tree import attribute, local
from rag_platform.text.cleaning import clean
from rag_platform.text.word_alignment import places, words_of

PICTURED = frozenset(("docx", "epub", "odp", "odt", "pptx"))
"""Formats whose pictures are found."""
_NEAR = 20
"""Words between a picture and its caption."""
_UNSEEN = frozenset(("Fallback", "delText", "instrText", "posOffset", "script", "style"))
_APART = frozenset(("br", "caption", "docPr", "figcaption", "h", "img", "li", "p", "tab", "td", "tr"))
"""Elements before which a word ends; a word of Office's may be cut into several runs."""
_SAID = ("alt", "descr")
_TARGETS = {"blip": "embed", "image": "href", "imagedata": "id", "img": "src"}
"""Elements that show a picture, and what names it: a relationship, or its place."""


@dataclass(frozen=True, slots=True)
class _Picture:
    part: str
    at: int
    """The number of words before it."""


def embedded_picture(content: bytes, kind: str, words: Sequence[str]) -> bytes:
    """Return the bytes of the picture of whose caption and description these are the words, as `words_of` gives them.

    Of several, it is the one beside which most of them stand, then the nearest, then the one above its caption.

    Raises:
        ExtractionError: the file is damaged, or no such picture lies in it.
    """
    package = Package(content)
    near = _NEAR + len(words)
    best, found = (0, 0, False), ""
    for spoken, pictures in (_read(package, *part) for part in _parts(package, kind)):
        for one in pictures:
            before = spoken[max(0, one.at - near) : one.at]
            if beside := places([*before, *spoken[one.at : one.at + near]], words):
                above = beside[-1] < len(before)
                apart = len(before) - beside[-1] - 1 if above else max(0, beside[0] - len(before))
                if (rank := (len(beside), -apart, not above)) > best:
                    best, found = rank, one.part
    if not found:
        raise ExtractionError("the file holds no picture with this caption: it may be drawn from shapes, or be a chart")
    return package.read(found)


def _parts(package: Package, kind: str) -> Iterator[tuple[str, etree._Element]]:
    """Yield the names and the roots of the parts that hold the text, in their order."""
    if kind == "epub":
        for name in reading_order(*open_book(package)):
            if name in package.names and (root := parse_fragment(decode(package.read(name))[0])) is not None:
                yield name, root
        return
    names = ["content.xml"] if kind in ("odp", "odt") else package.linked("", "officeDocument")
    if kind == "pptx":
        names = [slide for name in names for slide in package.linked(name, "slide")]
    yield from ((name, package.beside(name)) for name in names)


def _read(package: Package, part: str, root: etree._Element) -> tuple[list[str], list[_Picture]]:
    """Return the words of a part, in their order, and the pictures among them."""
    links = {name: link.target for name, link in package.links(part).items()}
    spoken: list[str] = []
    pictures, held = [], ""
    for text, target in _pieces(root):
        held += text
        if target:
            spoken += words_of(clean(held))
            held = ""
            name = links.get(target) or package.place(part, target)
            if name in package.names:
                pictures.append(_Picture(name, len(spoken)))
    return [*spoken, *words_of(clean(held))], pictures


def _pieces(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield texts, each with what names the picture that follows it, in the order of the document."""
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        name = local(element)
        if event == "end":
            yield element.tail or "", ""
        elif name in _UNSEEN or not name:
            walk.skip_subtree()
        else:
            said = " ".join(filter(None, (attribute(element, one) for one in _SAID)))
            apart = " " if said or name in _APART else ""
            yield f"{apart}{said}{apart}{element.text or ''}", attribute(element, _TARGETS.get(name, ""))
