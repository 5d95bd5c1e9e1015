"""Which paragraphs of an old Word document (doc) are headings, items, cells: [MS-DOC] 2.4.6.1, 2.9.175."""

import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator

from rag_platform.documents.formats.old_office.word_lists import numbering, style_sheet
from rag_platform.documents.formats.old_office.word_properties import Properties, changed
from rag_platform.documents.formats.old_office.word_tables import CELL, ROW, WITHIN

_STYLES, _PLACES, _LISTS, _USED = 1, 13, 73, 74
_PAGE, _ENTRY = 512, 13
_ENDS = re.compile(r"[\r\x07\x0c]")

Piece = tuple[int, int]
"""Place in the stream, with the bit that says that its characters have one byte; number of characters."""


class Paragraphs:
    """What the paragraphs of a text are, where its tables of styles and lists say so."""

    def __init__(
        self, text: str, pieces: list[Piece], main: bytes, table: bytes, place: Callable[[int], tuple[int, int]]
    ) -> None:
        """Take over what the tables say.

        Args:
            text: All of the document's texts.
            pieces: What makes them up.
            main: The stream of the document.
            table: The stream of its tables.
            place: Where in it a table lies, by its number in the header.

        Raises:
            struct.error, IndexError, KeyError: The tables are damaged.
        """
        start, size = place(_STYLES)
        styles = style_sheet(table[start : start + size])
        lists = numbering(table, place(_LISTS), place(_USED))
        bounds, said = _stored(main, table, *place(_PLACES))
        parts: list[str] = []
        self.marks: list[tuple[int, str]] = []
        """Where a heading or an item begins, with what stands before it ("## ", "- ", "### 1.2 "), or a row ends."""
        start = 0
        for end, where in _ends(text, pieces):
            number = bisect_right(bounds, where) - 1
            style, changes = said[number] if 0 <= number < len(said) else (0, b"")
            about = changed(styles.get(style, Properties()), changes)
            words = text[start:end]
            if words.strip() and (mark := _mark(about, lists.label)):
                self.marks.append((start, mark))
            if about.row and text[end] == CELL:
                self.marks.append((end, about.row))
            parts += [words, _end(text[end], about)]
            start = end + 1
        self.text = "".join((*parts, text[start:]))
        """The text, as long as it was: each row of a table ends with `ROW`, a paragraph in a cell with `WITHIN`."""


def _end(sign: str, about: Properties) -> str:
    if sign == CELL:
        return ROW if about.ends_row else CELL
    return WITHIN if about.in_table else sign


def _mark(about: Properties, label: Callable[[str, int], str]) -> str:
    shown = label(str(about.list_number), about.list_level) if about.list_number else ""
    if about.heading is not None:
        number = "" if shown == "-" else shown.rstrip(".)")
        return f"{'#' * min(about.heading + 1, 6)} {number} ".replace("  ", " ")
    if not shown:
        return ""
    item = shown if shown == "-" or re.fullmatch(r"\d+[.)]", shown) else f"- {shown}"
    return f"{'    ' * about.list_level}{item} "


def _ends(text: str, pieces: list[Piece]) -> Iterator[tuple[int, int]]:
    """Yield the end of each paragraph: its place in the text, and in the stream."""
    begins, first = [], 0
    for _, letters in pieces:
        begins.append(first)
        first += letters
    for found in _ENDS.finditer(text):
        number = bisect_right(begins, found.start()) - 1
        where, beyond = pieces[number][0], found.start() - begins[number]
        start = where & 0x3FFFFFFF
        yield found.start(), start // 2 + beyond if where & 0x40000000 else start + 2 * beyond


def _stored(main: bytes, table: bytes, place: int, size: int) -> tuple[list[int], list[tuple[int, bytes]]]:
    """Return where each run of paragraphs begins in the stream, with its style and what it changes of that."""
    count = (size - 4) // 8
    numbers = struct.unpack_from(f"<{count}I", table, place + 4 * (count + 1)) if count > 0 else ()
    bounds: list[int] = []
    said: list[tuple[int, bytes]] = []
    for number in numbers:
        page = main[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
        runs = page[-1]
        bounds += struct.unpack_from(f"<{runs}I", page)
        said += [_run(page, 2 * page[4 * (runs + 1) + _ENTRY * one]) for one in range(runs)]
    return bounds, said


def _run(page: bytes, at: int) -> tuple[int, bytes]:
    """Return the style of a run of paragraphs and what it changes; place 0 says nothing."""
    if not at:
        return 0, b""
    begin, size = (at + 1, 2 * page[at] - 1) if page[at] else (at + 2, 2 * page[at + 1])
    return struct.unpack_from("<H", page, begin)[0], page[begin + 2 : begin + size]
