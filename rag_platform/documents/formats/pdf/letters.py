"""The words of a PDF's page, put together from PDFium's characters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Placing, Word, turned
from rag_platform.documents.formats.pdf.glyphs import NONE, character_boxes, characters
from rag_platform.documents.formats.pdf.looks import SPECK, Look, Looks, out_of_sight, painted_anyway
from rag_platform.documents.formats.pdf.superscripts import SMALLER, Flags, Parts, join_scripts

Boxes = NDArray[np.float64]
Places = NDArray[np.intp]


def write_words(page: Page, content: Any, place: Placing, painted: list[Box]) -> None:
    """Put PDFium's characters together to words and lines."""
    text = characters(content.raw)
    boxes = character_boxes(content.raw, len(text))
    if _run_down(text, boxes, place):
        painted = [turned(box, page.width) for box in painted]
        page.turn()
        place = place.by_columns()
    codes = _codes(text)
    if (spans := _spans(codes, boxes, along_height=place.along_height)) is None:
        return
    spacing = _among(codes, _SPACES) & (boxes[:, 2] > boxes[:, 0])  # the file's; PDFium's own have no width
    parts = join_scripts(_parts(text, boxes, spans, spacing, Looks(content.raw), place))
    words = [*map(Word, parts.texts, *parts.boxes.tolist())]
    hidden = _hidden(parts, words, page, painted)
    white = [place for place in np.flatnonzero(hidden).tolist() if _is_white(parts.looks[place], words[place], page)]
    if white and not page.by_columns:
        looks, unsure = [parts.looks[place] for place in white], [words[place] for place in white]
        hidden[white] = ~np.array(painted_anyway(content.page, looks, unsure))
    page.hidden = [parts.texts[place] for place in np.flatnonzero(hidden).tolist()]
    lines = _lines(parts, words, hidden)
    page.lines = _once([line for line in lines if not line.hidden])
    if not page.lines:  # there is no other text: somebody wrote it for programs to read
        page.lines, page.hidden = lines, []
    if _sideways(parts):
        page.plain = content.get_text_bounded()


def _hidden(parts: Parts, words: list[Word], page: Page, painted: list[Box]) -> Flags:
    """Return which words nobody can see; of most pages, none has anything that could make it invisible."""
    x0, top, x1, bottom = parts.boxes
    hidden: Flags = (x1 < 0) | (bottom < 0) | (x0 > page.width) | (top > page.height)
    for place in [place for place, look in enumerate(parts.looks) if look.odd]:
        hidden[place] |= out_of_sight(parts.looks[place], words[place], page, painted)
    return hidden


def _is_white(look: Look, word: Word, page: Page) -> bool:
    """Return whether a word is hidden by its colour alone."""
    on_page = word.x1 >= 0 and word.bottom >= 0 and word.x0 <= page.width and word.top <= page.height
    return on_page and look.white and not look.clear and look.size >= SPECK


def _once(lines: list[Line]) -> list[Line]:
    """Leave out lines that are drawn again at their place, as some programs make letters bold."""
    known: dict[tuple[int, int], list[Line]] = {}
    kept = []
    for line in lines:
        here = known.setdefault((round(line.x0 / _AGAIN), round(line.top / _AGAIN)), [])
        if not any(other.text == line.text for other in here):
            here.append(line)
            kept.append(line)
    return kept


def _sideways(parts: Parts) -> bool:
    """Return whether most words are higher than wide, because their letters do not stand upright."""
    long = np.array([*map(len, parts.texts)]) > 2
    x0, top, x1, bottom = parts.boxes
    return bool(np.count_nonzero(long & (x1 - x0 < 0.7 * (bottom - top))) > np.count_nonzero(long) / 2)


_AGAIN = 2.0
"""Points; the same words in as small a square are one line."""
_PAIR = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{2}")
"""Of Chinese or Japanese letters."""
_ENOUGH = 200
"""Pairs that tell how a page is written."""


def _run_down(text: str, boxes: Boxes, place: Placing) -> bool:
    """Return whether they stand below each other, as in Chinese and Japanese books."""
    down = pairs = 0
    for found in islice(_PAIR.finditer(text), _ENOUGH):
        first, second = (place(*boxes[number].tolist()) for number in (found.start(), found.start() + 1))
        shared = min(first[2], second[2]) - max(first[0], second[0])
        below = second[1] - first[1] > 0.5 * (first[3] - first[1])
        down += below and shared > 0.5 * (first[2] - first[0])
        pairs += 1
    return down > pairs / 2


# --- words ------------------------------------------------------------------------------------------


_SPACES = " \xa0"
_BREAKS = "\0\t\n\r" + _SPACES
_HYPHENS = "\2\ufffe"
"""How PDFium writes a hyphen that ends a line."""
_WRITTEN = str.maketrans({**dict.fromkeys(_HYPHENS, "-"), NONE: None})


@dataclass(frozen=True, slots=True)
class _Spans:
    """Where words are among a page's characters."""

    starts: Places
    stops: Places
    """The places after their last characters."""
    inner: Flags
    """Whether it goes on from the one before it in letters of another height."""
    ends: Flags
    """Whether a line ends after the word."""


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _among(codes: NDArray[np.uint32], letters: str) -> Flags:
    """Return which of the characters are one of a few."""
    found: Flags = np.logical_or.reduce([codes == ord(letter) for letter in letters])
    return found


def _spans(codes: NDArray[np.uint32], boxes: Boxes, *, along_height: bool) -> _Spans | None:
    """Return the words; None when there are none.

    A word ends before a break, after a hyphen, and where a character is not beside the one before it.
    """
    drawn, hyphens = ~_among(codes, _BREAKS), _among(codes, _HYPHENS)
    if not drawn.any():
        return None
    goes_on = drawn[1:] & drawn[:-1] & ~hyphens[:-1]
    away = goes_on & _leaves(boxes, along_height)
    resized = goes_on & _resized(boxes)
    cut = ~goes_on | away | resized
    starts = np.flatnonzero(drawn & np.append(True, cut))
    last = np.flatnonzero(drawn & np.append(cut, True))
    after = np.append(~(_among(codes[1:], _SPACES) | goes_on), True)
    return _Spans(starts, last + 1, np.append(False, resized & ~away)[starts], hyphens[last] | after[last])


def _resized(boxes: Boxes) -> Flags:
    """Return, of each character after the first, whether it is set much smaller or larger than the one before it."""
    high = boxes[:, 3] - boxes[:, 1]
    found: Flags = np.minimum(high[:-1], high[1:]) < SMALLER * np.maximum(high[:-1], high[1:])
    return found


_FAR = 1.5
"""Times the height of a letter: no word has such a gap, though PDFium at times sees none."""


def _leaves(boxes: Boxes, along_height: bool) -> Flags:
    """Return, of each character after the first, whether it is not beside the one before it."""
    along, across = (1, 0) if along_height else (0, 1)  # the lower or the left edge
    high = boxes[:, across + 2] - boxes[:, across]
    height = np.maximum(np.maximum(high[:-1], high[1:]), 1.0)
    before, now = boxes[:-1], boxes[1:]
    away = np.maximum(now[:, along] - before[:, along + 2], before[:, along] - now[:, along + 2])
    lower = np.abs(now[:, across] - before[:, across]) > 0.8 * height
    found: Flags = (away > _FAR * height) | ((away > height) & lower)
    return found


def _parts(text: str, boxes: Boxes, spans: _Spans, spacing: Flags, looks: Looks, place: Placing) -> Parts:
    bounds = np.stack([spans.starts, spans.stops], axis=1).ravel()
    bounds = bounds[:-1] if bounds[-1] == len(text) else bounds
    left, bottom = (np.minimum.reduceat(boxes[:, side], bounds)[::2] for side in (0, 1))
    right, top = (np.maximum.reduceat(boxes[:, side], bounds)[::2] for side in (2, 3))
    wide = np.append(0, np.cumsum(spacing))
    spaced = wide[spans.starts] - wide[np.append(0, spans.stops[:-1])] > 0
    return Parts(
        texts=_texts(text, boxes, spans),
        looks=looks.of(spans.starts.tolist()),
        boxes=np.stack(np.broadcast_arrays(*place(left, bottom, right, top))),
        inner=spans.inner,
        ends=spans.ends,
        spaced=spaced,
    )


def _texts(text: str, boxes: Boxes, spans: _Spans) -> list[str]:
    places = [*zip(spans.starts.tolist(), spans.stops.tolist(), strict=True)]
    found = [text[start:stop] for start, stop in places]
    if "\u0644" in text:
        found = [_in_order(one, boxes[start:stop].tolist()) if "\u0644" in one else one
                 for one, (start, stop) in zip(found, places, strict=True)]  # fmt: skip
    return [one.translate(_WRITTEN) for one in found] if any(sign in text for sign in (*_HYPHENS, NONE)) else found


def _in_order(text: str, boxes: list[list[float]]) -> str:
    """Turn around the letters of one glyph, which share its box, where PDFium has them backwards."""
    letters = list(text)
    for place in range(1, len(letters)):
        if boxes[place - 1] == boxes[place] and letters[place] == "\u0644" and letters[place - 1] in "اأإآٱ":
            letters[place - 1], letters[place] = letters[place], letters[place - 1]
    return "".join(letters)


# --- lines ------------------------------------------------------------------------------------------


_WIDE = 6.0
"""Points; a narrower gap parts no line."""


def _extents(parts: Parts, hidden: Flags) -> Iterator[tuple[int, int, int]]:
    """Yield the first word of each line, the one after its last, and its longest.

    A word at another height is of another line, and so is one beyond a wide gap.
    """
    x0, top, x1, bottom = parts.boxes
    high, middle = bottom - top, (top + bottom) / 2
    height = np.maximum(np.maximum(high[:-1], high[1:]), 1.0)  # the higher: an exponent stays with its number
    gap = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    sure = parts.ends[:-1] | (hidden[1:] != hidden[:-1]) | (np.abs(middle[1:] - middle[:-1]) > 0.6 * height)
    length = [*map(len, parts.texts)].__getitem__
    start = seen = longest = 0
    for place in [*np.flatnonzero(sure | (gap > _WIDE)).tolist(), len(parts.texts) - 1]:
        longest = max(longest, max(range(seen, place + 1), key=length), key=length)
        seen = place + 1
        if seen == len(parts.texts) or sure[place] or gap[place] > 1.1 * (parts.looks[longest].size or height[place]):
            yield start, seen, longest
            start = longest = seen


def _lines(parts: Parts, words: list[Word], hidden: Flags) -> list[Line]:
    extents = [*_extents(parts, hidden)]
    starts = [start for start, _, _ in extents]
    x0, top, x1, bottom = parts.boxes
    boxes = zip(*(np.minimum.reduceat(side, starts).tolist() for side in (x0, top)),
                *(np.maximum.reduceat(side, starts).tolist() for side in (x1, bottom)), strict=True)  # fmt: skip
    bold = np.logical_and.reduceat([look.bold for look in parts.looks], starts).tolist()
    unseen = hidden[starts].tolist()
    return [Line(words[start:end], parts.looks[longest].size, heavy, away, box)
            for (start, end, longest), heavy, away, box in zip(extents, bold, unseen, boxes, strict=True)]  # fmt: skip
