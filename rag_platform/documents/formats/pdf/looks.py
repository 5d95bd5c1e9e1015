"""How a PDF's words are shown, and which of them nobody can see."""

import ctypes
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.page_layout.boxes import Box, Page, Word
from rag_platform.documents.formats.pdf.glyphs import text_objects

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

    @property
    def odd(self) -> bool:
        """Whether it can make a word invisible."""
        return self.clear or self.white or 0 < self.size < _SPECK


class Looks:
    """The looks of a page's characters; those of one text object are alike and looked at once."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._known: dict[int, Look] = {}
        self._bold: dict[int, bool] = {}
        self._colour = tuple(ctypes.c_uint() for _ in range(4))
        self._matrix = pdfium_c.FS_MATRIX()

    def of(self, places: list[int]) -> list[Look]:
        """Return how the characters at some places are shown."""
        objects = text_objects(self._raw, places)
        for drawn, place in dict(zip(reversed(objects), reversed(places), strict=True)).items():
            if drawn:
                self._known[drawn] = self._look(place)
        return [self._known[drawn] if drawn else self._look(place)
                for drawn, place in zip(objects, places, strict=True)]  # fmt: skip

    def _look(self, place: int) -> Look:
        raw, colour, matrix = self._raw, self._colour, self._matrix
        drawn = pdfium_c.FPDFText_GetTextObject(raw, place)
        mode = pdfium_c.FPDFTextObj_GetTextRenderMode(drawn) if drawn else 0
        filled = bool(mode == 0 and pdfium_c.FPDFText_GetFillColor(raw, place, *colour))
        known = pdfium_c.FPDFText_GetMatrix(raw, place, matrix)
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 if known else 1.0
        font = pdfium_c.FPDFTextObj_GetFont(drawn) if drawn else None
        key = ctypes.addressof(font.contents) if font else 0
        if not key or key not in self._bold:
            self._bold[key] = _is_bold(raw, place)
        *shades, alpha = (value.value for value in colour)
        return Look(
            font=key,
            size=round(pdfium_c.FPDFText_GetFontSize(raw, place) * scale, 1),
            bold=self._bold[key],
            clear=mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE or (filled and alpha == 0),
            white=filled and min(shades) >= 250,
        )


def _is_bold(raw: Any, place: int) -> bool:
    """Go by the font's weight, or by its name when it states none, as the fourteen standard fonts do."""
    weight = pdfium_c.FPDFText_GetFontWeight(raw, place)
    if weight > 0:
        return bool(weight >= 600)
    name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(raw, place, name, 100, flags)
    return b"bold" in name.value.lower()


def may_be_hidden(look: Look, word: Word, page: Page) -> bool:
    """Return whether a word has anything that can make it invisible; of most pages, none has."""
    return look.odd or word.x1 < 0 or word.bottom < 0 or word.x0 > page.width or word.top > page.height


def out_of_sight(look: Look, word: Word, page: Page, painted: list[Box]) -> bool:
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
