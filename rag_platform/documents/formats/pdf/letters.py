"""The words of a PDF's page, put together from PDFium's characters."""

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Placing, Word, turned
from rag_platform.documents.formats.pdf.looks import Look, Looks, out_of_sight

_MOST_CHARACTERS = 2_000_000
"""Characters of one page."""


def write_words(page: Page, content: Any, place: Placing, painted: list[Box]) -> None:
    """Put PDFium's characters together to words and lines."""
    letters = _Letters(content.raw)
    if _run_down(letters, place):
        painted = [turned(box, page.width) for box in painted]
        page.turn()
        place = place.by_columns()
    unseen: list[Line] = []
    line: Line | None = None
    for written, look, box, ends in _words(letters, along_height=place.along_height):
        word = Word(written, *place(*box))
        hidden = out_of_sight(look, word, page, painted)
        page.hidden += hidden
        if line is None or line.hidden != hidden or _apart(line, word):
            line = Line([], hidden=hidden)
            (unseen if hidden else page.lines).append(line)
        line.add(word, size=look.size, bold=look.bold)
        line = None if ends else line
    if not page.lines and page.hidden:  # there is no other text: somebody wrote it for programs to read
        page.lines, page.hidden = unseen, 0
    if _sideways([*page.lines, *unseen]):
        page.plain = content.get_text_bounded()


def _sideways(lines: list[Line]) -> bool:
    """Return whether most words are higher than wide, because their letters do not stand upright."""
    words = [word for line in lines for word in line.words if len(word.text) > 2]
    return sum(word.x1 - word.x0 < 0.7 * (word.bottom - word.top) for word in words) > len(words) / 2


_NONE = "\uffff"
"""Stands for what is no character of its own, so that places stay what they are; Unicode keeps it for such uses."""


_PRIVATE = 0xF0000
"""Characters from here on mean what a font likes."""


def _characters(raw: Any) -> str:
    """Return what PDFium takes for the page's text, one letter for each of its places."""
    count = max(0, min(pdfium_c.FPDFText_CountChars(raw), _MOST_CHARACTERS))
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium_c.FPDFText_GetText(raw, 0, count, buffer) == count + 1:
        text = bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
        if len(text) == count and "\ufffd" not in text:
            return text
    codes = [pdfium_c.FPDFText_GetUnicode(raw, place) for place in range(count)]
    for place, (code, after) in enumerate(pairwise(codes)):
        if 0xD800 <= code < 0xDC00 <= after < 0xE000:  # a character beyond the first 65,536, in halves
            codes[place : place + 2] = [0x10000 + (code - 0xD800) * 0x400 + after - 0xDC00, ord(_NONE)]
    return "".join(_NONE if 0xD800 <= code < 0xE000 or code >= _PRIVATE else chr(code) for code in codes)


class _Letters:
    """A page's characters, their boxes in PDFium's coordinates (left, bottom, right, top), and their looks."""

    def __init__(self, raw: Any) -> None:
        self.text = _characters(raw)
        self.looks = Looks(raw)
        self.widths: defaultdict[int, dict[str, float]] = defaultdict(dict)
        """Of the letters of each font, as parts of its size."""
        self._raw, self._box = raw, pdfium_c.FS_RECTF()
        self._reference = ctypes.byref(self._box)

    def box(self, place: int) -> Box:
        """Read the box of the character at that place."""
        box = self._box
        pdfium_c.FPDFText_GetLooseCharBox(self._raw, place, self._reference)
        return box.left, box.bottom, box.right, box.top


_PAIR = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{2}")
"""Of Chinese or Japanese letters."""
_ENOUGH = 200
"""Pairs that tell how a page is written."""


def _run_down(letters: _Letters, place: Placing) -> bool:
    """Return whether they stand below each other, as in Chinese and Japanese books."""
    down = pairs = 0
    for found in islice(_PAIR.finditer(letters.text), _ENOUGH):
        first, second = (place(*letters.box(number)) for number in (found.start(), found.start() + 1))
        shared = min(first[2], second[2]) - max(first[0], second[0])
        below = second[1] - first[1] > 0.5 * (first[3] - first[1])
        down += below and shared > 0.5 * (first[2] - first[0])
        pairs += 1
    return down > pairs / 2


_SPACES = " \xa0"
_BREAKS = "\0\t\n\r" + _SPACES
_HYPHENS = "\2\ufffe"
"""How PDFium writes a hyphen that ends a line."""
_WORD = re.compile(f"[^{_BREAKS}{_HYPHENS}]*[{_HYPHENS}]|[^{_BREAKS}{_HYPHENS}]+")
_WRITTEN = str.maketrans({**dict.fromkeys(_HYPHENS, "-"), _NONE: None})


def _words(letters: _Letters, *, along_height: bool) -> Iterator[tuple[str, Look, Box, bool]]:
    """Yield (text, look, box, whether its line ends) of each word."""
    text = letters.text
    for found in _WORD.finditer(text):
        start, end = found.span()
        ends = end == len(text) or text[end - 1] in _HYPHENS or text[end] not in _SPACES + _HYPHENS
        look = letters.looks.at(start)
        if box := _whole(letters, look, start, end, along_height):
            yield found[0].translate(_WRITTEN), look, box, ends
            continue
        boxes = [letters.box(place) for place in range(start, end)]
        _learn(letters.widths[look.font], look.size, found[0], boxes, along_height)
        cuts = [place for place in range(1, end - start) if _leaves(boxes[place - 1], boxes[place], along_height)]
        for first, last in pairwise((0, *cuts, end - start)):
            look = letters.looks.at(start + first) if first else look
            written = _in_order(text[start + first : start + last], boxes[first:last])
            yield written.translate(_WRITTEN), look, _around(boxes[first:last]), ends and start + last == end


def _whole(letters: _Letters, look: Look, start: int, end: int, along_height: bool) -> Box | None:
    """Return the box of a word that is as wide as its letters together: there is no gap in it to look for."""
    if "\u0644" in letters.text[start:end]:
        return None
    try:
        wide = sum(map(letters.widths[look.font].__getitem__, letters.text[start:end])) * look.size
    except KeyError:
        return None
    box = _around([letters.box(start), letters.box(end - 1)])
    found = box[3] - box[1] if along_height else box[2] - box[0]
    return box if abs(found - wide) < 0.5 * look.size else None


def _learn(widths: dict[str, float], size: float, text: str, boxes: list[Box], along_height: bool) -> None:
    """Remember how wide letters are; those of one glyph, which share its box, do not tell."""
    low, high = (1, 3) if along_height else (0, 2)
    for place, (letter, box) in enumerate(zip(text, boxes, strict=True)):
        if size > 0 and box not in boxes[max(place - 1, 0) : place] + boxes[place + 1 : place + 2]:
            widths.setdefault(letter, (box[high] - box[low]) / size)


def _around(boxes: list[Box]) -> Box:
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


_FAR = 1.5
"""Times the height of a letter: no word has such a gap, though PDFium at times sees none."""


def _leaves(before: Box, now: Box, along_height: bool) -> bool:
    """Return whether the next character is not beside the one before it."""
    along, across = (1, 0) if along_height else (0, 1)  # the lower or the left edge
    height = max(before[across + 2] - before[across], now[across + 2] - now[across], 1.0)
    away = max(now[along] - before[along + 2], before[along] - now[along + 2])
    return away > _FAR * height or (away > height and abs(now[across] - before[across]) > 0.8 * height)


def _in_order(text: str, boxes: list[Box]) -> str:
    """Turn around the letters of one glyph, which share its box, where PDFium has them backwards."""
    letters = list(text)
    for place in range(1, len(letters)):
        if boxes[place - 1] == boxes[place] and letters[place] == "\u0644" and letters[place - 1] in "اأإآٱ":
            letters[place - 1], letters[place] = letters[place], letters[place - 1]
    return "".join(letters)


def _apart(line: Line, word: Word) -> bool:
    """Return whether a word is not part of the line: at another height, or beyond a wide gap."""
    last = line.words[-1]
    height = max(last.bottom - last.top, word.bottom - word.top, 1.0)  # the higher: an exponent stays with its number
    if abs(word.middle - last.middle) > 0.6 * height:
        return True
    gap = max(word.x0 - last.x1, last.x0 - word.x1)
    return gap > max(1.1 * (line.size or height), 6.0)
