"""The words of a PDF's page, put together from PDFium's characters, and which of them nobody can see."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Placing, Word

Glyph = tuple[str, float, float, float, float]
"""A character, and its box in PDFium's coordinates: left, bottom, right, top."""

_SPECK = 2.0
"""Points; smaller text is not meant to be read."""
_MOST_CHARACTERS = 2_000_000
"""Characters of one page."""


def write_words(page: Page, content: Any, place: Placing, painted: list[Box]) -> None:
    """Put PDFium's characters together to words and lines."""
    raw = content.raw
    unseen: list[Line] = []
    line: Line | None = None
    sideways = letters = 0
    for start, text, box, ends in _words(raw, on_its_side=place.on_its_side):
        word, look = Word(text, *place(*box)), _Look.at(raw, start)
        hidden = _out_of_sight(look, word, page, painted)
        page.hidden += hidden
        if len(text) > 2:
            letters += 1
            sideways += word.x1 - word.x0 < 0.7 * (word.bottom - word.top)
        if line is None or line.hidden != hidden or _apart(line, word):
            line = Line([], hidden=hidden)
            (unseen if hidden else page.lines).append(line)
        line.add(word, size=look.size, bold=look.bold)
        line = None if ends else line
    if not page.lines and page.hidden:  # there is no other text: somebody wrote it for programs to read
        page.lines, page.hidden = unseen, 0
    if sideways > letters / 2:
        page.plain = content.get_text_bounded()


def _words(raw: Any, *, on_its_side: bool) -> Iterator[tuple[int, str, Box, bool]]:
    """Yield (place of its first character, text, box, whether its line ends) of each word."""
    count = min(pdfium_c.FPDFText_CountChars(raw), _MOST_CHARACTERS)
    box, start = pdfium_c.FS_RECTF(), -1
    glyphs: list[Glyph] = []
    for place in range(count):
        code = pdfium_c.FPDFText_GetUnicode(raw, place)
        if code in _BREAKS:
            if glyphs:
                yield start, *_word(glyphs), code not in _SPACES
            glyphs, start = [], -1
            continue
        pdfium_c.FPDFText_GetLooseCharBox(raw, place, box)
        now = (_LINE_END if code in _HYPHENS else _letter(code), box.left, box.bottom, box.right, box.top)
        if glyphs and _leaves(glyphs[-1][1:], now[1:], on_its_side):
            yield start, *_word(glyphs), False
            glyphs, start = [], -1
        start = place if start < 0 else start
        glyphs.append(now)
        if code in _HYPHENS:
            yield start, *_word(glyphs), True
            glyphs, start = [], -1
    if glyphs:
        yield start, *_word(glyphs), True


_SPACES = frozenset((32, 0xA0))
_BREAKS = frozenset((0, 9, 10, 13)) | _SPACES
_HYPHENS = frozenset((2, 0xFFFE))
"""How PDFium writes a hyphen that ends a line."""
_LINE_END = "-"


def _letter(code: int) -> str:
    return "" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


_FAR = 1.5
"""Times the height of a letter: no word has such a gap, though PDFium at times sees none."""


def _leaves(before: Box, now: Box, on_its_side: bool) -> bool:
    """Return whether the next character is not beside the one before it."""
    along, across = (1, 0) if on_its_side else (0, 1)  # the left or the lower edge
    height = max(before[across + 2] - before[across], now[across + 2] - now[across], 1.0)
    away = max(now[along] - before[along + 2], before[along] - now[along + 2])
    return away > _FAR * height or (away > height and abs(now[across] - before[across]) > 0.8 * height)


def _word(glyphs: list[Glyph]) -> tuple[str, Box]:
    """Join the characters; those of one glyph share its box, and PDFium turns them around when it runs leftwards."""
    letters = [glyph[0] for glyph in glyphs]
    for place in range(1, len(glyphs)):
        pair = letters[place - 1], letters[place]
        if glyphs[place - 1][1:] == glyphs[place][1:] and pair[1] == "\u0644" and pair[0] in "اأإآٱ":
            letters[place - 1], letters[place] = letters[place], letters[place - 1]
    left, bottom, right, top = zip(*(glyph[1:] for glyph in glyphs), strict=True)
    return "".join(letters), (min(left), min(bottom), max(right), max(top))


def _apart(line: Line, word: Word) -> bool:
    """Return whether a word is not part of the line: at another height, or beyond a wide gap."""
    last = line.words[-1]
    height = max(last.bottom - last.top, word.bottom - word.top, 1.0)  # the higher: an exponent stays with its number
    if abs(word.middle - last.middle) > 0.6 * height:
        return True
    gap = max(word.x0 - last.x1, last.x0 - word.x1)
    return gap > max(1.1 * (line.size or height), 6.0)


@dataclass(slots=True)
class _Look:
    """How a character is shown."""

    size: float
    bold: bool
    clear: bool
    """Without any colour."""
    white: bool

    @classmethod
    def at(cls, raw: Any, place: int) -> "_Look":
        drawn = pdfium_c.FPDFText_GetTextObject(raw, place)
        mode = pdfium_c.FPDFTextObj_GetTextRenderMode(drawn) if drawn else 0
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        filled = pdfium_c.FPDFText_GetFillColor(raw, place, red, green, blue, alpha) and mode == 0
        matrix = pdfium_c.FS_MATRIX()
        known = pdfium_c.FPDFText_GetMatrix(raw, place, matrix)
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 if known else 1.0
        return cls(
            size=round(pdfium_c.FPDFText_GetFontSize(raw, place) * scale, 1),
            bold=_is_bold(raw, place),
            clear=mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE or bool(filled and alpha.value == 0),
            white=bool(filled) and min(red.value, green.value, blue.value) >= 250,
        )


def _is_bold(raw: Any, place: int) -> bool:
    """Go by the font's weight, or by its name when it states none, as the fourteen standard fonts do."""
    weight = pdfium_c.FPDFText_GetFontWeight(raw, place)
    if weight > 0:
        return bool(weight >= 600)
    name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(raw, place, name, 100, flags)
    return b"bold" in name.value.lower()


def _out_of_sight(look: _Look, word: Word, page: Page, painted: list[Box]) -> bool:
    """Return whether a word is invisible.

    Letters without colour over an image are what text recognition wrote there, and white ones on something painted
    are light on dark: both stay.
    """
    if 0 < look.size < _SPECK and word.bottom - word.top < _SPECK:
        return True
    if word.x1 < 0 or word.bottom < 0 or word.x0 > page.width or word.top > page.height:
        return True
    if look.clear:
        return not page.image
    return look.white and not any(
        box[0] <= word.x0 + 1 and box[1] <= word.middle <= box[3] and word.x1 - 1 <= box[2] for box in painted
    )
