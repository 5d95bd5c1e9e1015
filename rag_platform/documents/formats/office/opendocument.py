"""OpenDocument texts and slides (odt, odp): headings, lists, tables, text boxes, charts, notes, comments."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost
from rag_platform.documents.formats.markdown_writer import comment, heading, inline, join, link, paragraph, table
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.office.packages import Package, told
from rag_platform.documents.formats.office.pptx import joined
from rag_platform.documents.formats.office.sheet_extras import Extras, link_of
from rag_platform.documents.formats.xml_tree import attribute, child, every, local
from rag_platform.text.cleaning import clean

_MOST_REPEATED = 100
_INLINE_SKIPPED = frozenset(("note", "annotation", "frame", "custom-shape", "tracked-changes", "ruby-text"))
_SHAPES = frozenset(("a", "caption", "connector", "custom-shape", "frame", "g", "line", "measure", "path")) | {
    *("circle", "ellipse", "polygon", "polyline", "rect", "regular-polygon")
}
_ANCHORED = [f"{{*}}{name}" for name in sorted((_SHAPES - {"a"}) | {"annotation"})]
_FURNITURE = frozenset(("date-time", "footer", "header", "page", "page-number"))
"""What a page of notes has beside them."""
_CONTAINERS = frozenset(("section", "index-body", "text-box", "list-header"))


def read_odt(content: bytes) -> Extracted:
    """Read an OpenDocument text.

    Raises:
        ExtractionError: It is damaged, encrypted, or unpacks beyond what is allowed.
    """
    package, root = _open(content)
    body = child(root, "body", "text")
    reader = _Reader(package, root)
    blocks = reader.blocks(body)
    lost = unread_parts(package, root)
    blocks += margins(reader.margins(), blocks)
    return Extracted(text=join(blocks), type="odt", **meta(package), **told(package, lost))


def read_odp(content: bytes) -> Extracted:
    """Read OpenDocument slides; the offset of each is a page's.

    Raises:
        ExtractionError: It is damaged, encrypted, or unpacks beyond what is allowed.
    """
    return _read_pages(content, "odp", "Slide")


def read_odg(content: bytes) -> Extracted:
    """Read an OpenDocument drawing: the words on its shapes, by pages with their names; an offset is a page's.

    Raises:
        ExtractionError: As `read_odp`.
    """
    return _read_pages(content, "odg", "Page")


def _read_pages(content: bytes, kind: str, called: str) -> Extracted:
    package, root = _open(content)
    reader = _Reader(package, root)
    pages = enumerate(every(root, "page"), 1)
    named = ((page, attribute(page, "name") if kind == "odg" else "", number) for number, page in pages)
    slides = [clean(reader.slide(page, name or f"{called} {number}")) for page, name, number in named]
    text, places = joined(slides)
    lost = unread_parts(package, root)
    return Extracted(text=text, type=kind, pages=places, **meta(package), **told(package, lost))


def meta(package: Package) -> dict[str, Any]:
    """Return what an OpenDocument file says about itself, as arguments of `Extracted`."""
    if "meta.xml" not in package.names:
        return {}
    root = package.beside("meta.xml")
    stated = {local(item): (item.text or "").strip() for item in root.iter("{*}*")}
    author = stated.get("initial-creator") or stated.get("creator")
    return document_metadata(
        stated.get("title"), author, stated.get("creation-date"), stated.get("date"), stated.get("language")
    )


def unread_parts(package: Package, root: etree._Element) -> Counter[Lost]:
    """Count what no reader keeps: macros, films, pictures without a description, objects that are no chart."""
    frames = [one for one in every(root, "frame") if child(one, "desc") is None and child(one, "title") is None]
    objects = [attribute(one, "href").removeprefix("./").rstrip("/") for one in every(root, "object")]
    charts = sum(f"{place}/content.xml" in package.names and _is_chart(package, place) for place in objects)
    pictured = [one for one in frames if child(one, "image") is not None and child(one, "object") is None]
    found: Counter[Lost] = Counter()
    found["images without text"] = sum(child(one, "object-ole") is None for one in pictured)
    found["embedded objects"] = len(objects) - charts + len(every(root, "object-ole"))
    found["macros"] = int(any(name.startswith("Basic/") and name.count("/") > 1 for name in package.names))
    found["media"] = len(every(root, "plugin"))
    return found


def _is_chart(package: Package, place: str) -> bool:
    return bool(every(package.beside(f"{place}/content.xml"), "chart"))


def _open(content: bytes) -> tuple[Package, etree._Element]:
    package = Package(content)
    listing = "META-INF/manifest.xml"
    if listing in package.names and every(package.beside(listing), "encryption-data"):
        raise ExtractionError("this OpenDocument file is encrypted: it opens with a password only")
    return package, package.xml("content.xml")


def sheet_extras(package: Package, root: etree._Element) -> Extras:
    """Return the boxes, charts, comments and links of a spreadsheet."""
    reader, found = _Reader(package, root), Extras()
    for sheet in (one for book in every(root, "spreadsheet") for one in book if local(one) == "table"):
        name = attribute(sheet, "name")
        found.blocks[name] = [block for one in _anchored(sheet) for block in reader.blocks([one])]
        found.links[name] = dict(_linked_cells(sheet))
    return found


def _anchored(sheet: etree._Element) -> Iterator[etree._Element]:
    """Yield the shapes and comments of a sheet; what is within another comes with it."""
    seen: set[etree._Element] = set()
    for one in sheet.iter(*_ANCHORED):
        if seen.isdisjoint(one.iterancestors()):
            seen.add(one)
            yield one


def _linked_cells(sheet: etree._Element) -> Iterator[tuple[tuple[int, int], list[tuple[str, str]]]]:
    row = 0
    for one in _rows(sheet):
        column = 0
        for cell in (part for part in one if local(part) in ("table-cell", "covered-table-cell")):
            places = [place for line in cell if local(line) == "p" for place in every(line, "a")]
            links = [(" ".join("".join(place.itertext()).split()), attribute(place, "href")) for place in places]
            made = link_of(attribute(cell, "formula"))
            if links := [(words, address) for words, address in links if words] or ([made] if made else []):
                yield (row, column), links
            column += _count(cell, "number-columns-repeated")
        row += _count(one, "number-rows-repeated")


class _Reader:
    """A file while it is read."""

    def __init__(self, package: Package, root: etree._Element) -> None:
        self._package = package
        roots = [package.beside("styles.xml"), root] if "styles.xml" in package.names else [root]
        self._parents = {
            attribute(style, "name"): attribute(style, "parent-style-name")
            for one in roots
            for style in every(one, "style")
        }
        self._numbered = {
            (attribute(style, "name"), int(attribute(level, "level", "1") or 1))
            for one in roots
            for style in every(one, "list-style")
            for level in every(style, "list-level-style-number")
            if attribute(level, "num-format")
        }
        self._beside: list[str] = []

    def blocks(self, container: Iterable[etree._Element] | None) -> list[str]:
        """Return what a body, a cell or a text box holds, as Markdown blocks."""
        found = []
        for element in container if container is not None else ():
            found += self._element(element)
            found += self._beside
            self._beside = []
        return [block for block in found if block.strip()]

    def margins(self) -> Iterator[tuple[str, str]]:
        """Yield what stands at the head and the foot of the pages."""
        styles = self._package.beside("styles.xml") if "styles.xml" in self._package.names else None
        for page in every(styles, "master-page"):
            for one in page:
                if local(one).startswith(("header", "footer")):
                    yield local(one)[:6].capitalize(), inline(self.blocks(one))

    def slide(self, page: etree._Element, called: str) -> str:
        """Return a slide or a page; one without a title is headed by what it is called."""
        frames = [one for one in page if local(one) != "notes"]
        titles = [one for one in frames if attribute(one, "class") == "title"]
        title = " ".join(" ".join(_unlisted(self.blocks(one))) for one in titles)
        blocks = [block for one in frames if one not in titles for block in self._element(one)]
        beside = [one for part in page if local(part) == "notes" for one in part]
        notes = [block for one in beside if attribute(one, "class") not in _FURNITURE for block in self._element(one)]
        blocks += [f"Notes: {join(notes)}"] if notes else []
        title = " ".join(title.replace("#", " ").split())
        return join([heading(1, title or called), *blocks]) if title or join(blocks) else ""

    def _element(self, element: etree._Element) -> list[str]:
        name = local(element)
        if name in _CONTAINERS or name.endswith("-index") or name == "table-of-content":
            return self.blocks(element)
        if name in _SHAPES:
            return self._frame(element)
        readers = {"h": self._heading, "p": self._paragraph, "table": self._table, "annotation": _annotation}
        if name in readers:
            return [readers[name](element)]
        return ["\n".join(self._list(element, 0, ""))] if name == "list" else []

    def _heading(self, element: etree._Element) -> str:
        level = attribute(element, "outline-level", "1")
        return heading(int(level) + 1 if level.isdigit() else 2, self._line(element))  # the title has level 1

    def _paragraph(self, element: etree._Element) -> str:
        text = self._line(element)
        style = attribute(element, "style-name")
        named = {style, self._parents.get(style, "")}
        if "Title" in named:
            return heading(1, text)
        return paragraph(text)

    def _frame(self, element: etree._Element) -> list[str]:
        """Return a frame's text box, table or chart; a shape's text."""
        stated = child(element, "desc") if child(element, "desc") is not None else child(element, "title")
        found = [f"![{' '.join(stated.text.split())}]"] if stated is not None and stated.text else []
        for one in element:
            if local(one) == "object":
                found += self._chart(attribute(one, "href"))
            elif local(one) in ("text-box", "table", "p", "list") or local(one) in _SHAPES:
                found += self.blocks(one) if local(one) == "text-box" else self._element(one)
        return found

    def _chart(self, place: str) -> list[str]:
        """Return an embedded chart's title, kind and numbers, or an embedded text."""
        name = f"{place.removeprefix('./').rstrip('/')}/content.xml"
        if name not in self._package.names:
            return []
        root = self._package.beside(name)
        chart = next(iter(every(root, "chart")), None)
        if chart is None or local(chart) != "chart" or not attribute(chart, "class"):
            return []
        kind = attribute(chart, "class").rpartition(":")[2] + " chart"
        title = " ".join(self._line(one) for part in every(chart, "title")[:1] for one in every(part, "p"))
        return [title, kind.capitalize(), *(self._table(one) for one in every(chart, "table")[:1])]

    def _list(self, element: etree._Element, depth: int, style: str) -> Iterator[str]:
        style = attribute(element, "style-name") or style
        numbered, count = (style, depth + 1) in self._numbered, 0
        for item in (one for one in element if local(one) in ("list-item", "list-header")):
            lead = True
            for one in item:
                if local(one) == "list":
                    yield from self._list(one, depth + 1, style)
                    continue
                text = " ".join(self._line(one).split()) if local(one) in ("p", "h") else join(self._element(one))
                if text:
                    count += lead
                    mark = (f"{count}." if numbered else "-") if lead else " "
                    yield f"{'    ' * depth}{mark} {text}"
                    lead = False

    def _table(self, element: etree._Element) -> str:
        rows: list[list[str]] = []
        for row in _rows(element):
            cells: list[str] = []
            for one in (part for part in row if local(part) in ("table-cell", "covered-table-cell")):
                words = inline(_unlisted(self.blocks(one)))
                cells += [words] * _repeated(one, "number-columns-repeated")
            while cells and not cells[-1] and len(cells) > len(rows[0] if rows else ()):
                cells.pop()
            rows += [cells] * (_repeated(row, "number-rows-repeated") if any(cells) else 1)
        while rows and not any(rows[-1]):
            rows.pop()
        return table(rows)

    def _line(self, element: etree._Element) -> str:
        return "\n".join(" ".join(line.split()) for line in self._text(element).split("\n")).strip()

    def _text(self, element: etree._Element) -> str:
        """Return the words below an element; what is anchored in it is put aside, to follow it."""
        parts = [element.text or ""]
        for one in element:
            name = local(one)
            if name in ("s", "tab"):
                parts.append(" ")
            elif name == "line-break":
                parts.append("\n")
            elif name == "note":
                parts.append(f" ({' '.join(self._text(part) for part in every(one, 'note-body'))}) ")
            elif name in _INLINE_SKIPPED:
                self._beside += self._element(one)
            elif name == "a":
                parts.append(link(self._text(one), attribute(one, "href")))
            elif name:
                parts.append(self._text(one))
            parts.append(one.tail or "")
        return "".join(parts)


def _annotation(element: etree._Element) -> str:
    stated = {local(one): one.text or "" for one in element}
    words = " ".join("".join(one.itertext()) for one in every(element, "p"))
    return comment(stated.get("creator", ""), stated.get("date", ""), words)


def _unlisted(blocks: list[str]) -> list[str]:
    """Return the blocks of a cell or a title, of which slides make a list even where it has one line."""
    alone = len(blocks) == 1 and "\n" not in blocks[0]
    return [re.sub(r"^(?:- |1\. )", "", blocks[0])] if alone else blocks


def _rows(element: etree._Element) -> Iterator[etree._Element]:
    for one in element:
        if local(one) == "table-row":
            yield one
        elif local(one) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(one)


def _repeated(element: etree._Element, name: str) -> int:
    return min(_count(element, name), _MOST_REPEATED)


def _count(element: etree._Element, name: str) -> int:
    value = attribute(element, name, "1")
    return int(value) if value.isdigit() else 1
