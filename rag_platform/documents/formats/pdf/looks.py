"""How a PDF's words are shown, and which of them nobody can see."""

import ctypes
from collections.abc import Sequence
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from rag_platform.documents.formats.page_layout.boxes import Box, Page, Word
from rag_platform.documents.formats.pdf.glyphs import address, by_addresses, text_objects

_MODE = by_addresses(pdfium_c.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_COLOUR = by_addresses(
    pdfium_c.FPDFText_GetFillColor, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4
)
_MATRIX = by_addresses(pdfium_c.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_FONT = by_addresses(pdfium_c.FPDFTextObj_GetFont, ctypes.c_void_p, ctypes.c_void_p)
_ACTIVE = by_addresses(pdfium_c.FPDFPageObj_SetIsActive, ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_SIZE = by_addresses(pdfium_c.FPDFText_GetFontSize, ctypes.c_double, ctypes.c_void_p, ctypes.c_int)

SPECK = 2.0
"""Points; smaller text is not meant to be read."""


class Look(NamedTuple):
    """How a character is shown."""

    font: int
    """Which of the document's fonts it is set in."""
    size: float
    bold: bool
    clear: bool
    """Without any colour."""
    white: bool
    odd: bool
    """Whether it can make a word invisible."""
    drawn: int = 0
    """The address of the drawn object that the character is part of."""


class Looks:
    """The looks of a page's characters; those of one text object are alike and looked at once."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._known: dict[int, Look] = {}
        self._bold: dict[int, bool] = {}
        self._address = address(raw)
        self._colour, self._matrix = (ctypes.c_uint * 4)(), pdfium_c.FS_MATRIX()
        self._shades = range(ctypes.addressof(self._colour), ctypes.addressof(self._colour) + 16, 4)
        self._placed = ctypes.addressof(self._matrix)

    def of(self, places: list[int]) -> list[Look]:
        """Return how the characters at some places are shown."""
        objects = text_objects(self._raw, places)
        for drawn, place in dict(zip(reversed(objects), reversed(places), strict=True)).items():
            if drawn:
                self._known[drawn] = self._look(place, drawn)
        return [self._known[drawn] if drawn else self._look(place, 0)
                for drawn, place in zip(objects, places, strict=True)]  # fmt: skip

    def _look(self, place: int, drawn: int) -> Look:
        text, matrix = self._address, self._matrix
        mode = _MODE(drawn) if drawn else 0
        filled = bool(mode == 0 and _COLOUR(text, place, *self._shades))
        known = _MATRIX(text, place, self._placed)
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 if known else 1.0
        font = (_FONT(drawn) if drawn else 0) or 0
        if not font or font not in self._bold:
            self._bold[font] = _is_bold(self._raw, place)
        *shades, alpha = self._colour
        size = round(_SIZE(text, place) * scale, 1)
        clear = mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE or (filled and alpha == 0)
        white = filled and min(shades) >= 250
        return Look(font, size, self._bold[font], clear, white, odd=clear or white or 0 < size < SPECK, drawn=drawn)


def _is_bold(raw: Any, place: int) -> bool:
    """Go by the font's weight, or by its name when it states none, as the fourteen standard fonts do."""
    weight = pdfium_c.FPDFText_GetFontWeight(raw, place)
    if weight > 0:
        return bool(weight >= 600)
    name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(raw, place, name, 100, flags)
    return b"bold" in name.value.lower()


_PIXELS = 2_000
"""Of the longer side of a picture in which letters are looked for."""


def painted_anyway(handle: Any, looks: Sequence[Look], words: Sequence[Word]) -> list[bool]:
    """Return which words a page looks otherwise without; PDFium says white of letters that a pattern fills.

    The words' boxes are those of the page as it is shown.
    """
    scale = min(1.0, _PIXELS / max(*handle.get_size(), 1.0))
    cut = _cut(handle.get_size(), words, scale)
    whole = _picture(handle, scale, cut)
    drawn = {look.drawn for look in looks if look.drawn}
    try:
        for one in drawn:
            _ACTIVE(one, 0)
        differs = (whole != _picture(handle, scale, cut)).any(axis=-1)
    finally:
        for one in drawn:
            _ACTIVE(one, 1)
    left, _, _, over = (ceil(side * scale) for side in cut)  # as the library rounds
    sides = ([floor(side * scale) for side in (word.x0, word.top, word.x1, word.bottom)] for word in words)
    places = [[max(0, x0 - left), max(0, top - over), x1 - left, bottom - over] for x0, top, x1, bottom in sides]
    return [bool(differs[top : bottom + 1, x0 : x1 + 1].any()) for x0, top, x1, bottom in places]


def _cut(size: tuple[float, float], words: Sequence[Word], scale: float) -> Box:
    """Return how much of a page is left of, below, right of and above all words: it need not be drawn."""
    (width, height), beside = size, 2.0 + 2.0 / scale
    x0, top = min(word.x0 for word in words), min(word.top for word in words)
    x1, bottom = max(word.x1 for word in words), max(word.bottom for word in words)
    left, below, right, above = (side - beside for side in (x0, height - bottom, width - x1, top))
    return max(0.0, left), max(0.0, below), max(0.0, right), max(0.0, above)


def _picture(handle: Any, scale: float, cut: Box) -> NDArray[np.uint8]:
    bitmap = handle.render(scale=scale, crop=cut, may_draw_forms=False, rev_byteorder=True, prefer_bgrx=True)
    try:
        found: NDArray[np.uint8] = bitmap.to_numpy().copy()
        return found
    finally:
        bitmap.close()


def out_of_sight(look: Look, word: Word, page: Page, painted: list[Box]) -> bool:
    """Return whether a word on the page is invisible because of its look.

    Letters without colour over an image are what text recognition wrote there, and white ones on something painted
    are light on dark: both stay.
    """
    if 0 < look.size < SPECK and word.bottom - word.top < SPECK:
        return True
    if look.clear:
        return not page.image
    return look.white and not any(
        box[0] <= word.x0 + 1 and box[1] <= word.middle <= box[3] and word.x1 - 1 <= box[2] for box in painted
    )
