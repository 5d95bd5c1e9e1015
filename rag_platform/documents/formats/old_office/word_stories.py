"""The texts of an old Word document (doc): the main one, and those of notes, margins, comments and boxes after it.

[MS-DOC] 2.3 calls them document parts, 2.4.1 tells how pieces make them up, 2.8 how plexes cut them.
"""

import re
import struct
from collections.abc import Iterator
from itertools import pairwise

from rag_platform.documents.formats.old_office.summaries import BROKEN
from rag_platform.documents.formats.old_office.word_paragraphs import Paragraphs, Piece
from rag_platform.documents.formats.old_office.word_tables import END, MARK, ROW, WITHIN

_UNSAID = re.compile(f"[{MARK}{END}{ROW}{WITHIN}]")

_COUNTS = 0x4C
"""Of characters: main, notes, margins, macros, comments, endnotes, boxes, boxes in margins; 4 bytes each."""
_PLEXES = 0x9A
_NOTES, _ENDNOTES, _COMMENTS, _MARGINS, _PIECES = (2, 3), (46, 47), (4, 5), 11, 33
"""Which pair of place and length in the header tells of what; of notes: where they are called, what they say."""
_SEPARATORS = 6
"""Texts before those of the first section: the lines above notes."""
_KINDS = ("Header", "Header", "Footer", "Footer", "Header", "Footer")
_PAGES = {0x19: "cp1251", 0x22: "cp1251", 0x08: "cp1253", 0x1F: "cp1254", 0x15: "cp1250", 0x05: "cp1250"}
"""The code pages of languages, by the lower bits of their number."""


_CHARSETS = {161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
             222: "cp874", 238: "cp1250"}  # fmt: skip
"""The code pages of the character sets of fonts."""
_FONTS = 0xD0
"""Where the header of Word 6 tells of the fonts."""
_FOREIGN = re.compile(rb"[\xc0-\xff]{3,}")
"""Letters of a code page in which whole words stand beyond ASCII; in Western ones so many are never side by side."""
_FAST_SAVED, _WIDE = 0x0004, 0x1000
"""Then the text lies in pieces; then each character has two bytes."""


class Stories:
    """The texts of a document of Word 97 or later.

    Raises:
        struct.error, IndexError: It is damaged.
    """

    def __init__(self, main: bytes, table: bytes) -> None:
        self._header, self._table = main, table
        place, size = self._place(_PIECES)
        pieces = list(_pieces(table[place : place + size]))
        whole = _UNSAID.sub(" ", _pieced(main, pieces))
        self.unstyled = False
        """Whether the tables of styles and lists are damaged."""
        whole, marks = self._laid_out(whole, pieces)
        counts = struct.unpack_from("<8i", main, _COUNTS)
        ends = [sum(counts[: number + 1]) for number in range(len(counts))]
        texts = [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        calls = [(at, mark) for at, mark in marks if at < counts[0]]
        self.main, self.notes = self._called(texts[0], texts[1], texts[5], calls)
        self.comments = [text for text in self._cut(texts[4], _COMMENTS[1]) if text.strip("\x05 \r")]
        self.margins = [*self._of_sections(texts[2]), ("Header", texts[7])]
        """("Header" or "Footer", text)."""
        self.boxes = [texts[6]]

    def _laid_out(self, whole: str, pieces: list[Piece]) -> tuple[str, list[tuple[int, str]]]:
        """Return the text that tells where rows end, and where headings and items begin with what marks them."""
        try:
            said = Paragraphs(whole, pieces, self._header, self._table, self._place)
        except BROKEN:
            self.unstyled = True
            return whole, []
        return said.text, [(at, f"{MARK}{mark}{END}") for at, mark in said.marks]

    def _called(
        self, main: str, notes: str, endnotes: str, calls: list[tuple[int, str]]
    ) -> tuple[str, list[tuple[str, str]]]:
        """Return the main text with the marks of its paragraphs and its notes, and each label with what a note says."""
        found: list[tuple[str, str]] = []
        for text, (called, said) in ((notes, _NOTES), (endnotes, _ENDNOTES)):
            for at, words in zip(self._plex(called, 2)[:-1], self._cut(text, said), strict=False):
                found.append((f"{len(found) + 1}", words))
                calls.append((at, f"[^{len(found)}]"))
        parts, done = [], 0
        for place, label in sorted(calls):
            at = max(place, done)
            parts += [main[done:at], label]
            done = at + (main[at : at + 1] == "\x02" and label[0] != MARK)  # a mark of the author's own stays
        return "".join((*parts, main[done:])), found

    def _of_sections(self, text: str) -> Iterator[tuple[str, str]]:
        for number, words in enumerate(self._cut(text, _MARGINS)[_SEPARATORS:]):
            yield _KINDS[number % len(_KINDS)], words

    def _cut(self, text: str, plex: int) -> list[str]:
        places = self._plex(plex, 0)
        return [text[start:end] for start, end in pairwise(places)]

    def _plex(self, number: int, width: int) -> list[int]:
        """Return the positions of a plex, each of which but the last has `width` bytes of data."""
        place, size = self._place(number)
        count = (size - 4) // (4 + width) + 1 if size >= 4 else 0
        return list(struct.unpack_from(f"<{count}i", self._table, place)) if count else []

    def _place(self, number: int) -> tuple[int, int]:
        place, size = struct.unpack_from("<ii", self._header, _PLEXES + 8 * number)
        return place, size


def _pieced(main: bytes, pieces: list[Piece]) -> str:
    """Return all characters, pieced together in order."""
    parts = []
    for where, letters in pieces:
        wide, start = not where & 0x40000000, where & 0x3FFFFFFF
        if wide:
            parts.append(main[start : start + 2 * letters].decode("utf-16-le", "replace"))
        else:
            parts.append(main[start // 2 : start // 2 + letters].decode("cp1252", "replace"))
    return "".join(parts)


def _pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the place of each piece and how many characters it has."""
    at = 0
    while data[at] == 1:  # properties that come before the piece table
        at += 3 + struct.unpack_from("<H", data, at + 1)[0]
    count = (struct.unpack_from("<i", data, at + 1)[0] - 4) // 12
    ends = struct.unpack_from(f"<{count + 1}i", data, at + 5)
    for number in range(count):
        where = struct.unpack_from("<I", data, at + 5 + 4 * (count + 1) + 8 * number + 2)[0]
        yield where, ends[number + 1] - ends[number]


def word_6_text(main: bytes) -> str:
    """Return the characters of a document of Word 6 or 95, in the code page of its language or of its fonts.

    Raises:
        struct.error, IndexError: It is damaged.
    """
    language, flags = struct.unpack_from("<HxxH", main, 0x06)
    start, count = struct.unpack_from("<I", main, 0x18)[0], struct.unpack_from("<I", main, 0x34)[0]
    whole, width = main[start:], 2 if flags & _WIDE else 1
    if flags & _FAST_SAVED:
        at, size = struct.unpack_from("<II", main, 0x160)
        whole = b"".join(main[where : where + width * letters] for where, letters in _pieces(main[at : at + size]))
    text = whole[: width * count]
    return _UNSAID.sub(" ", text.decode("utf-16-le" if width == 2 else _code_page(main, language, text), "replace"))


def _code_page(main: bytes, language: int, text: bytes) -> str:
    """Return the code page of a language, or where the words look foreign, that of the first font that has another."""
    known = _PAGES.get(language & 0x3FF, "cp1252")
    foreign = sum(map(len, _FOREIGN.findall(text)))
    if known != "cp1252" or 2 * foreign <= sum(byte >= 0xC0 for byte in text):
        return known
    return next((_CHARSETS[one] for one in _character_sets(main) if one in _CHARSETS), known)


def _character_sets(main: bytes) -> Iterator[int]:
    """Yield the character set of each font: in what follows its length, the third byte after two of weight."""
    place, size = struct.unpack_from("<II", main, _FONTS)
    at = place + 2
    while at + 4 < min(place + size, len(main)):
        yield main[at + 4]
        at += main[at] + 1
