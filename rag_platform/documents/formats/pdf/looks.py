"""How a PDF's words are shown, and which of them nobody can see."""

import ctypes
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Page, Word
from rag_platform.documents.formats.pdf.glyphs import address, by_addresses, text_objects

_MODE = by_addresses(pdfium_c.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_COLOUR = by_addresses(
    pdfium_c.FPDFText_GetFillColor, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4
)
_MATRIX = by_addresses(pdfium_c.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_FONT = by_addresses(pdfium_c.FPDFTextObj_GetFont, ctypes.c_void_p, ctypes.c_void_p)
_SIZE = by_addresses(pdfium_c.FPDFText_GetFontSize, ctypes.c_double, ctypes.c_void_p, ctypes.c_int)

_SPECK = 2.0
"""Points; smaller text is not meant to be read."""


@dataclass(frozen=True, slots=True)
class Look:
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


class Looks:
    """The looks of a page's characters; those of one text object are alike and looked at once."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._known: dict[int, Look] = {}
        self._bold: dict[int, bool] = {}
        self._address = address(raw)
        self._colour, self._matrix = (ctypes.c_uint * 4)(), pdfium_c.FS_MATRIX()
        self._shades = range(ctypes.addressof(self._colour), ctypes.addressof(self._colour) + 16, 4)

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
        known = _MATRIX(text, place, ctypes.addressof(matrix))
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 if known else 1.0
        font = (_FONT(drawn) if drawn else 0) or 0
        if not font or font not in self._bold:
            self._bold[font] = _is_bold(self._raw, place)
        *shades, alpha = self._colour
        size = round(_SIZE(text, place) * scale, 1)
        clear = mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE or (filled and alpha == 0)
        white = filled and min(shades) >= 250
        return Look(font, size, self._bold[font], clear, white, odd=clear or white or 0 < size < _SPECK)


def _is_bold(raw: Any, place: int) -> bool:
    """Go by the font's weight, or by its name when it states none, as the fourteen standard fonts do."""
    weight = pdfium_c.FPDFText_GetFontWeight(raw, place)
    if weight > 0:
        return bool(weight >= 600)
    name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(raw, place, name, 100, flags)
    return b"bold" in name.value.lower()


def out_of_sight(look: Look, word: Word, page: Page, painted: list[Box]) -> bool:
    """Return whether a word on the page is invisible because of its look.

    Letters without colour over an image are what text recognition wrote there, and white ones on something painted
    are light on dark: both stay.
    """
    if 0 < look.size < _SPECK and word.bottom - word.top < _SPECK:
        return True
    if look.clear:
        return not page.image
    return look.white and not any(
        box[0] <= word.x0 + 1 and box[1] <= word.middle <= box[3] and word.x1 - 1 <= box[2] for box in painted
    )
