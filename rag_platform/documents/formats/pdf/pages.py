"""A PDF's pages as PDFium sees them: words with their boxes, ruling lines, and what has no text."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Placing
from rag_platform.documents.formats.pdf.annotations import read_annotations
from rag_platform.documents.formats.pdf.forms import add_values, inside
from rag_platform.documents.formats.pdf.letters import write_words

_MOST_OBJECTS = 5_000
"""Drawn things of a page that are looked at: a map or a plot has a hundred thousand."""
_SHARE = 0.05
"""Of the page; a smaller image is a mark."""
_THIN = 3.0
"""Points; a thinner drawing is a line."""


def read_page(document: Any, number: int) -> Page:
    """Read a page of a PDFium document; the text of form fields and annotations is where they are.

    Raises:
        pypdfium2.PdfiumError: It cannot be loaded.
    """
    handle = document[number]
    try:
        page, found = _read(handle), read_annotations(document, handle)
        page.links, page.comments, page.holding = found.links, found.comments, found.holding
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
        flat = _read(handle)
    finally:
        handle.close()
    page.drawn |= flat.drawn
    return [line for line in flat.lines if inside(line, drawn)]


def _read(handle: Any) -> Page:
    page = Page(*handle.get_size())
    place = Placing(handle)
    content = handle.get_textpage()
    try:
        write_words(page, content, place, _draw(page, handle, place))
        return page
    finally:
        content.close()


# --- what is drawn ----------------------------------------------------------------------------------


def _draw(page: Page, handle: Any, place: Placing) -> list[Box]:
    """Note ruling lines and images; return the boxes of what is painted, on which white text can be read."""
    painted, pictures = [], 0.0
    wanted = [pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_SHADING]
    for seen, found in enumerate(handle.get_objects(filter=wanted, max_depth=4)):
        if seen >= _MOST_OBJECTS:
            break
        if (box := _bounds(found)) is None:
            continue
        box = place(*box)
        if found.type == pdfium_c.FPDF_PAGEOBJ_PATH:
            _rule(page, box)
        else:
            area = max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
            page.images += area > _SHARE * page.width * page.height
            pictures += area
        if box[2] - box[0] > _THIN and box[3] - box[1] > _THIN:
            painted.append(box)
    page.drawn = bool(painted)
    page.image, page.covered = (pictures > share * page.width * page.height for share in (_SHARE, 0.5))
    return painted


def _bounds(found: Any) -> Box | None:
    values = [ctypes.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(found.raw, *map(ctypes.byref, values)):
        return None
    left, bottom, right, top = (value.value for value in values)
    return left, bottom, right, top


def _rule(page: Page, box: Box) -> None:
    """Take a thin drawing as a line, and a larger one as the four edges of a cell."""
    x0, top, x1, bottom = box
    wide, high = x1 - x0 > _THIN, bottom - top > _THIN
    if wide:
        page.horizontal += [(y, x0, x1) for y in ((top, bottom) if high else ((top + bottom) / 2,))]
    if high:
        page.vertical += [(x, top, bottom) for x in ((x0, x1) if wide else ((x0 + x1) / 2,))]
