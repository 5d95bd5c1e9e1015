"""A PDF's pages as PDFium sees them: words with their boxes, ruling lines, and what has no text."""

import ctypes
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Placing
from rag_platform.documents.formats.pdf.figure_areas import count_drawings
from rag_platform.documents.formats.pdf.figures import add_figures, described_figures
from rag_platform.documents.formats.pdf.glyphs import address, by_addresses
from rag_platform.documents.formats.pdf.interactive.annotations import read_annotations
from rag_platform.documents.formats.pdf.interactive.forms import add_values, inside
from rag_platform.documents.formats.pdf.letters import write_words
from rag_platform.text.notation.captions import FIGURE_CAPTION

_MOST_OBJECTS = 5_000
"""Drawn things of a page that are looked at: a map or a plot has a hundred thousand."""
_SHARE = 0.05
"""Of the page; a smaller image is a mark."""
_DEEPEST = 4
"""Forms within each other."""
_THIN = 3.0
"""Points; a thinner drawing is a line."""

_Drawn = list[tuple[int, Box]]
"""The kind and the box of each drawn thing."""


def read_page(document: Any, number: int) -> Page:
    """Read a page of a PDFium document; the text of form fields and annotations is where they are.

    Raises:
        pypdfium2.PdfiumError: It cannot be loaded.
    """
    handle = document[number]
    try:
        drawn: _Drawn = []
        page = _read(handle, drawn)
        found = read_annotations(document, handle, by_columns=page.by_columns)
        figures = described_figures(handle, by_columns=page.by_columns)
        page.drawings = 0 if page.by_columns else _drawings(page, drawn, figures)
        add_figures(page, figures)
        page.links, page.comments, page.holding = found.links, found.comments, found.holding
        page.media = found.media
        flat = found.drawn and pdfium_c.FPDFPage_Flatten(handle.raw, pdfium_c.FLAT_NORMALDISPLAY)
    finally:
        handle.close()
    shown = _shown(document, number, page, found.drawn) if flat == pdfium_c.FLATTEN_SUCCESS else []
    add_values(page, shown, found.fields)
    return page


def _shown(document: Any, number: int, page: Page, drawn: list[Box]) -> list[Line]:
    """Return the lines that flattening added.

    The rest of the flat page is not used: it has lost what the file says about its text.
    """
    handle = document[number]
    try:
        flat = _read(handle, [])
    finally:
        handle.close()
    page.drawn |= flat.drawn
    return [line for line in flat.lines if inside(line, drawn)]


def _read(handle: Any, drawn: _Drawn) -> Page:
    """Read what is printed on a page; what is drawn on it is also added to `drawn`."""
    page = Page(*handle.get_size())
    place = Placing(handle)
    content = handle.get_textpage()
    try:
        write_words(page, content, place, _draw(page, handle, place, drawn))
        return page
    finally:
        content.close()


def _drawings(page: Page, drawn: _Drawn, figures: list[Line]) -> int:
    """Count the figures beside captions that no image and no description stands for."""
    captions = [_box(line) for line in page.lines if FIGURE_CAPTION.match(line.text)]
    if not captions:
        return 0
    known = [*(box for kind, box in drawn if kind in _PICTURES and _is_large(page, box)), *map(_box, figures)]
    parts = [box for _, box in drawn]
    return count_drawings(parts, captions, known, [*map(_box, page.lines)], (page.width, page.height))


def _is_large(page: Page, box: Box) -> bool:
    return _area(box) > _SHARE * page.width * page.height


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _box(line: Line) -> Box:
    return line.x0, line.top, line.x1, line.bottom


# --- what is drawn ----------------------------------------------------------------------------------


_PICTURES = frozenset((pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_SHADING))


def _draw(page: Page, handle: Any, place: Placing, drawn: _Drawn) -> list[Box]:
    """Note ruling lines and images; return the boxes of what is painted, on which white text can be read."""
    painted, pictures = [], 0.0
    for kind, bounds in islice(_drawn(address(handle.raw)), _MOST_OBJECTS):
        box = place(*bounds)
        drawn.append((kind, box))
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            _rule(page, box)
        else:
            page.images += _is_large(page, box)
            pictures += _area(box)
        if box[2] - box[0] > _THIN and box[3] - box[1] > _THIN:
            painted.append(box)
    page.drawn = bool(painted)
    page.image, page.covered = (pictures > share * page.width * page.height for share in (_SHARE, 0.5))
    return painted


_ON_PAGE, _IN_FORM = (
    (by_addresses(count, ctypes.c_int, ctypes.c_void_p), by_addresses(get, ctypes.c_void_p, ctypes.c_void_p, kind))
    for count, get, kind in (
        (pdfium_c.FPDFPage_CountObjects, pdfium_c.FPDFPage_GetObject, ctypes.c_int),
        (pdfium_c.FPDFFormObj_CountObjects, pdfium_c.FPDFFormObj_GetObject, ctypes.c_ulong),
    )
)
_KIND = by_addresses(pdfium_c.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_BOUNDS = by_addresses(pdfium_c.FPDFPageObj_GetBounds, ctypes.c_int, *[ctypes.c_void_p] * 5)
_PLACED = by_addresses(pdfium_c.FPDFPageObj_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def _drawn(holder: int, deep: int = 0) -> Iterator[tuple[int, Box]]:
    """Yield the kind and the box, in PDFium's coordinates, of the paths and pictures of a page or a form in it."""
    count, get = _IN_FORM if deep else _ON_PAGE
    bounds = (ctypes.c_float * 4)()
    places = range(ctypes.addressof(bounds), ctypes.addressof(bounds) + 16, 4)
    for number in range(count(holder)):
        found = get(holder, number)
        kind = _KIND(found)
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM and deep < _DEEPEST:
            yield from _drawn_in_form(found, deep + 1)
        elif (kind == pdfium_c.FPDF_PAGEOBJ_PATH or kind in _PICTURES) and _BOUNDS(found, *places):
            left, bottom, right, top = bounds
            yield kind, (left, bottom, right, top)


def _drawn_in_form(form: int, deep: int) -> Iterator[tuple[int, Box]]:
    """Put what is drawn in a form where the form is."""
    matrix = pdfium_c.FS_MATRIX()
    if not _PLACED(form, ctypes.addressof(matrix)):
        matrix.a = matrix.d = 1.0
    if (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f) == (1, 0, 0, 1, 0, 0):
        yield from _drawn(form, deep)
        return
    for kind, (left, bottom, right, top) in _drawn(form, deep):
        corners = [(x, y) for x in (left, right) for y in (bottom, top)]
        xs = [matrix.a * x + matrix.c * y + matrix.e for x, y in corners]
        ys = [matrix.b * x + matrix.d * y + matrix.f for x, y in corners]
        yield kind, (min(xs), min(ys), max(xs), max(ys))


def _rule(page: Page, box: Box) -> None:
    """Take a thin drawing as a line, and a larger one as the four edges of a cell."""
    x0, top, x1, bottom = box
    wide, high = x1 - x0 > _THIN, bottom - top > _THIN
    if wide:
        page.horizontal += [(top, x0, x1), (bottom, x0, x1)] if high else [((top + bottom) / 2, x0, x1)]
    if high:
        page.vertical += [(x0, top, bottom), (x1, top, bottom)] if wide else [((x0 + x1) / 2, top, bottom)]
