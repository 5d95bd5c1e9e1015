"""PowerPoint slides (pptx, pptm): each slide's title as a heading, its text, tables, charts, notes and comments."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import comment, heading, join, link, paragraph, table
from rag_platform.documents.formats.office.charts import read_charts
from rag_platform.documents.formats.office.diagrams import read_diagrams
from rag_platform.documents.formats.office.drawings import leading, undescribed
from rag_platform.documents.formats.office.embedded import embedded_files
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.office.packages import Link, Package, properties, told, unread
from rag_platform.documents.formats.xml_tree import attribute, child, every, local
from rag_platform.text.cleaning import clean

_TITLES = frozenset(("title", "ctrTitle"))
_FURNITURE = frozenset(("sldNum", "dt", "ftr", "hdr"))
"""Placeholders that every slide repeats."""
_MARGINS = {"hdr": "Header", "ftr": "Footer"}
Links = Mapping[str, Link]
_NONE: Links = {}
_BODIES = frozenset(("body", "obj", ""))


def read_pptx(content: bytes) -> Extracted:
    """Read slides; the offset of each is a page's.

    Raises:
        ExtractionError: It is damaged, or unpacks beyond what is allowed.
    """
    package = Package(content)
    part = next(iter(package.linked("", "officeDocument")), "ppt/presentation.xml")
    links = package.links(part)
    authors = _authors(package, part)
    slides, flags, lost = [], [], unread(package)
    beside: list[tuple[str, str]] = []
    for number, entry in enumerate(every(package.xml(part), "sldId"), 1):
        link = links.get(_relation(entry))
        try:
            if link is None:
                raise ExtractionError("its part is missing")
            slide = _Slide(package, link.target, authors)
            slides.append(clean(slide.text(number)))
            lost["images without text"] += slide.pictures
            lost["links"] += slide.links
            beside += slide.margins
        except ExtractionError as error:
            slides.append("")
            flags.append(f"slide {number} not read: {error}")
            lost["pages"] += 1
    if not slides:
        raise ExtractionError("a presentation without slides")
    text, pages = joined(slides)
    text = join([text, *margins(beside, [text])])
    members, about = embedded_files(package, lost), properties(package)
    return Extracted(text=text, type="pptx", pages=pages, members=members, **about, **told(package, lost, *flags))


def joined(slides: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """Put clean slides below each other and return the text with each one's offset; an empty one takes no room."""
    text, pages = "", []
    for slide in slides:
        text += "\n\n" if text and slide else ""
        pages.append(len(text))
        text += slide
    return text, tuple(pages)


def _relation(element: etree._Element | None) -> str:
    """Return the id of a relationship; an element may have a plain id beside it."""
    if element is None:
        return ""
    return next((value for key, value in element.attrib.items() if key.startswith("{") and key.endswith("}id")), "")


def _authors(package: Package, part: str) -> dict[str, str]:
    """Return the names of those who commented, by id; two generations of the format keep them apart."""
    names = {}
    for place in chain(package.linked(part, "commentAuthors"), package.linked(part, "authors")):
        for one in package.beside(place):
            initials = attribute(one, "initials")
            names[attribute(one, "id")] = attribute(one, "name") + (f" ({initials})" if initials else "")
    return names


class _Slide:
    """A slide while it is read."""

    def __init__(self, package: Package, part: str, authors: dict[str, str]) -> None:
        self._package, self._part, self._authors = package, part, authors
        self._root, self._links = package.xml(part), package.links(part)
        layout = next(iter(package.linked(part, "slideLayout")), "")
        master = next(iter(package.linked(layout, "slideMaster")), "") if layout else ""
        self._above = [package.beside(one) for one in (layout, master) if one]

    def text(self, number: int) -> str:
        """Return the slide as Markdown; one without a title is headed by its number."""
        shapes = list(_shapes(child(self._root, "cSld", "spTree")))
        titles = [shape for shape in shapes if _kind(shape) in _TITLES and _lines(shape)]
        title = " ".join(line for shape in titles[:1] for line in _lines(shape))
        blocks = [block for shape in shapes if shape not in titles[:1] for block in self._shape(shape)]
        blocks += [*read_charts(self._package, self._part), *read_diagrams(self._package, self._part)]
        blocks += [*self._notes(), *self._comments()]
        if not title and not any(block.strip() for block in blocks):
            return ""
        return join([heading(1, title or f"Slide {number}"), *blocks])

    @property
    def pictures(self) -> int:
        """How many pictures there are of which nobody said what they show."""
        return undescribed(self._root)

    @property
    def links(self) -> int:
        """How many shapes and pictures lead to an address, each as a whole."""
        return leading(self._root, self._links)

    @property
    def margins(self) -> list[tuple[str, str]]:
        """What stands at the head and the foot, of its notes too: ("Header" or "Footer", text)."""
        shapes = [*_shapes(child(self._root, "cSld", "spTree")), *(shape for shape, _ in self._beside())]
        return [(_MARGINS[kind], " ".join(_lines(one))) for one in shapes if (kind := _kind(one)) in _MARGINS]

    def _beside(self) -> Iterator[tuple[etree._Element, Links]]:
        """Yield the shapes on the page of its notes, with the links there."""
        for part in self._package.linked(self._part, "notesSlide"):
            links = self._package.links(part)
            yield from ((shape, links) for shape in _shapes(child(self._package.beside(part), "cSld", "spTree")))

    def _shape(self, shape: etree._Element) -> Iterator[str]:
        if local(shape) == "graphicFrame":
            yield from (_table(one, self._links) for one in every(shape, "tbl"))
        elif local(shape) in ("sp", "cxnSp") and _kind(shape) not in _FURNITURE:
            yield self._paragraphs(shape)
        elif local(shape) == "pic":
            said = " ".join(attribute(child(shape, "nvPicPr", "cNvPr"), "descr").split())
            yield f"![{said}]" if said else ""

    def _paragraphs(self, shape: etree._Element) -> str:
        found: list[tuple[bool, str]] = []
        counts: dict[int, int] = {}
        for one in every(child(shape, "txBody"), "p"):
            line = _line(one, self._links)
            if not line:
                continue
            level = int(attribute(child(one, "pPr"), "lvl", "0") or 0)
            mark = self._bullet(shape, one, level)
            if mark == "1.":
                counts[level] = counts.get(level, 0) + 1
                mark = f"{counts[level]}."
            else:
                counts.clear()
            found.append((bool(mark), f"{'    ' * level}{mark} {line}" if mark else paragraph(line)))
        text = ""
        for place, (listed, line) in enumerate(found):
            text += ("\n" if listed and found[place - 1][0] else "\n\n") * bool(place) + line
        return text

    def _bullet(self, shape: etree._Element, line: etree._Element, level: int) -> str:
        """Return "-", "1." or "": what the line, the shape, the layout, then the master say of this level."""
        name = f"lvl{level + 1}pPr"
        abouts = [child(line, "pPr"), child(shape, "txBody", "lstStyle", name)]
        placeholder = _placeholder(shape)
        if placeholder is not None:
            for root in self._above:
                above = _counterpart(root, placeholder)
                abouts.append(child(above, "txBody", "lstStyle", name))
            if _kind(shape) in _BODIES and self._above:
                abouts.append(child(self._above[-1], "txStyles", "bodyStyle", name))
        for about in abouts:
            for part in about if about is not None else ():
                if local(part) in ("buNone", "buChar", "buAutoNum", "buBlip"):
                    return {"buNone": "", "buAutoNum": "1."}.get(local(part), "-")
        return ""

    def _notes(self) -> Iterator[str]:
        shapes = ((shape, links) for shape, links in self._beside() if _kind(shape) not in _FURNITURE)
        lines = [line for shape, links in shapes for line in _lines(shape, links)]
        if lines:
            yield "Notes: " + "\n\n".join(lines)

    def _comments(self) -> Iterator[str]:
        for part in self._package.linked(self._part, "comments"):
            for one in self._package.beside(part).iter("{*}cm", "{*}reply"):
                author = self._authors.get(attribute(one, "authorId"), "")
                body = child(one, "text")
                words = body.text or "" if body is not None else " ".join(_lines(one))
                yield comment(author, attribute(one, "created") or attribute(one, "dt"), words)


def _shapes(tree: etree._Element | None) -> Iterator[etree._Element]:
    """Yield the shapes in order, those of groups too."""
    for one in tree if tree is not None else ():
        if local(one) == "grpSp":
            yield from _shapes(one)
        elif local(one) == "AlternateContent":
            yield from _shapes(next((part for part in one if local(part) == "Choice"), None))
        else:
            yield one


def _placeholder(shape: etree._Element) -> etree._Element | None:
    return next((found for part in shape if (found := child(part, "nvPr", "ph")) is not None), None)


def _kind(shape: etree._Element) -> str | None:
    """Return the kind of placeholder that a shape is, "" for one of any kind, None for none."""
    found = _placeholder(shape)
    return None if found is None else attribute(found, "type")


def _counterpart(root: etree._Element, placeholder: etree._Element) -> etree._Element | None:
    """Return the layout's placeholder that a slide's one fills: the same number, else the same kind."""
    number, kind = attribute(placeholder, "idx"), attribute(placeholder, "type", "body")
    shapes = [(shape, found) for shape in every(root, "sp") if (found := _placeholder(shape)) is not None]
    for shape, found in shapes:
        if number and attribute(found, "idx") == number:
            return shape
    return next((shape for shape, found in shapes if attribute(found, "type", "body") == kind), None)


def _lines(shape: etree._Element, links: Links = _NONE) -> list[str]:
    return [line for one in every(child(shape, "txBody"), "p") if (line := _line(one, links))]


def _line(paragraph_: etree._Element, links: Links = _NONE) -> str:
    """Return a paragraph on one line; neighbours that lead to the same address are one link."""
    runs = groupby(
        paragraph_.iter("{*}t", "{*}br", "{*}tab"), lambda one: _address(child(one.getparent(), "rPr"), links)
    )
    parts = (link("".join(one.text or "" if local(one) == "t" else " " for one in run), to) for to, run in runs)
    return " ".join("".join(parts).split())


def _address(about: etree._Element | None, links: Links) -> str:
    """Return the address that a run leads to when it is clicked, "" for none, or another slide."""
    found = links.get(_relation(child(about, "hlinkClick")))
    return found.target if found and found.kind == "hyperlink" else ""


def _table(element: etree._Element, links: Links) -> str:
    """Return a table; a merged cell is written in each place that it covers."""
    rows: list[list[str]] = []
    for row in every(element, "tr"):
        cells: list[str] = []
        for one in (part for part in row if local(part) == "tc"):
            text = " ".join(_lines(one, links))
            if attribute(one, "hMerge") in ("1", "true") and cells:
                text = cells[-1]
            elif attribute(one, "vMerge") in ("1", "true") and rows and len(cells) < len(rows[-1]):
                text = rows[-1][len(cells)]
            cells.append(text)
        rows.append(cells)
    return table(rows)
