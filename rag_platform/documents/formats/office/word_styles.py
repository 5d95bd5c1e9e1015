"""What Word keeps beside a text: which paragraphs are headings, and the numbers of lists and headings."""

import re
from dataclasses import dataclass, field

from lxml import etree

from rag_platform.documents.formats.office.packages import Package
from rag_platform.documents.formats.xml_tree import attribute, child, every, local

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|otsikko|nagłówek|заголовок)\s*([1-9])", re.IGNORECASE
)
_CODE = re.compile(
    r"(?:source |program )?code(?: ?block)?|(?:html )?preformatted(?: text)?|macro text|listing|verbatim"
)
_LEVELS = 9


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style."""

    name: str
    based_on: str
    outline: int | None
    """Level of heading that it makes, from 1."""
    list_id: str
    list_level: int


class Styles:
    """The paragraph styles of a document, by their ids."""

    def __init__(self, package: Package, part: str) -> None:
        self._styles: dict[str, Style] = {}
        for name in package.linked(part, "styles")[:1]:
            for style in every(package.beside(name), "style"):
                about = child(style, "pPr")
                self._styles[attribute(style, "styleId")] = Style(
                    attribute(child(style, "name"), "val").lower(),
                    attribute(child(style, "basedOn"), "val"),
                    outline_level(about),
                    *list_place(about),
                )

    def level(self, paragraph: etree._Element) -> int:
        """Return the level of a heading, 1 for the document's title, 2 for "Heading 1"; 0: it is none."""
        about = child(paragraph, "pPr")
        own = outline_level(about)
        if own is not None:
            return own + 1
        for style in self._chain(attribute(child(about, "pStyle"), "val")):
            found = named_level(style.name, style.outline)
            if found:
                return found
        return 0

    def list_of(self, paragraph: etree._Element) -> tuple[str, int]:
        """Return the list that a paragraph belongs to, "" for none, and its level there."""
        about = child(paragraph, "pPr")
        own, level = list_place(about)
        if own:
            return ("" if own == "0" else own), level
        for style in self._chain(attribute(child(about, "pStyle"), "val")):
            if style.list_id:
                return ("" if style.list_id == "0" else style.list_id), style.list_level
        return "", 0

    def is_code(self, paragraph: etree._Element) -> bool:
        """Return whether a paragraph is a line of code, whose spaces count."""
        style = attribute(child(paragraph, "pPr", "pStyle"), "val")
        return any(_CODE.fullmatch(one.name) for one in self._chain(style)) and not self.level(paragraph)

    def _chain(self, name: str) -> list[Style]:
        found: list[Style] = []
        while (style := self._styles.get(name)) and style not in found:
            found.append(style)
            name = style.based_on
        return found


def named_level(name: str, outline: int | None) -> int:
    """Return the level of heading that a style makes: 1 for the title, 2 for "heading 1" or outline 1; 0: none."""
    if name == "title":
        return 1
    named = _HEADING.fullmatch(name)
    found = int(named[1]) if named else outline
    return 0 if found is None else found + 1


def outline_level(about: etree._Element | None) -> int | None:
    """Return the heading level that paragraph properties state, from 1."""
    value = attribute(child(about, "outlineLvl"), "val")
    return int(value) + 1 if value.isdigit() and int(value) < _LEVELS else None


def list_place(about: etree._Element | None) -> tuple[str, int]:
    """Return the list and level that paragraph properties state."""
    numbered = child(about, "numPr")
    level = attribute(child(numbered, "ilvl"), "val")
    return attribute(child(numbered, "numId"), "val"), min(int(level), _LEVELS - 1) if level.isdigit() else 0


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list."""

    kind: str
    """Of numbers: "decimal", "upperRoman", "lowerLetter" …, "bullet", "none"."""
    pattern: str
    """What is shown; "%1" stands for the number of the first level."""
    start: int


@dataclass(slots=True)
class Numbering:
    """The lists of a document: gives each item the number that Word shows."""

    _levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    _abstract: dict[str, str] = field(default_factory=dict)
    _counts: dict[str, list[int]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, package: Package, part: str) -> "Numbering":
        """Read the lists of a document."""
        found = cls()
        for name in package.linked(part, "numbering")[:1]:
            root = package.beside(name)
            shared = {attribute(one, "abstractNumId"): _levels(one) for one in root if local(one) == "abstractNum"}
            for number in (one for one in root if local(one) == "num"):
                key, base = attribute(number, "numId"), attribute(child(number, "abstractNumId"), "val")
                found.add(key, base, {**shared.get(base, {}), **_levels(number)})
        return found

    def add(self, list_id: str, shared: str, levels: dict[int, Level]) -> None:
        """Add a list: those that share the same go on counting where another one of them ended."""
        self._abstract[list_id], self._levels[list_id] = shared, levels

    def label(self, list_id: str, level: int) -> str:
        """Count an item and return its label: "-" for a bullet, "" for nothing, or its number."""
        levels = self._levels.get(list_id, {})
        about = levels.get(level)
        if about is None:
            return "-"
        counts = self._counts.setdefault(self._abstract[list_id], [])
        if list_id not in self._seen:  # a list of its own begins anew where it says so
            self._seen.add(list_id)
            del counts[level:]
        counts += [levels[place].start if place in levels else 1 for place in range(len(counts), level)]
        counts[level:] = [counts[level] + 1 if len(counts) > level else about.start]
        if about.kind == "bullet":
            return "-"
        if about.kind == "none" or not about.pattern:
            return ""
        kinds = [levels[place].kind if place in levels else "decimal" for place in range(level + 1)]
        shown = re.sub(r"%([1-9])", lambda hole: _shown(counts, kinds, int(hole[1]) - 1), about.pattern)
        return shown.strip()


def _levels(element: etree._Element) -> dict[int, Level]:
    found = {}
    for one in every(element, "lvl"):
        start, place = attribute(child(one, "start"), "val"), attribute(one, "ilvl")
        if place.isdigit():
            kind, pattern = attribute(child(one, "numFmt"), "val", "decimal"), attribute(child(one, "lvlText"), "val")
            found[int(place)] = Level(kind, pattern, int(start) if start.isdigit() else 1)
    return found


def _shown(counts: list[int], kinds: list[str], place: int) -> str:
    if place >= len(counts):
        return "1"
    count, kind = counts[place], kinds[place] if place < len(kinds) else "decimal"
    if kind.endswith("Letter"):
        letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letters.upper() if kind.startswith("upper") else letters
    if kind.endswith("Roman"):
        return _roman(count).upper() if kind.startswith("upper") else _roman(count)
    return str(count)


def _roman(count: int) -> str:
    values = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
    shown = ""
    for value, letters in (*values, (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        shown += letters * (count // value)
        count %= value
    return shown
