"""What a tagged PDF says of its pictures to those who do not see them (ISO 32000-2, 14.9.3)."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Placing, Word
from rag_platform.documents.formats.page_layout.reading_order import FIGURE
from rag_platform.documents.formats.pdf.interactive.annotations import text_of
from rag_platform.text.cleaning import clean_line
from rag_platform.text.notation.captions import CAPTION

_MOST = 5_000
"""Elements, and drawn things, of a page that are looked at."""
_DEEPEST = 30
_FIGURE = "Figure"


def described_figures(handle: Any, *, by_columns: bool = False) -> list[Line]:
    """Return the descriptions of a page's figures as lines of Markdown, where the figures are."""
    place = Placing(handle).by_columns() if by_columns else Placing(handle)
    with _tree(handle) as tree:
        marked = dict(_described(tree)) if tree else {}
    boxes = _boxes(handle, place, {number for numbers in marked.values() for number in numbers}) if marked else {}
    lines = []
    for text, numbers in marked.items():
        found = [boxes[number] for number in numbers if number in boxes]
        x0, top, x1, bottom = around(found) if found else (0.0, handle.get_height(), 0.0, handle.get_height())
        lines.append(Line([Word(f"{FIGURE}{text}]", x0, top, x1, bottom)], bold=False))
    return lines


_NEAR = 30.0
"""Points from a figure to its caption."""
_CAPTION_LINES = 4
"""A caption is no longer, where it is looked for above a figure."""


def add_figures(page: Page, lines: list[Line]) -> None:
    """Put descriptions, as lines without height, where their figures are, which are no loss any more.

    A description goes right above its figure's caption, or right below one that stands above the figure, or else in
    front of what stands below the figure's middle, in its column.
    """
    for line in lines:
        column = [(place, known) for place, known in enumerate(page.lines) if known.x0 < line.x1 and line.x0 < known.x1]
        text, height, size = line.words[0].text, line.middle, 0.0
        above = [place + 1 for place, known in column or enumerate(page.lines) if known.bottom <= line.middle]
        place = max(above, default=column[0][0] if column else 0)
        if caption := next((found for found in column if _is_below(line, found[1])), None):
            place, height = caption[0], caption[1].top
        elif ends := _caption_above(line, [known for _, known in column]):
            place, height, size = page.lines.index(ends) + 1, ends.bottom, ends.size
        page.lines.insert(place, Line([Word(text, line.x0, height, line.x1, height)], size, bold=False))
    page.images = max(0, page.images - len(lines))


def _is_below(figure: Line, line: Line) -> bool:
    return -2 < line.top - figure.bottom < _NEAR and bool(CAPTION.match(line.text))


def _caption_above(figure: Line, column: list[Line]) -> Line | None:
    """Return the last line of the caption that stands closely above a figure, if there is one."""
    above = sorted((line for line in column if line.bottom <= figure.top + 2), key=lambda line: line.bottom)
    last, under = above[-1] if above else None, figure.top
    for line in above[: -_CAPTION_LINES - 1 : -1]:
        if under - line.bottom > (_NEAR if line is last else max(line.bottom - line.top, 1.0)):
            return None
        if CAPTION.match(line.text):
            return last
        under = line.top
    return None


@contextmanager
def _tree(handle: Any) -> Iterator[Any]:
    tree = pdfium_c.FPDF_StructTree_GetForPage(handle.raw)
    try:
        yield tree
    finally:
        if tree:
            pdfium_c.FPDF_StructTree_Close(tree)


def _described(tree: Any) -> Iterator[tuple[str, list[int]]]:
    """Yield each figure's description and the numbers of the content that it is about."""
    roots = [pdfium_c.FPDF_StructTree_GetChildAtIndex(tree, n) for n in range(_count(tree))]
    waiting = [(root, 0) for root in reversed(roots) if root]
    for _ in range(_MOST):
        if not waiting:
            return
        element, depth = waiting.pop()
        if text_of(pdfium_c.FPDF_StructElement_GetType, element) == _FIGURE:
            text = clean_line(text_of(pdfium_c.FPDF_StructElement_GetAltText, element).replace("\0", " "))
            if any(map(str.isalnum, text)) and text != _FIGURE:
                yield text.replace("[", "(").replace("]", ")"), _numbers(element)
        elif depth < _DEEPEST:
            count = min(max(pdfium_c.FPDF_StructElement_CountChildren(element), 0), _MOST)
            inner = [pdfium_c.FPDF_StructElement_GetChildAtIndex(element, n) for n in range(count)]
            waiting += [(one, depth + 1) for one in reversed(inner) if one]


def _count(tree: Any) -> int:
    return min(max(int(pdfium_c.FPDF_StructTree_CountChildren(tree)), 0), _MOST)


def _numbers(element: Any) -> list[int]:
    count = min(max(pdfium_c.FPDF_StructElement_GetMarkedContentIdCount(element), 0), _MOST)
    return [pdfium_c.FPDF_StructElement_GetMarkedContentIdAtIndex(element, n) for n in range(count)]


def _boxes(handle: Any, place: Placing, wanted: set[int]) -> dict[int, Box]:
    """Return where the content with these numbers is drawn."""
    found: dict[int, Box] = {}
    for n in range(min(pdfium_c.FPDFPage_CountObjects(handle.raw), _MOST)):
        drawn = pdfium_c.FPDFPage_GetObject(handle.raw, n)
        number = pdfium_c.FPDFPageObj_GetMarkedContentID(drawn)
        if number in wanted and (box := drawn_box(drawn, place)):
            found[number] = around([box, found[number]]) if number in found else box
    return found


def drawn_box(drawn: Any, place: Placing) -> Box | None:
    """Return the box of a drawn thing, in points of the page as `place` has it; None: PDFium knows none."""
    values = [ctypes.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(drawn, *map(ctypes.byref, values)):
        return None
    left, bottom, right, top = (value.value for value in values)
    return place(left, bottom, right, top)


def around(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes, of which there is at least one."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
