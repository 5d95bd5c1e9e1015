"""Word documents (docx, docm, dotx): headings, lists, tables, text boxes, formulas, charts, footnotes, comments."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from lxml import etree

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.field_codes import linked_address
from rag_platform.documents.formats.markdown_writer import (
    code,
    comment,
    heading,
    inline,
    join,
    link,
    paragraph,
    table,
    tight,
)
from rag_platform.documents.formats.office.charts import read_charts
from rag_platform.documents.formats.office.diagrams import read_diagrams
from rag_platform.documents.formats.office.drawings import leading, undescribed
from rag_platform.documents.formats.office.embedded import embedded_files
from rag_platform.documents.formats.office.formulas import latex
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.office.packages import Package, properties, told, unread
from rag_platform.documents.formats.office.word_styles import Numbering, Styles
from rag_platform.documents.formats.symbol_fonts import sign
from rag_platform.documents.formats.xml_tree import attribute, child, every, local

_NUMBER = re.compile(r"\d+[.)]")
_CODE_POINT = re.compile("[0-9A-Fa-f]{1,6}")
_MOST_COLUMNS = 200
_MARKS = {"b": "**", "i": "*", "strike": "~~"}
_OFF = frozenset(("0", "false", "off", "none"))
_CHECKED, _UNCHECKED = "- [x] ", "- [ ] "
_BESIDE = (("footnotes", "footnote"), ("endnotes", "endnote"))


def read_docx(content: bytes) -> Extracted:
    """Read a Word document.

    Raises:
        ExtractionError: It is damaged, or unpacks beyond what is allowed.
    """
    package = Package(content)
    part = next(iter(package.linked("", "officeDocument")), "word/document.xml")
    document = _Document(package, part)
    root = package.xml(part)
    bodies = [one for one in root if local(one) == "body"]
    if not bodies:
        raise ExtractionError(f"damaged Word document: {part} has no body")
    lost = document.lost
    lost["images without text"] += undescribed(root)
    lost["links"] += leading(root, package.links(part), "docPr")
    blocks = [
        *(block for body in bodies for block in document.blocks(body)),
        *read_charts(package, part),
        *read_diagrams(package, part),
    ]
    blocks += [*document.notes(), *document.comments()]
    blocks += margins(document.margins(), blocks)
    members = embedded_files(package, lost, package.linked(part, "aFChunk"))
    about = properties(package)
    about |= told(package, lost, *(["hidden text left out"] if document.hidden else []))
    return Extracted(text=join(tight(blocks)), type="docx", members=members, **about)


class _Document:
    """A document while it is read."""

    def __init__(self, package: Package, part: str) -> None:
        self._package, self._part = package, part
        self._links = package.links(part)
        self._styles, self._numbering = Styles(package, part), Numbering.of(package, part)
        self.lost, self.hidden = unread(package), False

    def blocks(self, container: etree._Element) -> list[str]:
        """Return what a body, a cell, a note or a text box holds, as Markdown blocks."""
        found: list[str] = []
        for coded, lines in groupby(container, lambda one: local(one) == "p" and self._styles.is_code(one)):
            read = self._code if coded else self._elements
            found += read(lines)
        return [block for block in found if block.strip()]

    def _code(self, lines: Iterable[etree._Element]) -> list[str]:
        read = []
        for line in lines:
            read.append(_Runs(self, plain=True))
            read[-1].walk(line)
        boxes = [inner for runs in read for box in runs.boxes for inner in self.blocks(box)]
        return [code("\n".join(runs.verbatim() for runs in read)), *boxes]

    def _elements(self, elements: Iterable[etree._Element]) -> list[str]:
        found: list[str] = []
        for element in elements:
            name = local(element)
            if name == "p":
                found += self._paragraph(element)
            elif name == "tbl":
                found += self._table(element)
            elif name in ("sdt", "ins", "smartTag", "customXml", "moveTo", "sdtContent"):
                inside = child(element, "sdtContent") if name == "sdt" else element
                found += [] if inside is None else self.blocks(inside)
        return found

    def _paragraph(self, element: etree._Element) -> list[str]:
        level = self._styles.level(element)
        runs = _Runs(self, plain=bool(level))
        runs.walk(element)
        text = runs.text()
        list_id, depth = self._styles.list_of(element)
        label = self._numbering.label(list_id, depth) if list_id and (text or not level) and text else ""
        if level:
            number = "" if label == "-" else label.rstrip(".)")
            block = heading(level, f"{number} {text}")
        elif label and text:
            block = "    " * depth + (
                f"{label} {text}" if label == "-" or _NUMBER.fullmatch(label) else f"- {label} {text}"
            )
        else:
            block = text if text.startswith(("- [", "$$")) else paragraph(text)
        boxes = [inner for box in runs.boxes for inner in self.blocks(box)]
        return [block, *boxes]

    def _table(self, element: etree._Element) -> list[str]:
        rows: list[list[str]] = []
        above: list[str] = []
        for row in _rows(element):
            cells: list[str] = []
            inner: list[list[str]] = []
            for one in _cells(row):
                about = child(one, "tcPr")
                merged = child(about, "vMerge")
                continued = merged is not None and attribute(merged, "val", "continue") == "continue"
                blocks = [] if continued else self.blocks(one)
                place = len(cells)
                text = above[place] if continued and place < len(above) else inline(blocks)
                span = attribute(child(about, "gridSpan"), "val")
                cells += [text] * min(int(span) if span.isdigit() else 1, _MOST_COLUMNS)
                inner.append(blocks)
            rows.append(cells)
            above = cells
            if len(rows) == 1:
                only = inner[0] if len(inner) == 1 else None
        if len(rows) == 1 and only is not None:  # a frame around text, not a table
            return only
        return [table(rows)]

    def address(self, identifier: str) -> str:
        """Return the address that a hyperlink leads to, "" for a place within."""
        found = self._links.get(identifier)
        return found.target if found and found.kind == "hyperlink" else ""

    def _beside(self, part: str) -> etree._Element:
        """Return the root of a part beside the text, whose links are its own."""
        self._links = self._package.links(part)
        return self._package.beside(part)

    def notes(self) -> Iterator[str]:
        """Yield footnotes and endnotes."""
        for kind, name in _BESIDE:
            for part in self._package.linked(self._part, kind)[:1]:
                for note in every(self._beside(part), name):
                    text = inline(self.blocks(note))
                    if text and attribute(note, "type") not in ("separator", "continuationSeparator"):
                        yield f"[^{attribute(note, 'id')}]: {text}"

    def margins(self) -> Iterator[tuple[str, str]]:
        """Yield what stands at the head and the foot of the pages."""
        for kind in ("header", "footer"):
            for part in sorted(self._package.linked(self._part, kind)):
                yield kind.capitalize(), inline(self.blocks(self._beside(part)))

    def comments(self) -> Iterator[str]:
        """Yield what reviewers wrote."""
        for part in self._package.linked(self._part, "comments")[:1]:
            for one in every(self._beside(part), "comment"):
                yield comment(attribute(one, "author"), attribute(one, "date"), inline(self.blocks(one)))


def _rows(element: etree._Element) -> Iterator[etree._Element]:
    for one in element:
        if local(one) == "tr":
            yield one
        elif local(one) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _rows(one)


def _cells(element: etree._Element) -> Iterator[etree._Element]:
    for one in element:
        if local(one) == "tc":
            yield one
        elif local(one) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _cells(one)


_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_DROPPED = frozenset(("pPr", "rPr", "del", "moveFrom", "delText", "sdtPr", "sdtEndPr", "fldData", "annotationRef"))


@dataclass(slots=True)
class _Field:
    """A field whose end has not come yet."""

    instruction: str = ""
    start: int | None = None
    """The part at which what it shows begins."""


class _Runs:
    """The text of a paragraph while it is read, and the text boxes anchored in it."""

    def __init__(self, document: _Document, *, plain: bool) -> None:
        self._document, self._plain = document, plain
        self._parts: list[tuple[str, str]] = []
        self._fields: list[_Field] = []
        self.boxes: list[etree._Element] = []

    def text(self) -> str:
        """Return the text; neighbours of the same emphasis share their marks."""
        while self._fields:  # those that end in another paragraph
            self._end_field()
        shown, held, marks = "", "", ""
        for mark, part in [*self._parts, ("", "")]:
            if mark != marks and (part.strip() or not part):
                shown += held if _within_word(shown[-1:], held, part[:1]) else _marked(held, marks)
                held, marks = "", mark
            held += part
        shown += _marked(held, marks)
        lines = [" ".join(line.split()) for line in shown.split("\n")]
        return "\n".join(line for line in lines if line).strip()

    def verbatim(self) -> str:
        """Return the text with all of its spaces, without marks."""
        return "".join(part for _, part in self._parts).rstrip()

    def walk(self, element: etree._Element, marks: str = "") -> None:
        """Add the content of an element."""
        for one in element:
            name = local(one)
            if name in _DROPPED:
                continue
            if name == "r":
                self._run(one)
            elif name == "t":
                self._parts.append((marks, one.text or ""))
            elif name in _SIGNS:
                self._parts.append(("", _SIGNS[name]))
            else:
                self._special(name, one, marks)

    def _run(self, run: etree._Element) -> None:
        about = child(run, "rPr")
        if _is_on(about, "vanish"):
            self._document.hidden = self._document.hidden or bool(every(run, "t"))
            return
        self.walk(run, "" if self._plain else "".join(sign for tag, sign in _MARKS.items() if _is_on(about, tag)))

    def _special(self, name: str, element: etree._Element, marks: str) -> None:
        if name in _SHOWN:
            self._parts.append(("", _SHOWN[name](element)))
        elif name in _SPECIAL:
            _SPECIAL[name](self, element, marks)
        elif len(element):
            self.walk(element, marks)

    def alternatives(self, element: etree._Element, marks: str) -> None:
        """Add the first of several forms of the same."""
        self.walk(next((one for one in element if local(one) == "Choice"), element), marks)

    def hyperlink(self, element: etree._Element, _: str) -> None:
        """Add words that lead to an address."""
        self._link(element, self._document.address(attribute(element, "id")))

    def simple_field(self, element: etree._Element, _: str) -> None:
        """Add what a field shows whose instruction stands with it."""
        self._link(element, linked_address(attribute(element, "instr")))

    def _link(self, element: etree._Element, address: str) -> None:
        start = len(self._parts)
        self.walk(element)
        self._lead(start, address)

    def _lead(self, start: int, address: str) -> None:
        """Have the parts from one on lead to an address."""
        if self._plain or not address:
            return
        inside = _Runs(self._document, plain=False)
        inside._parts = self._parts[start:]
        self._parts[start:] = [("", link(inside.text(), address))]

    def field(self, mark: etree._Element, _: str) -> None:
        """Begin a field, what it shows, or end it ([ECMA-376] 17.16.18)."""
        kind = attribute(mark, "fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
            self._form(child(mark, "ffData"))
        elif kind == "separate" and self._fields:
            self._fields[-1].start = len(self._parts)
        elif kind == "end" and self._fields:
            self._end_field()

    def _end_field(self) -> None:
        field = self._fields.pop()
        if field.start is not None:
            self._lead(field.start, linked_address(field.instruction))

    def _form(self, about: etree._Element | None) -> None:
        """Add what somebody ticked or chose in a form: a field for text shows it as text."""
        box, choices = child(about, "checkBox"), child(about, "ddList")
        if box is not None:
            stated = [one for name in ("default", "checked") if (one := child(box, name)) is not None]
            self._check(attribute(stated[-1], "val", "1") if stated else "0")
        entries = [attribute(one, "val") for one in every(choices, "listEntry")]
        chosen = attribute(child(choices, "result"), "val") or attribute(child(choices, "default"), "val", "0")
        if chosen.isdigit() and int(chosen) < len(entries):
            self._parts.append(("", entries[int(chosen)]))

    def _check(self, state: str) -> None:
        self._parts.append(("", _UNCHECKED if state in _OFF else _CHECKED))

    def instruction(self, element: etree._Element, _: str) -> None:
        """Note what the innermost field is to do."""
        for field in self._fields[-1:]:
            field.instruction += element.text or ""

    def symbol(self, element: etree._Element, marks: str) -> None:
        """Add a character of a font of signs."""
        code = attribute(element, "char")
        shown = sign(attribute(element, "font"), int(code, 16)) if _CODE_POINT.fullmatch(code) else ""
        self._parts.append((marks, shown))
        self._document.lost["characters"] += not shown

    def control(self, element: etree._Element, marks: str) -> None:
        """Add what a content control holds."""
        box = next(iter(every(child(element, "sdtPr"), "checkbox")), None)
        if box is None:
            self.walk(element, marks)
        else:
            self._check(attribute(child(box, "checked"), "val", "0"))


def _description(element: etree._Element) -> str:
    """Return what a picture shows, if a person said so."""
    text = " ".join(attribute(element, "descr").split())
    automatic = re.search(r"automatically generated|\bautomatisch\b|généré|[/\\]\w+\.\w{3,4}$", text, re.IGNORECASE)
    return f"![{text}]" if text and not automatic else ""


_SHOWN: dict[str, Callable[[etree._Element], str]] = {
    "docPr": _description,
    "endnoteReference": lambda one: f"[^{attribute(one, 'id')}]",
    "footnoteReference": lambda one: f"[^{attribute(one, 'id')}]",
    "oMath": lambda one: f" ${latex(one)}$ ",
    "oMathPara": lambda one: "".join(
        f"\n$${inner}$$\n" for inner in map(latex, (part for part in one if local(part) == "oMath")) if inner
    ),
    "textpath": lambda one: f" {attribute(one, 'string')} ",
}
_SPECIAL: dict[str, Callable[[_Runs, etree._Element, str], None]] = {
    "AlternateContent": _Runs.alternatives,
    "fldChar": _Runs.field,
    "fldSimple": _Runs.simple_field,
    "hyperlink": _Runs.hyperlink,
    "instrText": _Runs.instruction,
    "sdt": _Runs.control,
    "sym": _Runs.symbol,
    "txbxContent": lambda runs, one, _: runs.boxes.append(one),
}


def _is_on(about: etree._Element | None, name: str) -> bool:
    found = child(about, name)
    return found is not None and attribute(found, "val", "1") not in _OFF


def _marked(text: str, marks: str) -> str:
    core = text.strip()
    if not core or not marks:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{marks}{core}{_closing(marks)}{after}"


def _within_word(before: str, text: str, after: str) -> bool:
    """Return whether text begins or ends within a word: marks there would cut it in two."""
    return (before.isalnum() and text[:1].isalnum()) or (text[-1:].isalnum() and after.isalnum())


def _closing(marks: str) -> str:
    return marks[::-1]
