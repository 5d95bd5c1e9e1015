"""Words of Indic scripts that fell apart.

A vowel sign is often a glyph of its own whose width the font's map does not tell, and PDFium takes what remains for
a space: "भा रत". Each sign leaves a gap of its own; where a space follows, the gap is wider by a space. So the gaps
that a document has after a sign fall into two heaps, and only those of the wider heap hold a space.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from rag_platform.documents.formats.page_layout.boxes import Line, Page, Word

_INDIC = re.compile("[\u0900-\u0dff]")
_BROKEN = 0.04
"""Of the words; so many of a single bare consonant are in no language: it is one in a hundred."""
_FEW = 30
"""Words; fewer tell nothing."""
_OFTEN = 20
"""Times; what is as frequent is looked at together with its letter, on whose width the gap may depend."""


def mend_words(pages: Sequence[Page]) -> int:
    """Join the words that fell apart, where many did; return how many joints there were."""
    lines = [line for page in pages for line in page.lines if not line.text.isascii() and _INDIC.search(line.text)]
    words = [word.text for line in lines for word in line.words if _INDIC.match(word.text)]
    bare = sum(len(word) == 1 and unicodedata.category(word) == "Lo" for word in words)
    if len(words) < _FEW or bare < _BROKEN * len(words):
        return 0
    widths = _widths(lines)
    return sum(_mend(line, widths) for line in lines)


def _widths(lines: Iterable[Line]) -> dict[str, float]:
    """Return how wide a gap after each sign must be to hold a space, in parts of the letters' size."""
    spaces: list[float] = []
    signs: dict[str, list[float]] = {}
    for line in lines:
        for (letter, sign), gap in _joints(line):
            if sign:
                signs.setdefault(sign, []).append(gap)
                signs.setdefault(letter + sign, []).append(gap)
            elif gap > 0:
                spaces.append(gap)
    space = median(spaces or [0.25])
    known = {sign: gaps for sign, gaps in signs.items() if _signs(sign)[1] == sign or len(gaps) >= _OFTEN}
    return {sign: _least(sign, sorted(gaps), space) for sign, gaps in known.items()}


def _least(sign: str, gaps: list[float], space: float) -> float:
    low = gaps[len(gaps) // 50]
    if low < space / 2:
        return low + 0.75 * space
    wide = sum(gap > 1.6 * space for gap in gaps)
    spacing = any(unicodedata.category(mark) == "Mc" for mark in sign)
    return 1.5 * space if spacing or wide > 0.05 * len(gaps) else 0.0


def _joints(line: Line) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield the letter and the signs that each word ends with and the gap after it."""
    for word, after in pairwise(line.words):
        if _INDIC.match(after.text) and _INDIC.match(word.text[-1]):
            yield _signs(word.text), (after.x0 - word.x1) / max(line.size, 1.0)


def _signs(word: str) -> tuple[str, str]:
    """Return the last letter that is no sign, and the signs after it."""
    letters = len(word)
    while letters and unicodedata.category(word[letters - 1]) in ("Mc", "Mn"):
        letters -= 1
    return word[max(letters - 1, 0) : letters], word[letters:]


def _mend(line: Line, widths: dict[str, float]) -> int:
    joined: list[Word] = []
    for word in line.words:
        gap = (word.x0 - joined[-1].x1) / max(line.size, 1.0) if joined else 0.0
        if joined and _belongs(joined[-1].text, word.text, gap, widths):
            last = joined[-1]
            top, bottom = min(last.top, word.top), max(last.bottom, word.bottom)
            joined[-1] = Word(last.text + word.text, last.x0, top, word.x1, bottom)
        else:
            joined.append(word)
    joints = len(line.words) - len(joined)
    line.words = joined
    line.changed()
    return joints


def _belongs(before: str, after: str, gap: float, widths: dict[str, float]) -> bool:
    if not _INDIC.match(before[-1]) or not (_INDIC.match(after) or after[0] in ",;:!?)"):
        return False
    if unicodedata.category(after[0]) in ("Mc", "Mn"):  # no word begins with a sign
        return True
    letter, sign = _signs(before)
    return gap < widths.get(letter + sign, widths.get(sign, 0.0))
