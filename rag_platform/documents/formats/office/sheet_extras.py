"""What a workbook keeps beside its values: charts, text boxes, diagrams, comments, links, margins of pages."""

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import chain

from rag_platform.documents.extracted import Lost
from rag_platform.documents.formats.markdown_writer import comment, paragraph
from rag_platform.documents.formats.office.charts import read_charts
from rag_platform.documents.formats.office.diagrams import read_diagrams
from rag_platform.documents.formats.office.drawings import leading
from rag_platform.documents.formats.office.packages import Link, Package
from rag_platform.documents.formats.office.sheet_tables import Links
from rag_platform.documents.formats.office.stray_cells import place_of
from rag_platform.documents.formats.xml_tree import attribute, every

_FORMULA = re.compile(
    rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b[^<>]*?(?:/>|>([^<]*)</(?:\w+:)?f>)"
    rb"\s*(?:<(?:\w+:)?v\b[^<>]*?(?:/>|>([^<]*)<))?"
)
"""A cell's attributes, its formula and its value."""
_HYPERLINK = re.compile(r'(?:of:=)?\s*HYPERLINK\(\s*"([^"]*)"\s*(?:[,;]\s*(?:"([^"]*)"\s*|.*))?\)\s*', re.DOTALL)
_LINK = re.compile(rb"<(?:\w+:)?hyperlink\b([^<>]*)>")
_MARGIN = re.compile(rb"<(?:\w+:)?(?:odd|even|first)(Header|Footer)\b[^<>]*>([^<]*)<")
_LOOKS = re.compile(r'&(?:"[^"]*"|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|\d{1,3}|[BIUESXYOH])')
"""How the words of a margin look ([ECMA-376] 18.3.1.46)."""
_NAMED = re.compile("&[LCRDTAFZG]")
"""What begins at the left, in the middle and at the right; dates and names."""
_COUNTED = re.compile(r"(?<!\w)\w* ?&P(?:[+-]\d+)?(?: ?\S{1,5} ?&N)?|&N")
"""The number of a page, with what says so: "Page 1 of 7"."""

_Made = tuple[tuple[int, int], str, str]
"""The place of a link, its words, and its address."""


@dataclass(slots=True)
class Extras:
    """What stands beside the values of a workbook."""

    blocks: dict[str, list[str]] = field(default_factory=dict)
    """By the name of the sheet."""
    links: dict[str, Links] = field(default_factory=dict)
    margins: list[tuple[str, str]] = field(default_factory=list)
    """At the head and the foot of printed pages: ("Header" or "Footer", text)."""


def read_extras(package: Package, lost: Counter[Lost]) -> Extras:
    """Return what stands beside the values of each sheet that is shown; what is not kept is counted."""
    part = next(iter(package.linked("", "officeDocument")), "xl/workbook.xml")
    found = Extras()
    if part not in package.names or posixpath.splitext(part)[1] != ".xml":
        return found
    links, book = package.links(part), package.beside(part)
    awaited = any(attribute(one, "fullCalcOnLoad") in ("1", "true") for one in every(book, "calcPr"))
    for sheet in every(book, "sheet"):
        link, name = links.get(attribute(sheet, "id")), attribute(sheet, "name")
        if link and link.target in package.names and attribute(sheet, "state") not in ("hidden", "veryHidden"):
            blocks = [block for one in package.linked(link.target, "drawing") for block in _drawn(package, one, lost)]
            found.blocks[name] = [*blocks, *_comments(package, part, link.target)]
            content = package.read(link.target)
            after = content[max(content.rfind(b"sheetData"), 0) :]  # where links and margins stand
            made = chain(_links(package.links(link.target), after), _formulas(content, lost, awaited=awaited))
            found.links[name] = _by_place(made)
            found.margins += _margins(after)
    return found


def _by_place(made: Iterable[_Made]) -> Links:
    found = defaultdict[tuple[int, int], list[tuple[str, str]]](list)
    for place, words, address in made:
        found[place].append((words, address))
    return found


def _links(targets: Mapping[str, Link], content: bytes) -> Iterator[_Made]:
    """Yield where a sheet has links, and to what addresses."""
    for about in _LINK.findall(content):
        target = targets.get(_stated(about, "id"))
        if target and target.kind == "hyperlink":
            yield _place(about), "", target.target


def link_of(formula: str) -> tuple[str, str] | None:
    """Return the words and the address of the link that a formula makes; None: it makes none, or calculates it."""
    found = _HYPERLINK.fullmatch(formula)
    return (found[2] or found[1], found[1]) if found else None


def _formulas(content: bytes, lost: Counter[Lost], *, awaited: bool) -> Iterator[_Made]:
    """Yield where formulas make links, of what words, and to what addresses; those without a value are counted.

    Args:
        content: Of the sheet.
        lost: Counts links whose address is calculated too.
        awaited: Nothing was calculated yet: programs that cannot do it leave values out, or write 0.
    """
    for found in _FORMULA.finditer(content):
        about, formula, value = found.groups(b"")
        made = link_of(_text(formula)) if b"HYPERLINK(" in formula else None
        if made:
            yield _place(about), *made
            continue
        missing = not value.strip() and _stated(about, "t") != "str"
        lost["uncalculated formulas"] += missing or (awaited and value.strip() == b"0")
        lost["links"] += b"HYPERLINK(" in formula


def _margins(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield what is printed at the head and the foot of a sheet's pages, without numbers of pages, dates and names."""
    for kind, codes in _MARGIN.findall(content):
        words = _NAMED.sub(" ", _LOOKS.sub("", _text(codes).replace("&&", "\0")))
        yield kind.decode(), _COUNTED.sub(" ", " ".join(words.split())).replace("\0", "&")


def _text(content: bytes) -> str:
    return unescape(content.decode("utf-8", "replace"))


def _stated(about: bytes, name: str) -> str:
    """Return an attribute of a tag by its name without a namespace."""
    found = re.search(rf"""(?:^|[\s:]){name}=["']([^"']*)""", _text(about))
    return found[1] if found else ""


def _place(about: bytes) -> tuple[int, int]:
    """Return the row and the column, from 0, of a cell, or of the first one of a range."""
    row, column = place_of((_stated(about, "r") or _stated(about, "ref")).partition(":")[0])
    return row - 1, column - 1


def _drawn(package: Package, drawing: str, lost: Counter[Lost]) -> Iterator[str]:
    """Yield the text boxes, charts and diagrams of a drawing, and how its pictures are described."""
    root = package.beside(drawing)
    for shape in every(root, "txBody"):
        lines = ("".join(text.text or "" for text in every(line, "t")) for line in every(shape, "p"))
        yield paragraph("\n\n".join(filter(str.strip, lines)))
    for picture in every(root, "pic"):
        said = next((attribute(one, "descr") for one in every(picture, "cNvPr")), "")
        lost["images without text"] += not said
        yield f"![{' '.join(said.split())}]" if said else ""
    lost["links"] += leading(root, package.links(drawing))
    yield from read_charts(package, drawing)
    yield from read_diagrams(package, drawing)


def _comments(package: Package, book: str, part: str) -> Iterator[str]:
    """Yield the threads of a sheet, and those notes that are no copy of one."""
    people = {
        attribute(one, "id"): attribute(one, "displayName")
        for place in package.linked(book, "person")
        for one in every(package.beside(place), "person")
    }
    threads = package.linked(part, "threadedComment")
    for place in threads:
        for one in every(package.beside(place), "threadedComment"):
            words = " ".join(text.text or "" for text in every(one, "text"))
            yield comment(people.get(attribute(one, "personId"), ""), attribute(one, "dT"), words)
    for place in package.linked(part, "comments"):
        root = package.beside(place)
        names = [author.text or "" for author in every(root, "author")]
        for one in every(root, "comment"):
            who = attribute(one, "authorId")
            name = names[int(who)] if who.isdigit() and int(who) < len(names) else ""
            if not name.startswith("tc="):  # Excel's copy of a thread, for programs that know no threads
                yield comment(name, "", "".join(text.text or "" for text in every(one, "t")))
