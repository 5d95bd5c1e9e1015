"""The sentences of a text, in any script, with exact positions.

Text enters; spans leave: ``text[sentence.start:sentence.end]`` is the sentence, without the white space around it.
Headings, list items, table rows and lines of code are sentences of their own. `structure` also cuts at sentences, but
into units that leave no gap and say how good a place to cut each end is: what it cuts is stored, as chunks.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

Kind = Literal["prose", "heading", "item", "row", "code"]


class Sentence(NamedTuple):
    """A sentence's place in its text."""

    start: int
    end: int
    kind: Kind


_HEADING = re.compile(r" {0,3}#{1,6}\s+(?=\S)")
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,})\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪·–]|\d{1,3}[.)]|[a-z][.)])\s+(?=\S)")
_ROW = re.compile(r"\s*\|.*\|\s*$|.*\|.*\|")
_RULE = re.compile(r"[\s|:=*_~-]*$")  # a table's separator, a horizontal rule, an underline
_FENCE = re.compile(r"\s*(?:```|~~~)")
_QUOTE = re.compile(r"\s*(?:>\s?)+")

# A full stop that ends a sentence whatever follows: CJK, danda, Urdu, Arabic question mark, Armenian, Ethiopic,
# Burmese, Khmer, Tibetan; with the closing quotes and brackets that belong to it.
_HARD_STOP = re.compile(r"[。！？｡।॥۔؟։።၊။។༎]+[\"'”’»›」』】）》)\]]*")
# Elsewhere a full stop ends a sentence when white space and no small letter follow.
_SOFT_STOP = re.compile(r"(?:(?<![.!?…])[.!?…]++)[\"'”’»›)\]]*+\s++(?=[^\sa-zà-öø-ÿа-я])")
# Abbreviations after which a sentence goes on, in the languages that write them with a full stop.
_GOES_ON = re.compile(
    r"(?:^|[\s(\"'“„«])(?:[A-ZА-ЯÀ-Þ]|Sra?|Srta|Dra?|Prof|Mrs?|Ms|Mme|Mlle|Hr|Fr|St|No|Nr|Nos|Figs?|Eqs?|Secs?|Abs|Art"
    r"|vs|cf|ca|approx|al|e\.g|i\.e|z\.B|u\.a|d\.h|p\.ej|p\.ex|bzw|vgl|डॉ|प्रो|श्री|सुश्री|т\.е|т\.д|им|г)\.\s*$"
)
_LONGEST_ABBREVIATION = 16
_LONGEST_END = 1000
"""Characters of white space, at most, that may follow it."""


@lru_cache(maxsize=1024)
def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Split a text, also Markdown with hard-wrapped lines, into its sentences, in order; they never overlap."""
    found = []
    for start, end, kind in _units(text):
        pieces = [(start, end)] if kind in ("heading", "row", "code") else _pieces(text, start, end)
        for left, right in pieces:
            left, right = _trim(text, left, right)  # noqa: PLW2901
            if any(letter.isalnum() for letter in text[left:right]):
                found.append(Sentence(left, right, kind))
    return tuple(found)


# --- units: what Markdown keeps apart ------------------------------------------------------------------


def _units(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Yield paragraphs, headings, list items, table rows and lines of code."""
    open_start, open_end = -1, -1
    open_kind: Kind = "prose"
    in_code = False
    for start, end in _lines(text):
        line = text[start:end]
        kind, skip = _kind(line, in_code)
        goes_on = kind == "prose" and open_start >= 0 and line.strip()
        if goes_on:
            open_end = end
            continue
        if open_start >= 0:
            underlined = _UNDERLINE.match(line) and _short(text, open_start, open_end)
            yield open_start, open_end, "heading" if underlined else open_kind
        open_start = -1
        if _FENCE.match(line):
            in_code = not in_code
        elif kind in ("heading", "row", "code"):
            yield start + skip, end, kind
        elif kind in ("prose", "item") and line.strip():
            open_start, open_end, open_kind = start + skip, end, kind
    if open_start >= 0:
        yield open_start, open_end, open_kind


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _kind(line: str, in_code: bool) -> tuple[Kind | None, int]:
    """Return what a line is, None where there is nothing to read, and how many characters of markup it begins with."""
    if _FENCE.match(line) or (not in_code and _RULE.match(line)):
        return None, 0
    if in_code:
        return "code", 0
    if heading := _HEADING.match(line):
        return "heading", heading.end()
    if item := _ITEM.match(line):
        return "item", item.end()
    if _ROW.match(line):
        return "row", 0
    quote = _QUOTE.match(line)
    return "prose", quote.end() if quote else 0


def _short(text: str, start: int, end: int) -> bool:
    return "\n" not in text[start:end] and end - start <= 120


# --- sentences of one unit -----------------------------------------------------------------------------


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split one paragraph; the pieces follow each other without a gap."""
    stops = (stop.end() for pattern in (_HARD_STOP, _SOFT_STOP) for stop in pattern.finditer(text, start, end))
    return _join_abbreviations(text, list(pairwise(sorted({start, *stops, end}))))


def _join_abbreviations(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Undo cuts after an abbreviation, and before what closes a sentence."""
    joined: list[tuple[int, int]] = []
    for start, end in pieces:
        rest = text[start:end].strip()
        closes = not any(letter.isalnum() for letter in rest)
        if joined and (closes or _goes_on(text, *joined[-1])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _goes_on(text: str, start: int, end: int) -> bool:
    """Return whether a piece ends with an abbreviation; only its end is looked at, however long it has become."""
    _, end = _trim(text, max(start, end - _LONGEST_END), end)
    near = max(start, end - _LONGEST_ABBREVIATION)
    found = _GOES_ON.search(text[start:end]) if near == start else _GOES_ON.search(text, near, end)
    return found is not None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
